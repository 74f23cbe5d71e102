// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Explains a context page by page: what a page has cost, whether it is in the context, and why.
// Prices are in tokens of plain input, by the rules. They assume that each call reads from the
// cache what the call before it sent.
#pragma once

#include "context/state.h"

namespace accp::context {

enum class PageState : uint8_t {
    kResident,
    kPinned,
    kCut,         // it was too long when it came
    kEvicted,     // one line that names it
    kCheckpoint,  // shortened by a checkpoint, or the text of a checkpoint
    kRange,       // one line that names the first and the last of several messages
};

enum class PageReason : uint8_t {
    kPinned,
    kNewest,        // no model has read it yet
    kAlwaysStays,   // a request, a notice, a call, or few words of an agent
    kSmall,         // no longer than the line that would replace it
    kNoPrices,      // rule price_write is 0
    kShortContext,  // rule whole_max
    kUsed,          // it is likely to be needed again
    kRewriteCosts,  // evicting it saves less than writing the text after it again
    kSavesLittle,   // each eviction must save more
    kNextCall,      // it is evicted then
    kEvicted,
    kShortened,
    kRange,
};

struct ExplainedPage {
    uint64_t number = 0;      // its ref is $cold.m and this; 0: the text of a checkpoint
    uint64_t last = 0;        // of a range: the number of its last message
    uint32_t checkpoint = 0;  // that contains it; 0: none
    Source source = Source::kResult;
    bool untrusted = false;
    PageState state = PageState::kResident;
    PageReason reason = PageReason::kAlwaysStays;
    uint32_t tokens = 0;  // in the context
    uint32_t whole = 0;   // of the whole message; of a range: of its line
    uint32_t age = 0;     // calls of the model since it came; of a range: since its newest message
    uint64_t rent = 0;    // the price of its tokens in all contexts so far; 0 if it was evicted
    uint64_t fetch = 0;   // the price of bringing a message back; 0: all of it is there, or a range
    // Of a page that prices may evict: what evicting it saves, and what it costs.
    uint64_t saves = 0, costs = 0;
    uint64_t rewritten = 0;  // of kRewriteCosts: the tokens that are written again
};

struct PageTotals {
    uint64_t tokens = 0, whole = 0;
    uint32_t calls = 0;  // of a model, so far
    uint64_t evictions = 0;
    NewestEviction newest;  // if there was one; its saving is in tokens here
};

// Appends why the page is in its state, as one line for people.
void write_reason(const ExplainedPage &page, Buffer<char> &out);

}  // namespace accp::context
