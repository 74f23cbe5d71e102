// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context --code with an index on disk: the output is the same, and only changed files are
// read.
#include <chrono>
#include <functional>
#include <thread>

#include "accp/accp.h"
#include "cli_code_tree.h"

namespace {

using namespace cli_code;

class CliCodeIndex : public CliCode {};

// With an index the output is the same, whatever changed since the previous run.
TEST_F(CliCodeIndex, WithAnIndex) {
    const std::string index = root_.parent_path() / "index.sqlite";
    const auto with_index = [&] {
        return run_accp({"context", "generate", "Add a login", "--code", root_, "--now", "0",
                         "--index", index});
    };
    for (const auto &change : std::vector<std::function<void()>>{
             [] {}, [] {}, [&] { write("src/login.py", "# Logs anybody in\n"); },
             [&] { fs::remove(root_ / "src/new_login.py"); },
             [&] { write("src/third_login.py", "# A third way in\n"); },
             [&] { write("src/third_login.py", std::string("# login\n\0", 9)); },
             [&] { fs::rename(root_ / "src", root_ / "source"); }}) {
        change();
        const Ran run = with_index(), expected = generate(root_);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(run.out, expected.out);
        EXPECT_EQ(run.err, "");
    }
    // A damaged index is made again; a file that is not an index is not changed.
    fs::resize_file(index, fs::file_size(index) / 2);
    EXPECT_EQ(with_index().out, generate(root_).out);
    EXPECT_GT(fs::file_size(index), 20'000u);
    std::ofstream(index) << "a letter to somebody";
    const Ran refused = with_index();
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("index.sqlite: not an index of code"), std::string::npos)
        << refused.err;
    EXPECT_EQ(fs::file_size(index), 20u);
}

uint64_t stamp_of(const accp_packet_code *code, std::string_view path) {
    uint64_t stamp = 0;
    EXPECT_EQ(accp_packet_code_stamp(code, path.data(), path.size(), &stamp, nullptr), ACCP_OK);
    return stamp;
}

// A file with the same stamp is not read: the index is used. A file that has just changed could
// change again with the same stamp, so it is read again.
TEST_F(CliCodeIndex, ReadsOnlyWhatChanged) {
    const std::string index = root_.parent_path() / "index.sqlite";
    const auto files = [&] {
        return files_of(run_accp(
            {"context", "generate", "Add a login", "--code", root_ / "src", "--index", index}));
    };
    const std::string before = files();
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    write("src/new_login.py", "# A second way in, now\n");
    // It is new, however long the command takes to start.
    fs::last_write_time(root_ / "src/new_login.py",
                        fs::file_time_type::clock::now() + std::chrono::hours(1));
    files();
    {
        accp_packet_code *code = nullptr;
        ASSERT_EQ(accp_packet_code_new_on_disk(index.data(), index.size(), nullptr, &code, nullptr),
                  ACCP_OK);
        const uint64_t stamp = stamp_of(code, "login.py");
        EXPECT_NE(stamp, 0u);
        EXPECT_EQ(stamp_of(code, "new_login.py"), 0u);
        for (const std::string_view path : {"login.py", "new_login.py"})
            EXPECT_EQ(
                accp_packet_code_add_stamped(code, path.data(), path.size(), "# Logs nobody in", 16,
                                             stamp_of(code, path), nullptr),
                ACCP_OK);
        EXPECT_EQ(accp_packet_code_sync(code, nullptr), ACCP_OK);
        accp_packet_code_free(code);
    }
    const std::string after = files();
    for (const char *line : {"- path: login.py\n        summary: Logs nobody in\n",
                             "- path: new_login.py\n        summary: A second way in, now\n"})
        EXPECT_NE(after.find(line), std::string::npos) << after;
    EXPECT_EQ(before.find("nobody"), std::string::npos);
}

// The index is in the project's folder. Without that folder no index is created.
TEST_F(CliCodeIndex, TheProjectKeepsTheIndex) {
    const auto in_project = [&](const std::string &more = "") {
        return run_shell("cd " + root_.string() +
                         " && accp context generate 'Add a login' --code src --now 0 " + more);
    };
    const fs::path cache = root_ / ".agentwire/cache";
    git("init -q");
    const std::string expected = in_project("--index none").out;
    EXPECT_FALSE(fs::exists(cache));
    EXPECT_EQ(in_project().out, expected);
    const auto indices = [&] {
        std::vector<fs::path> found;
        for (const auto &entry : fs::directory_iterator(cache))
            if (entry.path().extension() == ".sqlite") found.push_back(entry.path());
        return found;
    };
    ASSERT_EQ(indices().size(), 1u);
    EXPECT_EQ(in_project().out, expected);
    EXPECT_EQ(run_shell("git -C " + root_.string() + " status --porcelain -- .agentwire/cache").out,
              "");
    // An index that cannot be used is reported, and the output is still complete.
    std::ofstream(indices()[0]) << "a letter to somebody";
    const Ran told = in_project();
    EXPECT_EQ(told.status, 0);
    EXPECT_EQ(told.out, expected);
    EXPECT_NE(told.err.find(
                  "not an index of code, or its header is damaged; continuing without an index"),
              std::string::npos)
        << told.err;
    fs::remove_all(root_ / ".agentwire");
    EXPECT_EQ(in_project().out, expected);
    EXPECT_FALSE(fs::exists(root_ / ".agentwire"));
}

}  // namespace
