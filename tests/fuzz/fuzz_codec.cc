// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry's document, a newline, and a message or a frame: what is taken is taken again, and as the same bytes. A message that became a frame comes
// back as one that becomes the same frame; a frame that became a message becomes one that says the same.
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

using Call = accp_status (*)(accp_codec *, const char *, size_t, const char **, size_t *, accp_error *);

// False where it is refused.
bool call(Call function, accp_codec *codec, std::string_view from, std::string &to) {
    const Exact text(from);
    const char *out = nullptr;
    size_t len = 0;
    accp_error error = untouched_error();
    const accp_status status = function(codec, text.data(), text.size(), &out, &len, &error);
    check_error(status, error, text.size());
    REQUIRE((status == ACCP_OK) == (out != nullptr) && status != ACCP_E9999);
    if (status == ACCP_OK) to.assign(out, len);
    return status == ACCP_OK;
}

void check(accp_codec *codec, std::string_view text) {
    std::string frame, message, again;
    if (call(accp_codec_encode, codec, text, frame)) {
        REQUIRE(call(accp_codec_decode, codec, frame, message));
        REQUIRE(call(accp_codec_encode, codec, message, again) && again == frame);
    }
    // A frame that nobody here would have written may be too long, or too deep, to be written; what it says does not change.
    if (call(accp_codec_decode, codec, text, message) && call(accp_codec_encode, codec, message, frame)) {
        REQUIRE(call(accp_codec_decode, codec, frame, message));
        REQUIRE(call(accp_codec_encode, codec, message, again) && again == frame);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *newline = size ? static_cast<const uint8_t *>(std::memchr(data, '\n', size)) : nullptr;
    if (!newline) return 0;
    const std::string_view document = text_of(data, static_cast<size_t>(newline - data));
    const std::string_view text = text_of(newline + 1, size - document.size() - 1);
    accp_registry *registry = nullptr;
    if (accp_registry_new(nullptr, ACCP_PROFILE_ALL, document.data(), document.size(), &registry, nullptr) != ACCP_OK) return 0;
    for (uint32_t extensions : {uint32_t{ACCP_EXT_NONE}, uint32_t{ACCP_EXT_Q1}, uint32_t{ACCP_EXT_P1 | ACCP_EXT_T1 | ACCP_EXT_U8}}) {
        accp_codec *codec = nullptr;
        REQUIRE(accp_codec_new(nullptr, registry, extensions, &codec, nullptr) == ACCP_OK);
        REQUIRE(accp_codec_set_mark_defaults(codec, 1, nullptr) == ACCP_OK);
        check(codec, text);
        accp_codec_free(codec);
    }
    accp_registry_free(registry);
    return 0;
}
