// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// TOON's public benchmark sets, the runs of a coding agent and the pipeline of data/: each record
// is restored exactly from its text alone, and the text is shorter than compact JSON.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reference/ref_json.h"
#include "spec/c_face.h"

namespace {

using accp_face::Answer;
using accp_face::Renders;

const std::string kData = ACCP_SOURCE_DIR "/data/";

std::string read_file(const std::filesystem::path &path) {
    std::ifstream stream(path, std::ios::binary);
    EXPECT_TRUE(stream.good()) << path;
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Renders one record, and restores it with a handle that has never seen it.
void check(const std::string &json, size_t &json_bytes, size_t &text_bytes) {
    const auto value = accp_ref::parse_json(json);
    ASSERT_TRUE(value.has_value());
    const std::string compact = accp_ref::write_json(*value);
    const Answer text = Renders().render(compact);
    ASSERT_TRUE(text.ok()) << accp_status_name(text.status);
    const Answer back = Renders().parse(text.text);
    ASSERT_TRUE(back.ok()) << accp_status_name(back.status) << " at " << back.offset;
    EXPECT_EQ(accp_face::hash_form(back.text).text, accp_face::hash_form(compact).text);
    EXPECT_LT(text.text.size(), compact.size());
    json_bytes += compact.size();
    text_bytes += text.text.size();
}

TEST(RenderSets, TablesOfToonBench) {
    size_t json = 0, text = 0, sets = 0;
    for (const auto &entry : std::filesystem::directory_iterator(kData + "toon-bench")) {
        if (entry.path().extension() != ".json") continue;
        SCOPED_TRACE(entry.path());
        check(read_file(entry.path()), json, text);
        ++sets;
    }
    EXPECT_EQ(sets, 8u);
    EXPECT_LT(text * 2, json + json / 100);
}

TEST(RenderSets, LinesOfAgents) {
    size_t lines = 0;
    std::vector<std::filesystem::path> files = {kData + "examples/pipeline.jsonl"};
    for (const auto &entry : std::filesystem::directory_iterator(kData + "examples/trajectories")) {
        if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
    for (const auto &path : files) {
        std::ifstream stream(path);
        size_t json = 0, text = 0;
        for (std::string line; std::getline(stream, line); ++lines) {
            SCOPED_TRACE(path.string() + ": " + line);
            check(line, json, text);
        }
    }
    EXPECT_GE(lines, 150u);
}

}  // namespace
