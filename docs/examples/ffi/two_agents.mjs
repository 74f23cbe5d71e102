// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two agents over libaccp.so, with the FFI package koffi: npm install koffi; node two_agents.mjs /usr/local/lib/libaccp.so
import koffi from "koffi";

koffi.struct("accp_error", { code: "int32_t", record: "uint32_t", offset: "uint64_t", message: "const char *", had: "uint64_t", limit: "uint64_t" });
koffi.struct("accp_text", { text: "void *", len: "size_t" });
koffi.struct("accp_delivery", { status: "int32_t", origin: "int32_t", seq: "int64_t", message: "accp_text", mid: "accp_text", cid: "accp_text", reason: "const char *" });

if (process.argv.length !== 3) throw new Error("usage: two_agents.mjs LIBRARY, the path of libaccp.so");
const library = koffi.load(process.argv[2]);
const error = "_Out_ accp_error *err";
const view = "_Out_ accp_text *out";
const accp = {
  abi: library.func("int32_t accp_abi_version()"),
  code: library.func("const char *accp_status_code_name(int32_t status)"),
  newEngine: library.func(`int32_t accp_engine_new(void *config, _Out_ void **out, ${error})`),
  freeEngine: library.func("void accp_engine_free(void *engine)"),
  open: library.func(`int32_t accp_session_open(void *engine, const char *id, size_t id_len, uint32_t flags, _Out_ void **out, ${error})`),
  close: library.func("void accp_session_close(void *session)"),
  send: library.func(`int32_t accp_session_send(void *session, const uint8_t *text, size_t text_len, int64_t now_ms, ${view}, ${error})`),
  receive: library.func(`int32_t accp_session_receive(void *session, const uint8_t *text, size_t text_len, int64_t now_ms, void *peer, ${error})`),
  next: library.func("int accp_session_next_delivery(void *session, _Out_ accp_delivery *out)"),
  context: library.func(`int32_t accp_session_context(void *session, uint64_t budget, ${view}, _Out_ uint64_t *tokens, ${error})`),
};
if (accp.abi() !== 1) throw new Error("another ABI than this program was written for");

// A status other than 0 becomes an exception.
function call(f, ...args) {
  const err = {};
  if (f(...args, err) !== 0) throw new Error(`${accp.code(err.code)} at byte ${err.offset}: ${err.message}`);
}

// A view is copied at once: it ends with the handle's next call.
const copy = (view) => Buffer.from(koffi.decode(view.text, koffi.array("uint8_t", Number(view.len)))).toString();

class Agent {
  constructor(name) {
    const engine = [null], session = [null];
    call(accp.newEngine, null, engine);
    call(accp.open, engine[0], name, Buffer.byteLength(name), 0, session);
    [this.engine, this.session] = [engine[0], session[0]];
  }
  send(json, now) {
    const text = Buffer.from(json), out = {};
    call(accp.send, this.session, text, text.length, now, out);
    return copy(out);
  }
  *receive(frame, now) {
    const text = Buffer.from(frame), one = {};
    call(accp.receive, this.session, text, text.length, now, null);
    while (accp.next(this.session, one)) yield copy(one.message);
  }
  context() {
    const out = {}, tokens = [0];
    call(accp.context, this.session, 0, out, tokens);
    return [copy(out), tokens[0]];
  }
  close() {
    accp.close(this.session);
    accp.freeEngine(this.engine);
  }
}

const planner = new Agent("planner"), worker = new Agent("worker"), now = 1714000000000;
const message = '{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","priority":"high"}}';
const frame = planner.send(message, now);
console.log(frame.split("[")[0]); // without its envelope, whose mid is another one each time
for (const said of worker.receive(frame, now)) console.log(said.split(',"meta"')[0] + "}");
const [text, tokens] = worker.context();
console.log(`${text.trimEnd()} (${tokens} tokens)`);
try {
  planner.send('{"agent":', now);
} catch (e) {
  console.log(e.message);
}
planner.close();
worker.close();
