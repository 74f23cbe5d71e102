// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See turn.h.
#include "transcript/turn.h"

#include "value/json_writer.h"

namespace accp::transcript {

namespace {

// Calls whose names are remembered: those of one turn, and of turns that were never answered.
constexpr size_t kMaxOpenCalls = 1024;
// of a name and an id together; longer ones are not remembered
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
    if (!has_calls()) out.add_reply(text_.view(), must_speak_);
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
    must_speak_ = false;
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
