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

// The error is that of the option that is read next.
TEST(CliProxyRun, AnAddressMayHaveBrackets) {
    const TempDirectory folder;
    for (const char *address : {"[::1]", "::1", "127.0.0.1", "localhost"})
        for (const Args &words :
             {Args{"proxy", "--address", address, "--ca", "/no/such"},
              Args{"proxy", std::string("--address=") + address, "--ca", "/no/such"}})
            EXPECT_EQ(run_accp(words).err, "accp: /no/such: No such file or directory\n");
    for (const char *address : {"[::2]", "::2"})
        EXPECT_TRUE(run_accp({"proxy", "--address", address})
                        .err.starts_with("accp: --address ::2: without --token-file the proxy"));
    EXPECT_TRUE(run_accp({"proxy", "--address", "[::1"}).err.starts_with("accp: --address [::1: "));
    EXPECT_NE(run_shell("HOME=" + (folder / "") +
                        " accp proxy setup qwen --dry-run --address '[::1]' --port 7")
                  .out.find("http://[::1]:7"),
              std::string::npos);
}

}  // namespace
