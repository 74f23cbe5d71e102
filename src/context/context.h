// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The context that a model gets in place of the history: specification section 5, docs/context.md.
// Messages are appended one by one, and a text can be read at any time that costs less than the
// history. The engine uses no store, no clock and no thread, and the same messages give the same
// bytes.
//
// The text has blocks, the most stable first: the pinned messages (notices of the host and the
// first request), checkpoints in their order, and the open messages. Each message is a page, which
// is in the text whole or as one line that names it (pages.h). The text only grows at its end until
// pages are evicted. Under the rules of the specification a checkpoint folds messages into a
// smaller text instead. The caller keeps the messages themselves (cold); the engine only names
// them.
#pragma once

#include "context/blocks.h"
#include "context/checkpoint.h"
#include "context/pages.h"
#include "context/state.h"
#include "token/count.h"

namespace accp::context {

// Specification 7.1: GetBudget.
struct TokenUse {
    uint64_t hot_used, hot_max, warm_used, warm_max, total_used, total_max;
};

struct ContextScratch;
struct FoldOrder;
struct ExplainedPage;
struct PageTotals;
class LineSet;

class Context {
public:
    // Both are borrowed, and many contexts of one thread may share them. The options are valid().
    Context(Memory &memory, ContextScratch &scratch, const ContextOptions &options,
            const ContextHooks &hooks = {});
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    // Sets the scratch of the calling thread. Its counter has the same tokenizer.
    void set_scratch(ContextScratch &scratch) { scratch_ = &scratch; }

    // Appends the next message. Evicts pages before it (pages.h); without prices, folds messages if
    // hot would exceed hot_max (decision A60). Makes checkpoints after it on done, esc, comp and
    // above hot_due, and reports them to the hook at the end. Fails if a name is not valid in a
    // frame (E1001), if the tokenizer fails (ACCP_ERR_IO) or if memory runs out (OutOfMemory); then
    // nothing has changed. `number`: larger than that of the message before; the ref of the message
    // is $cold.m and this number. `now_ms`: the host's time; 0: it has no clock.
    Status append(const message::Message &message, uint64_t number, uint64_t now_ms = 0);
    // Makes a checkpoint at a phase boundary, if there is a message since the last one.
    Status checkpoint();
    // Returns whether there is a message since the last checkpoint.
    bool has_open() const { return state_.closed < state_.messages; }

    // Appends the text for a model, and sets its number of tokens. A budget other than 0 is the
    // maximum: the text has the pinned messages, the newest message, and as much of the rest as has
    // space (pages.h). Returns ACCP_E2003 and leaves `out` unchanged if the pinned messages alone
    // exceed the budget. Between two evictions, and for the same budget, each text begins with the
    // one before, unless the budget leaves out more.
    Status render(uint64_t budget, Buffer<char> &out, uint64_t &tokens);
    // Replaces `out` with the same text, and `blocks` with its blocks, none of which is empty.
    Status blocks(uint64_t budget, Buffer<Block> &blocks, Buffer<char> &out);

    // Replaces `out` with an explanation of each page (explain.h).
    PageTotals explain(Buffer<ExplainedPage> &out);

    // Returns the price of the last text of render() or blocks(), which has this many tokens, and
    // the price of all messages. The unit is a thousandth of a token of plain input, at the prices
    // of the rules. The unchanged front of the previous context is read from a provider's cache.
    struct Price {
        uint64_t context, history;
        uint64_t cached;  // tokens of the context that the cache serves
    };
    Price charge(uint64_t tokens);

    TokenUse use() const;
    uint64_t hot_tokens() const { return state_.hot_tokens(); }
    uint64_t all_tokens() const { return state_.all_tokens(); }  // of a text without a budget
    uint64_t left_out() const { return left_out_; }        // messages, because of the newest budget
    uint64_t messages() const { return state_.messages; }  // so far
    uint64_t evictions() const { return state_.evictions; }     // so far
    uint32_t checkpoints() const { return state_.checkpoint; }  // the id of the newest, or 0
    // Returns the tokens of the plain history; exact up to 16,384.
    uint64_t history_tokens() const { return state_.history; }
    // Returns the bytes of all texts of the state.
    size_t text_bytes() const {
        return state_.text.size() + state_.hidden.size() + state_.facts.size();
    }
    const ContextState &state() const { return state_; }
    // Returns the units of the newest text of render() or blocks(). Valid until the next call on
    // this context, or on another one with this scratch.
    const ContextState &shown() const { return *shown_; }

    // Returns the text of a retained checkpoint ($warm.ckpt_ID), or a view without data. Valid
    // until the next change.
    std::string_view warm(uint32_t id) const;
    // Returns the text of hot ($hot). Valid until the next change.
    std::string_view hot() const { return state_.text_of(state_.hot(), state_.units.size()); }

    // Appends the state, from which restore() makes the same engine.
    void save(Buffer<char> &out) const { write_state(state_, options_, out); }
    // Replaces the state. Returns ACCP_ERR_ARG and changes nothing if save() did not write the
    // bytes, or if it wrote them under other options.
    Status restore(const char *state, size_t len);

private:
    struct Arriving {
        Unit unit;
        std::string_view text;
        uint64_t history = 0, now_ms = 0;
        bool pins = false;
    };

    static uint64_t new_text_id();
    Status write(const message::Message &said, Arriving &out);
    Status arrive(const ContextState &state, Arriving &out);
    Status leave_out_known(const ContextState &state, Arriving &out);
    Status cut(uint32_t max, Arriving &out);
    void take(ContextState &state, const Arriving &message) const;
    bool pins(const message::Message &message, Source source) const;
    bool is_read(const message::Message &message, Source source) const;
    bool is_cold(uint64_t now_ms) const;
    Status evict_before(const Arriving &message, bool is_call, uint64_t now_ms,
                        const ContextState *&now);
    bool has_room(const ContextState &state, const Arriving &message) const;
    const LineSet &lines_of(const ContextState &state);
    Status evict(const Eviction &eviction, const ContextState *&now);
    Status fold(const FoldOrder &order, const ContextState *&now);
    Status fold_before(const Arriving &message, const ContextState *&now);
    Status close(CheckpointCause cause, ContextState &state, const ContextState *&now);
    struct Checkpoints {
        uint32_t count = 0;
        uint32_t second = 0;    // the id of the second oldest
        size_t second_end = 0;  // the unit after it
    };
    static Checkpoints checkpoints_of(const ContextState &state);
    Status merge_oldest(const ContextState *&now);
    ContextState &draft_beside(const ContextState *now);
    Status fit(uint64_t budget);
    Status fit_newest(uint64_t budget);
    size_t first_to_change();
    BlockKind kind_of(size_t unit) const;
    void add_unit(size_t unit, Buffer<Block> &blocks, Buffer<char> &out) const;
    void commit(const ContextState *now);
    void tell();

    Memory &memory_;
    ContextScratch *scratch_;
    const ContextOptions options_;
    const ContextHooks hooks_;
    ContextState state_;
    uint64_t text_id_;  // unique; replaced by each change other than at the end of the text
    // The front of the text that was charged last, as far as it is unchanged; and its history.
    size_t sent_bytes_ = 0;
    uint64_t sent_tokens_ = 0, sent_history_ = 0;
    const ContextState *shown_ = &state_;  // of the newest text; a draft if a budget was too small
    uint64_t left_out_ = 0;
};

}  // namespace accp::context
