// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decodes bytes as a frame; the first byte selects the settings. The result must be JSON that can
// be encoded and then decoded to an equal message. The fast path to JSON must agree with the
// general one.
#include "fuzz/both_ways.h"

using namespace accp_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    Settings settings = settings_from(data[0]);
    settings.dialect = data[0] & 0x80 ? ACCP_COMPAT : ACCP_STRICT;
    const Exact text(text_of(data + 1, size - 1));
    require_one_text_both_ways(
        fast_settings(data[0]), [&text](accp::frame::Coder &coder, accp::Buffer<char> &out) {
            accp::Memory memory(accp::private_allocator(), uint64_t{1} << 30);
            accp::Buffer<accp::value::Node> nodes(memory);
            return coder.decode(text.view().data(), text.view().size(), nodes, out);
        });
    const Answer json = Codec(Config(settings)).decode(text.view());
    if (!json.ok()) {
        REQUIRE(json.status == ACCP_E1001 || json.status == ACCP_E1004 ||
                (json.status == ACCP_E2001 && !settings.keep_refs));
        return 0;
    }
    settings.dialect = ACCP_STRICT;
    settings.key_bytes = 65535;  // a column's name may be longer as the key of a map
    // The message may need a longer frame than the one that was read.
    constexpr uint64_t kMaxBytes = 64 << 20;
    Config wide(settings);
    wide.limit(ACCP_LIMIT_FRAME_BYTES, kMaxBytes).limit(ACCP_LIMIT_JSON_BYTES, kMaxBytes);
    Codec writer(wide);
    const Answer wire = writer.encode(json.text);
    REQUIRE(wire.ok());
    const Answer back = writer.decode(wire.text);
    REQUIRE(back.ok());
    const Answer first = hash_form(json.text), second = hash_form(back.text);
    REQUIRE(first.status == second.status && first.text == second.text);
    return 0;
}
