// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <utility>

#include "proxy/exchange.h"
#include "proxy/splicer.h"
#include "proxy/streamed_list.h"

namespace proxy {

namespace {

using BlockKind = AnswerBlock::Kind;

// A call whose arguments are being read.
struct OpenCall {
    uint64_t index = 0;
    size_t place = 0;       // in the turn's blocks
    uint64_t shown_as = 0;  // its index for the client
    std::string name;
    std::string more;  // other members of the call, as JSON with a comma before each
};

class ChatSplicer final : public AnswerSplicer {
public:
    using AnswerSplicer::AnswerSplicer;

    bool read_whole(std::string_view body) override;
    std::string join(std::string_view body) override;
    std::string error_event(std::string_view json, int status,
                            const std::string &why) const override;

private:
    void read_event(std::string_view event, const EventData &data, std::string &out) override;
    void read_other(std::string_view event, const EventData &data, std::string &out) override;
    void start_turn() override;

    // The part of an event that the client gets.
    struct Shown {
        std::vector<Edit> edits;
        bool is_needed = false;  // the event has such a part
    };
    void read_choice(uint32_t choice, Shown &shown);
    void read_thoughts(uint32_t delta, Shown &shown);
    void read_words(uint32_t delta, Shown &shown);
    void add_words(uint32_t node, Shown &shown);
    void read_calls(uint32_t list, Shown &shown);
    void read_usage(Shown &shown);
    OpenCall &open_call(uint32_t element);
    void add_to_call(OpenCall &open, uint32_t element);
    AnswerBlock &block_of(BlockKind kind, std::string_view type);
    AnswerBlock read_call(uint32_t element) const;
    void end_lists();
    void end_calls();

    std::vector<OpenCall> calls_;
    StreamedList content_, details_;  // the content as a list, and kReasoningList
    std::string first_id_;            // of the first response, as JSON
    ShownNumbers numbers_;            // of calls
    bool has_failed_ = false;         // the provider sent an error instead of the rest
    bool has_words_ = false;          // the client has words of an earlier response
    bool has_said_ = false;           // or of this one
};

void ChatSplicer::start_turn() {
    calls_.clear();
    content_ = {};
    details_ = {};
    numbers_.begin_next();
    has_words_ = has_said_;
}

AnswerBlock &ChatSplicer::block_of(BlockKind kind, std::string_view type) {
    for (AnswerBlock &block : turn_.blocks)
        if (block.kind == kind && block.type == type) return block;
    AnswerBlock block;
    block.kind = kind;
    block.type = type;
    return turn_.blocks.emplace_back(std::move(block));
}

// A call has its id and name in its first delta.
OpenCall &ChatSplicer::open_call(uint32_t element) {
    const std::string_view id = json_.text_of(element, "id");
    uint64_t index = 0;
    if (!json_.number_of(element, "index", index) && !calls_.empty()) index = calls_.back().index;
    for (OpenCall &open : calls_)
        if (open.index == index && (id.empty() || turn_.blocks[open.place].id == id)) return open;
    const uint32_t function = json_.map_of(element, "function");
    OpenCall &open = calls_.emplace_back();
    open.index = index;
    open.place = turn_.blocks.size();
    if (function) open.name = json_.text_of(function, "name");
    AnswerBlock &block = turn_.blocks.emplace_back();
    block.kind = BlockKind::kCall;
    block.id = id;
    block.is_ours = open.name == kResolveTool;
    if (block.is_ours) numbers_.hide();
    else open.shown_as = numbers_.show(index);
    return open;
}

void ChatSplicer::add_to_call(OpenCall &open, uint32_t element) {
    if (const uint32_t function = json_.map_of(element, "function"))
        turn_.blocks[open.place].text += json_.text_of(function, "arguments");
    const accp::value::TreeView tree = json_.tree();
    for (uint32_t i = element + 1; i < tree[element].next; i = tree[i].next) {
        const std::string_view key = tree.key(i);
        if (key == "index" || key == "id" || key == "type" || key == "function") continue;
        const std::string name = ",\"" + std::string(key) + "\":";
        if (open.more.find(name) == open.more.npos) open.more.append(name).append(json_.raw(i));
    }
}

void ChatSplicer::read_calls(uint32_t list, Shown &shown) {
    const accp::value::TreeView tree = json_.tree();
    std::string kept;
    bool is_changed = false;
    for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP) continue;
        OpenCall &open = open_call(i);
        add_to_call(open, i);
        if (turn_.blocks[open.place].is_ours) {
            is_changed = true;
            continue;
        }
        std::string element(json_.raw(i));
        const uint32_t index = tree.find(i, "index");
        if (index && open.shown_as != open.index) {
            const size_t at = json_.begin_of(index) - json_.begin_of(i);
            element.replace(at, json_.raw(index).size(), std::to_string(open.shown_as));
            is_changed = true;
        }
        (kept += kept.empty() ? "" : ",") += element;
    }
    shown.is_needed |= !kept.empty();
    if (is_changed)
        shown.edits.push_back({json_.begin_of(list), json_.end_of(list), "[" + kept + "]"});
}

