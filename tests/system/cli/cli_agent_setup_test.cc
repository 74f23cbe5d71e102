// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context setup: files of agents in a project, in a home folder of each test's own.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <filesystem>

#include "cli/config/config_text.h"
#include "run_accp.h"
#include "temp_directory.h"

namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

class CliAgentSetup : public testing::Test {
protected:
    CliAgentSetup() { fs::create_directories(folder_ / "project"); }
    Ran setup(const std::string &words) const {
        return run_shell("cd " + (folder_ / "project") + " && env -i HOME=" + (folder_ / "") +
                         " PATH=/no/such " ACCP_CLI_PATH " context setup " + words);
    }
    std::string write(const std::string &file, const std::string &text) const {
        const std::string path = folder_ / ("project/" + file);
        fs::create_directories(fs::path(path).parent_path());
        return folder_.write("project/" + file, text);
    }
    // All files and directories of the project, with the texts of files.
    Files files() const {
        Files all;
        const std::string root = folder_ / "project/";
        for (const auto &entry : fs::recursive_directory_iterator(root))
            all[entry.path().string().substr(root.size())] =
                entry.is_regular_file() ? ::text_of(entry.path().string()) : "/";
        return all;
    }
    std::string text(const std::string &file) const {
        return ::text_of(folder_ / ("project/" + file));
    }

    TempDirectory folder_;
};

const char *const kSettings = ".claude/settings.local.json";

struct SetupCase {
    const char *agent;
    Files before;
    std::vector<std::string> written;
};

const SetupCase kSetupCases[] = {
    {"claude-code",
     {},
     {".claude/commands/handoff.md", kSettings, ".claude/skills/context-packets/SKILL.md"}},
    {"claude-code",
     {{kSettings, "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}"}},
     {".claude/commands/handoff.md", kSettings, ".claude/skills/context-packets/SKILL.md"}},
    {"claude-code",
     {{kSettings,
       "{\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": "
       "[]}\r\n\t\t]\r\n\t}\r\n}\r\n"},
      {".claude/commands/mine.md", "x"}},
     {".claude/commands/handoff.md", kSettings, ".claude/skills/context-packets/SKILL.md"}},
    {"claude-code",
     {{kSettings, "{\"hooks\":{\"PreToolUse\":[],\"SubagentStop\":[ {\"hooks\":[]} ]}}"}},
     {".claude/commands/handoff.md", kSettings, ".claude/skills/context-packets/SKILL.md"}},
    {"claude-code",
     {{kSettings, "\n"}},
     {".claude/commands/handoff.md", kSettings, ".claude/skills/context-packets/SKILL.md"}},
    {"opencode",
     {{".opencode/plugins/mine.js", "x"}},
     {".opencode/commands/handoff.md", ".opencode/plugins/accp.js",
      ".opencode/skills/context-packets/SKILL.md"}},
    {"codex", {}, {".agents/skills/context-packets/SKILL.md", "AGENTS.md"}},
    {"codex",
     {{"AGENTS.md", "# Rules\n\nUse tabs."}},
     {".agents/skills/context-packets/SKILL.md", "AGENTS.md"}},
    {"agents", {{"AGENTS.md", "# Rules\n\nUse tabs.\n"}}, {"AGENTS.md"}},
    {"agents", {{"AGENTS.md", ""}}, {"AGENTS.md"}},
};

// A dry run changes nothing; setup can be repeated; --remove restores every byte.
TEST_F(CliAgentSetup, InstallsAndRemoves) {
    for (const SetupCase &one : kSetupCases) {
        fs::remove_all(folder_ / "project");
        fs::create_directories(folder_ / "project");
        for (const auto &[file, before] : one.before) write(file, before);
        const Files before = files();
        const std::string agent = one.agent;
        SCOPED_TRACE(agent + " " + (one.before.empty() ? "" : one.before.begin()->second));
        const Ran dry = setup(agent + " --dry-run");
        EXPECT_EQ(dry.status, 0) << dry.err;
        EXPECT_EQ(files(), before);
        const Ran none = setup(agent + " --remove");
        EXPECT_EQ(none.out, agent + " is not set up here.\n");
        EXPECT_EQ(files(), before);
        const Ran first = setup(agent);
        ASSERT_EQ(first.status, 0) << first.err;
        const Files after = files();
        for (const std::string &file : one.written) {
            EXPECT_NE(dry.out.find("/" + file + "\nline "), std::string::npos) << dry.out;
            EXPECT_NE(first.out.find("/" + file + "\n"), std::string::npos) << first.out;
            EXPECT_EQ(after.count(file), 1u) << file;
        }
        const Ran second = setup(agent);
        EXPECT_EQ(second.out, agent + " is set up already.\n");
        EXPECT_EQ(files(), after);
        EXPECT_EQ(setup(agent + " --remove --dry-run").status, 0);
        EXPECT_EQ(files(), after);
        const Ran removed = setup(agent + " --remove");
        EXPECT_EQ(removed.status, 0) << removed.err;
        EXPECT_EQ(files(), before);
    }
}

