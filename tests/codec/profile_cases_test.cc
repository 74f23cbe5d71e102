// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// profile_cases.jsonl, one case per line: {"name", "ext"? (["p1"]), "dialect"? ("compat"),
// "strict"? (bits of accp_strictness), "profiles"?, "registry"?, "message" or "frame", and the
// result: "wire" or "json", "warnings"? (bits of accp_warning, default 0), or "refused": [status,
// offset]}.
#include "codec/case_text.h"
#include "codec/codecs.h"

namespace {

using namespace accp_codecs;
using accp_ref::Json;

uint32_t bits_of(const Json &value, const char *key, uint32_t otherwise) {
    const Json *found = value.find(key);
    return found ? static_cast<uint32_t>(std::stoul(found->text)) : otherwise;
}

void check(const Json &value) {
    SCOPED_TRACE(text_of(value, "name"));
    const Handle<accp_registry> registry =
        open_registry(text_of(value, "registry"), bits_of(value, "profiles", ACCP_PROFILE_ALL));
    const bool by_position = text_of(value, "ext") == "[\"p1\"]";
    const bool compat = text_of(value, "dialect") == "compat";
    const Handle<accp_codec> codec =
        open_codec(Config()
                       .registry(registry.get())
                       .extensions(by_position ? ACCP_EXT_P1 : ACCP_EXT_Q1)
                       .rule(ACCP_RULE_DIALECT, compat ? ACCP_COMPAT : ACCP_STRICT)
                       .rule(ACCP_RULE_STRICTNESS, bits_of(value, "strict", 0)));
    const bool sends = value.find("message");
    const Answer answer = sends ? encode(codec.get(), text_of(value, "message"))
                                : decode(codec.get(), text_of(value, "frame"));
    EXPECT_EQ(outcome_of(codec.get()).warnings, bits_of(value, "warnings", 0));
    if (const Json *refused = value.find("refused")) {
        EXPECT_EQ(std::to_string(answer.status), refused->items[0].text) << answer.text;
        EXPECT_EQ(std::to_string(answer.offset), refused->items[1].text);
    } else {
        EXPECT_EQ(answer.text, text_of(value, sends ? "wire" : "json"))
            << answer.status << " at " << answer.offset;
    }
}

TEST(ProfileCases, AsWritten) {
    std::istringstream lines(read_file(ACCP_SOURCE_DIR "/tests/codec/profile_cases.jsonl"));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto value = accp_ref::parse_json(line);
        ASSERT_TRUE(value.has_value()) << line;
        check(*value);
    }
    EXPECT_GT(count, 40);
}

}  // namespace
