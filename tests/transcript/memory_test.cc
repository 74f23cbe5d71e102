// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each allocation while reading and writing fails in turn. The result is OutOfMemory without a
// leak, the sink has received a prefix of its messages, and the same reader can read again.
#include <gtest/gtest.h>

#include <fstream>

#include "codec/case_text.h"
#include "failing.h"
#include "transcript/parts.h"
#include "transcript/transcripts.h"

namespace {

using namespace accp_transcript;
using accp_test::Failing, accp_test::fails;

struct Case {
    accp::transcript::Format format;
    std::string text;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    std::ifstream lines(ACCP_SOURCE_DIR "/tests/transcript/read_cases.jsonl");
    for (std::string line; std::getline(lines, line);) {
        const auto value = accp_ref::parse_json(line);
        const std::string text =
            accp_codecs::text_of(*value, value->find("text") ? "text" : "input");
        all.push_back({format_of(accp_codecs::text_of(*value, "format")), text});
    }
    return all;
}

TEST(TranscriptMemory, ReadFailsAtEveryAllocation) {
    uint64_t failures = 0;
    for (const Case &one : cases()) {
        SCOPED_TRACE(one.text);
        Transcript clean;
        Lines wanted;
        const accp::Status status = clean.read(one.format, one.text, wanted);
        Failing failing;
        for (int64_t at = 0;; ++at) {
            Transcript transcript({UINT64_MAX, accp::kMaxJsonDepth}, failing.allocator());
            Lines got, again;
            const bool failed =
                fails(failing, at, [&] { (void)transcript.read(one.format, one.text, got); });
            ASSERT_LE(got.lines.size(), wanted.lines.size());
            EXPECT_TRUE(std::equal(got.lines.begin(), got.lines.end(), wanted.lines.begin()));
            EXPECT_EQ(transcript.read(one.format, one.text, again).code, status.code);
            EXPECT_EQ(again.lines, wanted.lines);
            failures += failed;
            if (!failed) break;
        }
        EXPECT_EQ(failing.live, 0);
    }
    EXPECT_GT(failures, 300u);
}

TEST(TranscriptMemory, WriteFailsAtEveryAllocation) {
    accp_unit::Random random(21);
    uint64_t failures = 0;
    for (int i = 0; i < 40; ++i) {
        const PartList parts = random_parts(random, 20);
        for (const Provider provider : {Provider::kOpenAi, Provider::kAnthropic}) {
            const std::string wanted = parts.write(provider);
            Failing failing;
            std::string got;
            for (int64_t at = 0;
                 fails(failing, at, [&] { got = parts.write(provider, failing.allocator()); });
                 ++at) {
                ++failures;
                EXPECT_EQ(failing.live, 0);
            }
            EXPECT_EQ(got, wanted);
            EXPECT_EQ(failing.live, 0);
        }
    }
    EXPECT_GT(failures, 300u);
}

}  // namespace
