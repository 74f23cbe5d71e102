// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The command line of accp proxy and of accp proxy run.
#include <gtest/gtest.h>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

TEST(CliProxyRun, OptionsComeBeforeOrAfterTheAction) {
    const TempDirectory folder;
    for (const Args &options : {Args{}, Args{"--log"}, Args{"--calls", folder / "calls"},
                                Args{"--upstream", "x=http://127.0.0.1:9", "--no-page"},
                                Args{"--origins", "https://a.example"}}) {
        for (const bool is_before : {true, false}) {
            Args words = {"proxy", "run"};
            words.insert(is_before ? words.begin() + 1 : words.end(), options.begin(),
                         options.end());
            words.insert(words.end(),
                         {"--", "sh", "-c", "echo \"$@\"; exit 7", "-", "--log", "run"});
            const Ran run = run_accp(words);
            EXPECT_EQ(run.status, 7) << run.err;
            EXPECT_EQ(run.out, "--log run\n");
        }
    }
    for (const Args &words :
         {Args{"proxy", "run"}, Args{"proxy", "--log", "run"}, Args{"proxy", "--log", "run", "--"}})
        EXPECT_EQ(run_accp(words).err,
                  "accp: proxy run: give the agent's command after --, such as: accp proxy run -- "
                  "claude\n");
}

}  // namespace
