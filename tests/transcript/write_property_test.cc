// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random parts: no rule of a provider is broken, the same parts are calls as in a slow model, no
// whole part is lost, and untrusted parts only have the roles user and tool.
#include <gtest/gtest.h>

#include <algorithm>

#include "transcript/parts.h"
#include "transcript/provider_rules.h"
#include "transcript/transcripts.h"

namespace {

using namespace accp_transcript;
using accp_ref::Json;

Json parse(const std::string &text) {
    auto value = accp_ref::parse_json(text);
    EXPECT_TRUE(value.has_value()) << text;
    return value ? *value : Json();
}

std::string call_id(const Part &part) {
    const uint32_t node = part.message->find("call_id");
    return node ? std::string(part.message->tree.string(node)) : "";
}

bool is_act(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kAct;
}

// Returns whether all these acts are calls: their ids and those of as many results match.
bool is_group(const PartList &parts, size_t first, size_t acts) {
    if (first + 2 * acts > parts.size()) return false;
    std::vector<std::string> calls, results;
    for (size_t i = first; i < first + 2 * acts; ++i) {
        const Part &part = parts[i];
        if (!part.message || part.kind != PartKind::kOpen) return false;
        if (i < first + acts) {
            if (!part.is_whole || part.is_untrusted) return false;
            calls.push_back(call_id(part));
        } else {
            if (part.source != SourceKind::kResult || part.message->operation == "reply")
                return false;
            results.push_back(call_id(part));
        }
    }
    std::sort(calls.begin(), calls.end());
    std::sort(results.begin(), results.end());
    return calls == results;
}

// Returns how many of these acts, from their end, are calls whose results may be missing, because
// only their results follow (and the values of the host); or 0.
size_t count_open(const PartList &parts, size_t first, size_t end) {
    const size_t last =
        parts.size() - (parts.size() > end && parts[parts.size() - 1].kind == PartKind::kClosed);
    std::vector<std::string> results;
    for (size_t i = end; i < last; ++i) {
        const Part &part = parts[i];
        if (part.kind != PartKind::kOpen || part.source != SourceKind::kResult || !part.message ||
            part.message->operation == "reply")
            return 0;
        results.push_back(call_id(part));
    }
    std::sort(results.begin(), results.end());
    std::vector<std::string> calls;
    size_t found = 0;
    for (size_t i = end; i > first; --i) {
        const Part &part = parts[i - 1];
        if (!part.message || !part.is_whole || part.is_untrusted) break;
        calls.push_back(call_id(part));
        std::vector<std::string> sorted = calls;
        std::sort(sorted.begin(), sorted.end());
        if (calls.size() > results.size() &&
            std::includes(sorted.begin(), sorted.end(), results.begin(), results.end()))
            found = calls.size();
    }
    return found;
}

size_t count_calls(const PartList &parts) {
    size_t calls = 0;
    for (size_t i = 0; i < parts.size();) {
        size_t acts = 0;
        while (i + acts < parts.size() && is_act(parts[i + acts])) ++acts;
        const size_t end = i + acts;
        size_t group = acts;
        while (group && !is_group(parts, end - group, group)) --group;
        const size_t open = acts ? count_open(parts, i, end) : 0;
        calls += std::max(group, open);
        i = open > group ? parts.size() : acts ? end + group : i + 1;
    }
    return calls;
}

size_t count_in(const std::string &text, std::string_view what) {
    size_t count = 0;
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++count;
    return count;
}

// Returns all texts with this role, as JSON.
std::string said_as(const Json &messages, const std::string &role) {
    std::string said;
    for (const Json &message : messages.items)
        if (message.find("role")->text == role) said += accp_ref::write_json(message);
    return said;
}

void check_trust(const PartList &parts, const Json &openai, const Json &anthropic) {
    const Json *system = anthropic.find("system"), &messages = *anthropic.find("messages");
    const std::string guides =
        said_as(openai, "system") + (system ? accp_ref::write_json(*system) : "");
    const std::string acted = said_as(openai, "assistant") + said_as(messages, "assistant");
    for (size_t i = 0; i < parts.size(); ++i) {
        const Part &part = parts[i];
        const bool may_guide = part.kind == PartKind::kPinned &&
                               part.source == SourceKind::kGuide && !part.is_untrusted;
        if (!may_guide) {
            EXPECT_EQ(guides.find(tag_of(i)), std::string::npos) << i;
        }
        const bool may_act =
            part.kind == PartKind::kOpen && !part.is_untrusted &&
            (part.source == SourceKind::kAct || part.source == SourceKind::kResult);
        if (!may_act) {
            EXPECT_EQ(acted.find(tag_of(i)), std::string::npos) << i;
        }
    }
}

// A part with words is in the request: as its text, or as its message.
void check_words(const PartList &parts, const std::string &request) {
    for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].text.find(tag_of(i)) != std::string_view::npos) {
            EXPECT_NE(request.find(tag_of(i)), std::string::npos) << i << request;
        }
}

