// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/feedback.h"

#include "base/bytes.h"
#include "base/text.h"
#include "base/utf8.h"
#include "text/phrases.h"
#include "value/yaml_plain.h"
#include "value/yaml_writer.h"

namespace accp::packet {

namespace {

constexpr std::string_view kFence = "---";
constexpr const char *kTooManyItems = "feedback has at most 64 gaps and 64 unused parts";

size_t count_lines(std::string_view text) {
    size_t count = 0;
    each_line(text, [&](std::string_view) { ++count; });
    return count;
}

// Appends an item as one line, with blanks in place of its line ends.
Status append_item(std::string_view item, Buffer<char> &out) {
    item = trim(item);
    if (item.empty() || is_none_item(item)) return {};
    if (item.size() > kMaxFeedbackItemBytes)
        return fail_limit(ACCP_E1001, 0, "an item of feedback is too long", item.size(),
                          kMaxFeedbackItemBytes);
    if (valid_utf8_prefix(item.data(), item.size()) != item.size())
        return fail(ACCP_E1004, 0, "not utf-8");
    if (item.find('\0') != item.npos) return fail(ACCP_E1004, 0, "nul");
    const size_t had = count_lines(out.view());
    if (had >= kMaxFeedbackItems)
        return fail_limit(ACCP_E1001, 0, kTooManyItems, had + 1, kMaxFeedbackItems);
    for (char c : item) out.push(c == '\n' || c == '\r' ? ' ' : c);
    out.push('\n');
    return {};
}

std::string_view next_line(std::string_view &text) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line;
}

// Finds the YAML between the fences at the beginning. Returns false if the text has no fences.
bool find_front_matter(std::string_view text, std::string_view &out) {
    std::string_view rest = text;
    if (trim(next_line(rest)) != kFence) return false;
    const size_t begin = text.size() - rest.size();
    while (!rest.empty()) {
        const size_t end = text.size() - rest.size();
        if (trim(next_line(rest)) == kFence) {
            out = text.substr(begin, end - begin);
            return true;
        }
    }
    return false;
}

Buffer<char> *list_of(std::string_view name, Feedback &out) {
    if (name == "context_gaps" || name == "gaps") return &out.gaps;
    return name == "context_unused" || name == "unused" ? &out.unused : nullptr;
}

// An item is a string. Unquoted, `- Needed: a thing` is read as a map with one key.
Status append_node(value::TreeView tree, uint32_t node, Memory &memory, Buffer<char> &out) {
    if (tree[node].kind == ACCP_STRING) {
        const bool plain = tree[node].flags & value::kPlainScalar;
        return plain && value::is_plain_null(tree.string(node))
                   ? Status{}
                   : append_item(tree.string(node), out);
    }
    if (tree[node].kind != ACCP_MAP || tree[node].len != 1 || tree[node + 1].kind != ACCP_STRING)
        return fail(ACCP_E1004, 0, "an item of feedback must be a string");
    if (is_none_item(tree.string(node + 1))) return {};
    Buffer<char> text(memory);
    text.append(tree.key(node + 1));
    text.append(": ");
    text.append(tree.string(node + 1));
    return append_item(text.view(), out);
}

Status read_members(value::TreeView tree, Memory &memory, Feedback &out) {
    for (uint32_t i = 1; i < tree[0].next; i = tree[i].next) {
        Buffer<char> *list = list_of(tree.key(i), out);
        if (!list) continue;
        if (tree[i].kind != ACCP_ARRAY) {
            Status status = append_node(tree, i, memory, *list);
            if (status.failed()) return status;
            continue;
        }
        for (uint32_t item = i + 1; item < tree[i].next; item = tree[item].next) {
            Status status = append_node(tree, item, memory, *list);
            if (status.failed()) return status;
        }
    }
    return {};
}

// Reads lists under headings, as a model writes them.
Status read_markdown(std::string_view text, Memory &memory, Feedback &out) {
    text::Words words(memory);
    Buffer<char> *list = nullptr;
    while (!text.empty()) {
        const std::string_view line = trim(next_line(text));
        if (line.empty()) continue;
        if (line[0] == '-' || line[0] == '*' || line[0] == '+') {
            Status status = list ? append_item(line.substr(1), *list) : Status{};
            if (status.failed()) return status;
            continue;
        }
        words.read(line);
        if (text::has_phrase(words, "unused / not used / didnt use / provided but"))
            list = &out.unused;
        else if (text::has_phrase(words, "gap|gaps|missing|needed / would have helped"))
            list = &out.gaps;
    }
    return {};
}

void write_list(std::string_view name, std::string_view lines, value::Value &value) {
    value.add_key(name);
    const uint32_t list = value.open(ACCP_ARRAY);
    uint32_t count = 0;
    each_line(lines, [&](std::string_view item) {
        value.add_scalar(ACCP_STRING, 0, item);
        ++count;
    });
    value.close(list, count);
}

}  // namespace

bool is_none_item(std::string_view item) {
    char lower[32];
    size_t size = 0;
    for (char c : item) {
        if (size == sizeof lower) return false;
        if (is_word(static_cast<unsigned char>(c)) || c == ' ' || c == '/')
            lower[size++] = to_lower(c);
    }
    const std::string_view said = trim({lower, size});
    for (std::string_view none : {"none", "no", "n/a", "nothing", "no gaps", "no context gaps",
                                  "no unused", "nothing unused", "all used", "no unused context"})
        if (said == none) return true;
    return false;
}

Status append_feedback_items(std::string_view lines, Buffer<char> &out) {
    Status status;
    each_line(lines, [&](std::string_view line) {
        if (status.ok()) status = append_item(line, out);
    });
    return status;
}

Status write_feedback(int64_t pane, const Feedback &feedback, Memory &memory, Buffer<char> &out) {
    value::Value value(memory);
    Arena arena(memory);
    Buffer<char> number(memory);
    append_decimal(pane, number);
    const uint32_t root = value.open(ACCP_MAP);
    value.add_key("pane");
    value.add_scalar(ACCP_INT, 0, number.view());
    write_list("context_gaps", feedback.gaps.view(), value);
    write_list("context_unused", feedback.unused.view(), value);
    value.close(root, 3);
    out.append("---\n");
    Status status = value::write_yaml(value.view(), 0, arena, out);
    out.append("---\n");
    if (feedback.gaps.empty()) out.append("\nNo context gaps.\n");
    return status;
}

Status read_feedback(std::string_view text, Memory &memory, Feedback &out) {
    out.clear();
    if (valid_utf8_prefix(text.data(), text.size()) != text.size())
        return fail(ACCP_E1004, valid_utf8_prefix(text.data(), text.size()), "not utf-8");
    std::string_view yaml = text;
    const bool fenced = find_front_matter(text, yaml);
    value::YamlReader reader(memory);
    value::Value value(memory);
    Status status = reader.read(yaml, {kMaxFeedbackBytes, 8}, value);
    if (status.ok() && value.view()[0].kind == ACCP_MAP) {
        bool known = fenced;
        for (uint32_t i = 1; i < value.view()[0].next; i = value.view()[i].next)
            known |= list_of(value.view().key(i), out) != nullptr;
        if (known) return read_members(value.view(), memory, out);
    }
    if (fenced && status.failed() && std::string_view(status.message) != "empty")
        return move_to(status, status.offset + static_cast<size_t>(yaml.data() - text.data()));
    return read_markdown(
        fenced ? text.substr(static_cast<size_t>(yaml.data() - text.data()) + yaml.size()) : text,
        memory, out);
}

}  // namespace accp::packet
