// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Parses bytes as a frame, in all three dialects. Every vector kernel must give the same verdict,
// offset and tree, and the tree must be valid. The printed frame must parse to the same values,
// also in the strict grammar, and must print the same again.
#include <vector>

#include "frame/symbols.h"
#include "fuzz/fuzz_input.h"
#include "fuzz/tree_check.h"

using namespace accp_fuzz;

namespace {

struct Outcome {
    accp_status status;
    uint64_t offset;
    std::string nodes;
    bool operator==(const Outcome &other) const {
        return status == other.status && offset == other.offset && nodes == other.nodes;
    }
};

Outcome parse_with(const char *kernel, Frame &frame, const Exact &text) {
    REQUIRE(accp::frame::use_symbols_kernel(kernel));
    Answer answer = frame.parse(text);
    size_t count = 0;
    const accp_node *nodes = accp_frame_nodes(frame.get(), &count);
    return {answer.status,
            answer.offset,
            {reinterpret_cast<const char *>(nodes), count * sizeof *nodes}};
}

void read_everything(const Frame &frame, size_t text_len) {
    size_t count = 0;
    const accp_node *nodes = accp_frame_nodes(frame.get(), &count);
    for (uint32_t i = 0; i < count; ++i) {
        int64_t number = 0;
        accp_status read = accp_frame_int(frame.get(), i, &number, nullptr);
        REQUIRE(nodes[i].kind == ACCP_INT ? read == ACCP_OK || read == ACCP_E1004
                                          : read == ACCP_ERR_ARG);
        size_t len = 0;
        if (nodes[i].kind == ACCP_ARRAY || nodes[i].kind == ACCP_MAP) continue;
        accp_status status = accp_frame_string(frame.get(), i, nullptr, 0, &len, nullptr);
        REQUIRE(len ? status == ACCP_ERR_SPACE : status == ACCP_OK);
        std::unique_ptr<char[]> exact(new char[len]);
        REQUIRE(accp_frame_string(frame.get(), i, exact.get(), len, &len, nullptr) == ACCP_OK);
    }
    accp_error error = untouched_error();
    accp_envelope envelope = {};
    accp_status status = accp_frame_envelope(frame.get(), &envelope, &error);
    REQUIRE(status == ACCP_OK || status == ACCP_E1001);
    check_error(status, error, text_len);
}

Answer payload_hash(Frame &frame, size_t text_len) {
    accp_value *value = nullptr;
    REQUIRE(accp_value_new(nullptr, &value, nullptr) == ACCP_OK);
    accp_error error = untouched_error();
    accp_status status = accp_frame_payload(frame.get(), value, &error);
    check_error(status, error, text_len);
    Answer answer = {status, 0, {}, nullptr};
    if (answer.ok()) {
        size_t count = 0;
        const accp_node *nodes = accp_value_nodes(value, &count);
        check_tree(nodes, count, accp_value_text(value), false);
        answer = ask(0, [value](auto... out) { return accp_value_print_hash_form(value, out...); });
    }
    accp_value_free(value);
    return answer;
}

void check_printed(const Answer &printed, const Answer &hash, int32_t dialect) {
    const Exact text(printed.text);
    for (int32_t reader : {dialect, dialect == ACCP_COMPAT ? int32_t{ACCP_STRICT} : dialect}) {
        Frame frame(Settings{reader});
        REQUIRE(frame.parse(text).ok());
        REQUIRE(frame.print(text.size()).text == printed.text);
        const Answer again = payload_hash(frame, text.size());
        REQUIRE(again.status == hash.status && again.text == hash.text);
    }
}

void check(const Exact &text, int32_t dialect) {
    Frame frame(Settings{dialect});
    const Outcome portable = parse_with("portable", frame, text);
    REQUIRE(portable.status == ACCP_OK || portable.status == ACCP_E1001);
    for (const char *kernel : {"ssse3", "avx2", "avx512", "neon"})
        if (accp::frame::use_symbols_kernel(kernel))
            REQUIRE(parse_with(kernel, frame, text) == portable);
    if (portable.status != ACCP_OK) return;
    size_t count = 0;
    const accp_node *nodes = accp_frame_nodes(frame.get(), &count);
    check_tree(nodes, count, accp_frame_text(frame.get()), true);
    read_everything(frame, text.size());
    const Answer hash = payload_hash(frame, text.size());
    const Answer printed = frame.print(text.size());
    if (printed.ok()) check_printed(printed, hash, dialect);
    else REQUIRE(printed.status == ACCP_E1004);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Exact text(text_of(data, size));
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) check(text, dialect);
    return 0;
}
