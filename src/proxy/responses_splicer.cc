// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <utility>

#include "proxy/exchange.h"
#include "proxy/splicer.h"

namespace proxy {

namespace {

using BlockKind = AnswerBlock::Kind;

// Items that wait for a result of the client. The provider runs other tools itself.
constexpr std::string_view kClientCalls[] = {
    "function_call",    "custom_tool_call", "local_shell_call",    "shell_call",
    "apply_patch_call", "computer_call",    "mcp_approval_request"};

bool is_client_call(std::string_view type, std::string_view execution) {
    if (type == "tool_search_call") return execution == "client";
    return std::find(std::begin(kClientCalls), std::end(kClientCalls), type) !=
           std::end(kClientCalls);
}

class ResponsesSplicer final : public AnswerSplicer {
public:
    using AnswerSplicer::AnswerSplicer;

    bool read_whole(std::string_view body) override;
    std::string join(std::string_view body) override;
    std::string error_event(std::string_view json, int status,
                            const std::string &why) const override;

private:
    // An item of the current response.
    struct OpenItem {
        size_t place = 0;       // in the turn's blocks
        uint64_t shown_as = 0;  // its number for the client
    };

    void read_event(std::string_view event, const EventData &data, std::string &out) override;
    void start_turn() override {
        items_.clear();
        numbers_.begin_next();
        sequence_.begin_next();
    }
    bool read_item(std::string_view type, uint64_t index, uint32_t item);
    void read_end(uint32_t response, std::vector<Edit> &edits);
    AnswerBlock read_block(uint32_t item) const;
    void edit_response(uint32_t response, std::vector<Edit> &edits) const;
    // Appends the event with the client's next sequence number.
    void show(std::string_view event, const EventData &data, std::vector<Edit> edits,
              std::string &out);

