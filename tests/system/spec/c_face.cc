// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See c_face.h.
#include "spec/c_face.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "server/json/writer.h"

namespace accp_face {
namespace {

accp_error untouched() {
    accp_error error;
    std::memset(&error, 0x5A, sizeof error);
    return error;
}

void must(accp_status status, const char *what) {
    if (status != ACCP_OK)
        throw std::runtime_error(std::string(what) + ": " + accp_status_name(status));
}

Answer refused(accp_status status, const accp_error &error, size_t input_len) {
    EXPECT_EQ(error.code, status);
    EXPECT_TRUE(error.message && *error.message && !std::strchr(error.message, '\n'));
    EXPECT_LE(error.offset, input_len);
    return {status, error.offset, {}};
}

// Runs a call of the form (input) -> (view).
template <class Call>
Answer ask(std::string_view input, Call call) {
    accp_error error = untouched();
    static const char mark = 0;
    accp_text out = {&mark, 12345};
    const accp_status status = call(input.data(), input.size(), &out, &error);
    if (status == ACCP_OK) {
        const accp_error before = untouched();
        EXPECT_EQ(std::memcmp(&error, &before, sizeof error), 0)
            << "a call that succeeded wrote an error";
        return {status, 0, std::string(out.text, out.len)};
    }
    EXPECT_TRUE(out.text == &mark && out.len == 12345) << "a call that failed wrote an output";
    return refused(status, error, input.size());
}

}  // namespace

Handle<accp_config> make_config(const Setup &setup) {
    accp_config *made = nullptr;
    must(accp_config_new(&made, nullptr), "config");
    Handle<accp_config> config(made);
    must(accp_config_set_rule(made, ACCP_RULE_DIALECT, setup.dialect, nullptr), "dialect");
    must(accp_config_set_rule(made, ACCP_RULE_EXTENSIONS, setup.extensions, nullptr), "extensions");
    must(accp_config_set_rule(made, ACCP_RULE_ABBREVIATE, setup.abbreviate, nullptr), "abbreviate");
    must(accp_config_set_rule(made, ACCP_RULE_KEEP_REFS, setup.keep_refs, nullptr), "keep refs");
    // generated frames and those of the cases have names of every kind
    must(accp_config_set_rule(made, ACCP_RULE_ANY_INTENT, 1, nullptr), "any intent");
    for (const auto &limit : setup.limits) {
        const int32_t number = accp_limit_find(limit.first.data(), limit.first.size());
        must(accp_config_set_limit(made, number, limit.second, nullptr), limit.first.c_str());
    }
    return config;
}

Frames::Frames(const Setup &setup) {
    accp_frame *made = nullptr;
    const Handle<accp_config> config = make_config(setup);
    must(accp_frame_new(config.get(), &made, nullptr), "frame");
    frame_.reset(made);
    accp_codec *codec = nullptr;
    must(accp_codec_new(config.get(), &codec, nullptr), "codec");
    codec_.reset(codec);
}

std::string_view Frames::keep(std::string_view text) {
    input_.reset(new char[text.size()]);
    if (!text.empty()) std::memcpy(input_.get(), text.data(), text.size());
    return {input_.get(), text.size()};
}

Answer Frames::parse(std::string_view text) {
    text = keep(text);
    accp_error error = untouched();
    const accp_status status = accp_frame_parse(frame_.get(), text.data(), text.size(), &error);
    size_t count = 0;
    accp_frame_nodes(frame_.get(), &count);
    EXPECT_EQ(count != 0, status == ACCP_OK) << "a refused frame has no tree, a taken one has";
    if (status != ACCP_OK) return refused(status, error, text.size());
    Answer answer;
    host::append_typed_json(frame_.get(), answer.text);
    return answer;
}

Answer Frames::print() {
    return ask({nullptr, accp_frame_text(frame_.get()).len}, [this](auto, auto, auto... rest) {
        return accp_frame_print(frame_.get(), rest...);
    });
}

Answer Frames::encode(std::string_view json) {
    return ask(keep(json), [this](auto... rest) { return accp_codec_encode(codec(), rest...); });
}

Answer Frames::decode(std::string_view text) {
    return ask(keep(text), [this](auto... rest) { return accp_codec_decode(codec(), rest...); });
}

Renders::Renders(const Setup &setup, std::string_view ignored) {
    const Handle<accp_config> config = make_config(setup);
    if (!ignored.empty())
        must(accp_config_add_ignored(config.get(), ignored.data(), ignored.size(), nullptr),
             "ignore");
    accp_render *made = nullptr;
    must(accp_render_new(config.get(), &made, nullptr), "render");
    render_.reset(made);
}

Answer Renders::render(std::string_view json, uint32_t flags) {
    const std::vector<char> exact(json.begin(), json.end());
    return ask({exact.data(), exact.size()}, [&](auto text, auto len, auto... rest) {
        return accp_render_json(get(), text, len, flags, rest...);
    });
}

Answer Renders::render_frame(std::string_view frame, uint32_t flags) {
    const std::vector<char> exact(frame.begin(), frame.end());
    return ask({exact.data(), exact.size()}, [&](auto text, auto len, auto... rest) {
        return accp_render_frame(get(), text, len, flags, rest...);
    });
}

Answer Renders::parse(std::string_view text) {
    const std::vector<char> exact(text.begin(), text.end());
    return ask({exact.data(), exact.size()},
               [&](auto... rest) { return accp_render_parse(get(), rest...); });
}

Answer hash_form(std::string_view json) {
    Setup setup;
    setup.limits = {{"json_bytes", 1 << 28}};
    accp_value *made = nullptr;
    must(accp_value_new(make_config(setup).get(), &made, nullptr), "value");
    const Handle<accp_value> value(made);
    accp_error error = untouched();
    const accp_status status = accp_value_parse_json(made, json.data(), json.size(), &error);
    if (status != ACCP_OK) return refused(status, error, json.size());
    size_t nodes = 0;
    accp_value_nodes(made, &nodes);
    return ask({nullptr, nodes}, [made](auto, auto, auto... rest) {
        return accp_value_print_hash_form(made, rest...);
    });
}

std::string wrapped(std::string_view json) {
    return std::string(kWrapBegin) + std::string(json) + std::string(kWrapEnd);
}

}  // namespace accp_face
