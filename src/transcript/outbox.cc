// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See outbox.h.
#include "transcript/outbox.h"

#include "base/bytes.h"
#include "base/decimal.h"
#include "base/sha256.h"
#include "frame/message/write.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxAgentBytes = 64;  // of a name from outside, as a context shows it whole
constexpr size_t kAgentDigits = 8;

// A user must not be taken for one of these.
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

void Outbox::add_guide(std::string_view text, bool must) {
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

}  // namespace accp::transcript
