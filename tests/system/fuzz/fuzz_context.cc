// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The context engine, under a series of operations. The first byte of each selects it: a message of
// one of several kinds with the following bytes as its text, a phase boundary, another budget, save
// and restore. After each operation the text is checked against every limit, and a second engine
// that was restored must return the same text.
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

// The tag of this message never occurs. The test looks for lines that no message with this header
// can have.
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

// Small values, so that all kinds of folding occur.
accp::context::ContextOptions options_of(unsigned byte) {
    if (byte & 1) return kSpecification;
    accp::context::ContextOptions options;
    options.whole_max = 200 + byte * 4, options.newest_max = 220, options.retained = 3;
    options.price_cached = byte & 2 ? 1000 : 300;
    return options;
}

void check(Session &session, const accp::context::ContextOptions &options,
           const std::vector<Said> &said) {
    accp::context::Context &context = session.context;
    REQUIRE(counting().count(context.hot()) == context.hot_tokens() &&
            context.hot_tokens() <= options.hot_max);
    for (uint32_t id = context.checkpoints() > 12 ? context.checkpoints() - 12 : 1;
         id <= context.checkpoints(); ++id)
        REQUIRE(counting().count(context.warm(id)) <= options.checkpoint_max);
    std::string text = session.render();
    REQUIRE(session.last_status.ok() && counting().count(text) == session.last_tokens);
    REQUIRE(find_forgery(text, said, session.context.checkpoints()).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const accp::context::ContextOptions options = options_of(size ? data[0] : 0);
    Session session(counting(), options);
    std::vector<Said> said;
    for (size_t at = 1; at < size;) {
        const unsigned op = data[at++];
        if (op >= 250) {
            REQUIRE(session.context.checkpoint().ok());
        } else if (op >= 240) {
            const uint64_t budget = op * 7u - 1600;
            session.render(budget);
            REQUIRE(session.last_status.failed() || session.last_tokens <= budget);
        } else {
            size_t len = std::min<size_t>(op & 32 ? op * 16u : op / 4, size - at);
            std::string json = message(op, accp_fuzz::text_of(data + at, len), said.emplace_back());
            at += len;
            REQUIRE(session.append(json).ok());
        }
        check(session, options, said);
    }
    Session other(counting(), options);
    const std::string blob = session.save();
    REQUIRE(other.context.restore(blob.data(), blob.size()).ok());
    REQUIRE(other.render() == session.render() && other.save() == blob);
    // the state of another session
    (void)other.context.restore(reinterpret_cast<const char *>(data), size).ok();
    other.render();
    return 0;
}
