// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context: the output and the exit status of validate, seal and preview.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "run_accp.h"

namespace {

class CliContext : public testing::Test {
protected:
    std::string file(const std::string &name, const std::string &text) {
        const std::string path =
            testing::TempDir() + "accp_context_" + std::to_string(getpid()) + name;
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    static std::string packet(const std::string &more) {
        return "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\n"
               "context:\n  goal: g\n" +
               more;
    }
    const std::string good_ = file("good.yaml", packet("")),
                      faulty_ = file("faulty.yaml", packet("  decisions: [{reason: r}]\n")),
                      other_ = file("other.yaml",
                                    packet("checksum: sha256:" + std::string(64, '0') + "\n"));
};

TEST_F(CliContext, Validate) {
    const Ran run = run_accp({"context", "validate", good_, faulty_, other_});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err, "");
    const std::string sum = run.out.substr(run.out.find("sha256:"), 71);
    EXPECT_EQ(run.out, good_ + ": ok, 8 tokens, " + sum + "; no checksum\n" + faulty_ +
                           ": E1001 at byte 100, line 7 column 15: missing choice\n" + other_ +
                           ": E1001 at byte 96, line 7 column 11: checksum mismatch\n");
    EXPECT_EQ(run_accp({"context", "validate", "--no-verify", other_}).out,
              other_ + ": ok, 8 tokens, " + sum + "; checksum mismatch\n");
}

TEST_F(CliContext, ValidatesStandardInputWhereNoFileIsNamed) {
    const Ran good = run_accp({"context", "validate"}, packet(""));
    EXPECT_EQ(good.status, 0);
    EXPECT_EQ(good.out.substr(0, 17), "-: ok, 8 tokens, ");
    const Ran faulty = run_accp({"context", "validate"}, "no: [");
    EXPECT_EQ(faulty.status, 1);
    EXPECT_EQ(
        faulty.out,
        "-: E1001 at byte 5, line 1 column 6: not yaml: a value is missing here, or a bracket "
        "is not closed; a text that begins with a mark of YAML needs quotes\n");
    // The position counts lines and characters; programs recognise the error by its name.
    const std::string lines = "a: \xC3\xA9\nb: \"\xC3\xA9\" x\n";
    EXPECT_EQ(run_accp({"context", "validate"}, lines).out.substr(0, 40),
              "-: E1001 at byte 14, line 2 column 8: no");
    EXPECT_EQ(
        run_accp({"context", "validate", "--json"}, "a: @b").out,
        R"({"ok":false,"error":"not yaml","reason":"a text cannot begin with this character: put )"
        R"(the text in quotes","code":"E1001","offset":3,"warnings":[]})"
        "\n");
}

// A misspelt member causes a warning.
TEST_F(CliContext, ValidateTellsTypingErrors) {
    const std::string text = packet("  constrains: [c]\nchecksum: null\n");
    EXPECT_NE(run_accp({"context", "validate"}, text)
                  .out.find("; no checksum; unknown member: context.constrains (constraints?)\n"),
              std::string::npos);
    const std::string told =
        "\"warnings\":[\"no checksum\",\"unknown member: "
        "context.constrains (constraints?)\"],";
    EXPECT_NE(run_accp({"context", "validate", "--json"}, text).out.find(told), std::string::npos);
}

TEST_F(CliContext, ValidateJson) {
    const Ran run = run_accp({"context", "validate", "--json", good_, faulty_, other_});
    EXPECT_EQ(run.status, 1);
    const std::string sum = run.out.substr(run.out.find("sha256:"), 71);
    const std::string head = R"("checksum":")" + sum +
                             R"(","tokens":8,"packet":{"version":1,)"
                             R"("created":"2024-01-15T10:30:00Z","creator":"a","target_task":"t",)"
                             R"("context":{"goal":"g"})";
    EXPECT_EQ(run.out, R"({"ok":true,"warnings":["no checksum"],)" + head + "}}\n" +
                           R"({"ok":false,"error":"missing choice","code":"E1001","offset":100,)"
                           R"("warnings":[]})"
                           "\n"
                           R"({"ok":false,"error":"checksum mismatch","code":"E1001","offset":96,)"
                           R"("warnings":["checksum mismatch"],)" +
                           head + R"(,"checksum":"sha256:)" + std::string(64, '0') + "\"}}\n");
    const Ran large = run_accp({"context", "validate", "--json", "-"}, std::string(262145, ' '));
    EXPECT_NE(
        large.out.find(
            R"("error":"too large","code":"E1001","offset":262144,"had":262145,"limit":262144)"),
        std::string::npos)
        << large.out;
}

