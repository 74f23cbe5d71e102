// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Codecs for tests, through the C face.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "accp/accp.h"

namespace accp_codecs {

struct Free {
    void operator()(accp_registry *handle) const { accp_registry_free(handle); }
    void operator()(accp_codec *handle) const { accp_codec_free(handle); }
    void operator()(accp_options *handle) const { accp_options_free(handle); }
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
    EXPECT_EQ(accp_registry_new(nullptr, profiles, document.data(), document.size(), &made, &error),
              ACCP_OK)
        << error.message << document;
    return Handle<accp_registry>(made);
}

inline Handle<accp_codec> open_codec(const accp_registry *registry, uint32_t extensions,
                                     const accp_options *options = nullptr) {
    accp_codec *made = nullptr;
    EXPECT_EQ(accp_codec_new(options, registry, extensions, &made, nullptr), ACCP_OK);
    return Handle<accp_codec>(made);
}

using Call = accp_status (*)(accp_codec *, const char *, size_t, const char **, size_t *,
                             accp_error *);

inline Answer call(Call function, accp_codec *codec, std::string_view text) {
    // A block of its exact size, so that a sanitizer sees a byte read too many.
    const std::unique_ptr<char[]> block(new char[text.size()]);
    std::copy(text.begin(), text.end(), block.get());
    const char *out = nullptr;
    size_t len = 0;
    accp_error error = {};
    Answer answer;
    answer.status = function(codec, block.get(), text.size(), &out, &len, &error);
    EXPECT_EQ(answer.ok(), out != nullptr);
    if (answer.ok()) answer.text.assign(out, len);
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
