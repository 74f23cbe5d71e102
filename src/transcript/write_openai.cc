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
            if (step.original) i = write_original(i);
            else if (step.kind == StepKind::kCall) i = write_calls(i);
            else if (step.kind == StepKind::kUserText && !step.is_open) i = write_closed(i);
            else write_step(steps_[i++]);
        }
        out_.push(']');
    }

private:
    void open(std::string_view role) {
        if (!is_first_) out_.push(',');
        is_first_ = false;
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
    size_t write_original(size_t at);
    void write_step(const Step &step);
    size_t write_closed(size_t at);
    size_t write_calls(size_t at);
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
    end(step.text);
}

size_t OpenAiWriter::write_original(size_t at) {
    const Step &step = steps_[at];
    if (!is_first_) out_.push(',');
    is_first_ = false;
    value::write_json(step.part->message->meta_tree, step.original, out_);
    return at + 1 + step.covered;
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
        write_call_words(*steps_[end].part->message, text_);
    open("assistant");
    if (!text_.empty()) put("content", text_.view());
    else out_.append(",\"content\":null");
    out_.append(",\"tool_calls\":[");
    for (size_t i = at; i < end; ++i) {
        if (i > at) out_.push(',');
        write_call(steps_[i]);
    }
    out_.append("]}");
    return end;
}

void OpenAiWriter::write_call(const Step &step) {
    const message::Message &act = *step.part->message;
    out_.append("{\"id\":\"");
    out_.append(step.id);
    out_.append("\",\"type\":\"function\",\"function\":{\"name\":\"");
    write_call_name(tool_name_of(act), out_);
    out_.push('"');
    text_.clear();
    write_call_arguments(act, text_);
    put("arguments", text_.view());
    out_.append("}}");
}

}  // namespace

void write_openai(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out) {
    OpenAiWriter(steps, memory, out).run();
}

}  // namespace accp::transcript