void ChatSplicer::read_thoughts(uint32_t delta, Shown &shown) {
    for (const std::string_view member : kReasoningMembers) {
        const std::string_view thought = json_.text_of(delta, member);
        if (thought.empty()) continue;
        block_of(BlockKind::kThought, member).text += thought;
        shown.is_needed = true;
    }
    if (const uint32_t list = json_.list_of(delta, kReasoningList)) details_.add(json_, list);
}

// Reads a content, which is a text or a list of blocks.
void ChatSplicer::read_words(uint32_t delta, Shown &shown) {
    const accp::value::TreeView tree = json_.tree();
    const uint32_t content = tree.find(delta, "content");
    if (!content || tree[content].kind == ACCP_NULL) return;
    if (tree[content].kind == ACCP_STRING) {
        if (!content_.empty() && tree[content].len) content_.add_text(tree.string(content));
        return add_words(content, shown);
    }
    if (tree[content].kind != ACCP_ARRAY) {
        turn_.is_known = false;
        return;
    }
    if (content_.empty())  // the texts before the list are its first block
        for (const AnswerBlock &block : turn_.blocks)
            if (block.kind == BlockKind::kText && !block.text.empty())
                content_.add_text(block.text);
    content_.add(json_, content);
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next) {
        const uint32_t text = tree[i].kind == ACCP_MAP ? tree.find(i, "text") : 0;
        if (text && tree[text].kind == ACCP_STRING) add_words(text, shown);
    }
}

// A blank line separates the words of two responses.
void ChatSplicer::add_words(uint32_t node, Shown &shown) {
    const std::string_view words = json_.tree().string(node);
    if (words.empty()) return;
    std::string &text = block_of(BlockKind::kText, "").text;
    if (has_words_ && text.empty()) {
        const size_t at = json_.begin_of(node) + 1;
        shown.edits.push_back({at, at, "\\n\\n"});
    }
    text += words;
    has_said_ = shown.is_needed = true;
}

void ChatSplicer::read_choice(uint32_t choice, Shown &shown) {
    const accp::value::TreeView tree = json_.tree();
    if (const uint32_t delta = json_.map_of(choice, "delta")) {
        read_thoughts(delta, shown);
        read_words(delta, shown);
        if (const uint32_t list = json_.list_of(delta, "tool_calls")) read_calls(list, shown);
        // Other members of the delta, such as a role or a refusal.
        for (uint32_t i = delta + 1; i < tree[delta].next; i = tree[i].next) {
            const std::string_view key = tree.key(i);
            const bool is_empty = tree[i].kind == ACCP_NULL ||
                                  (tree[i].kind == ACCP_STRING && !tree[i].len) ||
                                  key == "tool_calls";
            shown.is_needed |= !is_empty && (key != "role" || !round_);
        }
    }
    const std::string_view finish = json_.text_of(choice, "finish_reason");
    if (finish.empty()) return;
    turn_.has_ended = true;
    end_lists();
    end_calls();
    turn_.waits =
        !has_failed_ && (finish == "tool_calls" || (finish == "stop" && turn_.has_call(true)));
    if (!turn_.waits_for_us()) {
        shown.is_needed = true;
    } else if (shown.is_needed) {
        const uint32_t node = tree.find(choice, "finish_reason");
        shown.edits.push_back({json_.begin_of(node), json_.end_of(node), "null"});
    }
}

