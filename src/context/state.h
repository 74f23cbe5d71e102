// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// All that a context holds between two calls. Its text lies in one piece, as a model is given it,
// in units: first those that are pinned, then the checkpoints, then what is open. So between two
// folds it only grows at its end, and asking for it costs nothing.
//
// The saved form is: mark, options, counts, units, text, hidden, facts (numbers and texts as
// base/pack.h has them).
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "context/message.h"
#include "context/options.h"

namespace accp::context {

enum class UnitKind : uint8_t {
    kMessage,
    kFacts,      // the facts of a checkpoint
    kSummary,    // a host's own
    kReference,  // the name of the checkpoint that ends here
    kRange,      // names the first and the last of messages that are not there
};

// Small, as an idle session holds some hundreds.
struct Unit {
    static constexpr uint64_t kMaxNumber = (uint64_t{1} << 46) - 1;  // a store's numbers have 40

    uint64_t number : 46 = 0;  // of a message: its ref is $cold.m and this
    Source source : 2 = Source::kResult;
    UnitKind kind : 3 = UnitKind::kMessage;
    bool untrusted : 1 = false;
    bool stated : 1 = false;    // all that it says is facts
    bool cut : 1 = false;       // when it came: it was too long
    bool survives : 1 = false;  // a checkpoint has it already: it is only still open
    bool words : 1 = false;     // an agent's own: no result of a tool
    uint64_t level : 8 = 0;     // how often it became shorter; 1: an evicted page (pages.h)
    uint32_t end = 0;           // of its text, the newline with it
    uint32_t tokens = 0;        // of its text
    uint32_t hidden = 0;        // bytes in ContextState::hidden: lines that stand above already
    uint32_t checkpoint = 0;    // that it is in; 0: none
    uint32_t call = 0;          // how often a model was called before the message came
    uint32_t whole = 0;         // tokens of the whole message; of a range, its last number - number

    // A tool's result, and not an agent's own words.
    bool is_tool_result() const {
        return kind == UnitKind::kMessage && source == Source::kResult && !words;
    }
};
static_assert(sizeof(Unit) == 32);

enum class EvictionCause : uint8_t { kPrice, kExpired, kSpace };

struct NewestEviction {
    EvictionCause cause = EvictionCause::kPrice;
    uint32_t call = 0;    // of the model, at which it was
    uint32_t pages = 0;   // that became lines, or part of one
    uint64_t saving = 0;  // expected, in thousandths of a token of plain input; 0 for space
};

struct ContextCounts {
    uint32_t pinned = 0;      // units
    uint32_t open = 0;        // the first unit that is open
    uint32_t read = 0;        // units that were there when a model was called last
    uint32_t checkpoint = 0;  // the newest
    uint32_t calls = 0;       // of a model, so far
    bool acted = false;       // an agent has done something
    uint32_t new_facts = 0;   // bytes in ContextState::facts before those of what is open
    uint64_t messages = 0;    // so far
    uint64_t closed = 0;      // messages that the host was told of in checkpoints
    uint64_t history = 0;     // tokens of the plain history
    uint64_t evictions = 0;   // so far
    NewestEviction newest_eviction;
    // By the host's clock; 0: not known. A host may append the answer of a model late, together
    // with the result of a slow tool. The model was called after the message before that answer.
    uint64_t newest_ms = 0;  // when the newest message came
    uint64_t called_ms = 0;  // when the newest answer of a model came
    uint64_t asked_ms = 0;   // when the message before it came
    // Tokens of what is pinned, closed and open: sum_tokens().
    uint64_t pinned_tokens = 0, closed_tokens = 0, open_tokens = 0;
};

struct ContextState : ContextCounts {
    explicit ContextState(Memory &memory)
        : text(memory), units(memory), hidden(memory), facts(memory) {}

    Buffer<char> text;
    Buffer<Unit> units;
    Buffer<char> hidden;  // of the units in order, run by run: write_run()
    Buffer<char> facts;   // records (facts.h), in the order of their messages

    ContextCounts &counts() { return *this; }
    const ContextCounts &counts() const { return *this; }

    size_t begin(size_t unit) const { return unit ? units[unit - 1].end : 0; }
    std::string_view text_of(size_t unit) const {
        return text.view().substr(begin(unit), units[unit].end - begin(unit));
    }
    std::string_view text_of(size_t from, size_t to) const {
        return text.view().substr(begin(from), begin(to) - begin(from));
    }
    uint64_t tokens(size_t from, size_t to) const {
        uint64_t sum = 0;
        for (size_t i = from; i < to; ++i) sum += units[i].tokens;
        return sum;
    }
    uint64_t all_tokens() const { return pinned_tokens + closed_tokens + open_tokens; }
    uint64_t hot_tokens() const { return open_tokens + (hot() < open ? units[hot()].tokens : 0); }
    // Where hot begins: with the name of the newest checkpoint, if it has one there.
    size_t hot() const {
        return open && units[open - 1].kind == UnitKind::kReference ? open - 1 : open;
    }

    // Can this unit become one line with the unit before it? Not across the end of a checkpoint.
    bool can_join(size_t unit) const {
        return unit > pinned && unit != open &&
               units[unit].checkpoint == units[unit - 1].checkpoint;
    }

    // Sets the sums of tokens by the units.
    void sum_tokens() {
        pinned_tokens = tokens(0, pinned);
        closed_tokens = tokens(pinned, open);
        open_tokens = tokens(open, units.size());
    }
    // Space for one more unit, its lines left out, and its facts.
    void reserve(size_t text_bytes, size_t hidden_bytes, size_t fact_bytes);
    // Appends; its end is set.
    void add(Unit unit, std::string_view text_of_it, std::string_view hidden_of_it);
    void clear();
    // With space for what the other has, and not much more; OutOfMemory leaves all as it was.
    void assign_tightly(const ContextState &other, Memory &memory);
};

// Puts a state back to what it was, unless take() is called: what was only added to, and whose
// counts have changed.
class Undo {
public:
    explicit Undo(ContextState &state)
        : state_(state),
          counts_(state.counts()),
          text_(state.text.size()),
          units_(state.units.size()),
          hidden_(state.hidden.size()),
          facts_(state.facts.size()) {}
    Undo(const Undo &) = delete;
    Undo &operator=(const Undo &) = delete;
    ~Undo() {
        if (taken_) return;
        state_.counts() = counts_;
        state_.text.resize_down(text_);
        state_.units.resize_down(units_);
        state_.hidden.resize_down(hidden_);
        state_.facts.resize_down(facts_);
    }
    void take() { taken_ = true; }

private:
    ContextState &state_;
    const ContextCounts counts_;
    const size_t text_, units_, hidden_, facts_;
    bool taken_ = false;
};

// While it exists, the state is as it will be when the model has been called once more.
class NextCall {
public:
    explicit NextCall(ContextState &state) : undo_(state) {
        ++state.calls;
        state.read = static_cast<uint32_t>(state.units.size());
    }

private:
    Undo undo_;
};

// Lines that were left out where a gap stands. Reading takes one off the front; false for none.
void write_run(std::string_view lines, Buffer<char> &out);
bool read_run(std::string_view &hidden, std::string_view &lines);

// The saved form, appended; and back. ACCP_ERR_ARG for what is no such text.
void write_state(const ContextState &state, const ContextOptions &options, Buffer<char> &out);
Status read_state(std::string_view bytes, const ContextOptions &options, ContextState &out);

}  // namespace accp::context
