// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/marks.h"

#include <string>

namespace proxy {

namespace {

constexpr std::string_view kMark = R"({"type":"ephemeral"})";

// Returns the edit that marks a block, or a text outside a block; nothing if it cannot be marked.
std::optional<Edit> mark_of(const ModelRequest &request, uint32_t node,
                            std::string_view value = kMark) {
    const accp::value::TreeView tree = request.tree();
    const size_t begin = request.begin_of(node);
    const std::string member = '"' + std::string(kCacheMark) + "\":" + std::string(value);
    if (tree[node].kind == ACCP_STRING) {
        if (tree.string(node).empty()) return std::nullopt;
        return Edit{
            begin, request.end_of(begin),
            R"([{"type":"text","text":)" + std::string(request.raw(node)) + "," + member + "}]"};
    }
    if (tree[node].kind != ACCP_MAP || !tree[node].len) return std::nullopt;
    const uint32_t text = tree.find(node, "text");
    if (text && tree.string(text).empty()) return std::nullopt;
    return Edit{begin + 1, begin + 1, member + ","};
}

// Marks a block of the user, if the provider allows a mark on it.
std::optional<Edit> mark_of_page(const ModelRequest &request, const Page &page) {
    const accp::value::TreeView tree = request.tree();
    const uint32_t type = tree[page.node].kind == ACCP_MAP ? tree.find(page.node, "type") : 0;
    const std::string_view name = type ? tree.string(type) : "text";
    if (is_answer(page.kind)) return std::nullopt;
    if (name != "text" && name != "tool_result" && name != "image" && name != "document")
        return std::nullopt;
    return mark_of(request, page.node);
}

// Returns the node of the system prompt or its last block, or else of the last tool that is in the
// prompt; 0: none.
uint32_t front_end(const ModelRequest &request) {
    const accp::value::TreeView tree = request.tree();
    for (const std::string_view member : {"system", "tools"}) {
        const uint32_t list = tree.find(0, member);
        if (!list) continue;
        if (tree[list].kind == ACCP_STRING && !tree.string(list).empty()) return list;
        if (tree[list].kind != ACCP_ARRAY) continue;
        uint32_t last = 0;
        for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next)
            if (!request.is_deferred(Api::kMessages, i)) last = i;
        if (last) return last;
    }
    return 0;
}

}  // namespace

std::optional<Edit> front_mark(const ModelRequest &request, std::string_view mark) {
    const accp::value::TreeView tree = request.tree();
    const uint32_t end = front_end(request);
    if (!end || (tree[end].kind == ACCP_MAP && tree.find(end, kCacheMark))) return std::nullopt;
    return mark_of(request, end, mark);
}

std::vector<Edit> own_marks(const ModelRequest &request) {
    const std::vector<Page> &pages = request.pages();
    std::vector<Edit> edits;
    const auto newest = mark_of_page(request, pages.back());
    if (!newest || pages.size() < 2) return edits;
    edits.push_back(*newest);
    if (const size_t end = request.request_end_before(pages.size()))
        if (const auto before = mark_of_page(request, pages[end])) edits.push_back(*before);
    if (const auto front = front_mark(request, kMark)) edits.push_back(*front);
    return edits;
}

}  // namespace proxy
