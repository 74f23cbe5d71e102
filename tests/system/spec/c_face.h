// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The C face for these tests: handles that free themselves, and one struct for the result of a
// call. Every call is checked for the rules that hold for all: a failure fills the error and leaves
// the outputs unchanged, and a refused frame leaves no tree.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"

namespace accp_face {

struct Free {
    void operator()(accp_config *config) const { accp_config_free(config); }
    void operator()(accp_frame *frame) const { accp_frame_free(frame); }
    void operator()(accp_codec *codec) const { accp_codec_free(codec); }
    void operator()(accp_value *value) const { accp_value_free(value); }
    void operator()(accp_render *render) const { accp_render_free(render); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

struct Setup {
    int32_t dialect = ACCP_STRICT;
    uint32_t extensions = ACCP_EXT_Q1;
    bool abbreviate = false;
    bool keep_refs = false;
    std::vector<std::pair<std::string, uint64_t>> limits;  // by name
};

/** Throws std::runtime_error if the library refuses the setup. */
Handle<accp_config> make_config(const Setup &setup);

/** The result of a call: a text on ACCP_OK, otherwise the offset of the refusal. */
struct Answer {
    accp_status status = ACCP_OK;
    uint64_t offset = 0;
    std::string text;

    bool ok() const { return status == ACCP_OK; }
};

class Frames {
public:
    explicit Frames(const Setup &setup = {});

    /**
     * The text is copied to a block of its exact size first, so that a sanitizer detects a read
     * past its end. It stays until the next call.
     */
    Answer parse(std::string_view text);  // the typed JSON of `accp parse`
    Answer print();                       // of the frame that was parsed
    Answer encode(std::string_view json);
    Answer decode(std::string_view text);
    accp_frame *get() const { return frame_.get(); }
    accp_codec *codec() const { return codec_.get(); }

private:
    std::string_view keep(std::string_view text);

    Handle<accp_frame> frame_;
    Handle<accp_codec> codec_;  // without a registry
    std::unique_ptr<char[]> input_;
};

class Renders {
public:
    explicit Renders(const Setup &setup = {}, std::string_view ignored = {});

    /** Like Frames, with blocks of the exact size. */
    Answer render(std::string_view json, uint32_t flags = 0);
    Answer render_frame(std::string_view text, uint32_t flags = 0);
    Answer parse(std::string_view text);
    accp_render *get() const { return render_.get(); }

private:
    Handle<accp_render> render_;
};

/** Returns the hash form of one JSON text. */
Answer hash_form(std::string_view json);

/**
 * The text of a message with the payload {"k":value}, before and after the value; wrapped() returns
 * all of it.
 */
inline constexpr std::string_view kWrapBegin =
    R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)";
inline constexpr std::string_view kWrapEnd = "}}";
std::string wrapped(std::string_view json);

}  // namespace accp_face
