// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context with the files of agents: their conversations, hooks and setups, in a home folder of
// each test's own. The forms are those that claude-code 2.1, codex 0.171, opencode 1.18, pi 0.73
// and gemini-cli 0.61 wrote here.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <functional>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

namespace fs = std::filesystem;

constexpr const char *kDemand = "Add a login. It must use the model from models/user.py.";

std::string json_quoted(const std::string &text) {
    std::string json = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') json += '\\';
        json += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return json + "\"";
}

class CliAgents : public testing::Test {
protected:
    CliAgents() {
        fs::create_directories(project());
        root_ = fs::canonical(project()).string();
    }
    std::string home(const std::string &file = "") const { return home_ / file; }
    std::string project() const { return home("project"); }
    std::string write(const std::string &file, const std::string &text) const {
        fs::create_directories(fs::path(home(file)).parent_path());
        return home_.write(file, text);
    }
    // Runs accp context in the project, with only HOME in its environment, and `variables`.
    Ran run(const std::string &words, const std::string &input = {},
            const std::string &variables = {}) const {
        return run_shell("cd " + project() + " && env -i HOME=" + home() + " PATH=$PATH " +
                         variables + " " ACCP_CLI_PATH " context " + words + " <" +
                         home_.write("input", input));
    }
    // Makes a file older than all others.
    void age(const std::string &file, int minutes) const {
        fs::last_write_time(home(file),
                            fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
    }

    // A conversation with this decision, in the form of each agent.
    std::string claude(const std::string &decision, const std::string &cwd) const {
        const auto line = [&](const std::string &role, const std::string &text) {
            return R"({"parentUuid":null,"isSidechain":false,"type":")" + role +
                   R"(","message":{"role":")" + role + R"(","content":)" + json_quoted(text) +
                   R"(},"cwd":)" + json_quoted(cwd) + R"(,"sessionId":"s","version":"2.1.332"})" +
                   "\n";
        };
        return R"({"type":"queue-operation","operation":"enqueue","sessionId":"s","content":"x"})"
               "\n" +
               line("user", kDemand) + line("user", decision);
    }
    std::string codex(const std::string &decision, const std::string &cwd,
                      const std::string &source = "user") const {
        const auto line = [&](const std::string &text) {
            return R"({"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":)" +
                   json_quoted(text) +
                   R"(}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["user.text"]}}})"
                   "\n";
        };
        return R"({"type":"session_meta","payload":{"id":"i","cwd":)" + json_quoted(cwd) +
               R"(,"thread_source":")" + source + R"("}})" + "\n" + line(kDemand) + line(decision);
    }
    std::string pi(const std::string &decision, const std::string &cwd) const {
        const auto line = [&](const std::string &text) {
            return R"({"type":"message","id":"2","message":{"role":"user","content":[{"type":"text","text":)" +
                   json_quoted(text) + "}]}}\n";
        };
        return R"({"type":"session","version":3,"id":"i","cwd":)" + json_quoted(cwd) + "}\n" +
               line(kDemand) + line(decision);
    }
    // Writes a chat and the file that names its project.
    void write_gemini(const std::string &name, const std::string &decision, const std::string &cwd,
                      const std::string &kind = "main") const {
        const auto line = [&](const std::string &text) {
            return R"({"id":"u","timestamp":"t","type":"user","content":[{"text":)" +
                   json_quoted(text) + "}]}\n";
        };
        write(".gemini/tmp/" + name + "/.project_root", cwd);
        write(".gemini/tmp/" + name + "/chats/session-1-" + name + ".jsonl",
              R"({"sessionId":"i","projectHash":"h","kind":")" + kind + "\"}\n" + line(kDemand) +
                  line(decision));
    }
    // Adds a session to the database of opencode.
    void add_opencode(const std::string &id, const std::string &decision, const std::string &cwd,
                      int64_t time_ms, const std::string &parent = "NULL",
                      const std::string &folder = ".local/share") const {
        fs::create_directories(home(folder + "/opencode"));
        sqlite3 *file = nullptr;
        ASSERT_EQ(sqlite3_open(home(folder + "/opencode/opencode.db").c_str(), &file), SQLITE_OK);
        const auto message = [&](const std::string &name, const std::string &text) {
            return "INSERT INTO message VALUES('" + id + name + "','" + id +
                   "','{\"role\":\"user\",\"time\":{\"created\":1}}');"
                   "INSERT INTO part VALUES('" +
                   id + name + "p','" + id + name + "','" + id +
                   "','{\"type\":\"text\",\"text\":" + json_quoted(text) + "}'," +
                   std::to_string(time_ms) + ");";
        };
        const std::string sql =
            "PRAGMA journal_mode=WAL;"
            "CREATE TABLE IF NOT EXISTS session(id, parent_id, directory, revert, time_updated);"
            "CREATE TABLE IF NOT EXISTS message(id, session_id, data);"
            "CREATE TABLE IF NOT EXISTS part(id, message_id, session_id, data, time_updated);"
            "INSERT INTO session VALUES('" +
            id + "'," + parent + ",'" + cwd + "','{\"messageID\":\"" + id + "m9\"}',1);" +
            message("m1", kDemand) + message("m2", decision) + message("m9", "lets use PS512");
        char *error = nullptr;
        EXPECT_EQ(sqlite3_exec(file, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
        sqlite3_close(file);
    }
    // The name of the directory in which Claude Code keeps the sessions of a directory.
    static std::string claude_name(std::string directory) {
        for (char &c : directory)
            if (!isalnum(static_cast<unsigned char>(c))) c = '-';
        return directory;
    }
    std::string claude_file(const std::string &id, const std::string &cwd) const {
        return ".claude/projects/" + claude_name(cwd) + "/" + id + ".jsonl";
    }

    std::string root_;  // the project, as agents name it

private:
    TempDirectory home_;
};

// Expects a packet that was made from the conversation with this decision.
void expect_made_of(const Ran &ran, const std::string &decision, const std::string &where) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find("It must use the model from models/user.py."), std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find(decision), std::string::npos) << ran.out << ran.err;
    EXPECT_EQ(ran.out.find("PS512"), std::string::npos) << ran.out;
    EXPECT_NE(ran.err.find("accp: the conversation is "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(where), std::string::npos) << ran.err;
}

