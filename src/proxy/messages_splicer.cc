// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <map>
#include <utility>

#include "proxy/exchange.h"
#include "proxy/splicer.h"

namespace proxy {

namespace {

using BlockKind = AnswerBlock::Kind;

// A block whose deltas are being read.
struct OpenBlock {
    size_t place = 0;       // in the turn's blocks, where `json` is the block as it began
    uint64_t shown_as = 0;  // its number for the client
    std::string text, thinking, signature, input, citations, content, encrypted_content;
};

class MessagesSplicer final : public AnswerSplicer {
public:
    using AnswerSplicer::AnswerSplicer;

    bool read_whole(std::string_view body) override;
    std::string join(std::string_view body) override;
    std::string error_event(std::string_view json, int status,
                            const std::string &why) const override;

private:
    void read_event(std::string_view event, const EventData &data, std::string &out) override;
    void start_turn() override {
        open_.clear();
        numbers_.begin_next();
    }
    void read_block_event(std::string_view type, std::string_view event, const EventData &data,
                          std::string &out);
    void read_message_delta(std::string_view event, const EventData &data, std::string &out);

    AnswerBlock read_block(uint32_t node) const;
    void begin_block(uint64_t index, uint32_t start);
    void add_delta(OpenBlock &open, uint32_t delta);
    void end_block(OpenBlock &open);

