// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See yaml_writer.h.
#include "value/yaml_writer.h"

#include "base/limits.h"
#include "value/json_writer.h"
#include "value/yaml_text.h"

namespace accp::value {

namespace {

constexpr size_t kIndent = 2;

class YamlWriter {
public:
    YamlWriter(TreeView tree, Arena &arena, Buffer<char> &out)
        : tree_(tree), out_(out), levels_(arena.allocate<Level>(kMaxJsonDepth + 1)) {}

    Status write(uint32_t root);

private:
    struct Level {
        uint32_t next, end;
        bool map;
    };

    Status write_child(const Level &level, uint32_t node);
    void write_content(uint32_t node);
    void write_text(std::string_view text);
    void write_block(std::string_view text);
    void indent(size_t levels) {
        for (size_t i = 0; i < levels * kIndent; ++i) out_.push(' ');
    }

    TreeView tree_;
    Buffer<char> &out_;
    Level *levels_;
    size_t depth_ = 0;
    bool begun_ = false;  // the line has its indent already: it began with "- "
};

Status YamlWriter::write(uint32_t root) {
    if (!tree_[root].len) {
        write_content(root);
        return {};
    }
    levels_[depth_++] = {root + 1, tree_[root].next, tree_[root].kind == ACCP_MAP};
    while (depth_) {
        Level &level = levels_[depth_ - 1];
        if (level.next == level.end) {
            --depth_;
            continue;
        }
        const uint32_t node = level.next;
        level.next = tree_[node].next;
        Status status = write_child(level, node);
        if (status.failed()) return status;
        if (is_container(tree_[node].kind) && tree_[node].len)
            levels_[depth_++] = {node + 1, tree_[node].next, tree_[node].kind == ACCP_MAP};
    }
    return {};
}

// A key or a dash, and what has a line with it.
Status YamlWriter::write_child(const Level &level, uint32_t node) {
    if (!begun_) indent(depth_ - 1);
    begun_ = false;
    const bool opens = is_container(tree_[node].kind) && tree_[node].len;
    if (!level.map) {
        out_.append(opens ? "-" : "- ");
        for (size_t i = 1; opens && i < kIndent; ++i) out_.push(' ');
        begun_ = opens;
    } else {
        const std::string_view key = tree_.key(node);
        if (key.size() > kMaxYamlKey)
            return fail_limit(ACCP_E1004, 0, "a key too long for YAML", key.size(), kMaxYamlKey);
        is_plain_yaml(key) ? out_.append(key) : write_quoted_yaml(key, out_);
        out_.append(opens ? ":\n" : ": ");
    }
    if (!opens) write_content(node);
    return {};
}

void YamlWriter::write_content(uint32_t node) {
    const uint8_t kind = tree_[node].kind;
    if (kind == ACCP_STRING) {
        write_text(tree_.string(node));
    } else if (kind == ACCP_ARRAY || kind == ACCP_MAP) {
        out_.append(kind == ACCP_MAP ? "{}\n" : "[]\n");
    } else {
        write_json(tree_, node, out_);
        out_.push('\n');
    }
}

void YamlWriter::write_text(std::string_view text) {
    if (is_yaml_block(text)) return write_block(text);
    is_plain_yaml(text) ? out_.append(text) : write_quoted_yaml(text, out_);
    out_.push('\n');
}

void YamlWriter::write_block(std::string_view text) {
    const bool ends = text.back() == '\n';
    const bool ends_twice = ends && text[text.size() - 2] == '\n';
    out_.append(ends_twice ? "|+\n" : ends ? "|\n" : "|-\n");
    for (size_t at = 0; at < text.size();) {
        size_t end = text.find('\n', at);
        if (end == text.npos) end = text.size();
        if (end > at) indent(depth_);
        out_.append(text.substr(at, end - at));
        out_.push('\n');
        at = end + 1;
    }
}

}  // namespace

Status write_yaml(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out) {
    return YamlWriter(tree, arena, out).write(root);
}

}  // namespace accp::value
