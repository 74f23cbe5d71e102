// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/resolve_tool.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/text.h"
#include "context/lines.h"
#include "context/untrusted_text.h"
#include "frame/message/json.h"
#include "session/frames.h"
#include "session/ref_name.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

// The limit of one answer. A longer answer ends with the lines to ask for next.
constexpr size_t kMaxAnswerBytes = 64 << 10;

struct LineRange {  // counted from 1, inclusive
    uint64_t first = 1, last = UINT64_MAX;
};

constexpr uint64_t kContextLines = 2;  // lines shown before and after a match

class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}

    bool next(std::string_view &line) {
        if (at_ == text_.size()) return false;
        line = context::next_whole_line(text_, at_);
        ++number_;
        return true;
    }
    uint64_t number() const { return number_; }

private:
    std::string_view text_;
    size_t at_ = 0;
    uint64_t number_ = 0;
};

uint64_t count_lines(std::string_view text) {
    Lines lines(text);
    for (std::string_view line; lines.next(line);) {
    }
    return lines.number();
}

void put_line(std::string_view line, Buffer<char> &out) {
    out.append(line);
    out.push('\n');
}

bool has(std::string_view line, std::string_view query) {
    return std::search(line.begin(), line.end(), query.begin(), query.end(),
                       [](char a, char b) { return to_lower(a) == to_lower(b); }) != line.end();
}

void write_continuation(uint64_t from, Buffer<char> &out) {
    out.append(context::kGap);
    out.append(" more: ask for lines ");
    append_decimal(from, out);
    out.append("-\n");
}

void write_truncation(size_t bytes, Buffer<char> &out) {
    out.append(context::kGap);
    out.append(" the line has ");
    append_decimal(bytes, out);
    out.append(" bytes more than an answer\n");
}

// Reads "10-40", "10" or "10-". Returns false for any other text.
bool read_line_range(std::string_view text, LineRange &out) {
    const char *end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, out.first);
    if (first.ec != std::errc() || !out.first) return false;
    out.last = out.first;
    if (first.ptr == end) return true;
    if (*first.ptr != '-') return false;
    out.last = UINT64_MAX;
    if (first.ptr + 1 == end) return true;
    const auto last = std::from_chars(first.ptr + 1, end, out.last);
    return last.ec == std::errc() && last.ptr == end && out.last >= out.first;
}

// Appends the lines of a range. If they are not all lines, a first line gives the range and the
// total.
void write_line_range(std::string_view text, LineRange range, Buffer<char> &out) {
    const size_t start = out.size();
    const bool is_all = range.first == 1 && range.last == UINT64_MAX;
    if (is_all && text.size() <= kMaxAnswerBytes) return out.append(text);
    if (range.first > 1 || range.last != UINT64_MAX) {
        const uint64_t all = count_lines(text);
        out.append("lines ");
        append_decimal(range.first, out);
        out.push('-');
        append_decimal(std::max(range.first, std::min(range.last, all)), out);
        out.append(" of ");
        append_decimal(all, out);
        out.append(":\n");
    }
    Lines lines(text);
    for (std::string_view line; lines.next(line) && lines.number() <= range.last;) {
        if (lines.number() < range.first) continue;
        if (out.size() - start + line.size() > kMaxAnswerBytes && lines.number() > range.first)
            return write_continuation(lines.number(), out);
        out.append(line.substr(0, kMaxAnswerBytes));
        const bool is_ended = line.data() + line.size() < text.data() + text.size();
        if (is_ended || line.size() > kMaxAnswerBytes) out.push('\n');
        if (line.size() > kMaxAnswerBytes) write_truncation(line.size() - kMaxAnswerBytes, out);
    }
}

