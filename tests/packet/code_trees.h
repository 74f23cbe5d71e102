// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random source files, and the results of an index for them. Tests compare the index on disk with
// the one in memory.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "packet/code/memory.h"
#include "packet/code/rank.h"

namespace code_trees {

using namespace accp;

// Uses few words, names and folders, so that files share words and scores are often equal.
class RandomCode {
public:
    explicit RandomCode(unsigned seed) : random_(seed) {}

    unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
    std::string path() {
        static const char *const kFolders[] = {"",      "src/",    "src/auth/", "tests/",
                                               "docs/", "vendor/", "a/b/c/"};
        static const char *const kEndings[] = {".py", ".md", ".json", ".go", "_test.go", ""};
        std::string path = find_candidates(kFolders);
        path += word();
        return path += find_candidates(kEndings);
    }
    std::string text() {
        std::string text;
        if (below(3)) {
            text = "# About " + word();
            text += " and " + word() + ".\n";
        }
        for (unsigned line = below(12); line; --line) {
            static const char *const kStarts[] = {"def ", "class ", "func ", "    ", "## ", ""};
            text += find_candidates(kStarts);
            text += (below(2) ? name() : word()) + "(";
            for (unsigned i = below(6); i; --i) text += word() + " ";
            text += ")\n";
        }
        return below(40) ? text : text + std::string("\0\xFF", 2);
    }
    std::string task() {
        std::string task = "Let the";
        for (unsigned i = 1 + below(6); i; --i) task += " " + (below(4) ? word() : name());
        return below(5) ? task : "Test " + task;
    }
    std::string talk() {
        std::string talk;
        for (unsigned i = below(4); i; --i)
            talk += (below(2) ? "See " + path() : "I think " + name() + " is slow") + ".\n";
        return talk;
    }
    std::mt19937 &engine() { return random_; }

private:
    template <size_t kCount>
    std::string find_candidates(const char *const (&from)[kCount]) {
        return from[below(kCount)];
    }
    std::string word() {
        static const char *const kWords[] = {"login",  "token",   "user",   "session", "store",
                                             "record", "weather", "rain",   "invoice", "payment",
                                             "queue",  "render",  "widget", "parser",  "digest"};
        return below(5) ? find_candidates(kWords) : "w" + std::to_string(below(200));
    }
    std::string name() {
        std::string name = word() + "_";
        return name += word();
    }

    std::mt19937 random_;
};

// Returns the ranking for a task, one line per file, best first, or the error.
class Asker {
public:
    std::string ask(const packet::CodeFiles &files, const std::string &task,
                    const std::string &talk) {
        const packet::Utterance said[] = {{packet::Speaker::kUser, talk}};
        const std::span<const packet::Utterance> all(said, talk.empty() ? 0 : 1);
        extractor_.extract(task, all);
        Status status = ranker_.rank(&files, extractor_, task, all);
        if (status.failed()) return status.message;
        std::string out = std::to_string(ranker_.code_files()) + " files\n";
        for (const packet::FileCandidate &file : ranker_.files())
            out += std::string(file.path) + " " + std::to_string(file.score) + " " +
                   std::string(file.summary) + " " + std::to_string(file.text_hash) + "\n";
        return out;
    }

private:
    Memory memory_{private_allocator(), UINT64_MAX};
    packet::Extractor extractor_{memory_};
    packet::FileRanker ranker_{memory_};
};

// Returns everything else: the paths with their stamps.
inline std::string listed(const packet::CodeFiles &files) {
    Memory memory(private_allocator(), UINT64_MAX);
    Buffer<char> paths(memory);
    uint64_t count = 0, stamp = 0;
    EXPECT_EQ(files.list(paths).code, ACCP_OK);
    EXPECT_EQ(files.count(count).code, ACCP_OK);
    std::string out = std::to_string(count) + "\n";
    for (size_t at = 0; at < paths.size();) {
        const std::string_view path = paths.data() + at;
        EXPECT_EQ(files.stamp(path, stamp).code, ACCP_OK);
        out.append(path).append(" " + std::to_string(stamp) + "\n");
        at += path.size() + 1;
    }
    return out;
}

}  // namespace code_trees
