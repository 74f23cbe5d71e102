// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Feedback in all accepted forms, and the form that is written.
#include "packet/panes/feedback.h"

#include <gtest/gtest.h>

#include "packet/panes/statistics.h"
#include "unit.h"

namespace {

using accp::packet::Feedback;

struct FeedbackCase {
    const char *name;
    const char *text;
    const char *gives;  // gaps and unused parts, separated by |; or the message
};

constexpr FeedbackCase kFeedbackCases[] = {
    {"ours", "---\npane: 1\ncontext_gaps:\n  - a thing\ncontext_unused: []\n---\n\nSome text.\n",
     "a thing\n|"},
    {"the proposal's example",
     "# Worker feedback (written to .agentwire/feedback-{pane}.md)\ncontext_gaps:\n"
     "  - \"Needed: existing error handling patterns\"\n"
     "  - \"Needed: testing approach (unit vs integration)\"\n\ncontext_unused:\n"
     "  - \"Received: failed_attempts (didn't reference)\"\n",
     "Needed: existing error handling patterns\nNeeded: testing approach (unit vs integration)\n|"
     "Received: failed_attempts (didn't reference)\n"},
    {"the other spelling", "---\ngaps: [a, b]\nunused: [c]\n---\n", "a\nb\n|c\n"},
    {"without quotes", "gaps:\n  - Needed: a thing\n", "Needed: a thing\n|"},
    {"a key of lines", "gaps:\n  - \"a\\nb\": c\n", "a b: c\n|"},
    {"a key and none", "gaps:\n  - Needed: nothing\n", "|"},
    {"one that is no list", "gaps: the tests\nunused: {Received: goal}\n",
     "the tests\n|Received: goal\n"},
    {"none", "No context gaps\n", "|"},
    {"none in a list", "gaps: [\"No context gaps.\", none]\n", "|"},
    {"none as a text", "---\ncontext_gaps: none\n---\n", "|"},
    {"null", "---\ncontext_gaps:\n---\n", "|"},
    {"null, and its name", "gaps: ~\nunused: [null, \"null\"]\n", "|null\n"},
    {"nothing", "", "|"},
    {"blank lines", "\n\n", "|"},
    {"Markdown",
     "## Context gaps\n\n- the schema\n* the tests\n\n## Unused context\n- failed attempts\n",
     "the schema\nthe tests\n|failed attempts\n"},
    {"the role's questions",
     "What context would have helped?\n- how errors are told\n"
     "What context was provided but unused?\n- nothing\n",
     "how errors are told\n|"},
    {"an item of lines", "gaps:\n  - |\n    one\n    two\n", "one two\n|"},
    {"a list elsewhere", "Done.\n- changed a file\n", "Done. - changed a file\n|"},
    {"prose",
     "I finished the login. The packet did not say which test runner to use. The failed "
     "attempts were not needed.",
     "The packet did not say which test runner to use.\n|The failed attempts were not needed.\n"},
    {"prose, guessing", "It went well, but I had to guess the port of the database.\n",
     "It went well, but I had to guess the port of the database.\n|"},
    {"prose without gaps", "Nothing was missing. Everything was useful.\n", "|"},
    {"nearly without gaps", "Nothing was missing except the test command.\n",
     "Nothing was missing except the test command.\n|"},
    {"prose that is not understood", "Hat geklappt, aber das Schema fehlte.\n",
     "Hat geklappt, aber das Schema fehlte.\n|"},
    {"bold headings",
     "**Context gaps**\n- the schema\n\n**Unused context:**\n1. patterns\n2. examples\n",
     "the schema\n|patterns\nexamples\n"},
    {"bold labels", "**Gaps:** the schema\n**Unused:** none\n", "the schema\n|"},
    {"labels", "Missing: how errors are told\nNot used: failed attempts\nStatus: done\n",
     "how errors are told\n|failed attempts\n"},
    {"a heading and text",
     "# Feedback\n## What was missing\nHow the tests run.\nThe port.\n## Summary\nDone.\n",
     "How the tests run.\nThe port.\n|"},
    {"YAML in a code block",
     "Here it is:\n```yaml\ncontext_gaps:\n  - the schema\ncontext_unused: []\n```\n",
     "the schema\n|"},
    {"JSON in a code block",
     "```json\n{\"gaps\": [\"the schema\"], \"unused\": [\"examples\"]}\n```\n",
     "the schema\n|examples\n"},
    {"empty YAML in a code block", "```yaml\ncontext_gaps: []\n```\n", "|"},
    {"other names", "Context Gaps: [a]\nnot-needed: [b]\n", "a\n|b\n"},
    {"a map around", "feedback:\n  gaps: [a]\n  unused: [b]\n", "a\n|b\n"},
    {"a list without a heading", "- The schema was missing\n- The examples were not used\n",
     "The schema was missing\n|The examples were not used\n"},
    {"an item on two lines", "## Gaps\n- the schema\n  of orders\n- the port\n",
     "the schema of orders\nthe port\n|"},
    {"front matter without items, and prose",
     "---\npane: 1\ncontext_gaps: []\n---\nThe schema was missing.\n",
     "The schema was missing.\n|"},
    {"front matter of others, and prose", "---\ntitle: x\n---\nThe schema was missing.\n",
     "The schema was missing.\n|"},
    {"front matter, and the line for people", "---\ngaps: []\n---\n\nNo context gaps.\n", "|"},
    {"a question", "What context would have helped?\nThe schema, and the port.\n",
     "The schema, and the port.\n|"},
    {"only a front matter of others", "---\ntitle: x\n---\n", "|"},
    {"an open fence", "---\ngaps: [a]\n", "a\n|"},
    {"CRLF", "---\r\ngaps:\r\n  - a\r\n---\r\n", "a\n|"},
    {"an anchor", "---\ngaps: &a [b]\n---\n", "anchor or alias"},
    {"no text", "gaps: [[a]]\n", "an item of feedback must be a string"},
    {"no UTF-8", "gaps: [\xFF]\n", "not utf-8"},
};

std::string items_of(accp_unit::Room &room, const std::string &text) {
    Feedback feedback(room.memory);
    const accp::Status status = accp::packet::read_feedback(text, room.memory, feedback);
    if (status.failed()) return status.message;
    return accp_unit::text_of(feedback.gaps) + "|" + accp_unit::text_of(feedback.unused);
}

TEST(Feedback, Cases) {
    accp_unit::Room room;
    for (const FeedbackCase &each : kFeedbackCases)
        EXPECT_EQ(items_of(room, each.text), each.gives) << each.name;
}

TEST(Feedback, Limits) {
    accp_unit::Room room;
    const std::string longest(1024, 'x');
    EXPECT_EQ(items_of(room, "gaps: [" + longest + "]\n"), longest + "\n|");
    EXPECT_EQ(items_of(room, "gaps: [" + longest + "x]\n"), "an item of feedback is too long");
    std::string many = "gaps:\n";
    for (int i = 0; i < 64; ++i) many += "- x" + std::to_string(i) + "\n";
    EXPECT_EQ(items_of(room, many).substr(0, 3), "x0\n");
    EXPECT_EQ(items_of(room, many + "- y\n"), "feedback has at most 64 gaps and 64 unused parts");
}

// A long sentence is cut; any text is read without a crash, and a text is never lost.
TEST(Feedback, AnyText) {
    accp_unit::Room room;
    EXPECT_EQ(items_of(room, "Missing is " + std::string(2000, 'x')).size(), 1024u + 2);
    accp_unit::Random random(3);
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (size_t n = random.below(8); n; --n) {
            static const char *const kParts[] = {
                "**",   "# ",      "- ", "Gaps: ", "missing ", "\n",  "```", "---\n", "unused",
                "none", "no gaps", ". ", "? ",     ": ",       "1. ", "x",   "  "};
            text += kParts[random.below(std::size(kParts))];
        }
        Feedback feedback(room.memory);
        (void)accp::packet::read_feedback(text, room.memory, feedback);
    }
}

