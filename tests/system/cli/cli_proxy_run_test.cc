// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The command line of accp proxy and of accp proxy run.
#include <gtest/gtest.h>

#include <regex>
#include <set>

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

std::set<std::string> options_of(const std::string &text) {
    static const std::regex kOption("--[a-z][a-z-]*");
    std::set<std::string> options;
    for (std::sregex_iterator i(text.begin(), text.end(), kOption), end; i != end; ++i)
        options.insert(i->str());
    return options;
}

// Returns the text from the line `heading` to the next one that begins as it does.
std::string section_of(const std::string &text, const std::string &heading) {
    const size_t begin = text.find("\n" + heading + "\n");
    EXPECT_NE(begin, text.npos) << heading;
    const size_t end = text.find("\n" + heading.substr(0, heading.find(' ') + 1), begin + 1);
    return text.substr(begin, end - begin);
}

TEST(CliProxyRun, ManualPageAndCompletionsHaveEveryOption) {
    const std::string manual =
        std::regex_replace(project_file("docs/man/accp.1"), std::regex("\\\\-"), "-");
    const std::string page = section_of(project_file("docs/cli.md"), "## accp proxy");
    const std::set<std::string> in_manual = options_of(section_of(manual, ".SS proxy")),
                                in_page = options_of(page);
    std::set<std::string> offered = options_of(run_accp({"proxy", "--help"}).out);
    EXPECT_GE(offered.size(), 25u);
    EXPECT_EQ(options_of(run_shell("bash -c '. " ACCP_SOURCE_DIR
                                   "/src/cli/completions/accp.bash; _accp_options proxy'")
                             .out),
              offered);
    offered.erase("--help");
    for (const std::string &option : offered) {
        EXPECT_EQ(in_manual.count(option), 1u) << option << " is not in docs/man/accp.1";
        EXPECT_EQ(in_page.count(option), 1u) << option << " is not in docs/cli.md";
    }
    for (const std::string action : {"run", "report", "setup", "undo", "doctor"}) {
        EXPECT_NE(manual.find("fBaccp proxy " + action), std::string::npos) << action;
        EXPECT_NE(page.find("`" + action + " "), std::string::npos) << action;
    }
}

}  // namespace
