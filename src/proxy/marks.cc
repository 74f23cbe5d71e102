// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/marks.h"

#include <optional>
#include <string>

namespace proxy {

namespace {

constexpr std::string_view kMark = R"("cache_control":{"type":"ephemeral"})";

// Returns the edit that marks a block, or a text outside a block; nothing if it cannot be marked.
std::optional<Edit> mark_of(const ModelRequest &request, uint32_t node) {
    const accp::value::TreeView tree = request.tree();
    const size_t begin = request.begin_of(node);
    if (tree[node].kind == ACCP_STRING) {
        if (tree.string(node).empty()) return std::nullopt;
        return Edit{begin, request.end_of(begin),
                    R"([{"type":"text","text":)" + std::string(request.raw(node)) + "," +
                        std::string(kMark) + "}]"};
    }
    if (tree[node].kind != ACCP_MAP || !tree[node].len) return std::nullopt;
    const uint32_t text = tree.find(node, "text");
    if (text && tree.string(text).empty()) return std::nullopt;
    return Edit{begin + 1, begin + 1, std::string(kMark) + ","};
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

// Marks the system prompt, or else the last tool.
std::optional<Edit> mark_of_front(const ModelRequest &request) {
    const accp::value::TreeView tree = request.tree();
    for (const std::string_view member : {"system", "tools"}) {
        const uint32_t list = tree.find(0, member);
        if (!list) continue;
        if (tree[list].kind == ACCP_STRING && !tree.string(list).empty())
            return mark_of(request, list);
        if (tree[list].kind != ACCP_ARRAY || !tree[list].len) continue;
        uint32_t last = list + 1;
        while (tree[last].next < tree[list].next) last = tree[last].next;
        return mark_of(request, last);
    }
    return std::nullopt;
}

}  // namespace

std::vector<Edit> own_marks(const ModelRequest &request) {
    const std::vector<Page> &pages = request.pages();
    std::vector<Edit> edits;
    const auto newest = mark_of_page(request, pages.back());
    if (!newest || pages.size() < 2) return edits;
    edits.push_back(*newest);
    if (const size_t end = request.request_end_before(pages.size()))
        if (const auto before = mark_of_page(request, pages[end])) edits.push_back(*before);
    if (const auto front = mark_of_front(request)) edits.push_back(*front);
    return edits;
}

}  // namespace proxy
