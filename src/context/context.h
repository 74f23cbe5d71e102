// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a model should be given of a session: specification section 5, docs/context.md. A pure
// engine: messages go in one by one, and at any moment a text comes out that costs far less than
// their history. It knows no store, no clock and no thread, and the same messages make the same
// bytes.
//
// The text is blocks, the most stable first: what is pinned (what the host said, the first
// request), checkpoints in their order, and what is open. Each message is a page: it stands there
// whole, or as one line that names it (pages.h). The text only grows at its end until pages are
// evicted. Under the rules of the specification a checkpoint folds messages into a smaller text
// instead. The messages themselves lie with the caller (cold), and the engine only names them.
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
    // Both are borrowed, and may serve many contexts of one thread; of the memory it takes what it
    // keeps. The options are valid().
    Context(Memory &memory, ContextScratch &scratch, const ContextOptions &options,
            const ContextHooks &hooks = {});
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    // Another scratch with a counter of the same tokenizer, from now on: one of the thread that
    // calls.
    void set_scratch(ContextScratch &scratch) { scratch_ = &scratch; }

    // Takes the next message. Before it, pages are evicted (pages.h); without prices, messages are
    // folded if hot would pass hot_max (decision A60). After it, checkpoints are made on done, esc,
    // comp and above hot_due. The hook hears of them once the message is taken. Fails only for a
    // name that no frame has (E1001), where the tokenizer does (ACCP_ERR_IO), or memory
    // (OutOfMemory); then nothing changed. `number`: larger than that of the message before; the
    // whole message is asked for by $cold.m and it. `now_ms`: the host's time; 0: it has no clock.
    Status append(const message::Message &message, uint64_t number, uint64_t now_ms = 0);
    // A phase boundary. Where nothing was said since the last one it makes none.
    Status checkpoint();
    // Was anything said since the last checkpoint?
    bool has_open() const { return state_.closed < state_.messages; }

    // Appends the text for a model, and sets its number of tokens. budget 0: all of it. Else at
    // most so many: what is pinned and the newest message, and of the rest what has room (pages.h).
    // ACCP_E2003 if what is pinned alone has more; then `out` is as it was. Between two evictions,
    // and for the same budget, each text begins with the one before, unless the budget leaves out
    // more.
    Status render(uint64_t budget, Buffer<char> &out, uint64_t &tokens);
    // The same, and where its blocks lie in it; in place of what both had. No block is empty.
    Status blocks(uint64_t budget, Buffer<Block> &blocks, Buffer<char> &out);

    // Explains the context page by page (explain.h), in place of what `out` had.
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
    uint64_t left_out() const { return left_out_; }  // messages that the newest budget left out
    uint64_t messages() const { return state_.messages; }       // so far
    uint64_t evictions() const { return state_.evictions; }     // so far
    uint32_t checkpoints() const { return state_.checkpoint; }  // the id of the newest, or 0
    // What all messages are in the plain history; exact up to 16,384.
    uint64_t history_tokens() const { return state_.history; }
    // Of the texts that the state has.
    size_t text_bytes() const {
        return state_.text.size() + state_.hidden.size() + state_.facts.size();
    }
    const ContextState &state() const { return state_; }
    // The units of the newest text of render() or blocks(). Until the next call on this context, or
    // on another one with this scratch.
    const ContextState &shown() const { return *shown_; }

    // The text of a retained checkpoint (what $warm.ckpt_ID stands for), or a view without data.
    // Until the next change.
    std::string_view warm(uint32_t id) const;
    // The text of hot (what $hot stands for). Until the next change.
    std::string_view hot() const { return state_.text_of(state_.hot(), state_.units.size()); }

    // Appends the state. restore() makes the same engine.
    void save(Buffer<char> &out) const { write_state(state_, options_, out); }
    // Replaces the state. What save() did not write, or wrote for other options, is ACCP_ERR_ARG,
    // and nothing changed.
    Status restore(const char *state, size_t len);

private:
    struct Arriving {
        Unit unit;
        std::string_view text;
        uint64_t history = 0, now_ms = 0;
        bool pins = false;
    };

    static uint64_t new_text_id();
    Status count(std::string_view text, uint64_t &tokens) const;
    Status write(const message::Message &said, Arriving &out);
    Status arrive(const ContextState &state, Arriving &out);
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
    uint64_t text_id_;  // unique; another one after each change other than at the end of the text
    // Of the text that was charged last, what is at the front still; and its history.
    size_t sent_bytes_ = 0;
    uint64_t sent_tokens_ = 0, sent_history_ = 0;
    const ContextState *shown_ = &state_;  // of the newest text; a draft if a budget was too small
    uint64_t left_out_ = 0;
};

}  // namespace accp::context
