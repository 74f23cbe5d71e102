// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Short names for calls of the C face in these tests.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>

#include "spec/c_face.h"

namespace accp_face {

struct FreeBatch {
    void operator()(accp_batch *batch) const { accp_batch_free(batch); }
};
using Batch = std::unique_ptr<accp_batch, FreeBatch>;

using Limits = std::vector<std::pair<std::string, uint64_t>>;
inline Setup with(int32_t dialect, uint32_t extensions = ACCP_EXT_Q1, bool abbreviate = false,
                  bool keep_refs = false, const Limits &limits = {}) {
    return {dialect, extensions, abbreviate, keep_refs, limits};
}

inline Handle<accp_frame> new_frame(const Setup &setup = {}) {
    accp_frame *made = nullptr;
    EXPECT_EQ(accp_frame_new(make_config(setup).get(), &made, nullptr), ACCP_OK);
    return Handle<accp_frame>(made);
}
inline Handle<accp_codec> new_codec(const Setup &setup = {}) {
    accp_codec *made = nullptr;
    EXPECT_EQ(accp_codec_new(make_config(setup).get(), &made, nullptr), ACCP_OK);
    return Handle<accp_codec>(made);
}
inline Handle<accp_value> new_value(const Setup &setup = {}) {
    accp_value *made = nullptr;
    EXPECT_EQ(accp_value_new(make_config(setup).get(), &made, nullptr), ACCP_OK);
    return Handle<accp_value>(made);
}
inline Batch new_batch(const Setup &setup = {}) {
    accp_batch *made = nullptr;
    EXPECT_EQ(accp_batch_new(make_config(setup).get(), &made, nullptr), ACCP_OK);
    return Batch(made);
}

inline accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }
inline std::string string_of(accp_text text) {
    return text.text ? std::string(text.text, text.len) : std::string();
}

// Returns "OK", or the code and the offset: "E1001 at 5".
inline std::string verdict(accp_status status, const accp_error &error) {
    if (status == ACCP_OK) return "OK";
    EXPECT_EQ(error.code, status);
    EXPECT_TRUE(error.message && *error.message);
    return std::string(accp_status_code_name(status)) + " at " + std::to_string(error.offset);
}

// Calls call(&out, &error). Returns the text, or the verdict if it fails; then the outputs must be
// unchanged.
template <class Call>
std::string text_or_verdict(Call call) {
    static const char mark = 0;
    accp_text out = {&mark, 4711};
    accp_error error = {};
    const accp_status status = call(&out, &error);
    if (status == ACCP_OK) return {out.text, out.len};
    EXPECT_TRUE(out.text == &mark && out.len == 4711);
    return verdict(status, error);
}

inline std::string parse(accp_frame *frame, std::string_view text) {
    accp_error error = {};
    const accp_status status = accp_frame_parse(frame, text.data(), text.size(), &error);
    return verdict(status, error);
}
inline std::string print(accp_frame *frame) {
    return text_or_verdict([=](auto... out) { return accp_frame_print(frame, out...); });
}
inline std::string encode(accp_codec *codec, std::string_view json) {
    return text_or_verdict(
        [=](auto... out) { return accp_codec_encode(codec, json.data(), json.size(), out...); });
}
inline std::string decode(accp_codec *codec, std::string_view text) {
    return text_or_verdict(
        [=](auto... out) { return accp_codec_decode(codec, text.data(), text.size(), out...); });
}
inline std::string json(accp_value *value, std::string_view text) {
    accp_error error = {};
    const accp_status status = accp_value_parse_json(value, text.data(), text.size(), &error);
    return verdict(status, error);
}
inline std::string print(accp_value *value) {
    return text_or_verdict([=](auto... out) { return accp_value_print_json(value, out...); });
}
inline std::string hash(accp_value *value) {
    return text_or_verdict([=](auto... out) { return accp_value_print_hash_form(value, out...); });
}

}  // namespace accp_face
