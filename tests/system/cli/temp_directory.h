// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Files of a test, and the contents of stores and logs of plans.
#pragma once

#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "run_accp.h"

inline std::string text_of(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A directory that is removed with its files.
class TempDirectory {
public:
    TempDirectory() {
        std::string path = std::filesystem::temp_directory_path() / "accp-sacp-XXXXXX";
        path_ = mkdtemp(path.data());
    }
    ~TempDirectory() { std::filesystem::remove_all(path_); }
    std::string operator/(const std::string &name) const { return path_ + "/" + name; }
    std::string write(const std::string &name, std::string_view text) const {
        std::ofstream(*this / name, std::ios::binary) << text;
        return *this / name;
    }

private:
    std::string path_;
};

// Returns the steps that the store records as done.
inline std::set<std::string> recorded_steps(const std::string &store) {
    std::set<std::string> steps;
    const Ran run = run_accp({"store", "export", "sqlite:" + store});
    const std::string step = R"(\"step\":\")";
    for (const std::string &line : lines_of(run.out)) {
        const size_t at = line.find(step);
        if (at == line.npos || line.find(R"(\"outcome\":\"OK\")") == line.npos) continue;
        const size_t begin = at + step.size();
        steps.insert(line.substr(begin, line.find('\\', begin) - begin));
    }
    return steps;
}

inline std::map<std::string, int> count_lines(const std::string &path) {
    std::map<std::string, int> counts;
    for (const std::string &line : lines_of(text_of(path))) ++counts[line];
    return counts;
}
