// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the system and the messages of a Messages request.
#include "transcript/call_names.h"
#include "transcript/outbox.h"
#include "transcript/write_steps.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

bool is_thought(std::string_view type) { return type.find("thinking") != std::string_view::npos; }

// A call that is not whole has the blocks of its original only for their thoughts.
bool has_own_blocks(const Step &call) {
    return call.original && (call.part->is_whole || call.keeps_thoughts);
}

// Whether all blocks of the original are written. Otherwise only those are that no text stands for.
bool has_all_blocks(const Step &step) {
    return step.kind == StepKind::kCall ? step.part->is_whole : step.is_kept || step.text_node;
}

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
    uint32_t last_to_mark(const Step &step) const;
    void write_blocks(const Step &step, Speaker speaker);
    void put_block(const Step &step, uint32_t block);
    bool is_written(const Step &step, uint32_t block) const;
    void write_system();
    void write_text(const Step &step);
    void put_call(const Step &step);
    size_t write_calls(size_t at);
    void put_result_content(const Step &step, Buffer<char> &out);
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
    const Speaker speaker =
        step.kind == StepKind::kAssistantText ? Speaker::kAssistant : Speaker::kUser;
    if (step.original) {
        write_blocks(step, speaker);
        if (has_all_blocks(step)) return;
    }
    const std::string_view last = has_words(step.more) ? step.more : step.text;
    for (std::string_view text : {step.label, step.text, step.more}) {
        if (!has_words(text)) continue;
        open_block(speaker);
        put_text(text);
        end_block(step.is_marked && text.data() == last.data());
    }
}

bool AnthropicWriter::is_written(const Step &step, uint32_t block) const {
    const value::TreeView tree = step.original->tree;
    if (is_blank_block(tree, block)) return false;
    if (has_all_blocks(step)) return true;
    const std::string_view type = type_of_block(tree, block);
    if (step.kind == StepKind::kCall) return type == "tool_use" || is_thought(type);
    return !type.empty() && type != "text";
}

// A thought cannot have a cache mark.
uint32_t AnthropicWriter::last_to_mark(const Step &step) const {
    const value::TreeView tree = step.original->tree;
    uint32_t last = 0;
    if (!step.is_marked || (!has_all_blocks(step) && step.kind == StepKind::kUserText)) return last;
    for (uint32_t i = step.original->begin; i < step.original->end; i = tree[i].next)
        if (is_written(step, i) && !is_thought(type_of_block(tree, i))) last = i;
    return last;
}

// Writes the part's own blocks of the original message.
void AnthropicWriter::write_blocks(const Step &step, Speaker speaker) {
    const value::TreeView tree = step.original->tree;
    const uint32_t marked = last_to_mark(step);
    for (uint32_t i = step.original->begin; i < step.original->end; i = tree[i].next) {
        if (!is_written(step, i)) continue;
        open_block(speaker);
        put_block(step, i);
        end_block(i == marked);
    }
}

// Leaves the block open.
void AnthropicWriter::put_block(const Step &step, uint32_t block) {
    const value::TreeView tree = step.original->tree;
    if (tree[block].kind == ACCP_STRING) return put_text(tree.string(block));
    const bool is_call = step.kind == StepKind::kCall && type_of_block(tree, block) == "tool_use";
    if (is_call && !step.part->is_whole) return put_call(step);
    if (step.text_node && type_of_block(tree, block) == "text")
        write_original(tree, block, "text", step.text, {}, out_);
    else write_original(tree, block, "id", is_call ? step.id : std::string_view(), {}, out_);
    out_.resize_down(out_.size() - 1);
}

void AnthropicWriter::put_call(const Step &step) {
    out_.append("{\"type\":\"tool_use\",\"id\":\"");
    out_.append(step.id);
    out_.append("\",\"name\":\"");
    write_call_name(tool_name_of(*step.part->message), out_);
    out_.append("\",\"input\":");
    write_call_arguments(*step.part, out_);
}

// Writes the texts of a group of calls, then the calls. Calls of an original message keep the order
// of its blocks.
size_t AnthropicWriter::write_calls(size_t at) {
    size_t end = at;
    for (; end < steps_.size() && steps_[end].kind == StepKind::kCall; ++end) {
        if (has_own_blocks(steps_[end])) continue;
        text_.clear();
        write_call_words(*steps_[end].part, text_);
        if (!has_words(text_.view())) continue;
        open_block(Speaker::kAssistant);
        put_text(text_.view());
        end_block(false);
    }
    for (size_t i = at; i < end; ++i) {
        if (has_own_blocks(steps_[i])) {
            write_blocks(steps_[i], Speaker::kAssistant);
            continue;
        }
        open_block(Speaker::kAssistant);
        put_call(steps_[i]);
        end_block(steps_[i].is_marked);
    }
    return end;
}

// Appends the content of a result: a text, or a list of two.
void AnthropicWriter::put_result_content(const Step &step, Buffer<char> &out) {
    if (step.more.empty()) return write_request_text(step.text, scratch_, out);
    out.push('[');
    for (std::string_view text : {step.text, step.more}) {
        if (!has_words(text)) continue;
        if (out[out.size() - 1] != '[') out.push(',');
        out.append("{\"type\":\"text\",\"text\":");
        write_request_text(text, scratch_, out);
        out.push('}');
    }
    out.push(']');
}

void AnthropicWriter::write_result(const Step &step) {
    open_block(Speaker::kUser);
    if (step.original) {
        std::string_view content;
        text_.clear();
        if (!step.is_kept) put_result_content(step, text_), content = text_.view();
        write_original(step.original->tree, step.original->begin, "tool_use_id", step.id, content,
                       out_);
        out_.resize_down(out_.size() - 1);
        return end_block(step.is_marked);
    }
    out_.append("{\"type\":\"tool_result\",\"tool_use_id\":\"");
    out_.append(step.id);
    out_.append("\",\"content\":");
    put_result_content(step, out_);
    if (step.is_error) out_.append(",\"is_error\":true");
    end_block(step.is_marked);
}

}  // namespace

void write_anthropic(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out) {
    AnthropicWriter(steps, memory, out).run();
}

}  // namespace accp::transcript
