// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// cases.jsonl, one case per line: {"name", "registry"? (a document), "profiles"?, "ext"? (["p1"]),
// "schema"?, "message"? and "frame"?, and the results: "wire" for the message and "json" for the
// frame (or for the encoded message), or "refused": [status, offset]}. Defaults are marked.
#include "codec/case_text.h"
#include "codec/codecs.h"

namespace {

using namespace accp_codecs;
using accp_ref::Json;

uint32_t extensions_of(const Json &value) {
    uint32_t bits = ACCP_EXT_Q1;
    const Json *list = value.find("ext");
    if (!list) return bits;
    if (list->items.empty()) return ACCP_EXT_NONE;
    for (const Json &item : list->items) {
        if (item.text == "t1") bits |= ACCP_EXT_T1;
        if (item.text == "p1") bits |= ACCP_EXT_P1;
        if (item.text == "u8") bits |= ACCP_EXT_U8;
        if (item.text == "w1") bits |= ACCP_EXT_W1;
    }
    return bits;
}

void check_refused(const Json &value, const Answer &answer) {
    const Json &refused = *value.find("refused");
    EXPECT_EQ(std::to_string(answer.status), refused.items[0].text) << answer.text;
    EXPECT_EQ(std::to_string(answer.offset), refused.items[1].text);
}

void check(const Json &value) {
    SCOPED_TRACE(text_of(value, "name"));
    const Json *profiles = value.find("profiles");
    const uint32_t bits =
        profiles ? static_cast<uint32_t>(std::stoul(profiles->text)) : uint32_t{ACCP_PROFILE_ALL};
    const Handle<accp_registry> registry = open_registry(text_of(value, "registry"), bits);
    const Handle<accp_codec> codec = open_codec(Config()
                                                    .registry(registry.get())
                                                    .extensions(extensions_of(value))
                                                    .rule(ACCP_RULE_MARK_DEFAULTS, 1)
                                                    .schema(text_of(value, "schema")));
    std::string wire = text_of(value, "frame");
    if (value.find("message")) {
        const Answer sent = encode(codec.get(), text_of(value, "message"));
        if (value.find("refused")) return check_refused(value, sent);
        EXPECT_EQ(sent.text, text_of(value, "wire"));
        wire = sent.text;
    }
    const Answer back = decode(codec.get(), wire);
    if (value.find("refused")) return check_refused(value, back);
    EXPECT_EQ(back.text, text_of(value, "json")) << back.status << " at " << back.offset;
    // A decoded frame is encoded as the same frame, including marks, if the encoder made it.
    if (value.find("message")) {
        EXPECT_EQ(encode(codec.get(), back.text).text, wire);
    }
}

TEST(CodecCases, AsWritten) {
    std::istringstream lines(read_file(ACCP_SOURCE_DIR "/tests/codec/cases.jsonl"));
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto value = accp_ref::parse_json(line);
        ASSERT_TRUE(value.has_value()) << line;
        check(*value);
        ++count;
    }
    EXPECT_GT(count, 20);
}

}  // namespace
