// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A tree of code for accp context --code, with files that are read and files that are skipped.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "run_accp.h"

namespace cli_code {

namespace fs = std::filesystem;

class CliCode : public testing::Test {
protected:
    CliCode() {
        fs::remove_all(root_.parent_path());
        write("src/login.py", "\"\"\"Logs users in.\"\"\"\ndef login(user):\n    pass\n");
        write("src/new_login.py", "# A second way in\n");
        write("build/login.py", "# An ignored way in\n");
        write(".agentwire/context/login.yaml", "version: 1\n");
        write("src/login.log", "login login\n");
        write(".gitignore", "build/\n*.log\n");
        write("src/binary_login.py", std::string("# login\n\0", 9));
        write("src/large_login.py", std::string((1 << 20) + 1, 'x'));
        write("../accp_code_beyond/login.py", "# A way in from beyond\n");
        fs::create_symlink("login.py", root_ / "src/link_login.py");
        fs::create_directory_symlink(root_ / "../accp_code_beyond", root_ / "src/beyond");
    }
    ~CliCode() override { fs::remove_all(root_.parent_path()); }
    void write(const std::string &path, const std::string &text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path, std::ios::binary) << text;
    }
    void git(const std::string &line) const {
        ASSERT_EQ(run_shell("git -C " + root_.string() + " " + line).status, 0) << line;
    }
    Ran generate(const std::string &directory) const {
        return run_accp({"context", "generate", "Add a login", "--code", directory, "--now", "0"},
                        "User: this is not read\n");
    }
    // Returns a line with the path and a line with the summary of each file.
    static std::string files_of(const Ran &run) {
        const size_t begin = run.out.find("    relevant_files:\n");
        const size_t end = run.out.find("  not_included:\n");
        return begin < end ? run.out.substr(begin + 20, end - begin - 20) : run.err;
    }

    // Tests may run at the same time.
    const fs::path root_ =
        fs::path(testing::TempDir()) / ("accp_code_" + std::to_string(getpid())) / "tree";
};

}  // namespace cli_code