TEST_F(CliAgents, FindsTheConversationOfEachAgent) {
    const std::string generate = "generate 'Add a login' --session ";
    write(claude_file("11-aa", root_), claude("lets use RS256", root_));
    write(".codex/sessions/2026/11/29/rollout-1-aa.jsonl", codex("lets use ES256", root_));
    write(".pi/agent/sessions/--project--/1_aa.jsonl", pi("lets use HS256", root_));
    add_opencode("ses_1", "lets use EdDSA", root_, 5);
    expect_made_of(run(generate + "claude-code"), "lets use RS256", "11-aa.jsonl (claude-code)");
    expect_made_of(run(generate + "codex"), "lets use ES256", "rollout-1-aa.jsonl (codex)");
    expect_made_of(run(generate + "pi"), "lets use HS256", "1_aa.jsonl (pi)");
    write_gemini("project", "lets use PS384", root_);
    age(".gemini/tmp/project/chats/session-1-project.jsonl", 9);
    expect_made_of(run(generate + "gemini"), "lets use PS384", "session-1-project.jsonl (gemini)");
    expect_made_of(run(generate + "opencode"), "lets use EdDSA",
                   "opencode.db session ses_1 (opencode)");
    // of any agent, the one that was changed last
    age(claude_file("11-aa", root_), 3);
    age(".codex/sessions/2026/11/29/rollout-1-aa.jsonl", 2);
    age(".pi/agent/sessions/--project--/1_aa.jsonl", 1);
    expect_made_of(run(generate + "auto"), "lets use HS256", "1_aa.jsonl");
    expect_made_of(run("generate 'Add a login'"), "lets use HS256", "1_aa.jsonl");
    add_opencode("ses_2", "lets use ES512", root_, INT64_C(4'000'000'000'000));
    expect_made_of(run("generate 'Add a login'"), "lets use ES512", "ses_2");
    // an agent that says that it runs the command comes first
    expect_made_of(run("generate 'Add a login'", "", "CODEX_THREAD_ID=aa"), "lets use ES256",
                   "rollout-1-aa.jsonl");
    expect_made_of(run("generate 'Add a login'", "", "CODEX_THREAD_ID=aa CLAUDECODE=1"),
                   "lets use ES512", "ses_2");
    // standard input comes before it
    const Ran piped =
        run("generate 'Add a login'", "User: It must be fast. lets use PS256\n\nAssistant: ok\n");
    EXPECT_NE(piped.out.find("lets use PS256"), std::string::npos) << piped.err;
}

