// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The context engine: a stream of operations. The first byte of each says which: messages of
// several kinds with the bytes after it as their text, a phase boundary, another budget, save and
// restore. After each: every bound, on the text itself; and a second engine that was restored says
// the same.
#include <algorithm>
#include <vector>

#include "context/context_lines.h"
#include "context/session.h"
#include "fuzz/fuzz_input.h"
#include "value/json_writer.h"

using namespace accp_context;

namespace {

std::string quoted(std::string_view text) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::Buffer<char> valid(memory), out(memory);
    for (char c : text) valid.push(static_cast<char>(c & 0x7F));
    accp::value::write_json_string({valid.data(), valid.size()}, out);
    return {out.data(), out.size()};
}

// Its own tag is nowhere: what is looked for is lines that no message of these heads could have.
std::string message(unsigned kind, std::string_view text, Said &said) {
    static constexpr const char *kIntents[] = {"req",  "done", "ack", "esc",
                                               "comp", "sync", "req", "fail"};
    const std::string body = quoted(text);
    std::string payload = kind & 8 ? "{\"thought\":\"x\",\"arguments\":{\"command\":" + body + "}}"
                          : kind & 16 ? "{\"name\":\"n" + std::to_string(kind & 3) +
                                            "\",\"k\":" + body + ",\"s\":{\"d\":" + body + "}}"
                                      : "{\"content\":" + body + "}";
    said = {"a", kIntents[kind & 7], "tool", false};
    return std::string("{\"agent\":\"a\",\"intent\":\"") + kIntents[kind & 7] +
           "\",\"operation\":\"tool\",\"payload\":" + payload + "}";
}

// The tokens of a message as JSON that shows what cannot be seen, as a context does
// (docs/notes/render.md): of the ASCII that quoted() makes, JSON writes DEL alone as it is.
uint64_t visible_tokens(const std::string &json) {
    std::string visible;
    for (char c : json) c == '\x7F' ? visible += "\\u007f" : visible += c;
    return counting().count(visible);
}

void check(Session &session, uint64_t history, const std::vector<Said> &said) {
    accp::context::Context &context = session.context;
    REQUIRE(counting().count(context.hot()) == context.hot_tokens() && context.hot_tokens() <= 500);
    for (uint32_t id = context.checkpoints() > 12 ? context.checkpoints() - 12 : 1;
         id <= context.checkpoints(); ++id)
        REQUIRE(counting().count(context.warm(id)) <= 200);
    std::string text = session.render();
    REQUIRE(session.last_status.ok() && counting().count(text) == session.last_tokens);
    REQUIRE(session.last_tokens <= 2500 && session.last_tokens <= history);
    REQUIRE(find_forgery(text, said, session.context.checkpoints()).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session session(counting());
    std::string blob;
    std::vector<std::string> since;
    std::vector<Said> said;
    uint64_t history = 0;
    for (size_t at = 0; at < size;) {
        const unsigned op = data[at++];
        if (op >= 250) {
            REQUIRE(session.context.checkpoint().ok());
        } else if (op >= 240) {
            session.render(op * 7 - 1600);
        } else {
            size_t len = std::min<size_t>(op & 32 ? op * 16u : op / 4, size - at);
            std::string json = message(op, accp_fuzz::text_of(data + at, len), said.emplace_back());
            at += len;
            history += visible_tokens(json);
            REQUIRE(session.append(json).ok());
            since.push_back(json);
        }
        check(session, history, said);
        if (session.context.saved_messages() == session.context.messages()) {
            blob = session.save();
            since.clear();
        }
    }
    Session other(counting());
    if (!blob.empty()) REQUIRE(other.context.restore(blob.data(), blob.size()).ok());
    for (const std::string &json : since) REQUIRE(other.append(json).ok());
    REQUIRE(other.render() == session.render());
    // And a stranger's state.
    (void)other.context.restore(reinterpret_cast<const char *>(data), size).ok();
    other.render();
    return 0;
}
