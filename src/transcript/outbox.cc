// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "transcript/outbox.h"

#include "base/bytes.h"
#include "base/sha256.h"
#include "base/text.h"
#include "frame/message/json.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxAgentBytes = 64;  // of a name that a context shows in full
constexpr size_t kAgentDigits = 8;

// Names that a user must not have.
bool is_reserved(std::string_view name) {
    for (std::string_view one : {"system", "developer", "assistant", "tool", "function"}) {
        if (name.size() != one.size()) continue;
        size_t i = 0;
        while (i < one.size() && (name[i] | 0x20) == one[i]) ++i;
        if (i == one.size()) return true;
    }
    return false;
}

}  // namespace

bool has_words(std::string_view text) {
    for (char c : text)
        if (static_cast<unsigned char>(c) > ' ') return true;
    return false;
}

std::string_view trim_end(std::string_view text) {
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
    return text;
}

void join_text(std::string_view text, Buffer<char> &out) {
    if (!has_words(text)) return;
    if (!out.empty()) out.push('\n');
    out.append(text);
}

void write_agent(std::string_view name, Buffer<char> &out) {
    bool changes = name.size() > kMaxAgentBytes || is_reserved(name);
    for (char c : name) changes = changes || !(byte_class(c) & kAgentByte);
    if (!changes) return out.append(name);
    for (char c : name.substr(0, kMaxAgentBytes - 1 - kAgentDigits))
        out.push(byte_class(c) & kAgentByte ? c : '_');
    out.push('_');
    out.append(sha256(name).first(kAgentDigits));
}

void Outbox::add_content(std::string_view agent, std::string_view intent,
                         std::string_view operation, std::string_view text, bool must) {
    if (!must && !has_words(text)) return;
    message::open_json(agent, intent, operation, bytes_);
    bytes_.append("{\"content\":");
    value::write_json_string(text, bytes_);
    bytes_.append("}}");
    ends_.push(bytes_.size());
}

void Outbox::add_system(std::string_view text, bool must) {
    add_content("system", "req", "notify", text, must);
}

void Outbox::add_request(std::string_view name, std::string_view text, bool must) {
    add_content(name.empty() ? "user" : name, "req", "plan", text, must);
}

void Outbox::add_reply(std::string_view text, bool must) {
    add_content("assistant", "done", "reply", text, must);
}

void Outbox::add_call(std::string_view thought, std::string_view tail) {
    message::open_json("assistant", "req", "tool", bytes_);
    bytes_.push('{');
    if (!thought.empty()) {
        bytes_.append("\"thought\":");
        value::write_json_string(thought, bytes_);
        bytes_.push(',');
    }
    bytes_.append(tail);
    ends_.push(bytes_.size());
}

void Outbox::add_outcome(const Outcome &outcome) {
    message::open_json("tool", "done", "tool", bytes_);
    bytes_.push('{');
    if (!outcome.tool_name.empty()) {
        bytes_.append("\"tool_name\":");
        value::write_json_string(outcome.tool_name, bytes_);
        bytes_.push(',');
    }
    bytes_.append("\"result\":");
    value::write_json_string(outcome.text, bytes_);
    if (outcome.is_error) bytes_.append(",\"error\":true");
    if (!outcome.call_id.empty()) {
        bytes_.append(",\"call_id\":");
        value::write_json_string(outcome.call_id, bytes_);
    }
    bytes_.append("}}");
    ends_.push(bytes_.size());
}

void Outbox::keep(std::string_view interface_name, std::string_view json) {
    if (ends_.empty()) return;
    kept_.append(bytes_.data(), ends_[0] - 1);
    kept_.append(",\"meta\":{\"");
    kept_.append(interface_name);
    kept_.append("\":{\"messages\":");
    append_decimal(ends_.size(), kept_);
    kept_.append(",\"message\":");
    kept_.append(json);
    kept_.append("}}}");
}

