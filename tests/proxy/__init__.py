"""The proxy against real sockets: a scripted upstream on one side, real clients on the other."""