void ChatSplicer::read_usage(Shown &shown) {
    const uint32_t usage = json_.map_of(0, "usage");
    if (!usage || !json_.number_of(usage, "completion_tokens", turn_.output_tokens)) return;
    shown.is_needed |= !turn_.waits_for_us();
    if (!tokens_before_) return;
    uint64_t total = 0;
    shown.edits.push_back(set_number(json_.tree().find(usage, "completion_tokens"),
                                     tokens_before_ + turn_.output_tokens));
    if (json_.number_of(usage, "total_tokens", total))
        shown.edits.push_back(
            set_number(json_.tree().find(usage, "total_tokens"), tokens_before_ + total));
}

// In the first response, an event that has nothing of ours passes unchanged.
void ChatSplicer::read_event(std::string_view event, const EventData &data, std::string &out) {
    const accp::value::TreeView tree = json_.tree();
    const uint32_t choices = json_.list_of(0, "choices"), error = tree.find(0, "error");
    const bool has_failed = error && tree[error].kind != ACCP_NULL;
    if (has_failed) {
        has_failed_ = true;
        turn_.waits = false;
    }
    if (!choices || tree[choices].len > 1 || has_failed) {
        out.append(event);
        return;
    }
    const uint32_t id = tree.find(0, "id");
    if (!round_ && id && first_id_.empty()) first_id_ = json_.raw(id);
    const bool had_ours = turn_.has_call(true);
    Shown shown;
    if (tree[choices].len) read_choice(choices + 1, shown);
    read_usage(shown);
    const bool is_first = !round_ && !had_ours && !turn_.has_call(true);
    if (!is_first && !shown.is_needed) return;
    if (round_ && id && !first_id_.empty())
        shown.edits.push_back({json_.begin_of(id), json_.end_of(id), first_id_});
    pass(event, data, std::move(shown.edits), out);
}

void ChatSplicer::read_other(std::string_view event, const EventData &data, std::string &out) {
    if (data.text() == "[DONE]") {
        turn_.is_complete = true;
        if (turn_.waits_for_us()) return;
    }
    AnswerSplicer::read_other(event, data, out);
}

// Builds the lists as they are sent back.
void ChatSplicer::end_lists() {
    if (!content_.is_only_text()) block_of(BlockKind::kText, "").json = content_.json();
    if (!details_.empty()) block_of(BlockKind::kOther, kReasoningList).json = details_.json();
}

// Builds the calls as they are sent back.
void ChatSplicer::end_calls() {
    for (const OpenCall &open : calls_) {
        AnswerBlock &block = turn_.blocks[open.place];
        block.json = "{\"id\":" + json_string(block.id) +
                     R"(,"type":"function","function":{"name":)" + json_string(open.name) +
                     ",\"arguments\":" + json_string(block.text) + "}" + open.more + "}";
    }
}

AnswerBlock ChatSplicer::read_call(uint32_t element) const {
    AnswerBlock block;
    block.kind = BlockKind::kCall;
    block.json = json_.raw(element);
    block.id = json_.text_of(element, "id");
    if (const uint32_t function = json_.map_of(element, "function")) {
        block.is_ours = json_.text_of(function, "name") == kResolveTool;
        block.text = json_.text_of(function, "arguments");
    }
    return block;
}