TEST_F(CliAgents, PathsAreRelativeToTheDirectoryOfTheSession) {
    const std::string outside = root_ + "x/login/rules.conf";
    const std::string said = "lets use " + root_ + "/src/login.py as in " + outside;
    const std::pair<const char *, std::string> talks[] = {{"claude-code", claude(said, root_)},
                                                          {"codex", codex(said, root_)},
                                                          {"pi", pi(said, root_)}};
    for (const auto &[agent, text] : talks) {
        const Ran ran = run(std::string("generate 'Add a login' --json --from ") + agent +
                            " --conversation " + write("talk", text));
        EXPECT_EQ(ran.status, 0) << ran.err;
        for (const std::string &path : {std::string("src/login.py"), outside})
            EXPECT_NE(ran.out.find("{\"path\":\"" + path + "\""), std::string::npos)
                << agent << path << ran.out;
    }
}

// The agent may be writing the last line.
TEST_F(CliAgents, AnUnfinishedLineIsLeftOut) {
    write(claude_file("1", root_), claude("lets use RS256", root_) + R"({"type":"user","mess)");
    expect_made_of(run("generate 'Add a login' --session claude-code"), "lets use RS256",
                   "/1.jsonl");
    write(claude_file("1", root_), "{\"type\":\"user\"");
    EXPECT_EQ(run("generate 'Add a login' --session claude-code").status, 1);
}

TEST_F(CliAgents, FoldersThatVariablesName) {
    const std::string generate = "generate 'Add a login' --session ";
    write("c/projects/" + claude_name(root_) + "/1.jsonl", claude("lets use RS256", root_));
    write("x/sessions/2026/01/02/rollout-1.jsonl", codex("lets use ES256", root_));
    write("p/sessions/a/1.jsonl", pi("lets use HS256", root_));
    add_opencode("ses_1", "lets use EdDSA", root_, 5, "NULL", "d");
    expect_made_of(run(generate + "claude-code", "", "CLAUDE_CONFIG_DIR=" + home("c")),
                   "lets use RS256", "/c/projects/");
    expect_made_of(run(generate + "codex", "", "CODEX_HOME=" + home("x")), "lets use ES256",
                   "/x/sessions/");
    expect_made_of(run(generate + "pi", "", "PI_CODING_AGENT_DIR=" + home("p")), "lets use HS256",
                   "/p/sessions/");
    expect_made_of(run(generate + "opencode", "", "XDG_DATA_HOME=" + home("d")), "lets use EdDSA",
                   "/d/opencode/");
}

// The conversation of the directory or of one above it counts, and none of a sub-agent.
TEST_F(CliAgents, OtherConversationsAreLeftOut) {
    const std::string above = fs::path(root_).parent_path().string();
    write(claude_file("1", above), claude("lets use RS256", above));
    write(claude_file("2", root_ + "/below"), claude("lets use RS384", root_ + "/below"));
    write(claude_file("agent-3", root_), claude("lets use RS512", root_));
    write(claude_file("4", root_), claude("lets use ES384", root_ + "x"));  // of the same name
    write(claude_file("5", root_), R"({"type":"summary","summary":"x","leafUuid":"y"})");
    expect_made_of(run("generate 'Add a login' --session claude-code"), "lets use RS256",
                   "/1.jsonl");
    write(".codex/sessions/2026/11/29/rollout-1.jsonl", codex("lets use ES256", above));
    write(".codex/sessions/2026/11/29/rollout-2.jsonl", codex("lets use ES512", "/elsewhere"));
    write(".codex/sessions/2026/11/29/rollout-3.jsonl", codex("lets use PS256", root_, "subagent"));
    write(".codex/sessions/2026/11/29/rollout-4.jsonl", "not json\n");
    write(".codex/sessions/2026/11/29/notes.txt", "x");
    expect_made_of(run("generate 'Add a login' --session codex"), "lets use ES256", "rollout-1.");
    write_gemini("above", "lets use PS384", above);
    write_gemini("other", "lets use HS512", "/elsewhere");
    write_gemini("sub", "lets use HS384", root_, "subagent");
    expect_made_of(run("generate 'Add a login' --session gemini"), "lets use PS384", "1-above.");
    add_opencode("ses_1", "lets use EdDSA", root_, 5);
    add_opencode("ses_2", "lets use HS256", root_, 6, "'ses_1'");
    add_opencode("ses_3", "lets use HS384", "/elsewhere", 7);
    expect_made_of(run("generate 'Add a login' --session opencode"), "lets use EdDSA", "ses_1");
}

