// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/request.h"

#include <algorithm>

#include "proxy/http_text.h"

namespace proxy {

namespace {

// JSON that is nested deeper is not understood.
constexpr uint32_t kMaxDepth = 512;

// Claude Code puts a block with its version and a checksum of the body before its system prompt. It
// differs in every call and has no meaning for the model.
constexpr std::string_view kBillingHeader = "x-anthropic-billing-header:";

PageKind kind_of_role(std::string_view role) {
    if (role == "assistant") return PageKind::kWords;
    return role == "system" || role == "developer" ? PageKind::kFront : PageKind::kUser;
}

}  // namespace

Api api_of_target(std::string_view target) {
    const std::string_view path = path_of(target);
    if (path.ends_with("/v1/messages")) return Api::kMessages;
    if (path.ends_with("/chat/completions")) return Api::kChat;
    return path.ends_with("/responses") ? Api::kResponses : Api::kNone;
}

bool ModelRequest::read(Api api, std::string_view upstream, std::string_view body) {
    pages_.clear();
    call_nodes_.clear();
    calls_ = 0;
    first_turn_ = 0;
    marks_.clear();
    message_ = 0;
    keeps_an_hour_ = is_continuation_ = is_in_answer_ = false;
    body_ = body;
    upstream_ = upstream;
    if (body.size() > kMaxBytes) return false;
    if (reader_.read(body.data(), body.size(), {kMaxBytes, kMaxDepth}, value_).failed())
        return false;
    tree_ = value_.view();
    canonical_.set_tree(tree_);
    const bool is_understood = tree_[0].kind == ACCP_MAP && read_pages(api);
    if (scratch_.capacity() > accp::kKeptBytes) scratch_ = {};
    if (is_understood) {
        if (!first_turn_) first_turn_ = pages_.size();
        // A mark on the request itself counts as one on its last block.
        if (has_value(0, kCacheMark)) note_mark(tree_.find(0, kCacheMark));
        return true;
    }
    pages_.clear();
    return false;
}

bool ModelRequest::read_pages(Api api) {
    model_ = text_of(0, "model");
    switch (api) {
        case Api::kNone: return false;
        case Api::kMessages:
            add_front(api, {"tools", "system"});
            return add_each<&ModelRequest::add_message>(tree_.find(0, "messages"));
        case Api::kChat:
            add_front(api, {"tools", "functions"});
            return add_each<&ModelRequest::add_chat_message>(tree_.find(0, "messages"));
        case Api::kResponses: break;
    }
    is_continuation_ = has_value(0, "previous_response_id") || has_value(0, "conversation");
    add_front(api, {"tools", "instructions", "previous_response_id", "conversation", "prompt"});
    const uint32_t input = tree_.find(0, "input");
    if (input && tree_[input].kind == ACCP_STRING) return add_page(PageKind::kUser, input);
    return add_each<&ModelRequest::add_item>(input);
}

// The front is one page: an eviction never changes it.
void ModelRequest::add_front(Api api, std::initializer_list<std::string_view> members) {
    scratch_.assign(1, static_cast<char>(api));
    canonical_.forget_mark();
    canonical_.add_text_block(upstream_);
    canonical_.add_text_block(model_);
    for (const std::string_view member : members) {
        const uint32_t node = tree_.find(0, member);
        if (!node) continue;
        canonical_.add_text_block(member);
        if (tree_[node].kind != ACCP_ARRAY) {
            canonical_.add_content(node);
            continue;
        }
        for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next)
            if (!text_of(i, "text").starts_with(kBillingHeader) && !is_deferred(api, i))
                canonical_.add_block(i);
    }
    add_page(PageKind::kFront, 0, scratch_.size());
}

bool ModelRequest::is_deferred(Api api, uint32_t tool) const {
    if (api != Api::kMessages || tree_[tool].kind != ACCP_MAP) return false;
    const uint32_t deferred = tree_.find(tool, "defer_loading");
    return deferred && (tree_[deferred].flags & ACCP_NODE_TRUE);
}

