// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the list of messages of a chat completion.
#include "transcript/call_names.h"
#include "transcript/outbox.h"
#include "transcript/write_steps.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

class OpenAiWriter {
public:
    OpenAiWriter(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out)
        : steps_(steps), text_(memory), scratch_(memory), out_(out) {}

    void run() {
        out_.push('[');
        for (size_t i = 0; i < steps_.size();) {
            const Step &step = steps_[i];
            if (step.kind == StepKind::kCall) i = write_calls(i);
            else if (step.original) write_kept(steps_[i++]);
            else if (step.kind == StepKind::kUserText && !step.is_open) i = write_closed(i);
            else write_step(steps_[i++]);
        }
        out_.push(']');
    }

private:
    void open(std::string_view role) {
        begin_message();
        out_.append("{\"role\":\"");
        out_.append(role);
        out_.push('"');
    }
    void put(std::string_view key, std::string_view text) {
        out_.append(",\"");
        out_.append(key);
        out_.append("\":");
        write_request_text(text, scratch_, out_);
    }
    void end(std::string_view content) {
        put("content", content);
        out_.push('}');
    }
    void begin_message() {
        if (!is_first_) out_.push(',');
        is_first_ = false;
    }
    void write_kept(const Step &step);
    void write_step(const Step &step);
    size_t write_closed(size_t at);
    size_t write_calls(size_t at);
    void write_assistant(size_t at, size_t end);
    void write_list(size_t at, size_t end);
    void write_call(const Step &step);

    const Buffer<Step> &steps_;
    Buffer<char> text_, scratch_;
    Buffer<char> &out_;
    bool is_first_ = true;
};

void OpenAiWriter::write_step(const Step &step) {
    switch (step.kind) {
        case StepKind::kSystem: open("system"); break;
        case StepKind::kAssistantText: open("assistant"); break;
        case StepKind::kResult:
            open("tool");
            put("tool_call_id", step.id);
            break;
        default: open("user");
    }
    if (!step.name.empty()) put("name", step.name);
    if (step.label.empty() && step.more.empty()) return end(step.text);
    out_.append(",\"content\":");
    out_.push('[');
    for (std::string_view text : {step.label, step.text, step.more}) {
        if (text.empty()) continue;
        if (out_[out_.size() - 1] != '[') out_.push(',');
        out_.append("{\"type\":\"text\",\"text\":");
        write_request_text(text, scratch_, out_);
        out_.push('}');
    }
    out_.append("]}");
}

// Writes an original message. If the part is not whole, its text is replaced; images stay.
void OpenAiWriter::write_kept(const Step &step) {
    const value::TreeView tree = step.original->tree;
    const uint32_t message = step.original->message, content = tree.find(message, "content");
    text_.clear();
    if (step.text_node && tree[content].kind == ACCP_ARRAY) {
        for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
            text_.push(text_.empty() ? '[' : ',');
            const bool is_text = type_of_block(tree, i) == "text";
            write_original(tree, i, "text", is_text ? step.text : std::string_view(), {}, text_);
        }
        text_.push(']');
    } else if (!step.is_kept) {
        const bool has_parts =
            step.kind == StepKind::kUserText && content && tree[content].kind == ACCP_ARRAY;
        if (has_parts) text_.append("[{\"type\":\"text\",\"text\":");
        write_request_text(step.text, scratch_, text_);
        for (uint32_t i = content + 1; has_parts && i < tree[content].next; i = tree[i].next) {
            const std::string_view type = type_of_block(tree, i);
            if (type.empty() || type == "text") continue;
            text_.append("},");
            value::write_json(tree, i, text_);
            text_.resize_down(text_.size() - 1);
        }
        if (has_parts) text_.append("}]");
    }
    begin_message();
    write_original(tree, message, "tool_call_id", step.id,
                   step.is_kept ? std::string_view() : text_.view(), out_);
}

// Writes adjacent closed parts as one message.
size_t OpenAiWriter::write_closed(size_t at) {
    text_.clear();
    for (; at < steps_.size(); ++at) {
        if (steps_[at].kind != StepKind::kUserText || steps_[at].is_open) break;
        if (!text_.empty() && text_[text_.size() - 1] != '\n') text_.push('\n');
        text_.append(steps_[at].text);
    }
    open("user");
    end(text_.view());
    return at;
}

size_t OpenAiWriter::write_calls(size_t at) {
    size_t end = at;
    text_.clear();
    for (; end < steps_.size() && steps_[end].kind == StepKind::kCall; ++end)
        write_call_words(*steps_[end].part, text_);
    const Step &first = steps_[at];
    if (first.original && first.part->is_whole && !first.original->index) {
        write_assistant(at, end);
        return end;
    }
    open("assistant");
    if (!text_.empty()) put("content", text_.view());
    else out_.append(",\"content\":null");
    out_.append(",\"tool_calls\":");
    write_list(at, end);
    out_.push('}');
    return end;
}

// Writes the original message of an assistant with these calls.
void OpenAiWriter::write_assistant(size_t at, size_t end) {
    const value::TreeView tree = steps_[at].original->tree;
    const uint32_t message = steps_[at].original->message;
    begin_message();
    for (uint32_t i = message + 1; i < tree[message].next; i = tree[i].next) {
        out_.push(i == message + 1 ? '{' : ',');
        value::write_json_string(tree.key(i), out_);
        out_.push(':');
        if (tree.key(i) == "tool_calls") write_list(at, end);
        else value::write_json(tree, i, out_);
    }
    out_.push('}');
}

void OpenAiWriter::write_list(size_t at, size_t end) {
    out_.push('[');
    for (size_t i = at; i < end; ++i) {
        if (i > at) out_.push(',');
        write_call(steps_[i]);
    }
    out_.push(']');
}

void OpenAiWriter::write_call(const Step &step) {
    const Part &part = *step.part;
    if (step.original && part.is_whole)
        return write_original(step.original->tree, step.original->begin, "id", step.id, {}, out_);
    out_.append("{\"id\":\"");
    out_.append(step.id);
    out_.append("\",\"type\":\"function\",\"function\":{\"name\":\"");
    write_call_name(tool_name_of(*part.message), out_);
    out_.push('"');
    text_.clear();
    write_call_arguments(part, text_);
    put("arguments", text_.view());
    out_.append("}}");
}

}  // namespace

void write_openai(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out) {
    OpenAiWriter(steps, memory, out).run();
}

}  // namespace accp::transcript
