// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The token bounds of the render form (o200k_base) on the data of the project: no set of TOON's
// needs more tokens than TOON's own encoder, the sum is below GCF's, the pipeline is within its
// bound, and no record is above its compact JSON.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "spec/c_face.h"
#include "token/tokens.h"

namespace {

const std::string kTokenData = ACCP_SOURCE_DIR "/data/";

struct Cost {
    uint64_t json = 0, render = 0;
};

class RenderTokens : public testing::Test {
protected:
    // `record` is JSON in any layout.
    Cost cost(const std::string &record) {
        accp_text out = {};
        EXPECT_EQ(accp_value_parse_json(value_, record.data(), record.size(), nullptr), ACCP_OK);
        EXPECT_EQ(accp_value_print_json(value_, &out, nullptr), ACCP_OK);
        const std::string compact(out.text, out.len);
        const accp_face::Answer text = renders_.render(compact);
        EXPECT_TRUE(text.ok());
        const Cost found = {counting_.count(compact), counting_.count(text.text)};
        EXPECT_LE(found.render, found.json) << compact.substr(0, 200);
        return found;
    }

    void SetUp() override { ASSERT_EQ(accp_value_new(nullptr, &value_, nullptr), ACCP_OK); }
    void TearDown() override { accp_value_free(value_); }

    accp_value *value_ = nullptr;
    accp_face::Renders renders_;
    accp_tokens::Counting counting_{"o200k_base"};
};

TEST_F(RenderTokens, NoSetAboveToon) {
    struct Set {
        const char *name;
        uint64_t json, toon;  // counted with their own encoders
    };
    constexpr Set kSets[] = {{"tabular", 79057, 49978},      {"nested", 68944, 72832},
                             {"analytics", 14211, 9115},     {"github", 11640, 8937},
                             {"event-logs", 128529, 154084}, {"nested-config", 552, 589},
                             {"keyed", 15635, 10503},        {"nested-group", 46791, 26726}};
    constexpr uint64_t kGcf = 249022;  // of all eight sets
    uint64_t sum = 0;
    for (const Set &set : kSets) {
        std::ifstream stream(kTokenData + "toon-bench/token-" + set.name + ".json",
                             std::ios::binary);
        ASSERT_TRUE(stream.good()) << set.name;
        const Cost found =
            cost({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
        EXPECT_EQ(found.json, set.json) << set.name;
        EXPECT_LE(found.render, set.toon) << set.name;
        sum += found.render;
    }
    EXPECT_LT(sum, kGcf);
}

TEST_F(RenderTokens, AgentsMessages) {
    uint64_t pipeline = 0, lines = 0;
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(kTokenData + "examples")) {
        if (entry.path().extension() != ".jsonl") continue;
        std::ifstream stream(entry.path());
        for (std::string line; std::getline(stream, line); ++lines) {
            const bool ours = entry.path().filename() == "pipeline.jsonl";
            // the natural-language text and the recipient are not part of the message
            const size_t words = line.rfind(",\"nl\":");
            if (ours && words != std::string::npos) line = line.substr(0, words) + "}";
            const size_t to = line.find(",\"to\":\"");
            if (ours && to != std::string::npos) line.erase(to, line.find('"', to + 7) + 1 - to);
            const Cost found = cost(line);
            if (ours) pipeline += found.render;
        }
    }
    EXPECT_GE(lines, 150u);
    EXPECT_LE(pipeline, 1700u);
}

}  // namespace
