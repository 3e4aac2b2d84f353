"""What several rooms of tests share: a deterministic model server and the HTTP/1.1 it speaks."""