template <bool (ModelRequest::*kAdd)(uint32_t)>
bool ModelRequest::add_each(uint32_t list) {
    if (!list || tree_[list].kind != ACCP_ARRAY) return false;
    for (uint32_t i = list + 1; i < tree_[list].next; i = tree_[i].next)
        if (tree_[i].kind != ACCP_MAP || !(this->*kAdd)(i)) return false;
    return true;
}

// Each block of a message is a page. The other members of the message belong to each of its pages.
bool ModelRequest::add_message(uint32_t message) {
    const uint32_t content = tree_.find(message, "content");
    if (!content) return false;
    message_ = message;
    scratch_.clear();
    for (uint32_t i = message + 1; i < tree_[message].next; i = tree_[i].next) {
        const std::string_view key = tree_.key(i);
        if (i == content || key == kCacheMark) continue;
        canonical_.add_text_block(key);
        canonical_.add_value(i);
    }
    const bool is_assistant = text_of(message, "role") == "assistant";
    if (tree_[content].kind == ACCP_STRING) return add_block(content, is_assistant);
    if (tree_[content].kind != ACCP_ARRAY) return false;
    const size_t header = scratch_.size();
    for (uint32_t i = content + 1; i < tree_[content].next; i = tree_[i].next) {
        scratch_.resize(header);
        if (tree_[i].kind != ACCP_MAP || !add_block(i, is_assistant)) return false;
    }
    return true;
}

bool ModelRequest::add_block(uint32_t block, bool is_assistant) {
    const bool is_map = tree_[block].kind == ACCP_MAP;
    const std::string_view type = is_map ? text_of(block, "type") : "text";
    const size_t header = scratch_.size();
    if (is_map) canonical_.add_block(block);
    else canonical_.add_text_block(tree_.string(block));
    PageKind kind = is_assistant ? PageKind::kWords : PageKind::kUser;
    if (is_assistant && type == "tool_use") {
        kind = PageKind::kCall;
        call_nodes_[text_of(block, "id")] = block;
    } else if (!is_assistant && type == "tool_result") {
        kind = PageKind::kResult;
    }
    Page *page = add_page(kind, block, header + 1);
    if (page && kind == PageKind::kResult) {
        set_result(*page, tree_.find(block, "content"), text_of(block, "tool_use_id"));
        const uint32_t error = tree_.find(block, "is_error");
        page->is_error = error && (tree_[error].flags & ACCP_NODE_TRUE);
    }
    return page;
}

bool ModelRequest::add_chat_message(uint32_t message) {
    const std::string_view role = text_of(message, "role");
    PageKind kind = kind_of_role(role);
    const uint32_t calls = tree_.find(message, "tool_calls");
    if (kind == PageKind::kWords && calls && tree_[calls].kind == ACCP_ARRAY) {
        kind = PageKind::kCall;
        for (uint32_t i = calls + 1; i < tree_[calls].next; i = tree_[i].next)
            if (tree_[i].kind == ACCP_MAP) call_nodes_[text_of(i, "id")] = i;
    }
    if (role == "tool") kind = PageKind::kResult;
    Page *page = add_page(kind, message);
    if (page && kind == PageKind::kResult)
        set_result(*page, tree_.find(message, "content"), text_of(message, "tool_call_id"));
    return page;
}

bool ModelRequest::add_item(uint32_t item) {
    const std::string_view type = text_of(item, "type");
    if (type.empty() || type == "message")
        return add_page(kind_of_role(text_of(item, "role")), item);
    if (type == "function_call_output" || type == "custom_tool_call_output") {
        Page *page = add_page(PageKind::kResult, item);
        if (page) set_result(*page, tree_.find(item, "output"), text_of(item, "call_id"));
        return page;
    }
    // The output of other tools has a form of its own.
    if (type.ends_with("_output")) return add_page(PageKind::kResult, item);
    if (type.ends_with("_call")) {
        call_nodes_[text_of(item, "call_id")] = item;
        return add_page(PageKind::kCall, item);
    }
    if (type == "mcp_approval_request") return add_page(PageKind::kCall, item);
    return add_page(type == "reasoning" ? PageKind::kWords : PageKind::kUser, item);
}

