// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// bindings.jsonl through the C face: the results that every language must return too.
// ACCP_WRITE_VECTORS=FILE writes the file with the results of this library.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "vectors/steps.h"

namespace {

using accp_ref::Json;
using accp_steps::Runner;

TEST(Vectors, Bindings) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/system/vectors/bindings.jsonl");
    const char *path = std::getenv("ACCP_WRITE_VECTORS");
    std::ofstream written;
    if (path) written.open(path);
    int steps = 0;
    for (std::string line; std::getline(file, line);) {
        auto read = accp_ref::parse_json(line);
        ASSERT_TRUE(read) << line;
        SCOPED_TRACE(read->find("name")->text);
        Runner runner;
        for (auto &[key, value] : read->members) {
            if (key != "steps") continue;
            for (Json &step : value.items) {
                ++steps;
                Json gives = runner.run(step);
                const Json *expected = step.find("gives");
                if (!path) {
                    EXPECT_EQ(accp_ref::write_json(expected ? *expected : Json()),
                              accp_ref::write_json(gives))
                        << accp_ref::write_json(step);
                }
                step.members.remove_if([](const auto &member) { return member.first == "gives"; });
                step.members.emplace_back("gives", gives);
            }
        }
        if (path) written << accp_ref::write_json(*read) << "\n";
    }
    EXPECT_GT(steps, 200);
}

}  // namespace