// Claude Code reformats its settings when it changes them.
TEST_F(CliAgentSetup, OnlyOurPartIsRemovedAfterOtherChanges) {
    ASSERT_EQ(setup("claude-code").status, 0);
    const std::string installed = text(kSettings);
    rapidjson::Document json;
    json.Parse(installed.c_str());
    ASSERT_FALSE(json.HasParseError()) << installed;
    const auto &hook = json["hooks"]["PreToolUse"][0];
    EXPECT_STREQ(hook["matcher"].GetString(), "Agent|Task");
    const std::string command = hook["hooks"][0]["command"].GetString();
    EXPECT_TRUE(command.ends_with("/accp context hook")) << command;
    EXPECT_STREQ(json["hooks"]["SubagentStop"][0]["hooks"][0]["command"].GetString(),
                 command.c_str());
    const std::string ours =
        "        \"hooks\": [\n          {\n            \"type\": "
        "\"command\",\n            \"command\": \"/old/accp context hook\"\n"
        "          }\n        ]\n      }";
    write(kSettings, "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n" + ours +
                         ",\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": []\n"
                         "      }\n    ]\n  },\n  \"permissions\": {}\n}\n");
    const Ran again = setup("claude-code");
    EXPECT_EQ(again.status, 0) << again.err;
    const std::string changed = text(kSettings);
    EXPECT_EQ(changed.find("/old/accp"), std::string::npos) << changed;
    EXPECT_NE(changed.find(command), std::string::npos) << changed;
    write(kSettings, changed + "\n");
    EXPECT_EQ(setup("claude-code --remove").status, 0);
    EXPECT_EQ(text(kSettings),
              "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n"
              "        \"hooks\": []\n      }\n    ]\n  },\n  \"permissions\": {}\n}\n\n");
    EXPECT_EQ(files().size(), 2u) << "the folder and this file";
}

// Files that others may get with the project do not name a folder of this machine.
TEST_F(CliAgentSetup, ThePathIsForAProgramThatAShellDoesNotFind) {
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(ACCP_CLI_PATH, folder_ / "bin/accp");
    ASSERT_EQ(setup("codex").status, 0);
    EXPECT_NE(text("AGENTS.md").find(std::string("`") + ACCP_CLI_PATH + " context generate"),
              std::string::npos);
    const Ran ran = run_shell("cd " + (folder_ / "project") + " && env -i HOME=" + (folder_ / "") +
                              " PATH=/no/such:" + (folder_ / "bin") + " accp context setup codex");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(text("AGENTS.md").find("`accp context generate"), std::string::npos);
    EXPECT_EQ(text("AGENTS.md").find(ACCP_CLI_PATH), std::string::npos);
}

// An agent keeps the text of a command as words of the user. Only the task in it is a demand.
TEST_F(CliAgentSetup, TheStepsOfACommandAreNoDemands) {
    ASSERT_EQ(setup("opencode").status, 0);
    std::string said = text(".opencode/commands/handoff.md");
    said = said.substr(said.find("---\n", 4) + 4);
    const std::string arguments = "$ARGUMENTS";
    said.replace(said.find(arguments), arguments.size(), "Add a login. It must be fast.");
    std::string json;
    for (char c : said) {
        if (c == '"' || c == '\\') json += '\\';
        json += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    const Ran ran = run_accp({"context", "generate", "Add a login", "--json"},
                             R"([{"role":"user","content":")" + json + "\"}]");
    EXPECT_NE(ran.out.find(R"("constraints":["It must be fast."])"), std::string::npos)
        << ran.out << ran.err;
    EXPECT_EQ(ran.out.find("items.yaml"), std::string::npos) << ran.out;
}

