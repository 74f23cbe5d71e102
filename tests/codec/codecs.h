// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Codecs for tests, through the C API.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "config.h"

namespace accp_codecs {

using accp_test::Config;
using accp_test::hooks_for;
using accp_test::outcome_of;

struct Free {
    void operator()(accp_registry *handle) const { accp_registry_free(handle); }
    void operator()(accp_codec *handle) const { accp_codec_free(handle); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

struct Answer {
    accp_status status = ACCP_OK;
    uint64_t offset = 0;
    std::string text;

    bool ok() const { return status == ACCP_OK; }
};

inline Handle<accp_registry> open_registry(std::string_view document, uint32_t profiles) {
    accp_registry *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_registry_new(document.data(), document.size(), profiles, nullptr, &made, &error),
              ACCP_OK)
        << error.message << document;
    return Handle<accp_registry>(made);
}

inline Handle<accp_codec> open_codec(const Config &config) {
    return Handle<accp_codec>(accp_test::make_codec(config).release());
}
inline Handle<accp_codec> open_codec(const accp_registry *registry, uint32_t extensions) {
    return open_codec(Config().registry(registry).extensions(extensions));
}

// The status with which a codec of this config is refused.
inline accp_status refused_codec(const Config &config) {
    accp_codec *made = nullptr;
    const accp_status status = accp_codec_new(config.get(), &made, nullptr);
    EXPECT_EQ(made, nullptr);
    accp_codec_free(made);
    return status;
}

inline accp_frame_budget budget_of(accp_codec *codec) {
    accp_frame_budget budget = {};
    EXPECT_EQ(accp_codec_budget(codec, &budget, nullptr), ACCP_OK);
    return budget;
}

using Call = accp_status (*)(accp_codec *, const char *, size_t, accp_text *, accp_error *);

inline Answer call(Call function, accp_codec *codec, std::string_view text) {
    // A block of the exact size, so that a sanitizer detects an overread.
    const std::unique_ptr<char[]> block(new char[text.size()]);
    std::copy(text.begin(), text.end(), block.get());
    accp_text out = {};
    accp_error error = {};
    Answer answer;
    answer.status = function(codec, block.get(), text.size(), &out, &error);
    EXPECT_EQ(answer.ok(), out.text != nullptr);
    if (answer.ok()) answer.text.assign(out.text, out.len);
    answer.offset = error.offset;
    return answer;
}
inline Answer encode(accp_codec *codec, std::string_view json) {
    return call(accp_codec_encode, codec, json);
}
inline Answer decode(accp_codec *codec, std::string_view text) {
    return call(accp_codec_decode, codec, text);
}

inline std::string read_file(const std::string &path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace accp_codecs
