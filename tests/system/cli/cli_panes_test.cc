// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context in a project's files: the life of a packet, with the command alone.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "run_accp.h"

namespace {

constexpr char kTalk[] =
    "User: We need a login. It must not touch the registration flow. lets use RS256 so that others "
    "can verify.\n\nAssistant: I'll use python-jose instead of PyJWT, since it is installed.\n";

class CliPanes : public testing::Test {
protected:
    CliPanes() {
        std::string path = testing::TempDir() + "accp-cli-panes-XXXXXX";
        directory_ = mkdtemp(path.data());
        std::ofstream(directory_ + "/chat.md") << kTalk;
    }
    ~CliPanes() override { std::filesystem::remove_all(directory_); }

    // Runs in the project's directory, without a home and a pane in the environment.
    Ran run(const std::string &words, const std::string &environment = {}) {
        return run_shell(
            "cd " + directory_ +
            " && unset AGENTWIRE_PANE TMUX_PANE CLAUDE_CONFIG_DIR CODEX_HOME XDG_DATA_HOME "
            "PI_CODING_AGENT_DIR && HOME=" +
            directory_ + " && export HOME && " + environment + " accp context " + words);
    }
    std::string out(const std::string &words, const std::string &environment = {}) {
        const Ran ran = run(words, environment);
        EXPECT_EQ(ran.status, 0) << words << ": " << ran.err;
        return ran.out;
    }
    std::string err(const std::string &words, int status, const std::string &environment = {}) {
        const Ran ran = run(words, environment);
        EXPECT_EQ(ran.status, status) << words << ": " << ran.out;
        EXPECT_EQ(ran.out, "") << words;
        return ran.err;
    }
    void generate(int pane = 1) {
        EXPECT_EQ(out("generate 'Add a login' --from speakers --conversation chat.md --pane " +
                      std::to_string(pane)),
                  "Read your context packet first: .agentwire/context/pane-" +
                      std::to_string(pane) + ".yaml\n");
    }
    void configure(const std::string &text) {
        std::filesystem::create_directories(directory_ + "/.agentwire");
        std::ofstream(directory_ + "/.agentwire/config.yaml") << text;
    }
    bool has(const std::string &name) {
        return std::filesystem::exists(directory_ + "/.agentwire/" + name);
    }

