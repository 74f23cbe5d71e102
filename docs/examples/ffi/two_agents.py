# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

# Two agents over libaccp.so, with Python's ctypes alone: python3 two_agents.py /usr/local/lib/libaccp.so
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p


class Error(Structure):  # accp_error
    _fields_ = [("code", c_int32), ("record", c_uint32), ("offset", c_uint64), ("message", c_char_p), ("had", c_uint64), ("limit", c_uint64)]


class Text(Structure):  # accp_text: not ended by NUL
    _fields_ = [("text", c_void_p), ("len", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.text, self.len).decode()


class Delivery(Structure):  # accp_delivery
    _fields_ = [("status", c_int32), ("origin", c_int32), ("seq", c_int64), ("message", Text), ("mid", Text), ("cid", Text), ("reason", c_char_p)]


class AccpError(Exception):
    pass


class Library:
    """The calls that this program makes. Texts go as bytes and their length; a status other than 0 becomes an exception."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name in ("accp_session_close", "accp_engine_free"):
            getattr(self.library, name).argtypes = [c_void_p]
            getattr(self.library, name).restype = None
        self.library.accp_status_code_name.restype = c_char_p
        self.library.accp_session_next_delivery.argtypes = [c_void_p, POINTER(Delivery)]
        if self.library.accp_abi_version() != 1:
            raise AccpError("another ABI than this program was written for")

    def call(self, name, *arguments):
        error = Error()
        status = getattr(self.library, name)(*arguments, byref(error))
        if status:
            code = self.library.accp_status_code_name(status).decode()
            raise AccpError(f"{code} at byte {error.offset}: {error.message.decode()}")

    def text(self, name, *arguments):
        out = Text()  # the view that a call hands out: copied before the next call
        self.call(name, *arguments, byref(out))
        return str(out)


class Agent:
    """One side: an engine of its own, and a session."""

    def __init__(self, library, name):
        self.library, self.engine, self.session = library, c_void_p(), c_void_p()
        library.call("accp_engine_new", None, byref(self.engine))
        library.call("accp_session_open", self.engine, name.encode(), c_size_t(len(name)), c_uint32(0), byref(self.session))

    def send(self, json, now_ms):
        text = json.encode()
        return self.library.text("accp_session_send", self.session, text, c_size_t(len(text)), c_int64(now_ms))

    def receive(self, frame, now_ms):
        text, one = frame.encode(), Delivery()
        self.library.call("accp_session_receive", self.session, text, c_size_t(len(text)), c_int64(now_ms), None)
        while self.library.library.accp_session_next_delivery(self.session, byref(one)):
            yield str(one.message)

    def context(self):
        out, tokens = Text(), c_uint64()
        self.library.call("accp_session_context", self.session, c_uint64(0), byref(out), byref(tokens))
        return str(out), tokens.value

    def close(self):
        self.library.library.accp_session_close(self.session)
        self.library.library.accp_engine_free(self.engine)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: two_agents.py LIBRARY, the path of libaccp.so")
    library = Library(sys.argv[1])
    planner, worker = Agent(library, "planner"), Agent(library, "worker")
    now_ms = 1714000000000
    message = '{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","priority":"high"}}'
    frame = planner.send(message, now_ms)
    print(frame.partition("[")[0])  # without its envelope, whose mid is another one each time
    for said in worker.receive(frame, now_ms):
        print(said.partition(',"meta"')[0] + "}")
    text, tokens = worker.context()
    print(f"{text.rstrip()} ({tokens} tokens)")
    try:
        planner.send('{"agent":', now_ms)
    except AccpError as error:
        print(error)
    planner.close()
    worker.close()


main()