TEST_F(CliContext, SealAndPreview) {
    const Ran sealed = run_accp({"context", "seal", other_});
    EXPECT_EQ(sealed.status, 0) << sealed.err;
    EXPECT_EQ(run_accp({"context", "validate", "-"}, sealed.out).out.find("warning"),
              std::string::npos);
    EXPECT_NE(sealed.out.find("\ntoken_count: 8\ntokenizer: o200k_base\n"), std::string::npos);
    EXPECT_EQ(run_accp({"context", "preview"}, sealed.out).out, "# t\n\n## Goal\ng\n");
    const Ran refused = run_accp({"context", "preview", other_});
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.err,
              "accp: " + other_ +
                  ": E1001 at byte 96, line 7 column 11: checksum mismatch; if you have edited "
                  "it, accp context seal prints it with the correct checksum\n");
    EXPECT_EQ(run_accp({"context", "preview", "--no-verify", other_}).status, 0);
}

// On a terminal each layer has a colour, and a bar for its share of the budget.
TEST_F(CliContext, PreviewOnATerminal) {
    const std::string deep = file("deep.yaml", packet("  decisions: [JWT]\n"));
    const std::string preview =
        "script -qec '" ACCP_CLI_PATH " context preview " + deep + "' /dev/null";
    const std::string shown = run_shell("TERM=xterm NO_COLOR= " + preview).out;
    for (const char *piece :
         {"\x1b[36m# t", "\x1b[32m## Decisions\r\n- JWT",
          "goal             8  \x1b[36m\u2588\u2588\u2588\u2588\x1b[0m",
          "decisions        6  \x1b[32m\u2588\u2588\u2588\x1b[0m", "of 100          14  tokens"})
        EXPECT_NE(shown.find(piece), std::string::npos) << piece << shown;
    EXPECT_EQ(run_shell("TERM=xterm NO_COLOR=1 " + preview).out.find("\x1b"), std::string::npos);
    EXPECT_EQ(run_accp({"context", "preview", deep}).out.find("\x1b"), std::string::npos);
}

// A command as extractor: reads and writes JSON.
TEST_F(CliContext, GenerateWithAnExtractor) {
    const std::string talk = file("extract.md",
                                  "User: Add a login.\n"
                                  "Assistant: Cookies survive the proxy. Shall I go on?\n"),
                      answer = file("answer.json",
                                    R"({"items":[{"kind":"decision","text":"Cookies survive",)"
                                    R"("message":1},{"kind":"decision","text":"x","message":1}]})");
    const auto run = [&](const std::string &script, const char *seconds = "300") {
        return run_accp({"context", "generate", "Add a login", "--conversation", talk, "--extract",
                         "sh " + file("extract.sh", script), "--extract-seconds", seconds});
    };
    const Ran good = run("grep -q '\"task\":\"Add a login\",\"messages\":' && cat " + answer);
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_NE(good.out.find("    - choice: Cookies survive the proxy.\n"), std::string::npos);
    EXPECT_NE(good.out.find("\n  extractor: \"1 of 2 items\"\n"), std::string::npos) << good.out;
    EXPECT_EQ(good.err,
              "accp: the extractor: 1 of 2 items are in the conversation, the others are "
              "dropped\n");
    const struct {
        const char *script;
        int status;
        const char *err;
    } faults[] = {
        {"cat > /dev/null; exit 3", 2, "accp: --extract sh: exit status 3\n"},
        {"sleep 200", 2, "accp: --extract sh: it took too long and was killed\n"},
        {"exec >&-; sleep 200", 2, "accp: --extract sh: it took too long and was killed\n"},
        {"kill -9 $$", 2, "accp: --extract sh: a signal killed it\n"},
        {"echo no", 1,
         "accp: --extract: at byte 0 of its output: the extractor's answer is not JSON, or is "
         "too large\n"},
        {R"(echo '{"items":[{"kind":"wish","message":0}]}')", 1,
         "accp: --extract: at byte 10 of its output: an item's kind must be constraint, "
         "decision, failure or question\n"},
    };
    for (const auto &each : faults) {
        const bool hangs = std::string_view(each.script).ends_with("sleep 200");
        const Ran ran = run(each.script, hangs ? "1" : "300");
        EXPECT_EQ(ran.status, each.status) << each.script;
        EXPECT_EQ(ran.err, each.err);
        EXPECT_EQ(ran.out, "");
    }
    EXPECT_EQ(
        run_accp({"context", "generate", "t", "--conversation", talk, "--extract", "/no/such"}).err,
        "accp: --extract /no/such: No such file or directory\n");
}

