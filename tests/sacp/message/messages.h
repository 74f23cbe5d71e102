// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared by the tests of messages: files of cases, libraries by name, and verdicts as text.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sacp/message/validator.h"
#include "value/json_writer.h"

namespace accp_plan {

using namespace accp;
using namespace accp::sacp;

constexpr uint64_t kMaxBytes = 1 << 24;

inline std::string vectors(const std::string &name) {
    return ACCP_SOURCE_DIR "/tests/sacp/message/vectors/" + name;
}
inline std::string read_file(const std::string &path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}
inline std::vector<std::string> read_lines(const std::string &path) {
    std::stringstream text(read_file(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        if (!line.empty()) lines.push_back(line);
    EXPECT_FALSE(lines.empty()) << path;
    return lines;
}

// A line of a file of cases.
class Case {
public:
    explicit Case(const std::string &line) : reader_(memory_), value_(memory_) {
        EXPECT_TRUE(reader_.read(line.data(), line.size(), {kMaxBytes, 512}, value_).ok()) << line;
    }
    value::TreeView tree() const { return value_.view(); }
    uint32_t find(std::string_view key, uint32_t parent = 0) const {
        return tree().find(parent, key);
    }
    std::string text(std::string_view key, uint32_t parent = 0) const {
        const uint32_t node = find(key, parent);
        return node ? std::string(tree().string(node)) : std::string();
    }
    bool flag(std::string_view key) const {
        const uint32_t node = find(key);
        return node && tree()[node].kind == ACCP_BOOL && tree()[node].flags & ACCP_NODE_TRUE;
    }
    std::string json(uint32_t node) const {
        Buffer<char> out(memory_);
        value::write_json(tree(), node, out);
        return std::string(out.view());
    }

private:
    mutable Memory memory_{private_allocator(), UINT64_MAX};
    value::JsonReader reader_;
    value::Value value_;
};

// All objects that a test needs, reused from case to case as a host does.
class Fixture {
public:
    const Library &library(const std::string &name) {
        std::unique_ptr<Library> &library = libraries_[name];
        if (!library) {
            library = std::make_unique<Library>(memory);
            EXPECT_TRUE(
                library->read(read_file(vectors("library/" + name + ".json")), kMaxBytes, verdict));
        }
        return *library;
    }

    Memory memory{private_allocator(), UINT64_MAX};
    Verdict verdict{memory};
    Validator validator{memory};

private:
    std::map<std::string, std::unique_ptr<Library>> libraries_;
};

inline std::string text_of(const Verdict &verdict, Memory &memory) {
    Buffer<char> out(memory);
    verdict.write(out);
    return std::string(out.view());
}
// The verdict without its free text: `ERR CODE STEP`, `VALID`, or `NEED a b`.
inline std::string summary_of(const Verdict &verdict) {
    if (verdict.valid()) return "VALID";
    if (verdict.failed())
        return "ERR " + std::string(code_name(verdict.code())) + " " + std::string(verdict.step());
    std::string text = "NEED";
    for (uint32_t i = 0; i < verdict.need_count(); ++i)
        text += " " + std::string(verdict.need_at(i));
    return text;
}
// The same for the expected verdict of a vector.
inline std::string summary_of(const Case &line, uint32_t verdict) {
    const std::string status = line.text("status", verdict);
    if (status == "VALID") return status;
    if (status == "ERR")
        return "ERR " + line.text("code", verdict) + " " + line.text("step", verdict);
    std::string text = "NEED";
    const uint32_t need = line.find("need", verdict);
    for (uint32_t i = need + 1; i < line.tree()[need].next; i = line.tree()[i].next)
        text += " " + std::string(line.tree().string(i));
    return text;
}

}  // namespace accp_plan
