// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What every fuzz target needs: inputs in blocks of their exact size, so that a sanitizer sees a
// byte read too many; a check that ends the run; and calls of the C face that look after what holds
// for all of them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "accp/accp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace accp_fuzz {

#define REQUIRE(condition) \
    ((condition) ? static_cast<void>(0) : accp_fuzz::give_up(__FILE__, __LINE__, #condition))

[[noreturn]] inline void give_up(const char *file, int line, const char *what) {
    std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    std::abort();
}

// A copy of its exact size on the heap.
class Exact {
public:
    explicit Exact(std::string_view text) : memory_(new char[text.size()]), size_(text.size()) {
        if (size_) std::memcpy(memory_.get(), text.data(), size_);
    }
    const char *data() const { return memory_.get(); }
    size_t size() const { return size_; }
    std::string_view view() const { return {memory_.get(), size_}; }

private:
    std::unique_ptr<char[]> memory_;
    size_t size_;
};

inline std::string_view text_of(const uint8_t *data, size_t size) {
    return {reinterpret_cast<const char *>(data), size};
}

// What a call answered.
struct Answer {
    accp_status status = ACCP_OK;
    uint64_t offset = 0;
    std::string text;
    const char *message = nullptr;

    bool ok() const { return status == ACCP_OK; }
};

inline accp_error untouched_error() {
    accp_error error;
    std::memset(&error, 0x5A, sizeof error);
    return error;
}

// The error of a call: filled where it failed, as it was where it did not.
inline void check_error(accp_status status, const accp_error &error, size_t max) {
    const accp_error before = untouched_error();
    if (status == ACCP_OK) {
        REQUIRE(!std::memcmp(&error, &before, sizeof error));
        return;
    }
    REQUIRE(status != ACCP_E9999);
    REQUIRE(error.code == status);
    REQUIRE(error.message && error.message != before.message && *error.message);
    REQUIRE(error.offset <= max);
}

// A call that answers with a view: call(&out, &len, &error). most: what an error's offset may be.
template <class Call>
Answer ask(size_t max, Call call) {
    static const char mark = 0;
    const char *out = &mark;
    size_t len = SIZE_MAX;
    accp_error error = untouched_error();
    accp_status status = call(&out, &len, &error);
    check_error(status, error, max);
    if (status == ACCP_OK) {
        REQUIRE(out != &mark && len != SIZE_MAX);
        return {status, 0, std::string(out, len), nullptr};
    }
    REQUIRE(out == &mark && len == SIZE_MAX);
    return {status, error.offset, {}, error.message};
}

struct Settings {
    int32_t dialect = ACCP_STRICT;
    uint32_t extensions = ACCP_EXT_Q1;
    bool abbreviate = false, keep_refs = false;
    uint64_t depth = 5, key_bytes = 256;
};

// Settings from the first byte of an input, so that seeds begin with a printable character: '0' is
// the default.
inline Settings settings_from(uint8_t byte) {
    constexpr uint32_t kSets[] = {ACCP_EXT_Q1, ACCP_EXT_T1, ACCP_EXT_U8, ACCP_EXT_T1 | ACCP_EXT_U8};
    unsigned bits = byte - unsigned{'0'};
    return {ACCP_STRICT,
            kSets[bits & 3],
            (bits & 4) != 0,
            (bits & 8) != 0,
            bits & 16 ? uint64_t{64} : uint64_t{5},
            256};
}

inline accp_options *make_options(const Settings &settings) {
    accp_options *options = nullptr;
    REQUIRE(accp_options_new(&options, nullptr) == ACCP_OK);
    REQUIRE(accp_options_set_dialect(options, settings.dialect, nullptr) == ACCP_OK);
    REQUIRE(accp_options_set_extensions(options, settings.extensions, nullptr) == ACCP_OK);
    REQUIRE(accp_options_set_abbreviate(options, settings.abbreviate, nullptr) == ACCP_OK);
    REQUIRE(accp_options_set_keep_refs(options, settings.keep_refs, nullptr) == ACCP_OK);
    REQUIRE(accp_options_set_limit(options, ACCP_LIMIT_DEPTH, settings.depth, nullptr) == ACCP_OK);
    REQUIRE(accp_options_set_limit(options, ACCP_LIMIT_KEY_BYTES, settings.key_bytes, nullptr) ==
            ACCP_OK);
    return options;
}

// A frame handle that ends with the input, so that one input cannot lean on another.
class Frame {
public:
    explicit Frame(const Settings &settings) {
        accp_options *options = make_options(settings);
        REQUIRE(accp_frame_new(options, &frame_, nullptr) == ACCP_OK);
        accp_options_free(options);
    }
    Frame(const Frame &) = delete;
    Frame &operator=(const Frame &) = delete;
    ~Frame() { accp_frame_free(frame_); }

    Answer parse(const Exact &text) {
        accp_error error = untouched_error();
        accp_status status = accp_frame_parse(frame_, text.data(), text.size(), &error);
        check_error(status, error, text.size());
        size_t count = 1;
        accp_frame_nodes(frame_, &count);
        REQUIRE((count > 0) == (status == ACCP_OK));
        return {status, status == ACCP_OK ? 0 : error.offset, {}, nullptr};
    }
    Answer print(size_t text_len) {
        return ask(text_len, [this](auto... out) { return accp_frame_print(frame_, out...); });
    }
    Answer encode(const Exact &json) {
        return ask(json.size(), [&](auto... out) {
            return accp_frame_encode(frame_, json.data(), json.size(), out...);
        });
    }
    Answer decode(const Exact &text) {
        return ask(text.size(), [&](auto... out) {
            return accp_frame_decode(frame_, text.data(), text.size(), out...);
        });
    }
    accp_frame *get() const { return frame_; }

private:
    accp_frame *frame_ = nullptr;
};

// The hash form of a JSON text that accp_json_parse() takes.
Answer hash_form(std::string_view json);

}  // namespace accp_fuzz