// Appends the lines that contain the query, ignoring case, with their numbers and two lines before
// and after each.
void write_matches(std::string_view text, std::string_view query, Buffer<char> &out) {
    const size_t start = out.size();
    uint64_t matches = 0, match = 0, shown = 0;
    Lines all(text), lines(text), ahead(text);
    for (std::string_view line; all.next(line);) matches += has(line, query);
    append_decimal(matches, out);
    out.append(" of ");
    append_decimal(all.number(), out);
    out.append(" lines have it:\n");
    for (std::string_view line, coming; lines.next(line);) {
        const uint64_t number = lines.number();
        while (ahead.number() < number + kContextLines && ahead.next(coming))
            if (has(coming, query)) match = ahead.number();
        if (!match || match + kContextLines < number) continue;
        if (out.size() - start + line.size() > kMaxAnswerBytes)
            return write_continuation(number, out);
        if (shown && number != shown + 1) put_line(context::kGap, out);
        append_decimal(number, out);
        out.append(": ");
        put_line(line, out);
        shown = number;
    }
}

struct ResolveRequest {
    explicit ResolveRequest(Memory &memory) : text(memory) {}

    std::string_view ref() const { return text.view().substr(0, ref_len); }
    std::string_view lines() const { return text.view().substr(ref_len, lines_len); }
    std::string_view query() const { return text.view().substr(ref_len + lines_len); }

    Buffer<char> text;
    size_t ref_len = 0, lines_len = 0;
};

void write_error(std::string_view what, Buffer<char> &out) {
    out.append("error: ");
    out.append(what);
    out.push('\n');
}

// Returns false if the arguments are invalid; `out` then has the error.
bool read_request(std::string_view arguments, Scratch &scratch, ResolveRequest &question,
                  Buffer<char> &out) {
    constexpr std::string_view kShape =
        "the arguments of resolve are {\"ref\":\"$cold.m19\"}, and \"lines\":\"10-40\" or "
        "\"query\":\"a text\" beside it where not all of it is wanted";
    if (read_json(arguments, scratch).failed()) return write_error(kShape, out), false;
    const value::TreeView tree = scratch.json.value.view();
    auto text = [&](const char *key) {
        const uint32_t node = tree[0].kind == ACCP_MAP ? tree.find(0, key) : 0;
        return node && tree[node].kind == ACCP_STRING ? tree.string(node) : std::string_view();
    };
    const std::string_view ref = text("ref"), lines = text("lines");
    if (ref.empty()) return write_error(kShape, out), false;
    question.text.append(ref);
    question.text.append(lines);
    question.text.append(text("query"));
    question.ref_len = ref.size();
    question.lines_len = lines.size();
    return true;
}

// Returns the text of a message that has no other member than this text, except tool_name, call_id
// and error. Returns a view without data for any other message.
std::string_view only_text(const message::Message &message) {
    const value::TreeView tree = message.tree;
    if (message.is_text()) return tree.string(message.payload);
    std::string_view text;
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; i = tree[i].next) {
        if (is_among(tree.key(i), {"tool_name", "call_id", "error"})) continue;
        if (text.data() || tree[i].kind != ACCP_STRING) return {};
        text = tree.string(i);
        if (!text.data()) text = std::string_view("", 0);
    }
    return text;
}

// Writes `key: value`. A text of several lines begins on a new line.
void write_member(value::TreeView tree, uint32_t node, std::string_view parent, Buffer<char> &out) {
    const bool is_text = tree[node].kind == ACCP_STRING;
    out.append(parent);
    context::write_untrusted_key(tree.key(node), out);
    out.push(':');
    out.push(is_text && tree.string(node).find('\n') != std::string_view::npos ? '\n' : ' ');
    if (is_text) out.append(tree.string(node));
    else value::write_json(tree, node, out);
    out.push('\n');
}

// Writes each member of a message on lines of its own, and texts unchanged.
void write_members(const message::Message &message, Buffer<char> &out) {
    const value::TreeView tree = message.tree;
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; i = tree[i].next) {
        if (message.operation == "tool" && tree.key(i) == "call_id") continue;
        const bool is_arguments = tree.key(i) == "arguments" && tree[i].kind == ACCP_MAP;
        if (!is_arguments) write_member(tree, i, {}, out);
        for (uint32_t at = i + 1; is_arguments && at < tree[i].next; at = tree[at].next)
            write_member(tree, at, "arguments.", out);
    }
}