// The command reads the database of opencode by the SQLite that its index of code uses later.
TEST_F(CliAgents, TheDatabaseOfOpencodeBesideAnIndexOfCode) {
    write("project/src/login.py", "# Logs somebody in\n");
    add_opencode("ses_1", "lets use EdDSA", root_, 5);
    const Ran ran = run("generate 'Add a login' --session opencode --code " + root_ +
                        "/src --index " + home("index.sqlite"));
    expect_made_of(ran, "lets use EdDSA", "ses_1");
    EXPECT_NE(ran.out.find("summary: Logs somebody in"), std::string::npos) << ran.out;
    EXPECT_TRUE(fs::exists(home("index.sqlite"))) << ran.err;
}

TEST_F(CliAgents, SaysWhereItSearched) {
    for (const std::string words : {"generate t", "generate t --session auto"}) {
        const Ran none = run(words);
        EXPECT_EQ(none.status, 2);
        EXPECT_EQ(none.err, "accp: no conversation in " + root_ +
                                ", or a directory above it, was found; searched " + home() +
                                "/.claude/projects (claude-code), " + home() +
                                "/.codex/sessions (codex), " + home() +
                                "/.local/share/opencode/opencode.db (opencode), " + home() +
                                "/.pi/agent/sessions (pi), " + home() +
                                "/.gemini/tmp (gemini); give --conversation FILE\n");
    }
    const Ran codex = run("generate t --session codex");
    EXPECT_EQ(codex.err.find(".claude"), std::string::npos) << codex.err;
    const Ran unknown = run("generate t --session cursor");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.err.find("or one of auto, claude-code, codex, opencode, pi, gemini"),
              std::string::npos)
        << unknown.err;
    write(".local/share/opencode/opencode.db",
          "this is no database, but it is long enough for one");
    const Ran broken = run("generate t --session opencode");
    EXPECT_EQ(broken.status, 2);
    EXPECT_NE(broken.err.find("the sessions of opencode cannot be read: "), std::string::npos)
        << broken.err;
}

// With --store, any word is the id of a session in it.
TEST_F(CliAgents, TheStoreComesFirst) {
    write(".codex/sessions/2026/11/29/rollout-1.jsonl", codex("lets use ES256", root_));
    write("chat.md", "User: It must be fast.\n\nAssistant: yes\n");
    const Ran append = run_shell(ACCP_CLI_PATH " session append --store sqlite:" + home("s.db") +
                                 " --session codex --from speakers " + home("chat.md"));
    ASSERT_EQ(append.status, 0) << append.err;
    const Ran ran = run("generate 'Make it fast' --session codex --store sqlite:" + home("s.db"));
    EXPECT_NE(ran.out.find("It must be fast."), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err, "");
}

TEST_F(CliAgents, SpawnFindsItToo) {
    write(".codex/sessions/2026/11/29/rollout-1.jsonl", codex("lets use ES256", root_));
    for (const std::string session : {"", "--session codex "}) {
        const Ran ran = run("spawn 'Add a login' " + session + "-- echo {task}");
        EXPECT_EQ(ran.status, 0) << ran.err;
        EXPECT_NE(ran.out.find("lets use ES256"), std::string::npos) << ran.out;
    }
}

// ---- hooks ----

class CliHooks : public CliAgents {
protected:
    CliHooks() { write("talk.jsonl", claude("lets use RS256", root_)); }

    std::string start(const std::string &tool, const std::string &prompt) const {
        return R"({"session_id":"s","transcript_path":)" + json_quoted(home("talk.jsonl")) +
               R"(,"cwd":)" + json_quoted(root_) +
               R"(,"hook_event_name":"PreToolUse","tool_name":)" + json_quoted(tool) +
               R"(,"tool_input":{"description":"Read","prompt":)" + json_quoted(prompt) +
               R"(,"subagent_type":"general-purpose","run_in_background":false},"tool_use_id":"t"})";
    }
    std::string stop(const std::string &prompt, const std::string &report) const {
        const std::string transcript =
            write("agent.jsonl", R"({"type":"user","isSidechain":true,"message":{"role":"user",)"
                                 R"("content":)" +
                                     json_quoted(prompt) + "}}\n");
        return R"({"session_id":"s","cwd":)" + json_quoted(root_) +
               R"(,"hook_event_name":"SubagentStop","agent_type":"general-purpose",)"
               R"("agent_transcript_path":)" +
               json_quoted(transcript) + R"(,"last_assistant_message":)" + json_quoted(report) +
               "}";
    }
    // Returns the prompt that the hook puts in place of this one; empty: it stays.
    std::string new_prompt(const std::string &tool, const std::string &prompt) const {
        const Ran ran = run("hook", start(tool, prompt));
        EXPECT_EQ(ran.status, 0) << ran.err;
        if (ran.out.empty()) return {};
        rapidjson::Document json;
        json.Parse(ran.out.c_str());
        EXPECT_FALSE(json.HasParseError()) << ran.out;
        const auto &output = json["hookSpecificOutput"];
        EXPECT_STREQ(output["hookEventName"].GetString(), "PreToolUse");
        EXPECT_FALSE(output.HasMember("permissionDecision"));  // the user still decides
        const auto &input = output["updatedInput"];
        EXPECT_STREQ(input["subagent_type"].GetString(), "general-purpose");
        EXPECT_FALSE(input["run_in_background"].GetBool());
        return input["prompt"].GetString();
    }
    void record(const std::string &report) const {
        const Ran ran = run("hook", stop("Context packet, tokens: 120. It is …", report));
        EXPECT_EQ(ran.status, 0) << ran.err;
        EXPECT_EQ(ran.out, "");
    }
};

