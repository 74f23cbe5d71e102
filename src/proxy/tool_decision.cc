// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decides which conversations get the tool accp_resolve.
#include "proxy/body_rewriter.h"

namespace proxy {

// Returns whether the request can have the tool accp_resolve.
bool BodyRewriter::may_add_tool() const {
    constexpr uint32_t kMaxTools = 128;  // of OpenAI
    if (!options_.has_resolve || plan_.is_holdout || plan_.is_continuation) return false;
    const accp::value::TreeView tree = request_.tree();
    const uint32_t tools = tree.find(0, "tools");
    if (resolve_tool_json(plan_.api).empty() || !tools || tree[tools].kind != ACCP_ARRAY ||
        !tree[tools].len || tree[tools].len >= kMaxTools)
        return false;
    if (plan_.api == Api::kResponses && !are_items_resent()) return false;
    for (uint32_t i = tools + 1; i < tree[tools].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP) return false;
        const uint32_t function = tree.find(i, "function");
        const uint32_t in = function && tree[function].kind == ACCP_MAP ? function : i;
        const uint32_t name = tree.find(in, "name");
        if (name && tree.string(name) == kResolveTool) return false;
    }
    return true;
}

// Returns whether the request wants several responses.
bool BodyRewriter::wants_several() const {
    const accp::value::TreeView tree = request_.tree();
    const uint32_t count = tree.find(0, "n");
    return count && tree[count].kind != ACCP_NULL && tree.string(count) != "1";
}

// A client of the Responses interface sends all items again if nothing is stored.
bool BodyRewriter::are_items_resent() const {
    const accp::value::TreeView tree = request_.tree();
    const uint32_t input = tree.find(0, "input"), store = tree.find(0, "store");
    return tree[input].kind == ACCP_ARRAY && store && tree[store].kind == ACCP_BOOL &&
           !(tree[store].flags & ACCP_NODE_TRUE);
}

// A conversation has the tool from its first call on or never, because tools are the beginning of
// what the provider caches. A branch has the tool if the pages that it shares have it. If the proxy
// has not seen the first call of a conversation, the conversation is assumed to have begun without
// the tool.
bool BodyRewriter::decide_tool() const {
    if (!may_add_tool()) return false;
    size_t own = 0;  // the first page that other conversations do not have anyway
    while (own < request_.pages().size() && request_.pages()[own].kind == PageKind::kFront) ++own;
    if (path_.known.size() > own) return conversations_.page(path_.known.back()).has_tool;
    if (request_.calls() || own == request_.pages().size()) return false;
    // A call that must use a tool, or that gets several responses, is not from an agent.
    const accp::value::TreeView tree = request_.tree();
    const uint32_t choice = tree.find(0, "tool_choice");
    const bool is_forced =
        choice &&
        (tree[choice].kind == ACCP_MAP ? tree.find(choice, "name") || tree.find(choice, "function")
                                       : tree.string(choice) == "required");
    return !is_forced && !wants_several();
}

}  // namespace proxy
