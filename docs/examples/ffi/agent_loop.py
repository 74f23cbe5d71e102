# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

# A model with tools, over libaccp.so: python3 agent_loop.py LIBRARY openai|anthropic [URL MODEL]
#
# The program appends what comes to a session, and sends what the session makes of it instead of the whole history. What a context leaves out the model asks for by the
# tool `resolve`, which one call answers. Without a URL a stub in this process plays the model (stub_model.py); with one the key is in $API_KEY.
import ctypes
import json
import os
import sys
import time
import urllib.request
from ctypes import Structure, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

import stub_model

SYSTEM = "You look after a build farm. Answer in one sentence."
QUESTION = "Which workers stopped at 11:43 on Wednesday? There are logs of monday, tuesday and wednesday."
READ_LOG = {"name": "read_log", "description": "The log of a night."}
NIGHT = {"type": "object", "properties": {"night": {"type": "string"}}, "required": ["night"]}


class Error(Structure):  # accp_error
    _fields_ = [("code", c_int32), ("record", c_uint32), ("offset", c_uint64), ("message", c_char_p), ("had", c_uint64), ("limit", c_uint64)]


class Text(Structure):  # accp_text: not ended by NUL
    _fields_ = [("text", c_void_p), ("len", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.text, self.len).decode()


def given(text):
    return text.encode(), c_size_t(len(text.encode()))


def now_ms():
    return c_int64(int(time.time() * 1000))


class Session:
    """A session, in an engine of its own, for one interface. A status other than 0 becomes an exception; a view is copied before the next call."""

    def __init__(self, path, form):
        self.library, self.engine, self.session, tokenizer, self.counter = ctypes.CDLL(path), c_void_p(), c_void_p(), c_void_p(), c_void_p()
        self.library.accp_interface_tool.restype = c_char_p
        self.form = c_int32(self.library.accp_interface_find(*given(form)))
        self.tool = json.loads(self.library.accp_interface_tool(self.form))
        self.call("accp_engine_new", None, byref(self.engine))
        self.call("accp_session_open", self.engine, *given("talk"), c_uint32(0), byref(self.session))
        self.call("accp_tokenizer_new", *given("o200k_base"), None, byref(tokenizer))
        self.call("accp_counter_new", tokenizer, None, byref(self.counter))

    def call(self, name, *arguments):
        error = Error()
        if getattr(self.library, name)(*arguments, byref(error)):
            raise RuntimeError(f"{name}: {error.code} at byte {error.offset}: {error.message.decode()}")

    def append(self, messages):
        self.call("accp_session_append_messages", self.session, *given(json.dumps(messages)), self.form, now_ms(), None)

    def messages(self):
        out = Text()
        self.call("accp_session_context_messages", self.session, self.form, c_uint64(0), byref(out), None)
        return json.loads(str(out))

    def answer(self, arguments):
        out = Text()
        self.call("accp_session_answer", self.session, *given(arguments), now_ms(), byref(out))
        return str(out)

    def tokens(self, text):
        count = c_uint64()
        self.call("accp_counter_count", self.counter, *given(text), c_uint64(2**63), byref(count))
        return count.value


class OpenAi:
    """Chat completions: where they are, and what the program has to read and to write."""

    path, headers = "/chat/completions", {"Authorization": "Bearer " + os.environ.get("API_KEY", "none")}
    tool = {"type": "function", "function": {**READ_LOG, "parameters": NIGHT}}
    opening = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]

    def body(self, messages):
        return {"messages": messages}

    def read(self, answer):
        message = answer["choices"][0]["message"]
        calls = message.get("tool_calls") or []
        return message, message["content"], [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls]

    def results(self, results):
        return [{"role": "tool", "tool_call_id": call, "content": text} for call, text in results]


class Anthropic:
    """Messages: the same. What is to be cached the library has marked."""

    path, headers = "/v1/messages", {"x-api-key": os.environ.get("API_KEY", "none"), "anthropic-version": "2023-06-01"}
    tool = {**READ_LOG, "input_schema": NIGHT}
    opening = {"system": SYSTEM, "messages": [{"role": "user", "content": QUESTION}]}

    def body(self, messages):
        return {"max_tokens": 1000, **messages}

    def read(self, answer):
        parts = answer["content"]
        calls = [(part["id"], part["name"], json.dumps(part["input"])) for part in parts if part["type"] == "tool_use"]
        return {"role": "assistant", "content": parts}, "".join(part.get("text", "") for part in parts), calls

    def results(self, results):
        return [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": text} for call, text in results]}]


def main():
    if len(sys.argv) not in (3, 5) or sys.argv[2] not in ("openai", "anthropic"):
        sys.exit("usage: agent_loop.py LIBRARY openai|anthropic [URL MODEL]")
    form = OpenAi() if sys.argv[2] == "openai" else Anthropic()
    url, model = sys.argv[3:] or (stub_model.play(sys.argv[2]), "stub")
    session, said, history, sent, resent = Session(sys.argv[1], sys.argv[2]), form.opening, "", 0, 0
    while said:
        session.append(said)
        messages = session.messages()
        history += json.dumps(said)  # only to see what it would cost to send it
        request, whole = session.tokens(json.dumps(messages)), session.tokens(history)
        print(f"a request of {request} tokens; the history has {whole}")
        sent, resent = sent + request, resent + whole
        body = {"model": model, "tools": [form.tool, session.tool], **form.body(messages)}
        post = urllib.request.Request(url + form.path, json.dumps(body).encode(), {"Content-Type": "application/json", **form.headers})
        message, text, calls = form.read(json.load(urllib.request.urlopen(post)))
        print("model:", text)
        results = []
        for call, name, arguments in calls:
            print("      ", name, arguments)
            results.append((call, session.answer(arguments) if name == "resolve" else stub_model.read_log(**json.loads(arguments))))
        said = [message] + form.results(results) if calls else None
    print(f"{sent} tokens in all; the history each time would have been {resent}")


main()
