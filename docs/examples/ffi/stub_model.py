# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

# A server that plays the model of agent_loop.py, and the tool that the model is given.
import http.server
import json
import re
import threading

NIGHTS = ["monday", "tuesday", "wednesday"]


def read_log(night):
    day = NIGHTS.index(night)
    return "".join(f"worker-{i} stopped at {i * 7 % 24:02}:{(i * 13 + day) % 60:02}, {i * 31 % 97 + day} jobs done\n" for i in range(2400))


def decide(turn, messages):
    """What the model says in this turn, and the tool that it calls: three logs, lines of one that its context has left out, and an answer."""
    if turn < len(NIGHTS):
        return "I read the next log.", ("read_log", {"night": NIGHTS[turn]})
    if turn == len(NIGHTS):
        return "I need some lines of it.", ("resolve", {"ref": re.findall(r"\$cold\.m\d+", messages)[-1], "query": "11:43"})
    return "On Wednesday: " + " ".join(dict.fromkeys(re.findall(r"(worker-\d+) stopped at 11:43", messages))), None


def openai(turn, text, call):
    calls = {"tool_calls": [{"id": f"call_{turn}", "type": "function", "function": {"name": call[0], "arguments": json.dumps(call[1])}}]} if call else {}
    return {"choices": [{"message": {"role": "assistant", "content": text, **calls}}]}


def anthropic(turn, text, call):
    calls = [{"type": "tool_use", "id": f"toolu_{turn}", "name": call[0], "input": call[1]}] if call else []
    return {"role": "assistant", "content": [{"type": "text", "text": text}] + calls}


def play(form):
    """Starts the server; answers where it listens."""
    turns = iter(range(100))

    class Model(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            messages, turn = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"], next(turns)
            said = {"openai": openai, "anthropic": anthropic}[form](turn, *decide(turn, json.dumps(messages)))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
