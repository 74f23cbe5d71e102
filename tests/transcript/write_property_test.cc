// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random parts: no rule of a provider is broken, the same parts are calls as in a slow model, no
// whole part is lost, and untrusted parts only have the roles user and tool.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

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

bool is_call(const Part &part) {
    return is_act(part) && part.message && !part.is_untrusted && part.message->find("arguments");
}
bool is_reply(const Part &part) { return part.message && part.message->operation == "reply"; }
bool is_result(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kResult && part.message &&
           !is_reply(part);
}

size_t count_calls(const PartList &parts) {
    size_t calls = 0;
    for (size_t i = 0; i < parts.size(); ++i) calls += is_call(parts[i]);
    return calls;
}

// The slow model: the part that is the result of each call, or 0. Ids come first; the results
// without one are the last ones of the last calls without one.
std::map<size_t, size_t> match_results(const PartList &parts) {
    std::map<size_t, size_t> found;
    for (size_t i = 0; i < parts.size();) {
        if (!is_call(parts[i])) {
            ++i;
            continue;
        }
        std::vector<size_t> acts, results;
        for (; i < parts.size() && is_call(parts[i]); ++i) acts.push_back(i);
        for (; i < parts.size() && parts[i].kind == PartKind::kOpen && !is_act(parts[i]) &&
               !(parts[i].source == SourceKind::kResult && is_reply(parts[i]));
             ++i)
            if (is_result(parts[i])) results.push_back(i);
        for (const size_t act : acts) found[act] = 0;
        size_t unnamed = 0;
        for (const size_t act : acts) unnamed += call_id(parts[act]).empty();
        std::vector<size_t> others;
        for (const size_t result : results) {
            const std::string id = call_id(parts[result]);
            if (id.empty() && others.size() < unnamed) others.push_back(result);
            for (const size_t act : acts) {
                if (id.empty() || found[act] || call_id(parts[act]) != id) continue;
                found[act] = result;
                break;
            }
        }
        for (; !others.empty(); others.pop_back())
            for (size_t k = acts.size(); k-- > 0;) {
                if (found[acts[k]] || !call_id(parts[acts[k]]).empty()) continue;
                found[acts[k]] = others.back();
                break;
            }
    }
    return found;
}

// Each call has the result of the model; without one it has a line that says so, or nothing at the
// end of the request.
void check_pairs(const PartList &parts, const Json &openai) {
    std::vector<std::string> ids;
    std::map<std::string, std::string> results;
    for (const Json &message : openai.items) {
        if (const Json *calls = message.find("tool_calls"))
            for (const Json &call : calls->items) ids.push_back(call.find("id")->text);
        if (message.find("role")->text == "tool")
            results[message.find("tool_call_id")->text] =
                accp_ref::write_json(*message.find("content"));
    }
    const std::map<size_t, size_t> expected = match_results(parts);
    ASSERT_EQ(ids.size(), expected.size());
    size_t k = 0;
    for (const auto &[act, result] : expected) {
        const std::string id = ids[k++];
        if (result) {
            EXPECT_NE(results[id].find(tag_of(result)), std::string::npos) << act << results[id];
        } else if (results.count(id)) {
            EXPECT_EQ(results[id], "\"… no result\"") << act;
        }
    }
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

// A part with words is in the request: as its text, or as its message. A call that is not whole may
// have a ref instead.
void check_words(const PartList &parts, const std::string &request) {
    for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].text.find(tag_of(i)) != std::string_view::npos &&
            (parts[i].is_whole || !is_call(parts[i]))) {
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
        check_pairs(parts, list);
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

bool has_open_call(const Json &openai) {
    size_t calls = 0, results = 0;
    for (const Json &message : openai.items) {
        if (const Json *made = message.find("tool_calls")) calls += made->items.size();
        results += message.find("role")->text == "tool";
    }
    return calls > results;
}

// The request that a model answers is the beginning of all later ones.
TEST(TranscriptRequest, GrowsAtItsEnd) {
    accp_unit::Random random(13);
    size_t compared = 0;
    for (int i = 0; i < 600; ++i) {
        const PartList parts = random_parts(random, 16);
        std::string before = "[]";
        for (size_t count = 1; count < parts.size(); ++count) {
            if (!is_act(parts[count]) && !is_reply(parts[count])) continue;
            const std::string after = parts.write_first(count, Provider::kOpenAi);
            if (has_open_call(parse(after))) continue;
            ASSERT_EQ(after.substr(0, before.size() - 1), before.substr(0, before.size() - 1));
            before = after;
            ++compared;
        }
    }
    EXPECT_GT(compared, 500u);
}

}  // namespace