Page *ModelRequest::add_page(PageKind kind, uint32_t node, size_t header) {
    if (pages_.size() == kMaxPages) return nullptr;
    if (!header) {
        scratch_.clear();
        if (tree_[node].kind == ACCP_MAP) canonical_.add_block(node);
        else canonical_.add_text_block(tree_.string(node));
    }
    if (is_answer(kind)) {
        if (!first_turn_) first_turn_ = pages_.size();
    } else if (is_in_answer_) {
        ++calls_;
    }
    is_in_answer_ = is_answer(kind);
    Page &page = pages_.emplace_back();
    page.hash = hash_text(scratch_, key_);
    page.node = node;
    page.message = message_ ? message_ : node;
    page.call = calls_;
    page.kind = kind;
    if (canonical_.mark()) note_mark(canonical_.mark());
    canonical_.forget_mark();
    return &page;
}

size_t ModelRequest::mark_count() const {
    size_t count = 0;
    for (uint32_t i = 1; i < tree_[0].next; ++i) count += tree_.key(i) == kCacheMark;
    return count;
}

size_t ModelRequest::request_end_before(size_t end) const {
    for (size_t i = std::min(end, pages_.size() - 1); i-- > 1;)
        if (ends_request(i)) return i;
    return 0;
}

void ModelRequest::note_mark(uint32_t mark) {
    marks_.push_back({static_cast<uint32_t>(pages_.size() - 1), mark});
    keeps_an_hour_ |= text_of(mark, "ttl") == "1h";
}

void ModelRequest::set_result(Page &page, uint32_t content, std::string_view id) {
    if (content && is_only_text(content)) page.content = content;
    const auto call = call_nodes_.find(id);
    if (call != call_nodes_.end()) page.answers = call->second;
}

// Returns whether the content can be replaced by a string without losing anything except its text.
bool ModelRequest::is_only_text(uint32_t content) const {
    if (tree_[content].kind == ACCP_STRING) return true;
    if (tree_[content].kind != ACCP_ARRAY || !tree_[content].len) return false;
    for (uint32_t i = content + 1; i < tree_[content].next; i = tree_[i].next)
        if (!is_text_block(i)) return false;
    return true;
}

uint32_t ModelRequest::mark_within(uint32_t list, uint32_t other) const {
    uint32_t found = 0;
    if (tree_[list].kind != ACCP_ARRAY) return 0;
    for (uint32_t i = list + 1; i < tree_[list].next; i = tree_[i].next)
        if (const uint32_t mark = tree_.find(i, kCacheMark); mark && mark != other) found = mark;
    return found;
}

bool ModelRequest::is_text_block(uint32_t block) const {
    if (tree_[block].kind != ACCP_MAP) return false;
    const size_t marks = tree_.find(block, kCacheMark) ? 1 : 0;
    if (tree_[block].len != 2 + marks) return false;
    const std::string_view type = text_of(block, "type");
    const uint32_t text = tree_.find(block, "text");
    return (type == "text" || type == "input_text") && text && tree_[text].kind == ACCP_STRING;
}

std::string_view ModelRequest::text_of(uint32_t map, std::string_view key) const {
    if (tree_[map].kind != ACCP_MAP) return {};
    const uint32_t node = tree_.find(map, key);
    return node && tree_[node].kind == ACCP_STRING ? tree_.string(node) : std::string_view{};
}

bool ModelRequest::has_value(uint32_t map, std::string_view key) const {
    const uint32_t node = tree_.find(map, key);
    return node && tree_[node].kind != ACCP_NULL;
}

}  // namespace proxy
