// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The anchor: a cache mark before everything that may leave a conversation of the Messages
// interface in the next calls.
//
// Anthropic finds a prefix in its cache only at a place that an earlier request marked, within 20
// blocks before a mark of the new request. Clients mark the end of a request. After an eviction no
// such place is left before the evicted page, and everything after the system prompt is written
// again. So in a conversation with evictions one more place is marked. It is the last end of an
// earlier request before the first result that may soon leave. The mark is a new one, or the
// client's second-last one, which is not needed while the last one is near the end of the request
// before.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proxy/conversations.h"
#include "proxy/json_text.h"
#include "proxy/request.h"

namespace proxy {

class Anchor {
public:
    // `states`: the states of the request's pages, before this call evicts anything.
    // `first_leaving`: returns the first page that may leave in call n or soon after it, before
    // that call evicts anything; or the last page of that call's request. Calls are counted from
    // 1. All arguments are borrowed.
    using FirstLeaving = std::function<size_t(uint32_t call)>;
    Anchor(const ModelRequest &request, const std::vector<PageState> &states,
           const FirstLeaving &first_leaving);

    // Returns the page at whose end the provider can read its cache, whatever this call evicts,
    // because the call before had its anchor there; or 0.
    size_t readable() const { return can_move_ ? last_ : 0; }

    // Returns the node of the client's mark that add_edits() removes; 0: none.
    uint32_t moved_mark(bool evicts) const;
    // Appends the edits that set the anchor of this call. `evicts`: this call evicts pages.
    // `edits`: has the replaced contents already, without moved_mark().
    void add_edits(bool evicts, std::vector<Edit> &edits) const;

private:
    bool find_mark();
    bool is_marked(size_t page) const;
    size_t place(bool evicts) const { return evicts && last_ ? last_ : next_; }

    const ModelRequest &request_;
    size_t last_ = 0, next_ = 0;  // pages
    bool can_move_ = false;
    const Mark *moved_ = nullptr;  // the client's mark that becomes the anchor; nullptr: a new one
};

}  // namespace proxy
