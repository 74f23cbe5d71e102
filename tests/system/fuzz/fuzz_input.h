// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared by all fuzz targets: inputs in blocks of their exact size, so that a sanitizer detects a
// read past the end; a check that aborts the run; and calls of the C face that check the rules for
// all calls.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace accp_fuzz {

#define REQUIRE(condition) \
    ((condition) ? static_cast<void>(0) : accp_fuzz::give_up(__FILE__, __LINE__, #condition))

[[noreturn]] inline void give_up(const char *file, int line, const char *what) {
    std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    std::abort();
}

// A copy on the heap with no byte to spare.
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

// The result of a call.
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

// Checks the error of a call: filled after a failure, otherwise unchanged.
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

// Runs a call that returns a view: call(&out, &error). max: the largest offset that an error may
// have.
template <class Call>
Answer ask(size_t max, Call call) {
    static const char mark = 0;
    accp_text out = {&mark, SIZE_MAX};
    accp_error error = untouched_error();
    accp_status status = call(&out, &error);
    check_error(status, error, max);
    if (status == ACCP_OK) {
        REQUIRE(out.text != &mark && out.len != SIZE_MAX);
        return {status, 0, std::string(out.text, out.len), nullptr};
    }
    REQUIRE(out.text == &mark && out.len == SIZE_MAX);
    return {status, error.offset, {}, error.message};
}

struct Settings {
    int32_t dialect = ACCP_STRICT;
    uint32_t extensions = ACCP_EXT_Q1;
    bool abbreviate = false, keep_refs = false;
    uint64_t depth = 5, key_bytes = 256;
};

// Settings from the first byte of an input. Seeds can begin with a printable character: '0' selects
// the defaults.
inline Settings settings_from(uint8_t byte) {
    constexpr uint32_t kSets[] = {ACCP_EXT_Q1, ACCP_EXT_T1, ACCP_EXT_U8, ACCP_EXT_T1 | ACCP_EXT_U8};
    unsigned bits = byte - unsigned{'0'};
    return {ACCP_STRICT,     kSets[bits & 3] | (bits & 32 ? ACCP_EXT_W1 : 0), (bits & 4) != 0,
            (bits & 8) != 0, bits & 16 ? uint64_t{64} : uint64_t{5},          256};
}

// A config whose setters must succeed.
class Config {
public:
    Config() { REQUIRE(accp_config_new(&config_, nullptr) == ACCP_OK); }
    explicit Config(const Settings &settings) : Config() {
        rule(ACCP_RULE_DIALECT, settings.dialect);
        rule(ACCP_RULE_EXTENSIONS, settings.extensions);
        rule(ACCP_RULE_ABBREVIATE, settings.abbreviate);
        rule(ACCP_RULE_KEEP_REFS, settings.keep_refs);
        rule(ACCP_RULE_ANY_INTENT, 1);
        limit(ACCP_LIMIT_DEPTH, settings.depth);
        limit(ACCP_LIMIT_KEY_BYTES, settings.key_bytes);
    }
    Config(const Config &) = delete;
    Config &operator=(const Config &) = delete;
    ~Config() { accp_config_free(config_); }

    Config &rule(int32_t rule, int64_t value) {
        REQUIRE(accp_config_set_rule(config_, rule, value, nullptr) == ACCP_OK);
        return *this;
    }
    Config &limit(int32_t limit, uint64_t value) {
        REQUIRE(accp_config_set_limit(config_, limit, value, nullptr) == ACCP_OK);
        return *this;
    }
    Config &registry(const accp_registry *registry) {
        REQUIRE(accp_config_set_registry(config_, registry, nullptr) == ACCP_OK);
        return *this;
    }
    Config &tokenizer(const accp_tokenizer *tokenizer) {
        REQUIRE(accp_config_set_tokenizer(config_, tokenizer, nullptr) == ACCP_OK);
        return *this;
    }
    // The size of the struct is filled in.
    Config &hooks(accp_hooks hooks) {
        hooks.size = sizeof hooks;
        REQUIRE(accp_config_set_hooks(config_, &hooks, nullptr) == ACCP_OK);
        return *this;
    }
    Config &allocator(const accp_allocator &allocator) {
        REQUIRE(accp_config_set_allocator(config_, &allocator, nullptr) == ACCP_OK);
        return *this;
    }
    accp_config *get() const { return config_; }

private:
    accp_config *config_ = nullptr;
};

// A frame handle for one input, so that inputs cannot affect each other.
class Frame {
public:
    explicit Frame(const Config &config) {
        REQUIRE(accp_frame_new(config.get(), &frame_, nullptr) == ACCP_OK);
    }
    explicit Frame(const Settings &settings) : Frame(Config(settings)) {}
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
    accp_frame *get() const { return frame_; }

private:
    accp_frame *frame_ = nullptr;
};

// A codec for one input.
class Codec {
public:
    explicit Codec(const Config &config) {
        REQUIRE(accp_codec_new(config.get(), &codec_, nullptr) == ACCP_OK);
    }
    Codec(const Codec &) = delete;
    Codec &operator=(const Codec &) = delete;
    ~Codec() { accp_codec_free(codec_); }

    Answer encode(std::string_view json) { return call(accp_codec_encode, json); }
    Answer decode(std::string_view text) { return call(accp_codec_decode, text); }
    accp_codec *get() const { return codec_; }

private:
    template <class Function>
    Answer call(Function function, std::string_view from) {
        const Exact text(from);
        return ask(text.size(),
                   [&](auto... out) { return function(codec_, text.data(), text.size(), out...); });
    }

    accp_codec *codec_ = nullptr;
};

// The properties of a registry, in texts that outlive it.
struct RegistryInfo {
    std::string text, canonical, hash;
    uint32_t schema_count;
};
inline RegistryInfo info_of(const accp_registry *registry) {
    accp_registry_info info = {};
    REQUIRE(accp_registry_describe(registry, &info, nullptr) == ACCP_OK);
    auto copy = [](accp_text text) { return std::string(text.text, text.len); };
    return {copy(info.text), copy(info.canonical), copy(info.hash), info.schema_count};
}

// Returns the hash form of a JSON text that accp_value_parse_json() accepts.
Answer hash_form(std::string_view json);

}  // namespace accp_fuzz