TEST_F(CliHooks, ASubAgentGetsThePacket) {
    for (const std::string tool : {"Agent", "Task", "task"}) {
        const std::string prompt = new_prompt(tool, "Add a login\nto the page");
        EXPECT_EQ(prompt.find("Context packet, tokens: "), 0u) << prompt;
        EXPECT_NE(prompt.find("\n\n## Constraints\n- It must use the model from models/user.py.\n"),
                  std::string::npos)
            << prompt;
        EXPECT_NE(prompt.find("lets use RS256"), std::string::npos) << prompt;
        EXPECT_NE(prompt.find("\n## Your task\nAdd a login\nto the page\n\nEnd your report"),
                  std::string::npos)
            << prompt;
        EXPECT_EQ(prompt.find("# Add a login"), std::string::npos) << "the task stands once";
        EXPECT_EQ(new_prompt(tool, prompt), "") << "it has a packet already";
    }
    const std::string talk = ::text_of(home("talk.jsonl"));
    write("talk.jsonl", talk + R"({"type":"assistant","mess)");
    EXPECT_NE(new_prompt("Agent", "Add a login"), "") << "the agent may be writing the last line";
    EXPECT_EQ(new_prompt("Bash", "Add a login"), "");
    EXPECT_EQ(new_prompt("Agent", ""), "");
    write(".agentwire/config.yaml", "context: {auto_generate: false}\n");
    EXPECT_EQ(new_prompt("Agent", "Add a login"), "");
}

TEST_F(CliHooks, OpenCodeNamesItsSession) {
    add_opencode("ses_1", "lets use EdDSA", root_, 5);
    add_opencode("ses_2", "lets use ES512", root_, 6);
    const Ran ran =
        run("hook", R"({"agent":"opencode","session_id":"ses_1","cwd":)" + json_quoted(root_) +
                        R"(,"hook_event_name":"PreToolUse","tool_name":"task",)"
                        R"("tool_input":{"prompt":"Add a login"}})");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find("lets use EdDSA"), std::string::npos) << ran.out << ran.err;
}

// No failure has the status 2, which would stop the agent's tool.
TEST_F(CliHooks, FailuresDoNotStopTheAgent) {
    write("empty.jsonl", "");
    const std::string cases[] = {
        "",
        "[]",
        "{",
        "not json",
        R"({"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":"x"}})",
        R"({"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":"x"},"transcript_path":"/no/such"})",
        R"({"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":"x"},"transcript_path":)" +
            json_quoted(home("talk.jsonl")) + R"(,"cwd":"/no/such"})"};
    for (const std::string &json : cases) {
        const Ran ran = run("hook", json);
        EXPECT_EQ(ran.status, 1) << json << ran.err;
        EXPECT_EQ(ran.out, "") << json;
        EXPECT_EQ(ran.err.find("accp: context hook: "), 0u) << json << ran.err;
    }
    for (const std::string json :
         {R"({"hook_event_name":"SessionStart"})", R"({})",
          R"({"hook_event_name":"PreToolUse","tool_name":"Agent"})",
          R"({"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":"x"})",
          R"({"hook_event_name":"SubagentStop"})",
          R"({"hook_event_name":"SubagentStop","agent_transcript_path":"/no/such"})"}) {
        const Ran ran = run("hook", json);
        EXPECT_EQ(ran.status, 0) << json << ran.err;
        EXPECT_EQ(ran.out + ran.err, "") << json;
    }
    EXPECT_FALSE(fs::exists(project() + "/.agentwire"));
}

