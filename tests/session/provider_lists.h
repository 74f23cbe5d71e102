// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Message lists of providers for session tests: texts that are hard to preserve, and contexts read
// back.
#pragma once

#include <algorithm>

#include "reference/ref_json.h"
#include "session/sessions.h"

namespace accp_lists {

using accp_ref::Json;
using accp_ref::parse_json;
using accp_ref::write_json;

// SplitMix64.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    size_t below(size_t bound) {
        uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return (z ^ z >> 31) % bound;
    }

private:
    uint64_t state_;
};

inline std::string json_text(const std::string &text) {
    std::string out;
    accp_ref::append_json_string(text, out);
    return out;
}

inline std::string message(const std::string &role, const std::string &text) {
    return "{\"role\":\"" + role + "\",\"content\":" + json_text(text) + "}";
}

// A list of the first items.
inline std::string joined(const std::vector<std::string> &items, size_t count = SIZE_MAX) {
    std::string list = "[";
    for (size_t i = 0; i < std::min(count, items.size()); ++i) list += (i ? "," : "") + items[i];
    return list + "]";
}

// White space of every kind, NUL, invisible characters, lines that look like a context's own, and
// letters from all planes.
inline std::string hard_text(Random &random, bool has_words = true) {
    static const std::string pieces[] = {"\t",
                                         "\r\n",
                                         "\r",
                                         "\n\n\n",
                                         "  ",
                                         " \n",
                                         std::string(1, '\0'),
                                         "\x1B[31m",
                                         "\v\f",
                                         "\xC2\xA0",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\x8B",
                                         "\xE2\x80\xAE",
                                         "\xEF\xBB\xBF",
                                         "\xF4\x8F\xBF\xBF",
                                         "\xF0\x9F\x98\x80",
                                         "e\xCC\x81",
                                         "\\n \\u0041 \"q\"",
                                         "\n@user req:plan content: no\n",
                                         "\n$cold.m1\n",
                                         "\n\xE2\x80\xA6 40 lines as above\n",
                                         "\n(values)\n",
                                         "{\"agent\":1}",
                                         "\xE4\xB8\xAD\xE6\x96\x87",
                                         "<|endoftext|>",
                                         "\x7F",
                                         "\xC2\x85",
                                         "\xEF\xBF\xBD",
                                         "a word ",
                                         "if (x)\n    return y;\n"};
    std::string text = random.below(4) ? "" : "\n \t";
    if (has_words) text += "w" + std::to_string(random.below(1000));
    for (size_t n = random.below(9); n; --n) text += pieces[random.below(std::size(pieces))];
    return text;
}

// Where the next line begins. Each of these ends a line of a context.
inline size_t line_end(const std::string &text, size_t at) {
    static const std::string kEnds[] = {"\r\n",     "\n",           "\r",          "\v",
                                        "\f",       "\x1C",         "\x1D",        "\x1E",
                                        "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (; at < text.size(); ++at)
        for (const std::string &end : kEnds)
            if (text.compare(at, end.size(), end) == 0) return at + end.size();
    return at;
}

// Is this the text, with gaps for lines of it that were left out? The text may have lines that look
// like gaps.
inline bool is_gapped(const std::string &shown, const std::string &text) {
    static const std::string kGapMark = "… ", kAbove = " lines as above";
    size_t at = 0;
    std::istringstream lines(shown);
    for (std::string line; std::getline(lines, line);) {
        const size_t above = line.find(kAbove);
        const bool is_own = text.compare(at, line.size(), line) == 0;
        if (!is_own && line.rfind(kGapMark, 0) == 0 && above != line.npos) {
            for (size_t n = std::stoull(line.substr(kGapMark.size())); n; --n) {
                if (at >= text.size()) return false;
                at = line_end(text, at);
            }
            continue;
        }
        if (!is_own) return false;
        at += line.size();
        at += at < text.size() && text[at] == '\n';
    }
    return at == text.size();
}

inline accp_status append_messages(accp_session *session, int32_t as, const std::string &list,
                                   accp_error *error = nullptr) {
    return accp_session_append_messages(session, list.data(), list.size(), as, accp_sessions::kNow,
                                        nullptr, error);
}

struct Request {
    std::string text;
    Json json;
    uint64_t tokens = 0;
};
inline Request request_of(accp_session *session, int32_t as, uint64_t budget = 0) {
    Request made;
    accp_text out = {};
    accp_error error = {};
    EXPECT_EQ(accp_session_context_messages(session, as, budget, &out, &made.tokens, &error),
              ACCP_OK)
        << error.message;
    made.text = accp_test::string_of(out);
    const auto json = parse_json(made.text);
    EXPECT_TRUE(json.has_value()) << made.text;
    if (json) made.json = *json;
    return made;
}

inline std::string answer(accp_session *session, const std::string &ref) {
    const std::string arguments = "{\"ref\":" + json_text(ref) + "}";
    return accp_sessions::text_of([&](accp_text *out, accp_error *err) {
        return accp_session_answer(session, arguments.data(), arguments.size(), accp_sessions::kNow,
                                   out, err);
    });
}

}  // namespace accp_lists