bool ChatSplicer::read_whole(std::string_view body) {
    if (!json_.read(body)) return false;
    const accp::value::TreeView tree = json_.tree();
    const uint32_t choices = json_.list_of(0, "choices");
    if (!choices || tree[choices].len != 1) return false;
    const uint32_t message = json_.map_of(choices + 1, "message");
    if (!message) return false;
    Shown shown;
    read_thoughts(message, shown);
    read_words(message, shown);
    end_lists();
    if (const uint32_t list = json_.list_of(message, "tool_calls"))
        for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next)
            turn_.blocks.push_back(read_call(i));
    for (const AnswerBlock &block : turn_.blocks)
        if (!block.is_ours) shown_.push_back(block);
    const std::string_view finish = json_.text_of(choices + 1, "finish_reason");
    turn_.waits = finish == "tool_calls" || (finish == "stop" && turn_.has_call(true));
    turn_.is_complete = true;
    if (const uint32_t usage = json_.map_of(0, "usage"))
        json_.number_of(usage, "completion_tokens", turn_.output_tokens);
    return true;
}

std::string ChatSplicer::join(std::string_view body) {
    if (!json_.read(body)) return {};
    std::string words, blocks, details, calls;
    bool has_blocks = false;  // the content is a list
    std::vector<std::pair<std::string, std::string>> thoughts;
    for (const AnswerBlock &block : shown_) {
        if (block.kind == BlockKind::kText) {
            (words += words.empty() ? "" : kBetweenWords) += block.text;
            has_blocks |= !block.json.empty();
            add_listed(blocks, block.json.empty()
                                   ? R"({"type":"text","text":)" + json_string(block.text) + "}"
                                   : block.json);
        }
        if (block.kind == BlockKind::kOther) add_listed(details, block.json);
        if (block.kind == BlockKind::kCall) add_listed(calls, block.json);
        if (block.kind != BlockKind::kThought) continue;
        if (thoughts.empty() || thoughts.back().first != block.type)
            thoughts.emplace_back(block.type, "");
        thoughts.back().second += block.text;
    }
    const accp::value::TreeView tree = json_.tree();
    const uint32_t message = json_.map_of(json_.list_of(0, "choices") + 1, "message");
    std::vector<Edit> edits;
    const auto set = [&](std::string_view member, std::string value) {
        const size_t end = json_.end_of(message) - 1;
        if (const uint32_t node = tree.find(message, member))
            edits.push_back({json_.begin_of(node), json_.end_of(node), std::move(value)});
        else edits.push_back({end, end, ",\"" + std::string(member) + "\":" + value});
    };
    if (has_blocks) set("content", "[" + blocks + "]");
    else if (!words.empty()) set("content", json_string(words));
    if (!details.empty()) set(kReasoningList, "[" + details + "]");
    for (const auto &[member, text] : thoughts) set(member, json_string(text));
    if (!calls.empty() || json_.list_of(message, "tool_calls"))
        set("tool_calls", "[" + calls + "]");
    Shown shown;
    read_usage(shown);
    for (Edit &edit : shown.edits) edits.push_back(std::move(edit));
    return apply_edits(body, std::move(edits));
}

std::string ChatSplicer::error_event(std::string_view json, int status,
                                     const std::string &why) const {
    constexpr int kTooMany = 429;
    std::string data = R"({"error":{"message":)" + json_string(why) + R"(,"type":")" +
                       (status == kTooMany ? "rate_limit_error" : "server_error") +
                       R"(","param":null,"code":"accp_proxy"}})";
    if (json_.read(json) && json_.map_of(0, "error")) data = json;
    return "data: " + in_one_line(data) + "\n\n";
}

}  // namespace

std::unique_ptr<AnswerSplicer> make_chat_splicer(JsonText &json) {
    return std::make_unique<ChatSplicer>(json);
}

}  // namespace proxy
