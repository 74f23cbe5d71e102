// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/anchor.h"

#include <algorithm>

namespace proxy {

Anchor::Anchor(const ModelRequest &request, const std::vector<PageState> &states,
               const FirstLeaving &first_leaving)
    : request_(request) {
    const uint32_t now = request.calls() + 1;
    uint32_t first = UINT32_MAX;
    for (const PageState &state : states)
        if (state.is_evicted()) first = std::min<uint32_t>(first, state.evicted_at);
    // The call after the first eviction is the first with an anchor.
    if (first >= now) return;
    next_ = request.request_end_before(first_leaving(now));
    // A call that evicts keeps the anchor of the call before it.
    const auto evicts = [&states](uint32_t call) {
        return std::any_of(states.begin(), states.end(),
                           [call](const PageState &state) { return state.evicted_at == call; });
    };
    uint32_t call = now - 1;
    while (call > first && evicts(call)) --call;
    if (call > first) last_ = request.request_end_before(first_leaving(call));
    can_move_ = next_ && find_mark();
}

bool Anchor::is_marked(size_t page) const {
    return std::any_of(request_.marks().begin(), request_.marks().end(),
                       [page](const Mark &mark) { return mark.page == page; });
}

// Finds the mark that becomes the anchor. Returns false if no mark may be moved or added.
bool Anchor::find_mark() {
    const std::vector<Page> &pages = request_.pages();
    const std::vector<Mark> &marks = request_.marks();
    const accp::value::TreeView tree = request_.tree();
    for (const size_t page : {last_, next_})
        if (page && tree[pages[page].node].kind != ACCP_MAP) return false;
    const size_t before = request_.request_end_before(pages.size());
    if (marks.empty() || marks.back().page + 1 != pages.size() ||
        marks.back().page - before >= ModelRequest::kLookBack)
        return false;
    // A mark for five minutes must not come before one for an hour.
    const std::string_view newest = request_.raw(marks.back().node);
    const size_t first = last_ ? std::min(last_, next_) : next_;
    for (const Mark &mark : marks)
        if (mark.page > first && request_.raw(mark.node) != newest) return false;
    if (request_.mark_count() < ModelRequest::kMaxMarks) return true;
    if (marks.size() < 2 || marks.end()[-2].page < next_) return false;
    moved_ = &marks.end()[-2];
    return true;
}

void Anchor::add_edits(bool evicts, std::vector<Edit> &edits) const {
    if (!can_move_) return;
    const size_t page = place(evicts);
    if (is_marked(page)) return;
    const size_t block = request_.begin_of(request_.pages()[page].node) + 1;
    const std::string value(request_.raw(request_.marks().back().node));
    edits.push_back({block, block, '"' + std::string(kCacheMark) + "\":" + value + ','});
    if (!moved_) return;
    Edit removal = member_removal(request_.body(), request_.key_of(moved_->node),
                                  request_.end_of(request_.begin_of(moved_->node)));
    // A replaced content that had the mark has lost it.
    const bool is_gone = std::any_of(edits.begin(), edits.end(), [&](const Edit &edit) {
        return edit.begin <= removal.begin && removal.end <= edit.end;
    });
    if (!is_gone) edits.push_back(std::move(removal));
}

uint32_t Anchor::moved_mark(bool evicts) const {
    return can_move_ && moved_ && !is_marked(place(evicts)) ? moved_->node : 0;
}

}  // namespace proxy