    std::string first_id_;                // of the first response of events, as JSON
    std::map<uint64_t, OpenItem> items_;  // by their numbers in the response
    ShownNumbers numbers_, sequence_;     // of items, and of events
};

AnswerBlock ResponsesSplicer::read_block(uint32_t item) const {
    AnswerBlock block;
    block.type = json_.text_of(item, "type");
    block.id = json_.text_of(item, "call_id");
    block.json = json_.raw(item);
    const accp::value::TreeView tree = json_.tree();
    if (block.type == "message") {
        block.kind = BlockKind::kText;
        if (const uint32_t content = json_.list_of(item, "content"))
            for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next)
                block.text += json_.text_of(i, "text");
    } else if (is_client_call(block.type, json_.text_of(item, "execution"))) {
        block.kind = BlockKind::kCall;
        block.is_ours =
            block.type == "function_call" && json_.text_of(item, "name") == kResolveTool;
    } else if (block.type == "reasoning") {
        // Without it, an item that is not stored cannot be sent back.
        block.is_left_out = json_.text_of(item, "encrypted_content").empty();
    }
    if (!block.is_ours) return block;
    // Without its identifier, which would need the reasoning before it.
    block.text = json_.text_of(item, "arguments");
    block.json = R"({"type":"function_call","call_id":)" + json_string(block.id) +
                 R"(,"name":"accp_resolve","arguments":)" + json_string(block.text) + "}";
    return block;
}

// Returns false if the client does not get the event.
bool ResponsesSplicer::read_item(std::string_view type, uint64_t index, uint32_t item) {
    if (type == "response.output_item.added") {
        OpenItem &open = items_[index] = {turn_.blocks.size(), 0};
        turn_.blocks.push_back(read_block(item));
        if (turn_.blocks[open.place].is_ours) numbers_.hide();
        else open.shown_as = numbers_.show(index);
    }
    const auto found = items_.find(index);
    if (found == items_.end()) return true;
    AnswerBlock &block = turn_.blocks[found->second.place];
    if (type == "response.output_item.done") block = read_block(item);
    return !block.is_ours;
}

void ResponsesSplicer::show(std::string_view event, const EventData &data, std::vector<Edit> edits,
                            std::string &out) {
    uint64_t sequence = 0;
    if (json_.number_of(0, "sequence_number", sequence))
        if (const uint64_t shown = sequence_.show(sequence); shown != sequence)
            edits.push_back(set_number(json_.tree().find(0, "sequence_number"), shown));
    pass(event, data, std::move(edits), out);
}

void ResponsesSplicer::edit_response(uint32_t response, std::vector<Edit> &edits) const {
    const uint32_t output = json_.list_of(response, "output"),
                   usage = json_.map_of(response, "usage");
    std::string list;
    for (const AnswerBlock &block : shown_) (list += list.empty() ? "" : ",") += block.json;
    if (output) edits.push_back({json_.begin_of(output), json_.end_of(output), "[" + list + "]"});
    if (!usage || !tokens_before_) return;
    for (const std::string_view member : {"output_tokens", "total_tokens"}) {
        uint64_t count = 0;
        if (json_.number_of(usage, member, count))
            edits.push_back(set_number(json_.tree().find(usage, member), tokens_before_ + count));
    }
}

// The last event has the whole response.
void ResponsesSplicer::read_end(uint32_t response, std::vector<Edit> &edits) {
    turn_.is_complete = true;
    turn_.waits = json_.text_of(response, "status") == "completed" && turn_.has_call(true);
    if (const uint32_t usage = json_.map_of(response, "usage"))
        json_.number_of(usage, "output_tokens", turn_.output_tokens);
    for (const AnswerBlock &block : turn_.blocks)
        if (!block.is_ours) shown_.push_back(block);
    if (!round_ && !turn_.has_call(true)) return;
    edit_response(response, edits);
    const uint32_t id = json_.tree().find(response, "id");
    if (id && !first_id_.empty())
        edits.push_back({json_.begin_of(id), json_.end_of(id), first_id_});
}

void ResponsesSplicer::read_event(std::string_view event, const EventData &data, std::string &out) {
    const std::string type(json_.text_of(0, "type"));
    const uint32_t response = json_.map_of(0, "response"), item = json_.map_of(0, "item");
    std::vector<Edit> edits;
    uint64_t index = 0;
    if (json_.number_of(0, "output_index", index)) {
        if (type.starts_with("response.output_item.") && !item) turn_.is_known = false;
        else if (!read_item(type, index, item)) return sequence_.hide();
        const auto found = items_.find(index);
        if (found != items_.end() && found->second.shown_as != index)
            edits.push_back(
                set_number(json_.tree().find(0, "output_index"), found->second.shown_as));
    } else if (response && (type == "response.completed" || type == "response.incomplete" ||
                            type == "response.failed")) {
        read_end(response, edits);
        if (turn_.waits_for_us()) return;
    } else if (response && round_) {
        return sequence_.hide();  // the beginning of a further response
    } else if (response && first_id_.empty()) {
        if (const uint32_t id = json_.tree().find(response, "id")) first_id_ = json_.raw(id);
    }
    show(event, data, std::move(edits), out);
}

bool ResponsesSplicer::read_whole(std::string_view body) {
    if (!json_.read(body)) return false;
    const uint32_t output = json_.list_of(0, "output");
    if (!output) return false;
    const accp::value::TreeView tree = json_.tree();
    for (uint32_t i = output + 1; i < tree[output].next; i = tree[i].next)
        turn_.blocks.push_back(read_block(i));
    std::vector<Edit> edits;
    read_end(0, edits);
    return true;
}

std::string ResponsesSplicer::join(std::string_view body) {
    if (!json_.read(body)) return {};
    std::vector<Edit> edits;
    edit_response(0, edits);
    return apply_edits(body, std::move(edits));
}

std::string ResponsesSplicer::error_event(std::string_view json, int,
                                          const std::string &why) const {
    std::string message = json_string(why), code = "\"server_error\"";
    if (json_.read(json)) {
        if (const uint32_t error = json_.map_of(0, "error")) {
            if (const std::string_view text = json_.text_of(error, "message"); !text.empty())
                message = json_string(text);
            if (const std::string_view text = json_.text_of(error, "code"); !text.empty())
                code = json_string(text);
        }
    }
    return R"(event: error)"
           "\n"
           R"(data: {"type":"error","code":)" +
           code + ",\"message\":" + message +
           ",\"param\":null,\"sequence_number\":" + std::to_string(sequence_.next()) + "}\n\n";
}

}  // namespace

std::unique_ptr<AnswerSplicer> make_responses_splicer(JsonText &json) {
    return std::make_unique<ResponsesSplicer>(json);
}

}  // namespace proxy
