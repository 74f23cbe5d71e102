// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The command line of accp proxy and of accp proxy run.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "run_accp.h"
#include "stand_in.h"
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

// An option without an effect is refused, so that nobody relies on it.
TEST(CliProxyRun, OptionsWithoutEffectAreRefused) {
    const TempDirectory folder;
    folder.write("calls", "");
    const struct {
        std::string words;
        const char *error;
    } cases[] = {
        {"run --port 7300 -- true",
         "proxy run: --port has no effect here: the proxy of run always listens on a free port; it "
         "is an option of proxy, proxy setup, proxy setup --service and proxy doctor"},
        {"run --token-file x -- true",
         "proxy run: --token-file has no effect here: agents cannot show a token, and the proxy of "
         "run serves this machine only; it is an option of proxy and proxy doctor"},
        {"run --json -- true",
         "proxy run: --json has no effect here; it is an option of proxy report and proxy doctor"},
        {"run claude -- true",
         "proxy run: unexpected argument \"claude\"; the agent's command comes after --"},
        {"--plot x", "proxy: --plot has no effect here; it is an option of proxy report"},
        {"--untouched --holdout 0.5",
         "proxy: --holdout has no effect with --untouched; leave out one of them"},
        {"--marks --untouched",
         "proxy: --marks has no effect with --untouched; leave out one of them"},
        {"report calls --json --plot x",
         "proxy report: --json has no effect with --plot; leave out one of them"},
        {"report calls --store sqlite:x",
         "proxy report: --store has no effect here; it is an option of proxy and proxy run"},
        {"setup claude --upstream x=http://127.0.0.1:1",
         "proxy setup: --upstream has no effect here; it is an option of proxy, proxy run, proxy "
         "setup --service and proxy doctor"},
        {"setup --service --address ::1",
         "proxy setup --service: --address has no effect here; it is an option of proxy, proxy "
         "run, proxy setup and proxy doctor"},
        {"undo claude --port 1",
         "proxy undo: --port has no effect here; it is an option of proxy, proxy setup, proxy "
         "setup --service and proxy doctor"},
        {"doctor --log",
         "proxy doctor: --log has no effect here; it is an option of proxy and proxy run"},
    };
    // in a home of its own, because a proxy that accepts these would write there, or run on
    const std::string go = "cd " + (folder / "") + "; HOME=$PWD exec timeout 20 " ACCP_CLI_PATH;
    for (const auto &[words, error] : cases) {
        const Ran run = run_shell(go + " proxy " + words);
        EXPECT_EQ(run.status, 2) << error;
        EXPECT_EQ(run.err, std::string("accp: ") + error + "\n");
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

const std::string kNoProviders =
    " --upstream anthropic=http://127.0.0.1:1 --upstream openai=http://127.0.0.1:1 ";

// Claude Code keeps its search for tools behind the proxy, but not behind a gateway, and not
// against the user.
TEST(CliProxyRun, ClaudeKeepsItsSearchForTools) {
    const TempDirectory folder;
    folder.write("claude", "#!/bin/sh\necho \"search: $ENABLE_TOOL_SEARCH.\"\n");
    std::filesystem::permissions(folder / "claude", std::filesystem::perms(0755));
    const std::string run = " accp proxy run ", agent = " -- " + (folder / "claude"),
                      gateway = "--upstream anthropic=http://127.0.0.1:1";
    const auto search_in = [&](const std::string &command) {
        const std::string out =
            run_shell("unset ENABLE_TOOL_SEARCH; HOME=" + (folder / "") + "; " + command).out;
        const size_t begin = out.find("search: ");
        return out.substr(begin, out.find('\n', begin) - begin);
    };
    EXPECT_EQ(search_in(run + agent), "search: 1.");
    EXPECT_EQ(search_in(run + gateway + agent), "search: .");
    EXPECT_EQ(search_in("ANTHROPIC_BASE_URL=http://127.0.0.1:1 " + run + agent), "search: .");
    EXPECT_EQ(search_in("ENABLE_TOOL_SEARCH=false" + run + agent), "search: false.");
}

// A program with the name of an agent, in a home folder of the test's own. It prints its words and
// its environment.
class CliProxyRunAgent : public testing::Test {
protected:
    Ran run(const std::string &agent, const std::string &variables = {},
            const std::string &options = {}) const {
        write("bin/" + agent, "#!/bin/sh\necho \"words: $*\"\nenv\n");
        std::filesystem::permissions(home_ / ("bin/" + agent), std::filesystem::perms(0755));
        return run_shell("cd " + (home_ / "") + "; exec env -i HOME=" + (home_ / "") +
                         " PATH=$PWD/bin:/usr/bin:/bin " + variables + " " + ACCP_CLI_PATH +
                         " proxy run " + options + " -- " + agent);
    }
    Ran in_home(const std::string &command) const {
        return run_shell("export HOME=" + (home_ / "") + "; " + command);
    }
    std::string write(const std::string &file, const std::string &text) const {
        std::filesystem::create_directories(std::filesystem::path(home_ / file).parent_path());
        return home_.write(file, text);
    }
    void forget(const std::string &file) const { std::filesystem::remove(home_ / file); }

private:
    TempDirectory home_;
};

const char *const kClaudeGateway = R"({"env":{"ANTHROPIC_BASE_URL":"https://gateway.example/"}})";

// The key of a gateway never goes to another upstream, wherever the user has named the gateway.
TEST_F(CliProxyRunAgent, AGatewayBecomesTheUpstream) {
    const struct {
        const char *agent, *variables, *file, *text, *upstream, *seen;
    } cases[] = {
        {"claude", "", ".claude/settings.json", kClaudeGateway, "anthropic https://gateway.example",
         "\"ANTHROPIC_BASE_URL\":\"http://127.0.0.1:\\d+/anthropic\""},
        {"claude", "", ".claude/settings.local.json", kClaudeGateway,
         "anthropic https://gateway.example", ""},
        {"claude", "ANTHROPIC_BASE_URL=https://gateway.example", ".claude/settings.json",
         kClaudeGateway, "anthropic https://gateway.example",
         "\nANTHROPIC_BASE_URL=http://127.0.0.1:\\d+/anthropic\n"},
        {"aider", "OPENAI_API_BASE=https://gateway.example/v1", "", "",
         "openai https://gateway.example", "\nOPENAI_API_BASE=http://127.0.0.1:\\d+/openai/v1\n"},
        {"aider", "ANTHROPIC_API_BASE=https://gateway.example/a", "", "",
         "anthropic https://gateway.example/a", ""},
        {"aider", "", ".aider.conf.yml", "openai-api-base: https://gateway.example/v1\n",
         "openai https://gateway.example", ""},
        {"gemini", "GOOGLE_GEMINI_BASE_URL=https://gateway.example/v9", "", "",
         "gemini https://gateway.example/v9",
         "\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:\\d+/gemini\n"},
        {"gemini", "", ".gemini/.env", "GOOGLE_GEMINI_BASE_URL=https://gateway.example\n",
         "gemini https://gateway.example", ""},
        {"openhands", "LLM_MODEL=openai/x LLM_BASE_URL=https://gateway.example/v9", "", "",
         "openai https://gateway.example/v9", "\nLLM_BASE_URL=http://127.0.0.1:\\d+/openai\n"},
        {"openhands", "LLM_MODEL=anthropic/x LLM_BASE_URL=https://gateway.example", "", "",
         "anthropic https://gateway.example", "\nLLM_BASE_URL=http://127.0.0.1:\\d+/anthropic\n"},
        {"opencode", "", ".config/opencode/opencode.jsonc",
         R"({"provider":{"anthropic":{"options":{"baseURL":"https://gateway.example/v1"}}}})",
         "anthropic https://gateway.example", "\"http://127.0.0.1:\\d+/anthropic/v1\""},
        {"opencode",
         R"(OPENCODE_CONFIG_CONTENT='{"permission":{"edit":"deny"},"provider":{"openai":{"options":{"baseURL":"https://gateway.example/v4"}}}}')",
         "", "", "openai https://gateway.example/v4",
         "\"permission\":\\{\"edit\":\"deny\"\\}.*\"http://127.0.0.1:\\d+/openai\""},
        {"opencode", "OPENCODE_CONFIG=mine.json", "mine.json",
         R"({"provider":{"openai":{"options":{"baseURL":"https://gateway.example/v1"}}}})",
         "openai https://gateway.example", ""},
        {"pi", "", ".pi/agent/models.json",
         R"({"providers":{"openai":{"baseUrl":"https://gateway.example/v4"}}})",
         "openai https://gateway.example/v4", ""},
        {"qwen", "", ".qwen/settings.json",
         R"({"security":{"auth":{"baseUrl":"https://gateway.example/v1"}}})",
         "openai https://gateway.example", ""},
        {"codex", "", ".codex/config.toml", "openai_base_url = \"https://gateway.example/v1\"\n",
         "openai https://gateway.example", "base_url=\"http://127.0.0.1:\\d+/openai/v1\""},
        {"any", "OPENAI_BASE_URL=https://gateway.example/api/paas/v4", "", "",
         "openai https://gateway.example/api/paas/v4",
         "\nOPENAI_BASE_URL=http://127.0.0.1:\\d+/openai\n"},
    };
    for (const auto &[agent, variables, file, text, upstream, seen] : cases) {
        SCOPED_TRACE(std::string(agent) + " " + variables + " " + file);
        if (*file) write(file, text);
        const Ran done = run(agent, variables);
        EXPECT_EQ(done.status, 0) << done.err;
        const std::string begin = done.err.substr(0, done.err.find('\n'));
        EXPECT_TRUE(std::regex_search(begin, std::regex(upstream + std::string("[,;]")))) << begin;
        EXPECT_TRUE(std::regex_search(done.out, std::regex(seen))) << done.out;
        if (*file) forget(file);
    }
}

// What setup has written is no gateway: the calls go to where they went before it.
TEST_F(CliProxyRunAgent, TheAddressOfSetupIsNoUpstream) {
    for (const char *text : {"{}", kClaudeGateway}) {
        write(".claude/settings.json", text);
        EXPECT_EQ(in_home("accp proxy setup claude").status, 0);
        const Ran done = run("claude");
        EXPECT_NE(done.err.find(text == kClaudeGateway ? "anthropic https://gateway.example,"
                                                       : "anthropic https://api.anthropic.com,"),
                  std::string::npos)
            << done.err;
        EXPECT_EQ(in_home("accp proxy undo claude").status, 0);
    }
}

// A gateway that the proxy cannot forward to is refused before the agent starts.
TEST_F(CliProxyRunAgent, AnUnclearGatewayIsRefused) {
    const struct {
        const char *agent, *variables, *file, *text, *error;
        const char *option = "--upstream openai=http://127.0.0.1:1";
    } cases[] = {
        {"codex", "OPENAI_API_KEY=k", ".codex/config.toml",
         "model_provider = \"own\"\n[model_providers.own]\nbase_url = "
         "\"https://gateway.example\"\n",
         "/.codex/config.toml has model_provider = own (https://gateway.example)"},
        {"aider", "OPENAI_API_BASE=https://a.example/v1 OPENAI_BASE_URL=https://b.example/v1", "",
         "",
         "OPENAI_BASE_URL is https://b.example/v1, but OPENAI_API_BASE is https://a.example/v1"},
        {"claude", "ANTHROPIC_BASE_URL=https://b.example", ".claude/settings.json", kClaudeGateway,
         "but env.ANTHROPIC_BASE_URL in ", "--upstream anthropic=http://127.0.0.1:1"},
        {"pi", "", ".pi/agent/models.json", R"({"providers":{"openai":{"baseUrl":"$GATEWAY"}}})",
         "providers.openai.baseUrl in "},
        {"claude", "", ".claude/settings.json", "{ broken", "line 1 column 3",
         "--upstream anthropic=http://127.0.0.1:1"},
        {"openhands", "LLM_MODEL=gemini/x", "", "", "LLM_MODEL is gemini/x"},
    };
    for (const auto &[agent, variables, file, text, error, option] : cases) {
        SCOPED_TRACE(std::string(agent) + " " + error);
        if (*file) write(file, text);
        const Ran refused = run(agent, variables);
        EXPECT_EQ(refused.status, 2);
        EXPECT_EQ(refused.out, "");
        EXPECT_NE(refused.err.find(error), std::string::npos) << refused.err;
        EXPECT_NE(refused.err.find("--upstream "), std::string::npos) << refused.err;
        EXPECT_EQ(run(agent, variables, option).status, 0) << run(agent, variables, option).err;
        if (*file) forget(file);
    }
    EXPECT_EQ(run("opencode", "OPENCODE_CONFIG_CONTENT={").status, 2);
    EXPECT_EQ(run("opencode", "OPENCODE_CONFIG_CONTENT={", kNoProviders).status, 2);
}

// A forward proxy of the environment does not get the agent's calls to this machine.
TEST_F(CliProxyRunAgent, ItsOwnAddressHasNoForwardProxy) {
    const std::pair<const char *, const char *> cases[] = {
        {"", "127.0.0.1"},
        {"no_proxy=a.example", "a.example,127.0.0.1"},
        {"NO_PROXY=b.example", "b.example,127.0.0.1"},
        {"NO_PROXY='*'", "*"},
        {"no_proxy=127.0.0.1,c.example", "127.0.0.1,c.example"},
    };
    for (const auto &[variables, expected] : cases) {
        const std::string out = run("any", variables).out;
        for (const char *name : {"no_proxy", "NO_PROXY"})
            EXPECT_NE(out.find(std::string("\n") + name + "=" + expected + "\n"), std::string::npos)
                << out;
    }
}

// The doctor, as the agent, calls /v1/models below the address of x.
std::string call_by_doctor(const std::string &url) {
    return " -- sh -c '" ACCP_CLI_PATH " proxy doctor openhands --port 1 --upstream x=" + url +
           kNoProviders + "'";
}

TEST(CliProxyRun, CallsForOpenAiDoNotReachTheGatewayOfAnthropic) {
    StandIn anthropic([](const std::string &) { return http_reply("{}"); }),
        openai([](const std::string &) { return http_reply("{}"); });
    const Ran done = run_shell("export ANTHROPIC_BASE_URL=" + anthropic.url() +
                               " OPENAI_BASE_URL=" + openai.url() + "; accp proxy run" +
                               call_by_doctor("${OPENAI_BASE_URL%/v1}"));
    EXPECT_EQ(anthropic.requests().size(), 0u) << done.out;
    ASSERT_EQ(openai.requests().size(), 1u) << done.out;
    EXPECT_TRUE(openai.requests()[0].starts_with("GET /v1/models ")) << openai.requests()[0];
}

TEST(CliProxyRun, AForwardProxyGetsNoPlainCall) {
    StandIn forward([](const std::string &) { return http_reply("", "403 Forbidden"); });
    const std::string variables = "export http_proxy=" + forward.url() + "; unset no_proxy; ";
    run_shell(variables + "accp proxy run --upstream gateway=http://gateway.example" +
              call_by_doctor("${OPENAI_BASE_URL%/openai/v1}/gateway"));
    ASSERT_EQ(forward.requests().size(), 1u);
    EXPECT_TRUE(forward.requests()[0].starts_with("CONNECT gateway.example:80 "))
        << forward.requests()[0];
}

// The doctor, as the agent, reaches the proxy by the variable.
TEST(CliProxyRun, AnAgentReachesAnyLoopbackAddress) {
    const std::string doctor =
        " -- sh -c '" ACCP_CLI_PATH
        " proxy doctor openhands --address ${ANTHROPIC_BASE_URL%/anthropic}; echo "
        "$OPENAI_BASE_URL'";
    for (const std::string address : {"127.0.0.2", "::1"}) {
        const Ran run = run_shell("accp proxy run --address " + address + kNoProviders + doctor);
        if (run.err.find("cannot listen") != run.err.npos) {  // a machine without IPv6
            EXPECT_EQ(address, "::1") << run.err;
            continue;
        }
        const std::string url = "http://" + (address == "::1" ? "[::1]" : address) + ":";
        EXPECT_NE(run.out.find(" at " + url), std::string::npos) << run.out << run.err;
        EXPECT_TRUE(run.out.starts_with("ok    proxy: accp proxy ")) << run.out;
        EXPECT_NE(run.out.find("\n" + url), std::string::npos) << run.out;
        EXPECT_NE(run.err.find("accp: proxy at " + url), std::string::npos) << run.err;
    }
}

TEST(CliProxyRun, TheDoctorShowsTheToken) {
    const TempDirectory folder;
    const std::string token = folder.write("token", std::string(40, 't') + "\n"),
                      other = folder.write("other", std::string(40, 'o') + "\n");
    const auto doctor = [](const std::string &options) {
        return " accp proxy doctor openhands --address $url " + options + "; ";
    };
    const Ran run = run_shell(
        "cd " + (folder / "") +
        "; chmod 600 token other; " ACCP_CLI_PATH " proxy --port 0 --token-file token" +
        kNoProviders + "2>log & proxy=$!; until grep -q page log; do sleep 0.02; done; " +
        "url=$(sed 's/.*at \\(http[^,]*\\), .*/\\1/' log);" + doctor(kNoProviders) +
        doctor(kNoProviders + "--token-file other") + doctor("--token-file token") + "kill $proxy");
    std::vector<std::string> lines;
    for (const std::string &line : lines_of(run.out))
        if (line.find(" proxy: ") != line.npos) lines.push_back(line);
    ASSERT_EQ(lines.size(), 3u) << run.out << run.err;
    EXPECT_TRUE(std::regex_match(
        lines[0],
        std::regex("FAIL  proxy: the proxy at http://127.0.0.1:\\d+ needs its token; give "
                   "the file with its token: --token-file FILE")))
        << lines[0];
    EXPECT_NE(lines[1].find(" has another token than other; give"), std::string::npos) << lines[1];
    EXPECT_TRUE(lines[2].starts_with("ok    proxy: accp proxy ")) << lines[2];
    EXPECT_EQ(run_accp({"proxy", "doctor", "--token-file", "/no/such"}).err,
              "accp: /no/such: No such file or directory\n");
}

// One store, one proxy: the other would stop its evictions.
TEST(CliProxyRun, AStoreHasOneProxy) {
    const TempDirectory folder;
    const std::string go = "cd " + (folder / "") + "; ln -s proxy.db link.db; ",
                      run = ACCP_CLI_PATH " proxy run --store sqlite:";
    const Ran held = run_shell(go + run + "proxy.db -- sh -c '" + run + "$PWD/link.db -- true; " +
                               "echo $? ${ANTHROPIC_BASE_URL%/anthropic} $PPID'");
    EXPECT_EQ(held.status, 0) << held.err;
    std::smatch said;
    ASSERT_TRUE(std::regex_match(held.out, said, std::regex("2 (\\S+) (\\d+)\n"))) << held.out;
    EXPECT_NE(held.err.find("accp: --store sqlite:" + (folder / "link.db") +
                            ": is in use by another accp proxy (process " + said[2].str() + ", " +
                            said[1].str() +
                            "); send the calls to that one, end it first, or give this one "
                            "another file\n"),
              std::string::npos)
        << held.err;
    EXPECT_EQ(run_shell(go + run + "proxy.db -- true").status, 0);
    // The lock goes with the process, also after kill -9.
    const Ran killed = run_shell(
        go +
        ACCP_CLI_PATH
        " proxy --port 0 --store sqlite:proxy.db 2>log & until grep -q page log; do sleep "
        "0.02; done; kill -9 $!; wait $!; " +
        run + "proxy.db -- echo again");
    EXPECT_EQ(killed.out, "again\n") << killed.err;
    EXPECT_EQ(killed.status, 0) << killed.err;
    // A file that is no store is left as it was, alone.
    const std::string other = folder.write("other", std::string(5000, 'x'));
    EXPECT_EQ(run_accp({"proxy", "run", "--store", "sqlite:" + other, "--", "true"}).status, 2);
    EXPECT_EQ(::text_of(other), std::string(5000, 'x'));
    EXPECT_FALSE(std::filesystem::exists(other + "-proxy"));
}

// The proxy can be killed within a line of --calls.
TEST(CliProxyRun, CallsAreAppendedAfterAWholeLine) {
    const TempDirectory folder;
    const std::string file = folder / "calls";
    const std::pair<const char *, const char *> cases[] = {
        {"", ""}, {"{\"time_ms\":1}\n", "{\"time_ms\":1}\n"}, {"{\"time_ms\":", "{\"time_ms\":\n"}};
    for (const auto &[before, after] : cases) {
        folder.write("calls", before);
        EXPECT_EQ(run_accp({"proxy", "run", "--calls", file, "--", "true"}).status, 0);
        EXPECT_EQ(::text_of(file), after);
    }
    EXPECT_EQ(run_accp({"proxy", "run", "--calls", "/dev/null", "--", "true"}).status, 0);
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