// Messages that are read from a request are complete too.
void check_round_trip(const PartList &parts, accp::transcript::Format format,
                      const std::string &request) {
    Transcript transcript;
    Lines lines;
    if (!parts.size()) return;
    const accp::Status status = transcript.read(format, request, lines);
    if (status.code == ACCP_E1001 && std::string(status.message) == accp::transcript::kNoItems)
        return;  // parts without words
    ASSERT_TRUE(status.ok()) << status.message << status.offset << request;
    std::string all;
    for (const std::string &line : lines.lines) all += line;
    check_words(parts, all);
    EXPECT_EQ(count_in(all, "\"intent\":\"req\",\"operation\":\"tool\""), count_calls(parts));
}

TEST(TranscriptRequest, BreaksNoRule) {
    accp_unit::Random random(11);
    size_t calls = 0, marks = 0;
    for (int i = 0; i < 1500; ++i) {
        SCOPED_TRACE(i);
        const PartList parts = random_parts(random, random.below(24));
        const std::string openai = parts.write(Provider::kOpenAi),
                          anthropic = parts.write(Provider::kAnthropic);
        const Json list = parse(openai), request = parse(anthropic);
        ASSERT_EQ(broken_openai_rule(list), "") << openai;
        ASSERT_EQ(broken_anthropic_rule(request), "") << anthropic;
        ASSERT_EQ(count_in(openai, "\"type\":\"function\""), count_calls(parts)) << openai;
        ASSERT_EQ(count_in(anthropic, "\"type\":\"tool_use\""), count_calls(parts)) << anthropic;
        check_trust(parts, list, request);
        check_words(parts, openai);
        check_words(parts, anthropic);
        check_round_trip(parts, accp::transcript::Format::kOpenAi, openai);
        check_round_trip(parts, accp::transcript::Format::kAnthropic, anthropic);
        calls += count_calls(parts);
        marks += count_in(anthropic, "cache_control");
        if (HasFailure()) return;
    }
    EXPECT_GT(calls, 1500u);
    EXPECT_GT(marks, 1500u);
}

// The cache marks are on the last pinned part and on the last stable part.
TEST(TranscriptRequest, MarksWhatStays) {
    accp_unit::Random random(12);
    for (int i = 0; i < 500; ++i) {
        const PartList parts = random_parts(random, random.below(16));
        bool has_pinned = false, has_stable = false;
        for (size_t at = 0; at < parts.size(); ++at) {
            const bool says = parts[at].text.find('#') != std::string_view::npos;
            has_pinned = has_pinned || (says && parts[at].kind == PartKind::kPinned);
            has_stable = has_stable || (says && parts[at].is_stable);
        }
        const size_t marks = count_in(parts.write(Provider::kAnthropic), "cache_control");
        EXPECT_GE(marks, size_t{has_pinned || has_stable});
        EXPECT_LE(marks, size_t{has_pinned} + size_t{has_stable});
        EXPECT_EQ(count_in(parts.write(Provider::kOpenAi), "cache_control"), 0u);
    }
}

// If the parts before a part are unchanged, so is that part of the request.
TEST(TranscriptRequest, GrowsAtItsEnd) {
    accp_unit::Random random(13);
    for (int i = 0; i < 300; ++i) {
        PartList parts = random_parts(random, 12);
        const std::string before = parts.write(Provider::kOpenAi);
        const size_t calls = count_calls(parts);
        parts.add(PartKind::kOpen, SourceKind::kTask, "and then\n");
        const std::string after = parts.write(Provider::kOpenAi);
        if (count_calls(parts) != calls) continue;  // the open call is a text now
        EXPECT_EQ(after.substr(0, before.size() - 1), before.substr(0, before.size() - 1));
    }
}

}  // namespace