// Writes a trusted message byte for byte, and a message of one text as that text alone. An
// untrusted message has the same form as in a context.
void write_resolved_message(const message::Message &message, Scratch &scratch, Buffer<char> &out) {
    if (!scratch.refs.untrusted && !message.untrusted) {
        const std::string_view text = only_text(message);
        if (text.data()) return out.append(text);
        return write_members(message, out);
    }
    scratch.context.arena.reset();
    message::Message shown = context::without_call_id(message, scratch.context.arena);
    shown.untrusted = true;
    context::write_message(shown, scratch.memory, scratch.context.arena, 0, out);
}

// Appends the content of a ref for a model: a message as above, a checkpoint as its text, a text
// unchanged, and any other value as JSON. Before an untrusted text, `heading` receives a line that
// marks it, which does not count as one of its lines.
Status write_resolved(std::string_view json, std::string_view key, Scratch &scratch,
                      std::string_view &heading, Buffer<char> &out) {
    Status status = read_json(json, scratch);
    if (status.failed()) return status;
    const value::TreeView tree = scratch.json.value.view();
    message::Message message;
    const uint32_t text = tree[0].kind == ACCP_MAP ? tree.find(0, "text") : 0;
    if (is_numbered(key, "ckpt_") && text) {
        out.append(tree.string(text));
    } else if (message::read_message(tree, 0, {}, message).status.ok()) {
        write_resolved_message(message, scratch, out);
    } else {
        const std::string_view value = tree[0].kind == ACCP_STRING ? tree.string(0) : json;
        if (!scratch.refs.untrusted) return out.append(value), Status{};
        heading = "(untrusted)\n";
        Buffer<char> lines(scratch.memory), written(scratch.memory);
        lines.push('\n');  // so that its first line is indented like the others
        lines.append(value);
        context::write_untrusted(lines.view(), written);
        out.append(written.view().substr(1));
        out.push('\n');
    }
    return {};
}

void write_unknown_ref(std::string_view ref, bool expired, uint64_t last, Buffer<char> &out) {
    out.append("error: nothing stands under ");
    context::write_untrusted_key(ref, out);
    out.append(expired ? " any more" : "");
    out.append(": messages are $cold.m1 to $cold.m");
    append_decimal(last, out);
    out.append(", checkpoints $warm.ckpt_N as the context names them\n");
}

}  // namespace

Status run_resolve_tool(OwnRefs &refs, std::string_view arguments, int64_t now_ms, Scratch &scratch,
                        Buffer<char> &out) {
    ResolveRequest question(scratch.memory);
    if (!read_request(arguments, scratch, question, out)) return {};
    Buffer<char> found(scratch.memory), text(scratch.memory);
    scratch.refs.untrusted = false;
    Status status = refs.resolve(question.ref(), now_ms, scratch, found);
    if (status.code == ACCP_E2001 || status.code == ACCP_E2002) {
        write_unknown_ref(question.ref(), status.code == ACCP_E2002, refs.last_record(), out);
        return {};
    }
    std::string_view tier, key, heading;
    if (status.ok()) {
        split_ref(question.ref(), tier, key);
        status = write_resolved(found.view(), key, scratch, heading, text);
    }
    if (status.failed()) return status;
    LineRange range;
    if (!question.lines().empty() && !read_line_range(question.lines(), range)) {
        write_error("lines are a-b, such as 10-40, counted from 1", out);
        return {};
    }
    out.append(heading);
    if (!question.lines().empty()) write_line_range(text.view(), range, out);
    else if (!question.query().empty()) write_matches(text.view(), question.query(), out);
    else write_line_range(text.view(), {}, out);
    return {};
}

}  // namespace accp::session