// Any item is read back unchanged.
TEST(Feedback, WrittenAndRead) {
    accp_unit::Room room;
    accp_unit::Random random(7);
    for (int i = 0; i < 500; ++i) {
        std::string gaps, unused;
        for (size_t n = random.below(4); n; --n)
            gaps += "x" + random.text("ab:#-'\"{}[]&*!|>%@` \\,?\t", random.below(12)) + "y\n";
        for (size_t n = random.below(3); n; --n) unused += "u" + random.text("#: -", 3) + "e\n";
        Feedback feedback(room.memory);
        ASSERT_TRUE(accp::packet::append_feedback_items(gaps, feedback.gaps).ok());
        ASSERT_TRUE(accp::packet::append_feedback_items(unused, feedback.unused).ok());
        accp::Buffer<char> file(room.memory);
        ASSERT_TRUE(accp::packet::write_feedback(3, feedback, room.memory, file).ok());
        ASSERT_EQ(items_of(room, accp_unit::text_of(file)), gaps + "|" + unused)
            << accp_unit::text_of(file);
    }
}

struct Kind {
    const char *text;
    const char *kind;
};
constexpr Kind kKinds[] = {
    {"Needed: existing error handling patterns", "error handling"},
    {"Needed: testing approach (unit vs integration)", "testing approach"},
    {"what was already tried", "failed attempts"},
    {"why RS256 was chosen", "decisions"},
    {"which API version", "constraints"},
    {"database schema for orders", "data model"},
    {"the endpoint's payload", "interfaces"},
    {"how to install the thing", "environment"},
    {"naming conventions", "style"},
    {"where the parser lives", "existing code"},
    {"when is it done, acceptance criteria", "success criteria"},
    {"mehr Zusammenhang", "other"},
};

TEST(Gaps, Kinds) {
    accp_unit::Room room;
    for (const Kind &each : kKinds)
        EXPECT_EQ(accp::packet::gap_rule(accp::packet::gap_kind(each.text, room.memory)).name,
                  each.kind)
            << each.text;
}

TEST(Gaps, Sections) {
    using namespace accp::packet;
    auto named = [](std::string_view text) {
        std::string names;
        for (int i = 0; i < kPacketSections; ++i)
            if (names_section(text, i)) names.append(section_name(i)).append(" ");
        return names;
    };
    EXPECT_EQ(named("Received: failed_attempts (didn't reference)"), "failed_attempts ");
    EXPECT_EQ(section_name(kFailedAttempts), "failed_attempts");
    EXPECT_EQ(named("the Failed Attempts, and examples"), "examples failed_attempts ");
    EXPECT_EQ(named("anti-patterns"), "anti_patterns ");
    EXPECT_EQ(named("patterns"), "patterns ");
    EXPECT_EQ(named("all of it"), "other ");
}

}  // namespace
