// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The 48 messages of a pipeline under a typical registry, whose schemas are bound to intent and
// operation: the tokens of the frames without envelopes. Every message is read back.
#include <cstdio>

#include "codec/codecs.h"
#include "reference/ref_json.h"
#include "token/tokens.h"

namespace {

using namespace accp_codecs;

const std::string kExamples = ACCP_SOURCE_DIR "/data/examples/";

uint64_t tokens_of(uint32_t extensions) {
    const Handle<accp_registry> registry =
        open_registry(read_file(kExamples + "pipeline-registry.json"), ACCP_PROFILE_NONE);
    const auto tokenizer = accp_tokens::open_tokenizer("o200k_base");
    const Handle<accp_codec> codec = open_codec(Config()
                                                    .registry(registry.get())
                                                    .extensions(extensions)
                                                    .tokenizer(tokenizer.get())
                                                    .ignored("to")
                                                    .ignored("nl"));
    std::istringstream lines(read_file(kExamples + "pipeline.jsonl"));
    uint64_t total = 0;
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const Answer wire = encode(codec.get(), line);
        EXPECT_TRUE(wire.ok()) << wire.status << " at " << wire.offset << " in " << line;
        const accp_frame_budget budget = budget_of(codec.get());
        EXPECT_EQ(budget.metadata.tokens, 0u);
        total += budget.total.tokens;
        const Answer back = decode(codec.get(), wire.text);
        const auto read = accp_ref::parse_json(back.text);
        const auto sent = accp_ref::parse_json(line);
        EXPECT_TRUE(read && sent) << back.status << " at " << back.offset << " in " << wire.text;
        if (!read || !sent) continue;
        for (const auto &[key, value] : sent->find("payload")->members) {
            const accp_ref::Json *found = read->find("payload")->find(key);
            EXPECT_TRUE(found &&
                        accp_ref::write_json(*found).size() == accp_ref::write_json(value).size())
                << key << " in " << back.text;
        }
    }
    EXPECT_EQ(count, 48);
    return total;
}

TEST(CodecPipeline, TokensByPosition) {
    const uint64_t named = tokens_of(ACCP_EXT_Q1), by_position = tokens_of(ACCP_EXT_P1);
    const auto tables = tokens_of(ACCP_EXT_P1 | ACCP_EXT_T1);
    std::printf("tokens of the pipeline: %d by key, %d by position, %d with tables too\n",
                static_cast<int>(named), static_cast<int>(by_position), static_cast<int>(tables));
    EXPECT_LE(named, 1720u);
    EXPECT_LE(by_position, 1460u);
    EXPECT_LE(tables, 1434u);
}

}  // namespace
