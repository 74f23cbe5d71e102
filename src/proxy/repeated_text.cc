// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/repeated_text.h"

#include <algorithm>

namespace proxy {

namespace {

// A shorter line, such as a bracket, is in many texts. A longer one is data.
constexpr size_t kMinLine = 12, kMaxLine = 4096;
// Older lines of a request with more do not count.
constexpr size_t kMaxLines = 1 << 18;

std::string_view without_blanks(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == line.npos) return {};
    return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

uint64_t same(uint64_t number) { return number; }

}  // namespace

std::vector<uint32_t> RepeatedText::shares(const ModelRequest &request,
                                           const std::function<bool(size_t page)> &is_stub) {
    const std::vector<Page> &pages = request.pages();
    std::vector<uint32_t> out(pages.size());
    for (size_t i = pages.size(); i-- > 0;) {
        const Page &page = pages[i];
        if (page.kind == PageKind::kFront || is_stub(i)) continue;
        read_page(request, page);
        if (request.may_leave(page) && bytes_)
            out[i] = static_cast<uint32_t>(repeated_bytes_ * 1000 / bytes_);
        if (later_.count() + lines_.size() > kMaxLines) break;
        later_.reserve(lines_.size(), same);
        for (const uint64_t line : lines_)
            if (!later_.find(line, [line](uint64_t other) { return other == line; }))
                later_.add(line, line);
    }
    later_.recycle(accp::kKeptBytes);
    if (lines_.capacity() * sizeof(uint64_t) > accp::kKeptBytes) lines_ = {};
    return out;
}

// Of a result only the content counts, of other pages all texts.
void RepeatedText::read_page(const ModelRequest &request, const Page &page) {
    lines_.clear();
    bytes_ = repeated_bytes_ = 0;
    const accp::value::TreeView tree = request.tree();
    const uint32_t top = page.content ? page.content : page.node;
    for (uint32_t i = top; i < tree[top].next; ++i)
        if (tree[i].kind == ACCP_STRING) read_text(tree.string(i));
}

void RepeatedText::read_text(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = without_blanks(text.substr(at, end - at));
        at = end + 1;
        if (line.size() < kMinLine) continue;
        bytes_ += line.size();
        if (line.size() > kMaxLine) continue;
        // A table cannot hold 0.
        const uint64_t hash = accp::seeded_hash(line.data(), line.size(), key_.low) | 1;
        if (later_.find(hash, [hash](uint64_t other) { return other == hash; }))
            repeated_bytes_ += line.size();
        lines_.push_back(hash);
    }
}

}  // namespace proxy
