// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context generate --code: which files of a tree are read.
#include <sys/stat.h>

#include "cli_code_tree.h"

namespace {

using namespace cli_code;

constexpr const char *kFiles =
    "      - path: src/login.py\n        summary: Logs users in (login)\n"
    "      - path: src/new_login.py\n        summary: A second way in\n";

TEST_F(CliCode, AsGitHasThem) {
    git("init -q");
    git("add src/login.py");
    const Ran run = generate(root_);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(files_of(run), kFiles);
    EXPECT_NE(run.out.find("\n    - \"the code: 3 files\"\n"), std::string::npos) << run.out;
    EXPECT_NE(files_of(generate(root_ / "src")).find("- path: login.py\n"), std::string::npos);
    // A tracked file is read even if it is ignored.
    git("add -f build/login.py");
    EXPECT_NE(files_of(generate(root_)).find("- path: build/login.py\n"), std::string::npos);
}

// Reads the files of the directory even if the environment names another repository, as in a hook.
TEST_F(CliCode, OfTheDirectoryThatIsNamed) {
    git("init -q");
    const Ran run = run_shell(
        "GIT_DIR=/nowhere GIT_INDEX_FILE=/nowhere accp context generate "
        "'Add a login' --code " +
        root_.string());
    EXPECT_EQ(files_of(run), kFiles);
}

// A repository can name programs for git to run; none of them runs.
TEST_F(CliCode, RunsNoProgramOfTheTree) {
    git("init -q");
    write("spy", "#!/bin/sh\ntouch " + (root_ / "seen").string() + "\n");
    chmod((root_ / "spy").c_str(), 0700);
    git("config core.fsmonitor " + (root_ / "spy").string());
    git("config core.hooksPath " + root_.string());
    EXPECT_EQ(generate(root_).status, 0);
    EXPECT_FALSE(fs::exists(root_ / "seen"));
}

TEST_F(CliCode, WithoutARepository) {
    write(".hidden/login.py", "# A hidden way in\n");
    const std::string files = files_of(generate(root_));
    EXPECT_EQ(files.substr(0, files.find("      - path: src/new")),
              "      - path: src/login.py\n        summary: Logs users in (login)\n"
              "      - path: build/login.py\n        summary: An ignored way in\n")
        << files;
    EXPECT_EQ(files.find("hidden"), std::string::npos);
    EXPECT_EQ(files.find("beyond"), std::string::npos);
    EXPECT_EQ(files.find("link"), std::string::npos);
}

TEST_F(CliCode, WithATalk) {
    const std::string talk = (root_ / "talk.md").string();
    write("talk.md", "User: It must not touch new_login.py.\nAssistant: Yes.\n");
    const Ran run = run_accp(
        {"context", "generate", "Add a login", "--code", root_ / "src", "--conversation", talk});
    EXPECT_NE(run.out.find("- path: new_login.py\n        summary: A second way in\n"),
              std::string::npos)
        << run.out << run.err;
    EXPECT_NE(run.out.find("constraints:\n    - It must not touch"), std::string::npos);
}

TEST_F(CliCode, ValidateTellsStaleSummaries) {
    const Ran made = generate(root_);
    const std::string packet = (root_ / "packet.yaml").string();
    write("packet.yaml", made.out);
    const auto validate = [&] {
        return run_accp({"context", "validate", "--code", root_, packet});
    };
    EXPECT_EQ(validate().out.find("stale"), std::string::npos) << validate().out;
    write("src/login.py", "another\n");
    fs::remove(root_ / "src/new_login.py");
    const Ran run = validate();
    EXPECT_EQ(run.status, 0);
    for (const char *warning :
         {"; stale summary: src/login.py", "; stale summary: src/new_login.py"})
        EXPECT_NE(run.out.find(warning), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("build"), std::string::npos);
    EXPECT_NE(run_accp({"context", "validate", "--json", "--code", root_, packet})
                  .out.find(R"("warnings":["stale summary: src/login.py",)"),
              std::string::npos);
}

// A compressed packet is checked against the files that it still has.
TEST_F(CliCode, ValidateAfterCompress) {
    const std::string packet = (root_ / "packet.yaml").string();
    write("packet.yaml", generate(root_).out);
    write("less.yaml", run_accp({"context", "compress", "--relevance", "--task", "second way in",
                                 "--threshold", "0.4", packet})
                           .out);
    const auto validate = [&] {
        return run_accp({"context", "validate", "--code", root_, root_ / "less.yaml"}).out;
    };
    EXPECT_EQ(validate().find("stale"), std::string::npos) << validate();
    write("src/login.py", "another\n");
    EXPECT_EQ(validate().find("stale"), std::string::npos) << validate();
    write("src/new_login.py", "another\n");
    EXPECT_NE(validate().find("; stale summary: src/new_login.py\n"), std::string::npos);
}

TEST_F(CliCode, BadUsage) {
    EXPECT_EQ(generate(root_ / "none").err.substr(0, 6), "accp: ");
    EXPECT_EQ(generate(root_ / "none").status, 2);
    EXPECT_EQ(generate(root_ / "src/login.py").status, 2);
    fs::create_directory(root_ / "empty");
    const Ran empty = generate(root_ / "empty");
    EXPECT_EQ(empty.status, 2);
    EXPECT_NE(empty.err.find("--code: no files in "), std::string::npos) << empty.err;
}

}  // namespace