Status Outbox::deliver(const Sink &sink) {
    size_t begin = 0;
    Status status;
    for (size_t end : ends_) {
        const bool is_kept = !begin && !kept_.empty();
        status =
            sink.take(is_kept ? kept_.view() : std::string_view(bytes_.data() + begin, end - begin),
                      sink.user);
        if (status.failed()) break;
        begin = end;
    }
    clear();
    return status;
}

namespace {

// Maximum number of calls: those of one turn, and of turns that got no results.
constexpr size_t kMaxOpenCalls = 1024;
// Maximum bytes of a name and an id. Longer ones are not stored.
constexpr size_t kMaxOpenCallBytes = 1024;

}  // namespace

void Turn::add_call(const Call &call) {
    tails_.append("\"tool_name\":");
    value::write_json_string(call.name, tails_);
    tails_.append(",\"arguments\":");
    if (call.is_map) {
        value::write_json(call.tree, call.node, tails_);
    } else if (!has_words(call.text)) {
        tails_.append("{}");
    } else {
        tails_.append("{\"input\":");
        value::write_json_string(call.text, tails_);
        tails_.push('}');
    }
    if (!call.id.empty()) {
        tails_.append(",\"call_id\":");
        value::write_json_string(call.id, tails_);
    }
    tails_.append("}}");
    ends_.push(tails_.size());
}

void Turn::end(Outbox &out) {
    if (!has_calls()) out.add_reply(text_.view(), keep_if_empty_);
    size_t begin = 0;
    for (size_t end : ends_) {
        out.add_call(begin ? std::string_view() : thought_.view(),
                     {tails_.data() + begin, end - begin});
        begin = end;
    }
    clear();
}

void Turn::clear() {
    for (Buffer<char> *buffer : {&id_, &thought_, &text_, &tails_}) buffer->recycle(kKeptBytes);
    ends_.recycle(kKeptBytes);
    keep_if_empty_ = false;
}

void Turn::rewind(const Mark &mark) {
    thought_.resize_down(mark.thought);
    text_.resize_down(mark.text);
    tails_.resize_down(mark.tails);
    ends_.resize_down(mark.ends);
}

void OpenCalls::add(std::string_view name, std::string_view id) {
    if (id.empty() || name.size() + id.size() > kMaxOpenCallBytes) return;
    if (calls_.size() == kMaxOpenCalls) compact(kMaxOpenCalls / 2);
    calls_.push(
        {text_.size(), static_cast<uint32_t>(id.size()), static_cast<uint32_t>(name.size())});
    text_.append(id);
    text_.append(name);
}

void OpenCalls::take(std::string_view id, Buffer<char> &name) {
    for (size_t i = calls_.size(); i-- > 0;) {
        const Entry entry = calls_[i];
        const std::string_view text(text_.data() + entry.begin, entry.id_len + entry.name_len);
        if (text.substr(0, entry.id_len) != id) continue;
        name.append(text.substr(entry.id_len));
        for (; i + 1 < calls_.size(); ++i) calls_[i] = calls_[i + 1];
        calls_.resize_down(calls_.size() - 1);
        if (text_.size() > 2 * kMaxOpenCalls * kMaxOpenCallBytes || calls_.empty()) compact(0);
        return;
    }
}

void OpenCalls::compact(size_t first) {
    size_t to = 0;
    for (size_t i = first; i < calls_.size(); ++i) {
        Entry entry = calls_[i];
        const size_t len = entry.id_len + entry.name_len;
        std::memmove(text_.data() + to, text_.data() + entry.begin, len);
        entry.begin = to;
        calls_[i - first] = entry;
        to += len;
    }
    calls_.resize_down(calls_.size() - first);
    text_.resize_down(to);
}

void OpenCalls::clear() {
    calls_.recycle(kKeptBytes);
    text_.recycle(kKeptBytes);
}

}  // namespace accp::transcript
