// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See request_tokens.h.
#include "session/request_tokens.h"

#include "base/text.h"
#include "session/frames.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

class RequestTokens {
public:
    explicit RequestTokens(Scratch &scratch)
        : tree_(scratch.json.value.view()), counter_(scratch.counter), json_(scratch.memory) {}

    Status count(uint64_t &tokens) {
        const bool is_map = tree_[0].kind == ACCP_MAP;
        if (is_map) {
            if (const uint32_t system = tree_.find(0, "system")) {
                tokens_ += kMessageTokens;
                content(system);
            }
        }
        const uint32_t messages = is_map ? tree_.find(0, "messages") : 0;
        for (uint32_t i = messages + 1; i < tree_[messages].next; i = tree_[i].next) message(i);
        tokens = tokens_ + kAnswerTokens;
        return status_;
    }

private:
    std::string_view type_of(uint32_t map) const {
        const uint32_t type = tree_[map].kind == ACCP_MAP ? tree_.find(map, "type") : 0;
        return type && tree_[type].kind == ACCP_STRING ? tree_.string(type) : std::string_view();
    }
    void text(std::string_view text) {
        uint64_t tokens = 0;
        if (status_.ok()) status_ = counter_.count(text, UINT64_MAX, tokens);
        tokens_ += tokens;
    }
    // Counts a text, or the JSON of any other value.
    void value(uint32_t node) {
        if (!node || tree_[node].kind == ACCP_NULL) return;
        if (tree_[node].kind == ACCP_STRING) return text(tree_.string(node));
        json_.recycle(kKeptBytes);
        value::write_json(tree_, node, json_);
        text(json_.view());
    }
    void content(uint32_t node) {
        if (tree_[node].kind != ACCP_ARRAY) return value(node);
        for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) block(i);
    }
    void block(uint32_t node) {
        const std::string_view type = type_of(node);
        if (type == "text") return value(tree_.find(node, "text"));
        if (type == "thinking") return value(tree_.find(node, "thinking"));
        if (is_among(type, {"image", "document", "image_url", "input_audio", "file"}))
            tokens_ += kMediaTokens;
        else if (type == "tool_use") {
            value(tree_.find(node, "name"));
            value(tree_.find(node, "input"));
        } else if (type == "tool_result") {
            if (const uint32_t inner = tree_.find(node, "content")) content(inner);
        } else {
            value(node);
        }
    }
    void call(uint32_t node) {
        for (const char *kind : {"function", "custom"}) {
            const uint32_t inner = tree_[node].kind == ACCP_MAP ? tree_.find(node, kind) : 0;
            if (!inner || tree_[inner].kind != ACCP_MAP) continue;
            value(tree_.find(inner, "name"));
            return value(tree_.find(inner, *kind == 'f' ? "arguments" : "input"));
        }
        value(node);
    }
    void message(uint32_t node) {
        tokens_ += kMessageTokens;
        for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
            const std::string_view key = tree_.key(i);
            if (key == "role" || key == "tool_call_id") continue;
            if (key == "content") content(i);
            else if (key == "tool_calls" && tree_[i].kind == ACCP_ARRAY)
                for (uint32_t at = i + 1; at < tree_[i].next; at = tree_[at].next) call(at);
            else value(i);
        }
    }

    value::TreeView tree_;
    token::TokenCounter &counter_;
    Buffer<char> json_;
    uint64_t tokens_ = 0;
    Status status_;
};

}  // namespace

Status count_request(std::string_view request, Scratch &scratch, uint64_t &tokens) {
    Status status = read_json(request, scratch);
    return status.ok() ? RequestTokens(scratch).count(tokens) : status;
}

}  // namespace accp::session
