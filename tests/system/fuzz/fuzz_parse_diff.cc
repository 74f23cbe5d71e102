// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares the library with the reference parser, which is slow and simple: same verdict, offset,
// tree and canonical form, in all three dialects. The first byte selects the limits.
#include "fuzz/fuzz_input.h"
#include "reference/ref_print.h"
#include "server/json/writer.h"

using namespace accp_fuzz;

namespace {

constexpr accp_ref::Limits kLimits[] = {
    {},
    {65536, 256, 4096, 256, 64},
    {65536, 3, 2, 256, 2},
    {65536, 256, 4096, 3, 5},
    {40, 256, 4096, 256, 5},
    {300, 4, 3, 9, 3},
    {},
    {},
};

accp_frame *make(int32_t dialect, const accp_ref::Limits &limits) {
    Config config({dialect, ACCP_EXT_Q1, false, false, limits.depth, limits.key_bytes});
    config.limit(ACCP_LIMIT_FRAME_BYTES, limits.frame_bytes)
        .limit(ACCP_LIMIT_PARAMS, limits.params)
        .limit(ACCP_LIMIT_ITEMS, limits.items);
    accp_frame *frame = nullptr;
    REQUIRE(accp_frame_new(config.get(), &frame, nullptr) == ACCP_OK);
    return frame;
}

std::string typed_text(const accp_ref::Frame &frame) {
    accp_ref::Json json = accp_ref::typed(frame);
    json.members.insert(json.members.begin(),
                        {"ok", accp_ref::Json{accp_ref::JsonKind::kTrue, {}, {}, {}}});
    return accp_ref::write_json(json);
}

void compare(accp_frame *frame, const accp_ref::Frame &expected, size_t len) {
    std::string typed;
    host::append_typed_json(frame, typed);
    REQUIRE(typed == typed_text(expected));
    const accp_ref::Canonical canonical = accp_ref::canonical(expected);
    const Answer printed =
        ask(len, [frame](auto... out) { return accp_frame_print(frame, out...); });
    REQUIRE(printed.status == (canonical.text ? ACCP_OK : ACCP_E1004));
    REQUIRE(printed.offset == canonical.offset);
    REQUIRE(printed.text == canonical.text.value_or(""));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const accp_ref::Limits &limits = kLimits[data[0] & 7];
    const Exact text(text_of(data + 1, size - 1));
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        const accp_ref::Parsed expected =
            accp_ref::parse_frame(text.view(), static_cast<accp_ref::Dialect>(dialect), limits);
        accp_frame *frame = make(dialect, limits);
        accp_error error = untouched_error();
        accp_status status = accp_frame_parse(frame, text.data(), text.size(), &error);
        check_error(status, error, text.size());
        REQUIRE(status == (expected.frame ? ACCP_OK : ACCP_E1001));
        if (expected.frame) compare(frame, *expected.frame, text.size());
        else REQUIRE(error.offset == expected.offset);
        accp_frame_free(frame);
    }
    return 0;
}
