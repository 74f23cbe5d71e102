// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp proxy setup, undo and doctor, in a home folder of each test's own.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

namespace fs = std::filesystem;

class CliProxySetup : public testing::Test {
protected:
    // Runs accp proxy with only HOME in its environment, and what `before` adds.
    Ran proxy(const std::string &words, const std::string &before = "") const {
        return run_shell("cd " + home("") + "; " + before + " exec env -i HOME=" + home("") +
                         " PATH=/no/such " + variables + " " + ACCP_CLI_PATH + " proxy " + words);
    }
    std::string home(const std::string &file) const { return home_ / file; }
    std::string write(const std::string &file, const std::string &text) const {
        fs::create_directories(fs::path(home(file)).parent_path());
        return home_.write(file, text);
    }
    // All files below the home, with their texts.
    std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const auto &entry : fs::recursive_directory_iterator(home("")))
            if (entry.is_regular_file())
                all[entry.path().string()] = ::text_of(entry.path().string());
        return all;
    }

    std::string variables;

private:
    TempDirectory home_;
};

struct AgentCase {
    const char *name, *file;
    const char *before;
    std::vector<const char *> added;  // lines of the file afterwards, without their indents
};

const AgentCase kAgentCases[] = {
    {"aider",
     ".aider.conf.yml",
     "model: x\n",
     {"openai-api-base: http://127.0.0.1:7118/v1",
      R"(set-env: ["ANTHROPIC_API_BASE=http://127.0.0.1:7118"])"}},
    {"claude",
     ".claude/settings.json",
     "{\n  \"model\": \"opus\"\n}\n",
     {R"("ANTHROPIC_BASE_URL": "http://127.0.0.1:7118")", R"("ENABLE_TOOL_SEARCH": "1",)"}},
    {"cline",
     ".cline/data/settings/providers.json",
     "{\n  \"providers\": {\n    \"anthropic\": {\n      \"settings\": {\n        \"apiKey\": "
     "\"k\"\n      }\n    }\n  }\n}\n",
     {R"("baseUrl": "http://127.0.0.1:7118/v1",)"}},
    {"codex",
     ".codex/config.toml",
     "model = \"gpt-5\"\n[tools]\nweb = true\n",
     {R"(model_provider = "accp")", "[model_providers.accp]",
      R"(base_url = "http://127.0.0.1:7118/v1")", "requires_openai_auth = true"}},
    {"gemini", ".gemini/.env", "A=1\n", {"GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:7118/gemini"}},
    {"opencode",
     ".config/opencode/opencode.json",
     "{\n  \"theme\": \"x\"\n}\n",
     {R"("baseURL": "http://127.0.0.1:7118/v1")"}},
    {"pi",
     ".pi/agent/models.json",
     "{\n  // mine\n  \"x\": 1,\n}\n",
     {R"("baseUrl": "http://127.0.0.1:7118")", R"("baseUrl": "http://127.0.0.1:7118/v1")"}},
    {"qwen",
     ".qwen/settings.json",
     "{\n  \"env\": {\n    \"X\": \"1\"\n  }\n}\n",
     {R"("OPENAI_BASE_URL": "http://127.0.0.1:7118/v1",)",
      R"("ANTHROPIC_BASE_URL": "http://127.0.0.1:7118",)"}},
};

std::set<std::string> lines_without_indent(const std::string &text) {
    std::set<std::string> lines;
    for (const std::string &line : lines_of(text))
        lines.insert(line.substr(std::min(line.find_first_not_of(" \t"), line.size())));
    return lines;
}

TEST_F(CliProxySetup, EachAgentIsSetUpAndUndone) {
    for (const AgentCase &agent : kAgentCases) {
        SCOPED_TRACE(agent.name);
        const std::string name = agent.name, file = write(agent.file, agent.before);
        fs::permissions(file, fs::perms(0640));
        EXPECT_EQ(proxy("doctor " + name).out.find("ok    " + name), std::string::npos);
        const auto before = files();
        const Ran dry = proxy("setup " + name + " --dry-run");
        EXPECT_EQ(dry.status, 0) << dry.err;
        EXPECT_EQ(files(), before);
        const Ran run = proxy("setup " + name);
        EXPECT_EQ(run.status, 0) << run.err;
        const std::string after = ::text_of(file);
        for (const char *line : agent.added) {
            EXPECT_TRUE(lines_without_indent(after).contains(line)) << after;
            EXPECT_NE(dry.out.find(line), std::string::npos) << dry.out;
        }
        EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
        EXPECT_NE(proxy("doctor " + name).out.find("ok    " + name + ": uses the proxy"),
                  std::string::npos);
        const Ran again = proxy("setup " + name);
        EXPECT_NE(again.out.find("already"), std::string::npos) << again.out << again.err;
        EXPECT_EQ(::text_of(file), after);
        const Ran undone = proxy("undo " + name);
        EXPECT_EQ(undone.status, 0) << undone.err;
        EXPECT_EQ(files(), before);
        EXPECT_EQ(proxy("undo " + name).status, 2);
    }
}

TEST_F(CliProxySetup, ANewFileIsRemovedWithItsDirectories) {
    for (const AgentCase &agent : kAgentCases) {
        if (agent.name == std::string("cline")) continue;  // it needs a login first
        SCOPED_TRACE(agent.name);
        EXPECT_EQ(proxy(std::string("setup ") + agent.name).status, 0);
        EXPECT_EQ(fs::status(home(agent.file)).permissions(), fs::perms(0600));
        EXPECT_EQ(proxy(std::string("undo ") + agent.name).status, 0);
        EXPECT_EQ(files().size(), 0u);
        const fs::path directory = fs::path(agent.file).parent_path();
        EXPECT_TRUE(directory.empty() || !fs::exists(home(directory)));
    }
}

// Another program has written the file anew since: only what setup has added is removed.
TEST_F(CliProxySetup, UndoKeepsWhatOthersHaveChangedSince) {
    const std::string file =
        write(".claude/settings.json", R"({"env":{"ANTHROPIC_BASE_URL":"https://old.example"}})");
    ASSERT_EQ(proxy("setup claude").status, 0);
    write(".claude/settings.json",
          R"({"theme":"dark","env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:7118"}})");
    const Ran run = proxy("undo claude");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(::text_of(file),
              R"({"theme":"dark","env":{"ANTHROPIC_BASE_URL":"https://old.example"}})");

    write(".claude/settings.json", R"({"x":1})");
    ASSERT_EQ(proxy("setup claude --address http://localhost:9/v1/").status, 0);
    EXPECT_EQ(
        ::text_of(file),
        R"({"env":{"ENABLE_TOOL_SEARCH":"1","ANTHROPIC_BASE_URL":"http://localhost:9"},"x":1})");
    write(".claude/settings.json",
          R"({"env":{"ANTHROPIC_BASE_URL":"https://mine.example"},"x":1})");
    const Ran kept = proxy("undo claude");
    EXPECT_NE(kept.out.find("stay as they are: env.ANTHROPIC_BASE_URL"), std::string::npos)
        << kept.out;
    EXPECT_EQ(::text_of(file), R"({"env":{"ANTHROPIC_BASE_URL":"https://mine.example"},"x":1})");

    write(".claude/settings.json", R"({"x":1})");
    ASSERT_EQ(proxy("setup claude").status, 0);
    ASSERT_EQ(proxy("setup claude --port 9").status, 0);
    write(".claude/settings.json",
          R"({ "x": 2, "env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}})");
    ASSERT_EQ(proxy("undo claude").status, 0);
    EXPECT_EQ(::text_of(file), R"({ "x": 2})");
}

// Claude Code switches its search for tools off if its address is not Anthropic's. Setup switches
// it on, unless the user has chosen a value, or a gateway, which may not forward what it needs.
TEST_F(CliProxySetup, TheSearchForToolsStaysOn) {
    const std::string ours = R"("ANTHROPIC_BASE_URL":"http://127.0.0.1:7118")",
                      on = R"("ENABLE_TOOL_SEARCH":"1")", off = R"("ENABLE_TOOL_SEARCH":"false")";
    const struct {
        std::string before, after;
    } cases[] = {
        {R"("X":"1")", ours + "," + on},
        {off, ours + "," + off},
        {R"("ANTHROPIC_BASE_URL":"https://gateway.example")", ours},
        {R"("ENABLE_TOOL_SEARCH":"auto","ANTHROPIC_BASE_URL":"https://gateway.example")",
         R"("ENABLE_TOOL_SEARCH":"auto",)" + ours},
    };
    for (const auto &[before, after] : cases) {
        const std::string file = write(".claude/settings.json", R"({"env":{)" + before + "}}");
        ASSERT_EQ(proxy("setup claude").status, 0);
        const std::string text = ::text_of(file);
        for (const std::string &member : {ours, on, off})
            EXPECT_EQ(text.find(member) != text.npos, after.find(member) != after.npos)
                << text << " for " << member;
        const std::string doctor = proxy("doctor claude").out;
        EXPECT_NE(doctor.find("ok    claude"), std::string::npos);
        EXPECT_EQ(doctor.find("ENABLE_TOOL_SEARCH is not set") != doctor.npos,
                  text.find("ENABLE_TOOL_SEARCH") == text.npos)
            << doctor;
        const std::string at_gateway = " doctor claude --upstream anthropic=http://127.0.0.1:1";
        EXPECT_EQ(proxy(at_gateway).out.find("ENABLE_TOOL_SEARCH"), std::string::npos);
        // what was written by another program since: the user's own value was not ours
        write(".claude/settings.json", text + "\n");
        const Ran undone = proxy("undo claude");
        EXPECT_EQ(undone.status, 0) << undone.err;
        EXPECT_EQ(undone.out.find("were changed since"), std::string::npos) << undone.out;
        EXPECT_EQ(::text_of(file).find(on), std::string::npos) << ::text_of(file);
        EXPECT_EQ(::text_of(file).find(off) != std::string::npos, before.find(off) != before.npos);
    }
}

// A gateway that setup replaces is named, with the option that keeps it in use; undo restores it.
TEST_F(CliProxySetup, AReplacedAddressIsNamed) {
    const struct {
        const char *agent, *file, *text, *name, *value, *option;
    } cases[] = {
        {"claude", ".claude/settings.json",
         R"({"env":{"ANTHROPIC_BASE_URL":"https://gateway.example/llm/"}})",
         "env.ANTHROPIC_BASE_URL", "https://gateway.example/llm/",
         " --upstream anthropic=https://gateway.example/llm"},
        {"qwen", ".qwen/settings.json",
         R"({"env":{"OPENAI_BASE_URL":"https://gateway.example/v1"}})", "env.OPENAI_BASE_URL",
         "https://gateway.example/v1", " --upstream openai=https://gateway.example"},
        {"gemini", ".gemini/.env", "GOOGLE_GEMINI_BASE_URL=https://gateway.example/g\n",
         "GOOGLE_GEMINI_BASE_URL", "https://gateway.example/g",
         " --upstream gemini=https://gateway.example/g"},
    };
    for (const auto &each : cases) {
        SCOPED_TRACE(each.agent);
        const std::string file = write(each.file, each.text), agent = each.agent;
        for (const char *options : {" --dry-run", "", " --port 9"}) {
            const Ran run = proxy("setup " + agent + options);
            EXPECT_EQ(run.status, 0) << run.err;
            EXPECT_NE(run.out.find("This replaces " + std::string(each.name) + " = " + each.value),
                      std::string::npos)
                << run.out;
            if (std::string(options) == " --dry-run") continue;
            EXPECT_NE(run.out.find(each.option + std::string("\n")), std::string::npos) << run.out;
        }
        const Ran undone = proxy("undo " + agent);
        EXPECT_NE(undone.out.find(std::string(each.name) + " is " + each.value + " again.\n"),
                  std::string::npos)
            << undone.out;
        EXPECT_EQ(::text_of(file), each.text);
        write(each.file, agent == "gemini" ? "" : "{}");
        EXPECT_EQ(proxy("setup " + agent).out.find("replaces"), std::string::npos);
        EXPECT_EQ(proxy("undo " + agent).out.find("again"), std::string::npos);
    }
}

TEST_F(CliProxySetup, ASecondSetupIsUndoneToTheFirstBeginning) {
    const std::string before = "# mine\nmodel_provider = 'openai'";
    const std::string file = write(".codex/config.toml", before);
    ASSERT_EQ(proxy("setup codex").status, 0);
    ASSERT_EQ(proxy("setup codex --port 9").status, 0);
    EXPECT_NE(::text_of(file).find("base_url = \"http://127.0.0.1:9/v1\""), std::string::npos);
    ASSERT_EQ(proxy("undo codex").status, 0);
    EXPECT_EQ(::text_of(file), before);
}

TEST_F(CliProxySetup, ASymbolicLinkStaysOne) {
    const std::string file = write("dotfiles/claude.json", "{}\n");
    fs::create_directories(home(".claude"));
    fs::create_symlink("../dotfiles/claude.json", home(".claude/settings.json"));
    ASSERT_EQ(proxy("setup claude").status, 0);
    EXPECT_TRUE(fs::is_symlink(home(".claude/settings.json")));
    EXPECT_NE(::text_of(file), "{}\n");
    ASSERT_EQ(proxy("undo claude").status, 0);
    EXPECT_TRUE(fs::is_symlink(home(".claude/settings.json")));
    EXPECT_EQ(::text_of(file), "{}\n");
}

// A failure changes no file.
TEST_F(CliProxySetup, FailuresChangeNothing) {
    const struct {
        const char *agent, *file, *text, *before, *error;
    } cases[] = {
        {"claude", ".claude/settings.json", "{ broken", "",
         "line 1 column 3: expected a key in quotes"},
        {"claude", ".claude/settings.json", "{\"env\":[]}", "", "expected an object"},
        {"codex", ".codex/config.toml", "model_providers = {}\n", "", "write it as a table"},
        {"codex", ".codex/config.toml",
         "model_provider = \"own\"\n[model_providers.own]\nbase_url = \"https://a.example/v1\"\n",
         "", "has model_provider = own, whose key"},
        {"codex", ".codex/config.toml", "openai_base_url = \"https://a.example/v4\"\n", "",
         "openai_base_url is https://a.example/v4, which does not end with /v1"},
        {"qwen", ".qwen/settings.json",
         R"({"env":{"OPENAI_BASE_URL":"https://a.example/api/v4/"}})", "",
         "accp proxy run -- qwen; nothing was changed"},
        {"pi", ".pi/agent/models.json", R"({"providers":{"openai":{"baseUrl":"$GATEWAY"}}})", "",
         "which is not a URL"},
        {"aider", ".aider.conf.yml", "set-env:\n  - A=1\n", "", "is not a text on one line"},
        {"cline", ".cline/data/settings/providers.json", "{}", "", "log in with cline first"},
        {"claude", ".claude/settings.json", "{}", "trap '' XFSZ; ulimit -f 0;", "File too large"},
        {"claude", ".claude/settings.json", "{}", "mkdir .local && touch .local/state;",
         "Not a directory"},
        {"nobody", ".claude/settings.json", "{}", "", "is not an agent that this command knows"},
        {"claude --address ftp://x", ".claude/settings.json", "{}", "", "must be http://HOST:PORT"},
        {"openhands", ".claude/settings.json", "{}", "", "no file that can be edited safely"},
        {"", ".claude/settings.json", "{}", "", "give one agent: aider, claude"},
    };
    for (const auto &each : cases) {
        SCOPED_TRACE(std::string(each.agent) + " " + each.error);
        const std::string file = write(each.file, each.text);
        const Ran run = proxy(std::string("setup ") + each.agent, each.before);
        EXPECT_EQ(run.status, 2);
        EXPECT_NE(run.err.find(each.error), std::string::npos) << run.err;
        EXPECT_EQ(::text_of(file), each.text);
        fs::remove_all(home(".local"));
        EXPECT_EQ(files().size(), 1u) << "a file more";
        fs::remove(file);
    }
}

// The record can be written, but the file cannot be replaced: its name has no room for another
// one beside it.
TEST_F(CliProxySetup, AFileThatCannotBeReplacedHasNoRecord) {
    const std::string name(250, 'x');
    write("long/" + name, "{}");
    fs::create_directories(home(".claude"));
    fs::create_symlink("../long/" + name, home(".claude/settings.json"));
    const Ran run = proxy("setup claude");
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("nothing was changed"), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(home(".local/state/accp/proxy/claude.setup")));
    EXPECT_EQ(::text_of(home("long/" + name)), "{}");
}

TEST_F(CliProxySetup, DamagedRecordsAreRefused) {
    write(".claude/settings.json", "{}");
    ASSERT_EQ(proxy("setup claude").status, 0);
    const std::string record = home(".local/state/accp/proxy/claude.setup"),
                      whole = ::text_of(record);
    struct stat about = {};
    ASSERT_EQ(stat(record.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
    const std::string after = ::text_of(home(".claude/settings.json"));
    for (size_t size = 0; size < whole.size(); size += 7) {
        write(".local/state/accp/proxy/claude.setup", whole.substr(0, size));
        const Ran run = proxy("undo claude");
        EXPECT_EQ(run.status, 2) << size;
        EXPECT_NE(run.err.find("is damaged"), std::string::npos) << run.err;
        EXPECT_EQ(::text_of(home(".claude/settings.json")), after);
    }
}

TEST_F(CliProxySetup, AServiceIsAUnitOfTheUser) {
    const std::string unit = home(".config/systemd/user/accp-proxy.service");
    const Ran run = proxy("setup --service --port 9000 --upstream local=http://127.0.0.1:1/a%20b");
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string text = ::text_of(unit);
    EXPECT_NE(text.find(" proxy --port 9000 --store sqlite:%S/accp/proxy.db "), std::string::npos)
        << text;
    EXPECT_NE(text.find(" --upstream local=http://127.0.0.1:1/a%%20b\n"), std::string::npos)
        << text;
    EXPECT_EQ(proxy("undo --service").status, 0);
    EXPECT_FALSE(fs::exists(home(".config")));
    write(".config/systemd/user/accp-proxy.service", "mine");
    EXPECT_EQ(proxy("setup --service").status, 2);
    EXPECT_EQ(::text_of(unit), "mine");
}

// The record of the first file would be lost.
TEST_F(CliProxySetup, AnotherFileIsRefusedUntilTheFirstIsUndone) {
    const std::string first = write(".config/opencode/opencode.json", "{\"theme\":\"x\"}\n");
    ASSERT_EQ(proxy("setup opencode").status, 0);
    const std::string second = write(".config/opencode/opencode.jsonc", "{\"model\":\"y\"}\n");
    const auto before = files();
    const Ran run = proxy("setup opencode");
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_NE(run.err.find("accp proxy undo opencode"), std::string::npos) << run.err;
    EXPECT_EQ(files(), before);
    EXPECT_EQ(proxy("undo opencode").status, 0);
    EXPECT_EQ(::text_of(first), "{\"theme\":\"x\"}\n");
    EXPECT_EQ(proxy("setup opencode").status, 0);
    EXPECT_EQ(proxy("undo opencode").status, 0);
    EXPECT_EQ(::text_of(second), "{\"model\":\"y\"}\n");

    ASSERT_EQ(proxy("setup --service").status, 0);
    const auto with_service = files();
    variables = "XDG_CONFIG_HOME=" + home("elsewhere");
    const Ran service = proxy("setup --service");
    EXPECT_EQ(service.status, 2) << service.out;
    EXPECT_NE(service.err.find("accp proxy undo --service"), std::string::npos) << service.err;
    EXPECT_EQ(files(), with_service);
    EXPECT_EQ(proxy("undo --service").status, 0);
    EXPECT_EQ(proxy("setup --service").status, 0);
}

TEST_F(CliProxySetup, AServiceThatSomebodyHasEditedStays) {
    const std::string unit = home(".config/systemd/user/accp-proxy.service");
    ASSERT_EQ(proxy("setup --service").status, 0);
    EXPECT_EQ(proxy("setup --service --port 9000").status, 0);
    const std::string edited = ::text_of(unit) + "# mine\n";
    write(".config/systemd/user/accp-proxy.service", edited);
    const auto before = files();
    const Ran run = proxy("setup --service --port 9001");
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_NE(run.err.find("was changed since setup wrote it"), std::string::npos) << run.err;
    EXPECT_EQ(files(), before);
    fs::remove(unit);
    EXPECT_EQ(proxy("setup --service").status, 0);
    EXPECT_EQ(proxy("undo --service").status, 0);
    EXPECT_FALSE(fs::exists(unit));
}

TEST_F(CliProxySetup, EachFormOfAnAddressIsThatOfTheProxy) {
    const std::pair<const char *, const char *> cases[] = {
        {"", "http://127.0.0.1:7118"},
        {" --port 7200", "http://127.0.0.1:7200"},
        {" --address localhost:7200", "http://localhost:7200"},
        {" --address 10.0.0.5 --port 7200", "http://10.0.0.5:7200"},
        {" --address ::1", "http://[::1]:7118"},
        {" --address [::1]:7200", "http://[::1]:7200"},
        {" --address http://proxy.example:80", "http://proxy.example:80"},
    };
    for (const auto &[options, address] : cases) {
        const Ran run = proxy(std::string("setup claude") + options);
        EXPECT_NE(run.out.find(std::string(" uses the proxy at ") + address + " from now on"),
                  std::string::npos)
            << options << run.out << run.err;
        EXPECT_NE(run.out.find(std::string("Check it: accp proxy doctor claude") + options + "\n"),
                  std::string::npos)
            << run.out;
        const std::string told = proxy(std::string("doctor claude") + options).out;
        EXPECT_NE(told.find("ok    claude"), std::string::npos) << told;
        ASSERT_EQ(proxy("undo claude").status, 0);
    }
    for (const char *wrong : {"127.0.0.1/", "a:b", "localhost:", "host/path:1"}) {
        const Ran run = proxy(std::string("setup claude --address ") + wrong);
        EXPECT_EQ(run.status, 2) << wrong << run.out;
        EXPECT_NE(run.err.find("must be http://HOST:PORT"), std::string::npos) << run.err;
    }
}

TEST_F(CliProxySetup, TheDoctorSaysWhatIsStronger) {
    ASSERT_EQ(proxy("setup claude").status, 0);
    write("project/.claude/settings.json",
          R"({"env":{"ANTHROPIC_BASE_URL":"https://other.example"}})");
    const Ran project =
        run_shell("cd " + home("project") + "; env -i HOME=" + home("") + " " + ACCP_CLI_PATH +
                  " proxy doctor claude --upstream anthropic=http://127.0.0.1:1");
    EXPECT_EQ(project.status, 1);
    EXPECT_NE(
        project.out.find("FAIL  claude: .claude/settings.json of this folder sends its calls to "
                         "https://other.example"),
        std::string::npos)
        << project.out;
    EXPECT_NE(project.out.find("FAIL  upstream anthropic: http://127.0.0.1:1 does not answer"),
              std::string::npos)
        << project.out;
    ASSERT_EQ(proxy("setup qwen").status, 0);
    variables = "OPENAI_BASE_URL=https://other.example/v1";
    EXPECT_NE(proxy("doctor qwen").out.find("FAIL  qwen: the variable OPENAI_BASE_URL"),
              std::string::npos);
    EXPECT_NE(proxy("doctor qwen --json")
                  .out.find("{\"ok\":false,\"checks\":[{\"check\":\"proxy\",\"verdict\":\"FAIL\""),
              std::string::npos);
    variables = "OPENAI_BASE_URL=http://127.0.0.1:7118/v1";
    EXPECT_NE(proxy("doctor qwen").out.find("ok    qwen: uses the proxy by the variable"),
              std::string::npos);
}

}  // namespace
