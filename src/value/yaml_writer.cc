// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/yaml_writer.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "value/json_writer.h"

namespace accp::value {

namespace {

bool is_printable(uint32_t point) {
    if (point < 0x20) return point == '\t' || point == '\n' || point == '\r';
    if (point < 0xA0) return point < 0x7F || point == 0x85;
    return point != 0xFEFF && point != 0xFFFE && point != 0xFFFF;
}

// Returns whether every YAML reader accepts the character raw inside a line.
bool is_raw(uint32_t point) {
    return is_printable(point) && point >= 0x20 && point != 0x85 && point != 0x2028 &&
           point != 0x2029;
}

// Returns whether YAML 1.1 or 1.2 reads the word as a boolean or null, in any case.
bool is_word_of_yaml(std::string_view text) {
    if (text.size() > 5) return false;
    char lower[5];
    for (size_t i = 0; i < text.size(); ++i) lower[i] = static_cast<char>(text[i] | 0x20);
    const std::string_view word(lower, text.size());
    for (std::string_view known : {"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
        if (word == known) return true;
    return false;
}

template <class Allowed>
bool every_point(std::string_view text, Allowed allowed) {
    const char *from = text.data(), *const end = from + text.size();
    while (from != end)
        if (!allowed(read_utf8(from))) return false;
    return true;
}

void write_point(uint32_t point, Buffer<char> &out) {
    constexpr std::string_view kShort = "\"\\\n\t\r", kNames = "\"\\ntr";
    const size_t name = point < 0x80 ? kShort.find(static_cast<char>(point)) : kShort.npos;
    if (name != kShort.npos) {
        out.push('\\');
        out.push(kNames[name]);
    } else if (is_raw(point)) {
        out.set_end(write_utf8(point, out.reserve(4)));
    } else if (point < 0x100) {
        write_yaml_escape('x', point, out);
    } else if (point < 0x10000) {
        write_yaml_escape('u', point, out);
    } else {
        write_yaml_escape('U', point, out);
    }
}

}  // namespace

size_t printable_yaml_prefix(std::string_view text) {
    const char *from = text.data(), *const end = from + text.size();
    while (from != end) {
        const char *const begin = from;
        if (!is_printable(read_utf8(from))) return static_cast<size_t>(begin - text.data());
    }
    return text.size();
}

void write_yaml_escape(char kind, uint32_t point, Buffer<char> &out) {
    const int digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
    out.push('\\');
    out.push(kind);
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        out.push("0123456789ABCDEF"[point >> shift & 15]);
}

void append_printable_json(std::string_view json, Buffer<char> &out) {
    while (!json.empty()) {
        const size_t printable = printable_yaml_prefix(json);
        out.append(json.substr(0, printable));
        json.remove_prefix(printable);
        if (json.empty()) break;
        const char *from = json.data();
        write_yaml_escape('u', read_utf8(from), out);  // all of them have four digits
        json.remove_prefix(static_cast<size_t>(from - json.data()));
    }
}

bool is_plain_yaml(std::string_view text) {
    if (text.empty() || text.back() == ' ' || text.back() == ':' || is_word_of_yaml(text))
        return false;
    // A digit, a sign or a point can begin a number, a date or a document end.
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x80 && !is_alpha(first) && first != '/' && first != '_' && first != '$' &&
        first != '(')
        return false;
    for (size_t at = 0; at < text.size(); ++at) {
        const char next = at + 1 < text.size() ? text[at + 1] : ' ';
        if ((text[at] == ':' && next == ' ') || (text[at] == ' ' && next == '#')) return false;
    }
    return every_point(text, is_raw);
}

bool is_yaml_block(std::string_view text) {
    const size_t first = text.find('\n');
    if (first == text.npos || text[0] == '\n' || text[0] == ' ' || text[0] == '\t') return false;
    return every_point(
        text, [](uint32_t point) { return point == '\n' || point == '\t' || is_raw(point); });
}

void write_quoted_yaml(std::string_view text, Buffer<char> &out) {
    out.push('"');
    const char *from = text.data(), *const end = from + text.size();
    while (from != end) write_point(read_utf8(from), out);
    out.push('"');
}

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
    bool begun_ = false;  // the line has its indent already, because it began with "- "
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

// Writes a key or a dash, and the value if it is on the same line.
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