TEST_F(CliAgentSetup, ChangedFilesStay) {
    ASSERT_EQ(setup("codex").status, 0);
    write("AGENTS.md", "# Mine\n\n" + text("AGENTS.md") + "\nMore.\n");
    const std::string skill = ".agents/skills/context-packets/SKILL.md";
    write(skill, text(skill) + "Mine.\n");
    const Files before = files();
    const Ran again = setup("codex");
    EXPECT_EQ(again.status, 2);
    EXPECT_NE(again.err.find("SKILL.md: exists, and was not written by accp context setup"),
              std::string::npos)
        << again.err;
    EXPECT_EQ(files(), before);
    const Ran removed = setup("codex --remove");
    EXPECT_EQ(removed.status, 0);
    EXPECT_NE(removed.err.find("SKILL.md: was changed since, and stays"), std::string::npos);
    EXPECT_EQ(text("AGENTS.md"), "# Mine\n\nMore.\n");
    EXPECT_TRUE(text(skill).ends_with("Mine.\n"));
}

TEST_F(CliAgentSetup, BadInputChangesNothing) {
    write(kSettings, "{\"hooks\":[]}");
    write("AGENTS.md", "<!-- accp context setup: begin -->\n");
    const Files before = files();
    const std::pair<const char *, const char *> cases[] = {
        {"claude-code", "settings.local.json: line 1 column 10: expected an object"},
        {"codex", "AGENTS.md: has the first line of our block, but not the last"},
        {"cursor", "context setup takes one of claude-code, codex, opencode and agents"},
        {"", "context setup takes one agent"},
        {"agents --directory /no/such", "/no/such: No such file"},
    };
    for (const auto &[words, fault] : cases) {
        const Ran ran = setup(words);
        EXPECT_EQ(ran.status, 2) << words;
        EXPECT_NE(ran.err.find(fault), std::string::npos) << words << ran.err;
        EXPECT_EQ(files(), before) << words;
    }
}

// An element that is added and removed leaves the list as it was.
TEST(ConfigElements, ComeAndGo) {
    const cli::JsonSettings json;
    const std::string element = R"({"a":"our mark"})";
    const std::string cases[][2] = {
        {R"({"l":[1]})", R"({"l":[{"a":"our mark"}, 1]})"},
        {R"({"l":[1,2], "b":3})", R"({"l":[{"a":"our mark"}, 1,2], "b":3})"},
        {"{\n  \"l\": [\n    1\n  ]\n}\n",
         "{\n  \"l\": [\n    {\"a\":\"our mark\"},\n    1\n  ]\n}\n"},
        {"{\r\n\t\"l\": [\r\n\t\t1\r\n\t]\r\n}\r\n",
         "{\r\n\t\"l\": [\r\n\t\t{\"a\":\"our mark\"},\r\n\t\t1\r\n\t]\r\n}\r\n"},
        {"{\"x\":1}", "{\"l\":[{\"a\":\"our mark\"}],\"x\":1}"},
    };
    for (const auto &[before, after] : cases) {
        EXPECT_EQ(json.add_element(before, {"l"}, element), after);
        EXPECT_EQ(json.remove_elements(after, {"l"}, "our mark"), before);
        EXPECT_EQ(json.remove_elements(before, {"l"}, "our mark"), before);
    }
    EXPECT_EQ(json.remove_elements(R"({"l":[1, {"a":"our mark"}, {"b":["our mark"]}]})", {"l"},
                                   "our mark"),
              R"({"l":[1]})");
    EXPECT_EQ(json.remove_elements(R"({"h":{"l":["our mark"]},"x":1})", {"h", "l"}, "our mark"),
              R"({"x":1})");
    EXPECT_EQ(json.remove_elements(R"({"l":"our mark"})", {"l"}, "our mark"),
              R"({"l":"our mark"})");
    EXPECT_THROW(json.add_element(R"({"l":"x"})", {"l"}, element), std::exception);
    EXPECT_THROW(json.add_element(R"([])", {"l"}, element), std::exception);
}

}  // namespace