    std::map<uint64_t, OpenBlock> open_;
    ShownNumbers numbers_;  // of blocks
};

AnswerBlock MessagesSplicer::read_block(uint32_t node) const {
    AnswerBlock block;
    block.type = json_.text_of(node, "type");
    block.json = json_.raw(node);
    if (block.type == "text") {
        block.kind = BlockKind::kText;
        block.text = json_.text_of(node, "text");
    } else if (block.type == "tool_use") {
        block.kind = BlockKind::kCall;
        block.id = json_.text_of(node, "id");
        block.is_ours = json_.text_of(node, "name") == kResolveTool;
        if (const uint32_t input = json_.map_of(node, "input")) block.text = json_.raw(input);
    }
    return block;
}

void MessagesSplicer::begin_block(uint64_t index, uint32_t start) {
    OpenBlock &open = open_[index] = {};
    open.place = turn_.blocks.size();
    open.text = json_.text_of(start, "text");
    open.thinking = json_.text_of(start, "thinking");
    open.signature = json_.text_of(start, "signature");
    turn_.blocks.push_back(read_block(start));
    if (turn_.blocks.back().is_ours) numbers_.hide();
    else open.shown_as = numbers_.show(index);
}

void MessagesSplicer::add_delta(OpenBlock &open, uint32_t delta) {
    const std::string_view type = json_.text_of(delta, "type");
    const uint32_t citation = json_.map_of(delta, "citation");
    if (type == "text_delta") open.text += json_.text_of(delta, "text");
    else if (type == "thinking_delta") open.thinking += json_.text_of(delta, "thinking");
    else if (type == "signature_delta") open.signature += json_.text_of(delta, "signature");
    else if (type == "input_json_delta") open.input += json_.text_of(delta, "partial_json");
    else if (type == "citations_delta" && citation)
        (open.citations += open.citations.empty() ? "" : ",") += json_.raw(citation);
    else if (type == "compaction_delta") {
        open.content += json_.text_of(delta, "content");
        open.encrypted_content += json_.text_of(delta, "encrypted_content");
    } else turn_.is_known = false;
}

// Sets the members that came in deltas. Reads other texts into json_.
void MessagesSplicer::end_block(OpenBlock &open) {
    AnswerBlock &block = turn_.blocks[open.place];
    if (block.kind == BlockKind::kText) block.text = open.text;
    std::vector<std::pair<std::string_view, std::string>> members;
    if (!open.text.empty()) members.emplace_back("text", json_string(open.text));
    if (!open.thinking.empty()) members.emplace_back("thinking", json_string(open.thinking));
    if (!open.signature.empty()) members.emplace_back("signature", json_string(open.signature));
    if (!open.content.empty()) members.emplace_back("content", json_string(open.content));
    if (!open.encrypted_content.empty())
        members.emplace_back("encrypted_content", json_string(open.encrypted_content));
    if (!open.citations.empty()) members.emplace_back("citations", "[" + open.citations + "]");
    if (!open.input.empty()) {
        block.text = json_.read(open.input) ? open.input : "{}";
        members.emplace_back("input", block.text);
    }
    if (!json_.read(block.json)) return;
    std::vector<Edit> edits;
    const size_t end = block.json.size() - 1;  // before the last brace
    for (auto &[name, value] : members) {
        if (const uint32_t node = json_.tree().find(0, name))
            edits.push_back({json_.begin_of(node), json_.end_of(node), std::move(value)});
        else edits.push_back({end, end, ",\"" + std::string(name) + "\":" + value});
    }
    block.json = apply_edits(block.json, std::move(edits));
}

void MessagesSplicer::read_event(std::string_view event, const EventData &data, std::string &out) {
    const std::string type(json_.text_of(0, "type"));
    if (type.starts_with("content_block_")) return read_block_event(type, event, data, out);
    if (type == "message_delta") return read_message_delta(event, data, out);
    if (type == "message_start" && round_) return;
    if (type == "message_stop") {
        turn_.is_complete = true;
        if (turn_.waits_for_us()) return;
    }
    out.append(event);
}

void MessagesSplicer::read_block_event(std::string_view type, std::string_view event,
                                       const EventData &data, std::string &out) {
    uint64_t index = 0;
    const uint32_t index_node = json_.tree().find(0, "index");
    const uint32_t start = json_.map_of(0, "content_block"), delta = json_.map_of(0, "delta");
    json_.number_of(0, "index", index);
    const bool begins = type == "content_block_start" && start;
    if (begins) begin_block(index, start);
    const auto found = open_.find(index);
    if (found == open_.end() || !index_node) {
        out.append(event);
        return;
    }
    OpenBlock &open = found->second;
    const bool is_ours = turn_.blocks[open.place].is_ours;
    std::vector<Edit> edits;
    if (open.shown_as != index) edits.push_back(set_number(index_node, open.shown_as));
    if (!is_ours) pass(event, data, std::move(edits), out);
    if (!begins && delta) add_delta(open, delta);
    if (type != "content_block_stop") return;
    end_block(open);
    open_.erase(found);
}

void MessagesSplicer::read_message_delta(std::string_view event, const EventData &data,
                                         std::string &out) {
    const uint32_t usage = json_.map_of(0, "usage"), delta = json_.map_of(0, "delta");
    turn_.waits = delta && json_.text_of(delta, "stop_reason") == "tool_use";
    std::vector<Edit> edits;
    if (usage && json_.number_of(usage, "output_tokens", turn_.output_tokens) && tokens_before_)
        edits.push_back(set_number(json_.tree().find(usage, "output_tokens"),
                                   tokens_before_ + turn_.output_tokens));
    if (!turn_.waits_for_us()) pass(event, data, std::move(edits), out);
}

bool MessagesSplicer::read_whole(std::string_view body) {
    if (!json_.read(body)) return false;
    const uint32_t content = json_.list_of(0, "content");
    if (!content) return false;
    const accp::value::TreeView tree = json_.tree();
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        turn_.blocks.push_back(read_block(i));
        if (!turn_.blocks.back().is_ours) shown_.push_back(turn_.blocks.back());
    }
    turn_.waits = json_.text_of(0, "stop_reason") == "tool_use";
    turn_.is_complete = true;
    if (const uint32_t usage = json_.map_of(0, "usage"))
        json_.number_of(usage, "output_tokens", turn_.output_tokens);
    return true;
}

std::string MessagesSplicer::join(std::string_view body) {
    if (!json_.read(body)) return {};
    std::string list;
    for (const AnswerBlock &block : shown_) (list += list.empty() ? "" : ",") += block.json;
    const uint32_t content = json_.list_of(0, "content"), usage = json_.map_of(0, "usage");
    std::vector<Edit> edits = {{json_.begin_of(content), json_.end_of(content), "[" + list + "]"}};
    if (const uint32_t count = usage ? json_.tree().find(usage, "output_tokens") : 0)
        edits.push_back(set_number(count, tokens_before_ + turn_.output_tokens));
    return apply_edits(body, std::move(edits));
}

std::string MessagesSplicer::error_event(std::string_view json, int status,
                                         const std::string &why) const {
    constexpr int kTooMany = 429, kOverloaded = 529;
    const char *type = status == kTooMany      ? "rate_limit_error"
                       : status == kOverloaded ? "overloaded_error"
                                               : "api_error";
    std::string data = R"({"type":"error","error":{"type":")" + std::string(type) +
                       R"(","message":)" + json_string(why) + "}}";
    if (json_.read(json) && json_.map_of(0, "error")) data = json;
    return "event: error\ndata: " + in_one_line(data) + "\n\n";
}

}  // namespace

std::unique_ptr<AnswerSplicer> make_messages_splicer(JsonText &json) {
    return std::make_unique<MessagesSplicer>(json);
}

}  // namespace proxy
