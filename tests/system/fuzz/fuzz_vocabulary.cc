// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Vocabularies from an untrusted source: as a tokenizer.json, and as a .tiktoken file, with and
// without the 256 bytes before it. An accepted vocabulary must work.
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

void use(accp_status status, accp_tokenizer *tokenizer, const accp_error &error,
         std::string_view text) {
    check_error(status, error, text.size() + 4096);
    if (status != ACCP_OK) return;
    accp_counter *counter = nullptr;
    const uint32_t *ids = nullptr;
    accp_text out = {};
    uint64_t tokens = 0;
    size_t count = 0;
    REQUIRE(accp_counter_new(tokenizer, nullptr, &counter, nullptr) == ACCP_OK);
    for (std::string_view sample : {text, std::string_view("abc the 123's\n")}) {
        REQUIRE(accp_counter_count(counter, sample.data(), sample.size(), UINT64_MAX, &tokens,
                                   nullptr) == ACCP_OK);
        REQUIRE(accp_counter_encode(counter, sample.data(), sample.size(), &ids, &count, nullptr) ==
                    ACCP_OK &&
                count == tokens);
        REQUIRE(accp_counter_decode(counter, ids, count, &out, nullptr) == ACCP_OK);
    }
    REQUIRE(std::string_view(out.text, out.len) == "abc the 123's\n");
    accp_counter_free(counter);
    accp_tokenizer_free(tokenizer);
}

std::string bytes() {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (unsigned byte = 0; byte < 256; ++byte)
        text.append({kDigits[byte >> 2], kDigits[(byte & 3) << 4], '=', '=', ' '})
            .append(std::to_string(byte))
            .append("\n");
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Exact text(text_of(data, size));
    accp_tokenizer *made = nullptr;
    accp_error error = untouched_error();
    accp_status status =
        accp_tokenizer_new_json("j", 1, text.data(), text.size(), nullptr, &made, &error);
    use(status, made, error, text.view());
    const Exact with_bytes(bytes() + std::string(text.view()));
    for (const char *pattern : {"llama3", "gpt2", "deepseek3", "tekken", "qwen35"}) {
        error = untouched_error();
        status =
            accp_tokenizer_new_tiktoken("t", 1, pattern, std::strlen(pattern), with_bytes.data(),
                                        with_bytes.size(), nullptr, &made, &error);
        use(status, made, error, text.view());
    }
    return 0;
}
