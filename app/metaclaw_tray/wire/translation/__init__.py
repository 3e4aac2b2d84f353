"""From the dialect that a client speaks to the one that its upstream understands: chat completions.

Requests go one way, answers and streams come back. All is pure and sans-IO: whole requests and answers are
functions on bytes, streams are machines that are fed with bytes as they come and give bytes to send on.

What is only a hint (caching, metadata, service tiers, budgets of thought) is left away. What carries meaning
and cannot be said in chat completions is refused by name. Nothing may enter that knows about routes, skills,
the record or sockets.

    refusal     what cannot be said
    names       tools under names that chat completions allow, and back
    call_ids    ids of calls, the same way
    messages_*  Anthropic's messages: request, answer, stream, the count of tokens
    responses_* OpenAI's responses, the same way; free_text is what its custom tools take
    thoughts    the mark on thoughts that came through here, and putting back what a client left away
    chat_stream a stream of chat completions in pieces, whatever its server leaves away
    overflow    conversations that are too long, as upstreams say it
    usage       tokens as upstreams count them
    token_*     estimates them where nobody counts: by the language of a text and the vocabulary of a model
    tool_text*  calls that a small model writes as text
"""
