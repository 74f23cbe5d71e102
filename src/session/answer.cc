// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See answer.h.
#include "session/answer.h"

#include "base/text.h"
#include "context/untrusted_text.h"
#include "frame/message/json.h"
#include "session/frames.h"
#include "session/line_choice.h"
#include "session/ref_name.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

struct Question {
    explicit Question(Memory &memory) : text(memory) {}

    std::string_view ref() const { return text.view().substr(0, ref_len); }
    std::string_view lines() const { return text.view().substr(ref_len, lines_len); }
    std::string_view query() const { return text.view().substr(ref_len + lines_len); }

    Buffer<char> text;
    size_t ref_len = 0, lines_len = 0;
};

void say_error(std::string_view what, Buffer<char> &out) {
    out.append("error: ");
    out.append(what);
    out.push('\n');
}

// False: it is none, and `out` says why.
bool read_question(std::string_view arguments, Scratch &scratch, Question &question,
                   Buffer<char> &out) {
    constexpr std::string_view kShape =
        "the arguments of resolve are {\"ref\":\"$cold.m19\"}, and \"lines\":\"10-40\" or "
        "\"query\":\"a text\" beside it where not all of it is wanted";
    if (read_json(arguments, scratch).failed()) return say_error(kShape, out), false;
    const value::TreeView tree = scratch.json.value.view();
    auto text = [&](const char *key) {
        const uint32_t node = tree[0].kind == ACCP_MAP ? tree.find(0, key) : 0;
        return node && tree[node].kind == ACCP_STRING ? tree.string(node) : std::string_view();
    };
    const std::string_view ref = text("ref"), lines = text("lines");
    if (ref.empty()) return say_error(kShape, out), false;
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
// unchanged, and any other value as JSON. Before an untrusted text, `heading` gets a line that says
// so, which does not count as one of its lines.
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

void say_unknown(std::string_view ref, bool expired, uint64_t last, Buffer<char> &out) {
    out.append("error: nothing stands under ");
    context::write_untrusted_key(ref, out);
    out.append(expired ? " any more" : "");
    out.append(": messages are $cold.m1 to $cold.m");
    append_decimal(last, out);
    out.append(", checkpoints $warm.ckpt_N as the context names them\n");
}

}  // namespace

Status answer(OwnRefs &refs, std::string_view arguments, int64_t now_ms, Scratch &scratch,
              Buffer<char> &out) {
    Question question(scratch.memory);
    if (!read_question(arguments, scratch, question, out)) return {};
    Buffer<char> found(scratch.memory), text(scratch.memory);
    scratch.refs.untrusted = false;
    Status status = refs.resolve(question.ref(), now_ms, scratch, found);
    if (status.code == ACCP_E2001 || status.code == ACCP_E2002) {
        say_unknown(question.ref(), status.code == ACCP_E2002, refs.last_record(), out);
        return {};
    }
    std::string_view tier, key, heading;
    if (status.ok()) {
        split_ref(question.ref(), tier, key);
        status = write_resolved(found.view(), key, scratch, heading, text);
    }
    if (status.failed()) return status;
    LineRange range;
    if (!question.lines().empty() && !read_lines(question.lines(), range)) {
        say_error("lines are a-b, such as 10-40, counted from 1", out);
        return {};
    }
    out.append(heading);
    if (!question.lines().empty()) write_lines(text.view(), range, out);
    else if (!question.query().empty()) write_matches(text.view(), question.query(), out);
    else write_lines(text.view(), {}, out);
    return {};
}

}  // namespace accp::session