TEST_F(CliContext, Generate) {
    const std::string talk = file("talk.md",
                                  "User: Add a login. It must not touch src/register.py.\n"
                                  "Assistant: I'll use RS256 instead of HS256, since others can "
                                  "verify it.\n");
    const Ran run = run_accp({"context", "generate", "Add a login", "--conversation", talk, "--now",
                              "1705314600000", "--agent", "orchestrator-pane-0"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out.substr(0, run.out.find("checksum:")),
              "version: 1\ncreated: \"2024-01-15T10:30:00Z\"\ncreator: orchestrator-pane-0\n"
              "target_task: Add a login\ncontext:\n  goal: Add a login\n  decisions:\n"
              "    - choice: I'll use RS256 instead of HS256\n      reason: others can verify it.\n"
              "      made_by: agent\n  constraints:\n    - It must not touch src/register.py.\n"
              "  codebase:\n    relevant_files:\n      - path: src/register.py\n"
              "  not_included:\n    - \"the conversation: 2 messages\"\n"
              "sources:\n  decisions:\n    - \"1:0-60\"\n  constraints:\n    - \"0:13-47\"\n");
    EXPECT_EQ(run_accp({"context", "preview"}, run.out).status, 0);
    const Ran over = run_accp({"context", "generate", "Add a login", "--budget", "5"},
                              "User: a b c\nAssistant: d\n");
    EXPECT_EQ(over.status, 1);
    EXPECT_NE(over.err.find("E2003"), std::string::npos) << over.err;
    const Ran unknown = run_accp({"context", "generate", "t", "--from", "none"}, "x");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.err.find("none; known are auto, messages, "), std::string::npos);
    EXPECT_NE(unknown.err.find("speakers"), std::string::npos) << unknown.err;
    const Ran formless = run_accp({"context", "generate", "t"}, "just a text\n");
    EXPECT_EQ(formless.err.substr(0, 32), "accp: message 1: E1001 at byte 0");
    EXPECT_NE(formless.err.find("begin turns with \"User:\""), std::string::npos) << formless.err;
    const Ran empty =
        run_shell("env -i HOME=/no/such " ACCP_CLI_PATH " context generate t </dev/null");
    EXPECT_EQ(empty.status, 2);
    EXPECT_EQ(empty.err.find("accp: no conversation in "), 0u) << empty.err;
    const Ran tasks = run_accp({"context", "generate", "Add", "JWT"}, "User: x\n");
    EXPECT_NE(tasks.err.find("put it in quotes"), std::string::npos) << tasks.err;
    EXPECT_EQ(run_accp({"context", "generate"}, "x").status, 2);
}

TEST_F(CliContext, BadUsage) {
    EXPECT_EQ(run_accp({"context", "seal", good_, good_}).status, 2);
    EXPECT_EQ(run_accp({"context", "validate", good_ + "-not-there"}).status, 2);
    EXPECT_EQ(run_accp({"context", "bake"}).status, 2);
}

TEST_F(CliContext, SecretsLeaveNoPacket) {
    const std::string key = std::string("gh") + "p_" + "Xq81mZtR4vLw9Ks2Yb7NcD5fGh3JpQ6aTe0u";
    const std::string talk = "User: It must use the token " + key + " for the upload.\n";
    const std::vector<std::string> generate = {"context", "generate", "Upload", "--from",
                                               "speakers"};
    const Ran made = run_accp(generate, talk);
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.out.find(key), made.out.npos) << made.out;
    EXPECT_NE(made.out.find("[redacted:github-token]"), made.out.npos) << made.out;
    const std::string with = packet("  constraints: [\"" + key + "\"]\n");
    EXPECT_EQ(run_accp({"context", "seal"}, with).out.find(key), std::string::npos);
    EXPECT_EQ(run_accp({"context", "preview"}, with).out.find(key), std::string::npos);
    for (const char *action : {"seal", "preview"})
        EXPECT_NE(run_accp({"context", action, "--keep-secrets"}, with).out.find(key),
                  std::string::npos);
    std::vector<std::string> keep = generate;
    keep.push_back("--keep-secrets");
    EXPECT_NE(run_accp(keep, talk).out.find(key), std::string::npos);
}

}  // namespace