    std::string directory_;
};

TEST_F(CliPanes, ThePacketsLife) {
    generate();
    const std::string preview = out("preview --pane 1");
    EXPECT_NE(preview.find("- lets use RS256 (user): others can verify.\n"), std::string::npos);
    EXPECT_FALSE(has("journal.sqlite")) << "nothing was counted";
    EXPECT_EQ(out("read", "AGENTWIRE_PANE=1"), preview);
    EXPECT_EQ(out("read", "TMUX_PANE=%1"), preview);
    EXPECT_EQ(out("feedback --gap 'Needed: testing approach (unit vs integration)' --gap 'Needed: "
                  "existing error handling patterns' --unused 'Received: failed_attempts'",
                  "AGENTWIRE_PANE=1"),
              "Context gaps:\n- Needed: testing approach (unit vs integration)\n"
              "- Needed: existing error handling patterns\nUnused context:\n"
              "- Received: failed_attempts\n");
    EXPECT_EQ(out("record --pane 1 --kind auth --success"), "");
    const std::string stats = out("stats");
    EXPECT_EQ(stats.substr(0, 22), "Average context size: ");
    EXPECT_NE(
        stats.find(" tokens\nWorker success rate: 100% (1 task: too few to tell)\nTop context "
                   "gaps: testing approach (100%), error handling (100%)\n"),
        std::string::npos)
        << stats;
    EXPECT_FALSE(has("context/pane-1.yaml"));
    EXPECT_EQ(err("clear --pane 1", 1), "accp: pane 1: E2001: there is no packet for this pane\n");
    EXPECT_EQ(err("preview --pane 1", 1),
              "accp: pane 1: E2001: there is no packet for this pane\n");
}

// The statistics of a hundred tasks are printed as in the proposal.
TEST_F(CliPanes, TheProposalsStatistics) {
    auto tasks = [&](int count, const std::string &more) {
        return "i=0; while [ $i -lt " + std::to_string(count) +
               " ]; do accp context record --tokens 380 " + more + "; i=$((i+1)); done; ";
    };
    const Ran ran = run_shell("cd " + directory_ + "; HOME=" + directory_ + "; export HOME; " +
                              tasks(23, "--success --gap 'testing approach'") +
                              tasks(18, "--success --gap 'error handling'") +
                              tasks(46, "--success") + tasks(13, "--fail") + "accp context stats");
    EXPECT_EQ(ran.out,
              "Average context size: 380 tokens\nWorker success rate: 87%\n"
              "Top context gaps: testing approach (23%), error handling (18%)\n");
}

TEST_F(CliPanes, Clear) {
    generate(1);
    generate(2);
    EXPECT_EQ(out("clear --pane 1"), "");
    EXPECT_FALSE(has("context/pane-1.yaml"));
    EXPECT_TRUE(has("context/pane-2.yaml"));
    EXPECT_EQ(out("clear --pane 2 --json"), "{\"pane\":2,\"removed\":true}\n");
    EXPECT_EQ(err("clear", 2), "accp: context clear takes --pane N\n");
    EXPECT_EQ(err("clear --shared", 2),
              "accp: context clear takes --pane N: it is not for the shared packet\n");
}

TEST_F(CliPanes, WhichPane) {
    generate(3);
    EXPECT_EQ(err("read", 2),
              "accp: the pane is not known: give --pane N, AGENTWIRE_PANE, or pane in the "
              "configuration\n");
    configure("context: {pane: 3}\n");
    EXPECT_EQ(out("read").substr(0, 13), "# Add a login");
    EXPECT_EQ(err("read", 1, "AGENTWIRE_PANE=4"),
              "accp: pane 4: E2001: there is no packet for this pane\n");
    EXPECT_EQ(out("read --pane 3", "AGENTWIRE_PANE=4").substr(0, 13), "# Add a login");
    EXPECT_EQ(err("read", 2, "AGENTWIRE_PANE=3x"), "accp: AGENTWIRE_PANE is not a pane: 3x\n");
    EXPECT_EQ(err("read --pane ../3", 2).substr(0, 13), "accp: --pane:");
    EXPECT_EQ(err("read --pane 10000", 2).substr(0, 13), "accp: --pane:");
}

TEST_F(CliPanes, EditAndSealAgain) {
    generate();
    EXPECT_EQ(out("edit --pane 1", "EDITOR='sed -i s/RS256/ES256/'").substr(0, 41),
              "@orchestrator>sync:context{pane:1|path:.a");
    EXPECT_NE(out("preview --pane 1").find("ES256"), std::string::npos);
    EXPECT_EQ(out("edit --pane 1", "EDITOR=true"), "not changed\n");
    EXPECT_EQ(err("edit --pane 1", 2, "EDITOR=false"), "accp: the editor failed: false\n");
    EXPECT_EQ(err("edit --pane 1 chat.md", 1).substr(0, 28), "accp: chat.md: E1001 at byte");
    const std::string edits = out("stats --json");
    EXPECT_NE(edits.find("\"edits\":1"), std::string::npos) << edits;
}

// An edited text is not lost if it is refused.
TEST_F(CliPanes, AnEditThatIsRefused) {
    generate();
    const std::string own = "TMPDIR=" + directory_ + "/tmp ";
    std::filesystem::create_directories(directory_ + "/tmp");
    auto kept = [&] {
        std::vector<std::string> paths;
        for (const auto &each : std::filesystem::directory_iterator(directory_ + "/tmp"))
            paths.push_back(each.path());
        return paths;
    };
    const std::string standing = out("preview --pane 1");
    const std::string told = err("edit --pane 1", 1, own + "EDITOR='sed -i s/^context:/contxt:/'");
    ASSERT_EQ(kept().size(), 1u);
    const std::string path = kept()[0];
    EXPECT_EQ(told.substr(0, path.size() + 23), "accp: " + path + ": E1001 at byte 0");
    EXPECT_NE(
        told.find("\naccp: what you wrote is kept: accp context edit --pane 1 " + path + "\n"),
        std::string::npos)
        << told;
    EXPECT_EQ(out("preview --pane 1"), standing);
    EXPECT_EQ(run_shell("sed -i -e s/^contxt:/context:/ -e s/RS256/ES256/ " + path).status, 0);
    EXPECT_EQ(out("edit --pane 1 " + path).substr(0, 12), "@orchestrato");
    EXPECT_NE(out("preview --pane 1").find("ES256"), std::string::npos);
    // Refused because of another writer, or because the editor fails.
    std::filesystem::remove(path);
    const std::string edits = own + "EDITOR='sed -i s/ES256/HS256/'";
    const std::string other = "sha256:" + std::string(64, '0');
    EXPECT_NE(err("edit --pane 1 --revision " + other, 1, edits).find("is kept"),
              std::string::npos);
    EXPECT_EQ(kept().size(), 1u);
    EXPECT_NE(err("edit --pane 1", 2, own + "EDITOR='f() { echo >>$1; false; }; f'")
                  .find("accp: the editor failed: "),
              std::string::npos);
    EXPECT_EQ(kept().size(), 2u);
    EXPECT_EQ(err("edit --pane 1", 2, own + "EDITOR=false"), "accp: the editor failed: false\n");
    EXPECT_EQ(kept().size(), 2u) << "nothing was written";
}

// A packet that was changed without the command is reported, and accepted by edit.
TEST_F(CliPanes, ABrokenSeal) {
    generate(2);
    auto tamper = [&](const std::string &name) {
        ASSERT_EQ(
            run_shell("sed -i s/RS256/ES256/ " + directory_ + "/.agentwire/context/" + name).status,
            0);
    };
    tamper("pane-2.yaml");
    EXPECT_EQ(
        err("read --pane 2", 1),
        "accp: pane 2: E1001: checksum mismatch; check the packet and seal it again: accp context "
        "edit --pane 2\n");
    EXPECT_EQ(out("edit --pane 2", "EDITOR=true").substr(0, 12), "@orchestrato");
    EXPECT_NE(out("read --pane 2").find("ES256"), std::string::npos);
    EXPECT_EQ(out("edit --pane 2", "EDITOR=true"), "not changed\n");
    generate(1);
    EXPECT_EQ(out("push --shared .agentwire/context/pane-1.yaml").substr(0, 12), "@orchestrato");
    tamper("shared.yaml");
    EXPECT_EQ(
        err("read --pane 2", 1),
        "accp: pane 2: E1001: shared.yaml: checksum mismatch; check the packet and seal it again: "
        "accp context edit --shared\n");
    EXPECT_EQ(out("edit --shared", "EDITOR=true").substr(0, 12), "@orchestrato");
    EXPECT_EQ(out("read --pane 2").substr(0, 13), "# Add a login");
}

TEST_F(CliPanes, WhatIsOfOnePaneAlone) {
    generate();
    const std::string how = ": write a file, check it, and run accp context push --shared FILE\n";
    EXPECT_EQ(err("generate 'Add a login' --from speakers --conversation chat.md --shared", 2),
              "accp: context generate cannot write the shared packet" + how);
    EXPECT_EQ(err("refresh --from speakers --conversation chat.md --shared", 2),
              "accp: context refresh cannot write the shared packet" + how);
    EXPECT_EQ(err("spawn x --conversation chat.md --shared -- true", 2),
              "accp: context spawn cannot write the shared packet" + how);
    for (const char *words : {"generate x --conversation chat.md", "refresh", "preview", "read",
                              "edit", "push .agentwire/context/pane-1.yaml", "clear"})
        EXPECT_EQ(err(std::string(words) + " --shared --pane 1", 2),
                  "accp: --pane N and --shared both select a packet: give one of them\n");
    EXPECT_EQ(
        err("feedback --shared", 2),
        "accp: context feedback has no option --shared; it is an option of preview, read, edit, "
        "push; see accp context feedback --help\n");
    EXPECT_FALSE(has("context/shared.yaml"));
}

// A worker starts with its packet in place and its pane in the environment.
TEST_F(CliPanes, Spawn) {
    const std::string task = "spawn 'Add a login' --pane 1 --from speakers --conversation chat.md ";
    const std::string told =
        "Read your context packet first: .agentwire/context/pane-1.yaml\n\nAdd a login\n";
    EXPECT_EQ(out(task + "-- sh -c 'echo $AGENTWIRE_PANE; printf \"%s\\n\" \"$@\"' - '{task}' -x"),
              "1\n" + told + "-x\n");
    EXPECT_EQ(out(task + "-- printf '%s\\n' '--prompt={task}'"), "--prompt=" + told);
    EXPECT_EQ(out(task + "-- sh -c 'echo \"$AGENTWIRE_TASK\"'"), told);
    EXPECT_TRUE(has("context/pane-1.yaml"));
    EXPECT_EQ(out(task + "--depth minimal -- sh -c 'test -f .agentwire/context/pane-1.yaml; exit'"),
              "");
    EXPECT_EQ(out(task + "-- " ACCP_CLI_PATH " context read").substr(0, 13), "# Add a login");
    EXPECT_EQ(err(task + "-- sh -c 'exit 7'", 7), "");
    // No worker starts without a packet.
    EXPECT_EQ(err(task + "--budget 1 -- echo started", 1).substr(0, 12), "accp: E2003 ");
    EXPECT_EQ(err(task + "-- /no/such", 2), "accp: /no/such: No such file or directory\n");
    EXPECT_EQ(
        err("spawn 'Add a login' --pane 1", 2),
        "accp: context spawn takes a task in quotes, and after -- the command that starts the "
        "worker\n");
    // a worker without a pane has the packet in its task
    const std::string said =
        out("spawn 'Add a login' --from speakers --conversation chat.md -- echo {task}");
    EXPECT_EQ(said.substr(0, 13), "# Add a login");
    EXPECT_NE(said.find("\n## Your task\nAdd a login\n"), std::string::npos) << said;
    EXPECT_FALSE(has("context/pane-0.yaml"));
    EXPECT_EQ(err("spawn 'Add a login' --pane 1 -- true", 2).substr(0, 25),
              "accp: no conversation in ");
    EXPECT_EQ(err("spawn 'Add a login' --pane 1 --conversation - -- true", 2),
              "accp: context spawn cannot read the conversation from standard input, which is the "
              "worker's: give --conversation FILE\n");
}

// A task is untrusted: it is passed as an argument or a variable, never as part of a script.
TEST_F(CliPanes, SpawnLetsNoShellRunTheTask) {
    const std::string task =
        "spawn '; touch stolen #' --pane 1 --from speakers --conversation chat.md -- ";
    for (const char *command : {
             "sh -c 'echo {task}'",
             "sh -c '{task}'",
             "sh -ec '{task}'",
             "bash -lc 'echo \"{task}\"'",
             "/bin/sh -c -- '{task}'",
             "env A=1 dash -x -c '{task}'",
             "tmux new 'my-agent {task}'",
             "echo '{task}{task}'",
             "echo '$(cat {task}'",
             "eval '-a `x`={task}'",
         }) {
        SCOPED_TRACE(command);
        const std::string said = err(task + command, 2);
        EXPECT_EQ(said.find("accp: context spawn: {task} in the word '"), 0u) << said;
        EXPECT_NE(said.find("sh -c 'worker \"$AGENTWIRE_TASK\"'"), std::string::npos) << said;
    }
    EXPECT_NE(out(task + "sh -c 'printf %s \"$1\"' - '{task}'").find("; touch stolen #"),
              std::string::npos);
    EXPECT_FALSE(std::ifstream(directory_ + "/stolen").is_open());
}

TEST_F(CliPanes, SpawnAsTheConfigurationSays) {
    configure("context: {auto_generate: false}\n");
    const std::string task = "spawn 'Add a login' --pane 2 -- echo {task}";
    EXPECT_EQ(out(task), "Add a login\n");
    EXPECT_FALSE(has("context/pane-2.yaml"));
    generate(2);
    EXPECT_EQ(out(task),
              "Read your context packet first: .agentwire/context/pane-2.yaml\n\nAdd a login\n");
}

// A packet from a newer conversation keeps its creator and its depth.
TEST_F(CliPanes, RefreshKeeps) {
    const std::string again = "refresh --pane 1 --from speakers --conversation later.md";
    std::ofstream(directory_ + "/later.md")
        << kTalk << "\nUser: hmm, is that installed?\n\nAssistant: python-jose isn't available in "
        << "this environment, so that failed. I'll switch to PyJWT instead of python-jose.\n";
    auto standing = [&] {
        const std::string json = out("preview --pane 1 --json");
        return std::string(json.find(R"("creator":"lead")") != json.npos ? "lead" : "other") +
               (json.find(R"("failed_attempts":)") != json.npos ? " deep"
                : json.find(R"("decisions":)") != json.npos     ? " standard"
                                                                : " minimal");
    };
    for (const char *depth : {"minimal", "standard", "deep"}) {
        SCOPED_TRACE(depth);
        EXPECT_NE(out(std::string("generate 'Add a login' --pane 1 --agent lead --from speakers "
                                  "--conversation later.md --depth ") +
                      depth),
                  "");
        ASSERT_EQ(standing(), std::string("lead ") + depth);
        EXPECT_EQ(out(again).substr(0, 26), "@orchestrator>sync:context");
        EXPECT_EQ(standing(), std::string("lead ") + depth);
    }
    EXPECT_NE(out(again + " --depth minimal"), "");
    EXPECT_EQ(standing(), "lead minimal");
}

// What was edited by hand stays, and the changelog grows; what was cleared comes back.
TEST_F(CliPanes, RefreshKeepsEditsAndRestoreBringsBack) {
    generate();
    std::string text = out("preview --pane 1");
    const std::string yaml = directory_ + "/.agentwire/context/pane-1.yaml";
    std::ostringstream packet;
    packet << std::ifstream(yaml).rdbuf();
    text = packet.str();
    text.insert(text.find("  constraints:\n") + 15, "    - Written by hand.\n");
    std::ofstream(directory_ + "/edited.yaml") << text;
    EXPECT_NE(out("edit --pane 1 edited.yaml"), "");
    std::ofstream(directory_ + "/later.md") << kTalk << "\nUser: It must not log tokens.\n";
    EXPECT_NE(out("refresh --pane 1 --from speakers --conversation later.md"), "");
    const std::string now = out("preview --pane 1");
    EXPECT_NE(now.find("- Written by hand.\n"), now.npos) << now;
    EXPECT_NE(now.find("- It must not log tokens.\n"), now.npos) << now;
    EXPECT_NE(out("log .agentwire/context/pane-1.yaml").find("made again; 1 edited item kept"),
              std::string::npos);
    EXPECT_EQ(
        err("restore --pane 1", 1),
        "accp: pane 1: ERR_BUSY: the pane has a packet: remove it first, which archives it\n");
    EXPECT_EQ(out("clear --pane 1"), "");
    EXPECT_EQ(out("restore --pane 1"), "");
    EXPECT_EQ(out("preview --pane 1"), now);
    EXPECT_EQ(err("restore --pane 2", 1).substr(0, 19), "accp: pane 2: E2001");
}

// The proposal's call has no conversation: that of the project's journal is used, or of --session.
TEST_F(CliPanes, GenerateFindsASession) {
    const std::string no = "accp: no conversation in ";
    EXPECT_EQ(err("generate 'Add a login' </dev/null", 2).substr(0, no.size()), no);
    std::filesystem::create_directory(directory_ + "/.agentwire");
    const auto append = [&](const std::string &session) {
        const Ran ran = run_shell("cd '" + directory_ + "' && accp session append --store " +
                                  "sqlite:.agentwire/journal.sqlite --from speakers --session " +
                                  session + " chat.md");
        EXPECT_EQ(ran.status, 0) << ran.err;
    };
    append("one");
    const std::string yaml = out("generate 'Add a login' --depth standard --now 1 </dev/null");
    EXPECT_NE(yaml.find("target_task: Add a login"), std::string::npos) << yaml;
    EXPECT_NE(yaml.find("$cold.m"), std::string::npos) << yaml;
    append("two");
    EXPECT_EQ(
        err("generate 'Add a login' </dev/null", 2),
        "accp: sqlite:./.agentwire/journal.sqlite has several sessions: give --session ID, one "
        "of one, two\n");
    EXPECT_EQ(out("generate 'Add a login' --session one --depth standard --now 1"), yaml);
    EXPECT_NE(err("generate 'Add a login' --session three", 2), "");
}

// A worker reads when its packet was made, and how it changed.
TEST_F(CliPanes, APacketsAgeAndChanges) {
    EXPECT_NE(out("generate 'Add a login' --pane 1 --from speakers --conversation chat.md --now "
                  "1700000000000"),
              "");
    EXPECT_NE(
        out("refresh --pane 1 --from speakers --conversation chat.md --note 'RS256 now' --now "
            "1700260000000"),
        "");
    const std::string said = out("read --pane 1 --now 1700600000000");
    EXPECT_NE(said.find("\n## About this packet\nMade 2023-11-17T22:26:40Z (3 days ago), version "
                        "2.\n- v2: RS256 now\n"),
              std::string::npos)
        << said;
}

TEST_F(CliPanes, RefreshOfNoPacket) {
    const std::string words = " --from speakers --conversation chat.md";
    EXPECT_EQ(err("refresh --pane 7" + words, 1),
              "accp: pane 7: E2001: there is no packet for this pane\n");
    generate();
    std::ofstream(directory_ + "/.agentwire/context/pane-1.yaml") << "version: 1\n";
    EXPECT_EQ(err("refresh --pane 1" + words, 1).substr(0, 21), "accp: pane 1: E1001: ");
}

TEST_F(CliPanes, AKindThatIsTooLong) {
    EXPECT_EQ(err("record --success --kind " + std::string(65, 'k'), 2),
              "accp: the task: ERR_ARG: the kind of a task is too long (65 of 64)\n");
}

TEST_F(CliPanes, PushAndRefresh) {
    generate();
    const std::string sum = "sha256:" + std::string(64, '0');
    EXPECT_EQ(err("push --pane 1 --revision " + sum + " .agentwire/context/pane-1.yaml", 1),
              "accp: pane 1: ERR_BUSY: the packet has another revision: read it again\n");
    const std::string frame = out("push --pane 2 .agentwire/context/pane-1.yaml --agent lead");
    EXPECT_EQ(frame.substr(0, 54), "@lead>sync:context{pane:2|path:.agentwire/context/pane");
    EXPECT_EQ(run_shell("printf '%s' '" + frame + "' | accp parse").status, 0);
    std::ofstream(directory_ + "/later.md") << kTalk << "\nUser: It must not log tokens.\n";
    EXPECT_EQ(out("refresh --pane 1 --from speakers --conversation later.md").substr(0, 26),
              "@orchestrator>sync:context");
    EXPECT_NE(out("preview --pane 1").find("- It must not log tokens.\n"), std::string::npos);
    EXPECT_EQ(err("push --pane 1 chat.md", 1).substr(0, 14), "accp: chat.md:");
    EXPECT_EQ(out("push --shared .agentwire/context/pane-2.yaml").substr(0, 26),
              "@orchestrator>sync:context");
    EXPECT_TRUE(has("context/shared.yaml"));
    EXPECT_EQ(out("push --shared .agentwire/context/pane-1.yaml").substr(0, 26),
              "@orchestrator>sync:context");
}

TEST_F(CliPanes, Configuration) {
    configure("context:\n  default_depth: minimal\n  budgets: {minimal: 60}\n");
    generate();
    const std::string packet = out("preview --pane 1");
    EXPECT_EQ(packet.find("Decisions"), std::string::npos) << packet;
    configure("context:\n  default_dept: deep\n");
    EXPECT_EQ(err("preview --pane 1", 2).substr(0, 6), "accp: ");
    EXPECT_NE(err("stats", 2).find("default_dept: not one of default_depth, budgets"),
              std::string::npos);
    std::ofstream(directory_ + "/other.yaml") << "context: {track_efficiency: false}\n";
    EXPECT_EQ(out("record --fail --json --config other.yaml"), "{\"recorded\":false}\n");
}

// The outcome from the worker's own frame.
TEST_F(CliPanes, OutcomesOfFrames) {
    const std::string done = "'@dev>done:plan{}[cid:c1]'", fail = "'@dev>fail:plan{}[cid:c2]'";
    EXPECT_EQ(out("record --frame " + done), "");
    EXPECT_EQ(out("record --cid c2 --frame " + fail), "");
    EXPECT_NE(out("stats --json").find(R"("success":{"count":1,"of":2,)"), std::string::npos);
    EXPECT_EQ(err("record --cid c1 --frame " + fail, 2),
              "accp: --frame belongs to another chain than --cid: its cid is c2\n");
    EXPECT_EQ(err("record --frame '@dev>wait:plan{}'", 2),
              "accp: --frame must have the intent done or fail, and not wait\n");
    EXPECT_EQ(err("record --frame '@dev'", 2).substr(0, 19), "accp: --frame: E100");
    EXPECT_EQ(err("record --success --frame " + done, 2),
              "accp: context record takes one of --success, --fail and --frame\n");
    EXPECT_EQ(err("record", 2), err("record --success --fail", 2));
}

// The journal is not written through a symbolic link either.
TEST_F(CliPanes, Links) {
    namespace fs = std::filesystem;
    fs::create_directories(directory_ + "/outside");
    fs::create_directory_symlink(directory_ + "/outside", directory_ + "/.agentwire");
    EXPECT_EQ(err("record --success", 2), "accp: ./.agentwire is a symbolic link\n");
    EXPECT_EQ(err("stats", 2), "accp: ./.agentwire is a symbolic link\n");
    EXPECT_NE(err("preview --pane 1", 2).find("a symbolic link"), std::string::npos);
    EXPECT_TRUE(fs::is_empty(directory_ + "/outside"));
    fs::remove(directory_ + "/.agentwire");
    fs::create_directories(directory_ + "/.agentwire");
    fs::create_symlink(directory_ + "/outside/db", directory_ + "/.agentwire/journal.sqlite");
    EXPECT_EQ(err("record --success", 2), "accp: ./.agentwire/journal.sqlite is a symbolic link\n");
    EXPECT_TRUE(fs::is_empty(directory_ + "/outside"));
}

TEST_F(CliPanes, Roles) {
    const std::string orchestrator = out("roles --orchestrator"), worker = out("roles --worker");
    EXPECT_NE(orchestrator.find("Read your context packet first: .agentwire/context/pane-1.yaml"),
              std::string::npos);
    EXPECT_NE(worker.find(".agentwire/feedback/pane-{N}.md"), std::string::npos);
    EXPECT_EQ(out("roles --worker --json").substr(0, 25), R"({"role":"worker","text":")");
    EXPECT_EQ(err("roles", 2), "accp: context roles takes --orchestrator or --worker\n");
}

TEST_F(CliPanes, Json) {
    generate();
    for (const char *words :
         {"preview --pane 1", "read --pane 1", "push --pane 1 .agentwire/context/pane-1.yaml"})
        EXPECT_EQ(out(std::string(words) + " --json").substr(0, 16), "{\"pane\":1,\"path\"")
            << words;
    EXPECT_EQ(out("feedback --pane 1 --gap 'No context gaps' --json"),
              "{\"pane\":1,\"gaps\":[],\"unused\":[]}\n");
    EXPECT_EQ(out("advise --json"),
              "{\"depth\":\"standard\",\"why\":\"the default: too few tasks of this kind (0 of "
              "0)\"}\n");
    EXPECT_EQ(out("stats --json").substr(0, 11), R"({"tasks":0,)");
    EXPECT_EQ(out("stats --compare").substr(0, 13), "Tasks: 0 -> 0");
}

}  // namespace
