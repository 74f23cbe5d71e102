// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the system and the messages of a Messages request.
#include "transcript/call_names.h"
#include "transcript/outbox.h"
#include "transcript/write_steps.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

class AnthropicWriter {
public:
    AnthropicWriter(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out)
        : steps_(steps), text_(memory), scratch_(memory), out_(out) {}

    void run();

private:
    enum class Speaker : uint8_t { kNone, kUser, kAssistant };

    // Opens a block in the current message if its role is the same, or else in a new message.
    void open_block(Speaker speaker);
    void put_text(std::string_view text) {
        out_.append("{\"type\":\"text\",\"text\":");
        write_request_text(text, scratch_, out_);
    }
    void end_block(bool is_marked) {
        if (is_marked) out_.append(",\"cache_control\":{\"type\":\"ephemeral\"}");
        out_.push('}');
    }
    size_t write_original(size_t at);
    void put_content(const Step &step, bool is_marked, Speaker speaker);
    void write_system();
    void write_text(const Step &step);
    size_t write_calls(size_t at);
    void write_result(const Step &step);

    const Buffer<Step> &steps_;
    Buffer<char> text_, scratch_;
    Buffer<char> &out_;
    Speaker speaker_ = Speaker::kNone;
};

void AnthropicWriter::run() {
    out_.push('{');
    write_system();
    out_.append("\"messages\":[");
    for (size_t i = 0; i < steps_.size();) {
        const Step &step = steps_[i];
        if (step.original && step.kind != StepKind::kSystem) {
            i = write_original(i);
            continue;
        }
        if (step.kind == StepKind::kCall) {
            i = write_calls(i);
            continue;
        }
        if (step.kind == StepKind::kResult) write_result(step);
        else if (step.kind != StepKind::kSystem) write_text(step);
        ++i;
    }
    out_.append(speaker_ == Speaker::kNone ? "]}" : "]}]}");
}

void AnthropicWriter::open_block(Speaker speaker) {
    if (speaker_ == speaker) return out_.push(',');
    if (speaker_ != Speaker::kNone) out_.append("]},");
    speaker_ = speaker;
    out_.append(speaker == Speaker::kUser ? "{\"role\":\"user\",\"content\":["
                                          : "{\"role\":\"assistant\",\"content\":[");
}

void AnthropicWriter::write_system() {
    bool is_first = true;
    for (const Step &step : steps_) {
        if (step.kind != StepKind::kSystem) continue;
        out_.append(is_first ? "\"system\":[" : ",");
        is_first = false;
        put_text(step.text);
        end_block(step.is_marked);
    }
    if (!is_first) out_.append("],");
}

void AnthropicWriter::write_text(const Step &step) {
    const bool is_assistant = step.kind == StepKind::kAssistantText;
    open_block(is_assistant ? Speaker::kAssistant : Speaker::kUser);
    if (!step.name.empty()) {  // Anthropic has no member for names
        text_.clear();
        text_.append(step.name);
        text_.push(':');
        put_text(text_.view());
        end_block(false);
        open_block(Speaker::kUser);
    }
    put_text(step.text);
    end_block(step.is_marked);
}

// Writes the original blocks of a message. The last one gets the cache mark, unless it is a
// thought, which cannot have one.
void AnthropicWriter::put_content(const Step &step, bool is_marked, Speaker speaker) {
    const value::TreeView tree = step.part->message->meta_tree;
    const uint32_t content = tree.find(step.original, "content");
    if (!content) return;
    if (tree[content].kind == ACCP_STRING) {
        open_block(speaker);
        put_text(tree.string(content));
        return end_block(is_marked);
    }
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        open_block(speaker);
        if (tree[i].kind == ACCP_STRING) {
            put_text(tree.string(i));
            end_block(is_marked && tree[i].next == tree[content].next);
            continue;
        }
        value::write_json(tree, i, out_);
        const uint32_t type = tree[i].kind == ACCP_MAP ? tree.find(i, "type") : 0;
        const bool can_be_marked = type && tree[type].kind == ACCP_STRING &&
                                   tree.string(type).find("thinking") == std::string_view::npos;
        if (!is_marked || !can_be_marked || tree[i].next != tree[content].next) continue;
        out_.resize_down(out_.size() - 1);
        end_block(true);
    }
}

size_t AnthropicWriter::write_original(size_t at) {
    const Step &step = steps_[at];
    const bool is_assistant = step.kind == StepKind::kAssistantText || step.kind == StepKind::kCall;
    bool is_marked = false;
    for (size_t i = at; i <= at + step.covered; ++i) is_marked = is_marked || steps_[i].is_marked;
    put_content(step, is_marked, is_assistant ? Speaker::kAssistant : Speaker::kUser);
    return at + 1 + step.covered;
}

// Writes the texts of a group of calls, then the calls.
size_t AnthropicWriter::write_calls(size_t at) {
    size_t end = at;
    for (; end < steps_.size() && steps_[end].kind == StepKind::kCall; ++end) {
        text_.clear();
        write_call_words(*steps_[end].part->message, text_);
        if (!has_words(text_.view())) continue;
        open_block(Speaker::kAssistant);
        put_text(text_.view());
        end_block(false);
    }
    for (size_t i = at; i < end; ++i) {
        const message::Message &act = *steps_[i].part->message;
        open_block(Speaker::kAssistant);
        out_.append("{\"type\":\"tool_use\",\"id\":\"");
        out_.append(steps_[i].id);
        out_.append("\",\"name\":\"");
        write_call_name(tool_name_of(act), out_);
        out_.append("\",\"input\":");
        write_call_arguments(act, out_);
        end_block(steps_[i].is_marked);
    }
    return end;
}

void AnthropicWriter::write_result(const Step &step) {
    open_block(Speaker::kUser);
    out_.append("{\"type\":\"tool_result\",\"tool_use_id\":\"");
    out_.append(step.id);
    out_.append("\",\"content\":");
    write_request_text(step.text, scratch_, out_);
    if (is_error_result(*step.part->message)) out_.append(",\"is_error\":true");
    end_block(step.is_marked);
}

}  // namespace

void write_anthropic(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out) {
    AnthropicWriter(steps, memory, out).run();
}

}  // namespace accp::transcript