TEST_F(CliHooks, TheEndOfASubAgentIsATask) {
    const Ran without = run("hook", stop("Add a login", "Context gaps: the port\nTask: failed"));
    EXPECT_EQ(without.status, 0);
    EXPECT_FALSE(fs::exists(project() + "/.agentwire")) << "it had no packet";
    struct {
        const char *report;
        bool success;
        std::vector<std::string> gaps, unused;
    } const cases[] = {
        {"Done.\n\nContext gaps: none\nContext unused: none\nTask: done", true, {}, {}},
        {"Context gaps: how to run the tests; the port of the server.\nContext unused: failed "
         "attempts\nTask: failed",
         false,
         {"how to run the tests", "the port of the server"},
         {"failed attempts"}},
        {"**Context gaps:** which port\n- **Context unused:** None\n**Task:** Done",
         true,
         {"which port"},
         {}},
        {"## Context gaps:\n- how to run the tests\n* which port\n\n## Context unused:\n\nThe end. "
         "- not an item\nTask: failed, because the port is unknown",
         false,
         {"how to run the tests", "which port"},
         {}},
        {"A report without the lines that were asked for.", true, {}, {}},
        {"", true, {}, {}},
    };
    size_t count = 0;
    for (const auto &one : cases) {
        record(one.report);
        const Ran log = run_shell(ACCP_CLI_PATH " store export sqlite:" + project() +
                                  "/.agentwire/journal.sqlite | grep '\"event' | tail -n 1");
        ++count;
        EXPECT_NE(log.out.find(one.success ? R"(\"success\":true)" : R"(\"success\":false)"),
                  std::string::npos)
            << one.report << log.out;
        EXPECT_NE(log.out.find(R"(\"tokens\":120)"), std::string::npos) << log.out;
        EXPECT_NE(log.out.find(R"(\"kind\":\"general-purpose\")"), std::string::npos) << log.out;
        for (const auto &lists : {one.gaps, one.unused})
            for (const std::string &item : lists)
                EXPECT_NE(log.out.find(item), std::string::npos) << one.report << log.out;
        EXPECT_EQ(log.out.find("not an item"), std::string::npos) << log.out;
        EXPECT_EQ(log.out.find("one\\\\n"), std::string::npos) << log.out;
    }
    const Ran stats = run("stats --json");
    EXPECT_EQ(stats.out.find("{\"tasks\":" + std::to_string(count)), 0u) << stats.out;
}

// Gaps that workers often report are on standard error of the next packet, and in its text.
TEST_F(CliHooks, FrequentGapsChangeTheNextPacket) {
    const std::string missed = "testing approach (3 of 4 tasks)";
    for (int i = 0; i < 2; ++i) record("Context gaps: how to run the tests\nTask: done");
    record("Context gaps: none\nTask: done");
    const std::string generate = "generate 'Add a login' --conversation ../talk.jsonl --pane 1";
    EXPECT_EQ(run(generate).err, "") << "two are not many";
    EXPECT_EQ(new_prompt("Agent", "Add a login").find("Earlier workers"), std::string::npos);
    record("Context gaps: which tests to run; the colour\nTask: failed");
    EXPECT_EQ(run(generate).err, "accp: earlier workers often lacked: " + missed +
                                     "; say it in the task, or give it with --items\n");
    const std::string told =
        "Earlier workers often lacked what follows. If you need it and it is not above, find it "
        "out before you begin, and report it:\n- " +
        missed + "\n";
    EXPECT_NE(new_prompt("Agent", "Add a login").find("\n" + told + "\n## Your task\n"),
              std::string::npos);
    for (const std::string action : {"read", "preview"}) {
        const Ran read = run(action + " --pane 1");
        EXPECT_NE(read.out.find(told), std::string::npos) << read.out;
    }
    // One of five tasks is often, fewer are not.
    for (int i = 0; i < 11; ++i) record("Context gaps: none\nTask: done");
    EXPECT_NE(run(generate).err.find("(3 of 15 tasks)"), std::string::npos);
    record("Context gaps: none\nTask: done");
    EXPECT_EQ(run(generate).err, "");
    write("project/.agentwire/journal.sqlite", "broken");
    const Ran broken = run(generate);
    EXPECT_EQ(broken.status, 0) << "a packet needs no journal";
    EXPECT_NE(broken.err, "");
}

}  // namespace
