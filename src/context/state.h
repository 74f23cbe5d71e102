// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The state of a context between two calls. Its text is one string, in the form that a model gets,
// and is divided into units: the pinned ones, then those of checkpoints, then the open ones. It
// only grows at its end until units are evicted or folded, so reading it costs nothing.
//
// The saved form is: mark, options, counts, units, text, hidden, facts (numbers and texts as in
// base/pack.h).
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "context/message.h"
#include "context/options.h"

namespace accp::context {

enum class UnitKind : uint8_t {
    kMessage,
    kFacts,      // the facts of a checkpoint
    kSummary,    // from a host's hook
    kReference,  // the name of the checkpoint that ends here
    kRange,      // names the first and the last of several missing messages
};

// Small, because an idle session has some hundreds.
struct Unit {
    static constexpr uint64_t kMaxNumber = (uint64_t{1} << 40) - 1;  // as in a store
    static constexpr uint64_t kMaxLevel = 3, kMaxMedia = 63;

    uint64_t number : 40 = 0;  // of a message: its ref is $cold.m and this
    Source source : 2 = Source::kResult;
    UnitKind kind : 3 = UnitKind::kMessage;
    bool untrusted : 1 = false;
    bool stated : 1 = false;    // it has facts alone
    bool cut : 1 = false;       // it was too long when it came
    bool survives : 1 = false;  // it is in a checkpoint and still open
    bool words : 1 = false;     // the operation is not `tool`
    uint64_t level : 2 = 0;     // how often it became shorter; 1: an evicted page (pages.h)
    uint64_t media : 6 = 0;     // images, documents and audio, for which its text has lines
    uint32_t end = 0;           // byte after its text, which ends with a newline
    uint32_t tokens = 0;        // of its text
    uint32_t hidden = 0;        // its bytes in ContextState::hidden
    uint32_t checkpoint = 0;    // that contains it; 0: none
    uint32_t call = 0;          // calls of the model before the message came
    uint32_t whole = 0;         // tokens of the whole message; of a range, its last number - number

    uint32_t media_tokens() const { return static_cast<uint32_t>(media) * kMediaTokens; }
    // Returns whether it is the result of a tool, not words of an agent.
    bool is_tool_result() const {
        return kind == UnitKind::kMessage && source == Source::kResult && !words;
    }
};
static_assert(sizeof(Unit) == 32);

enum class EvictionCause : uint8_t { kPrice, kExpired, kSpace };

struct NewestEviction {
    EvictionCause cause = EvictionCause::kPrice;
    uint32_t call = 0;    // calls of the model before it
    uint32_t pages = 0;   // that became lines, or parts of one
    uint64_t saving = 0;  // expected, in thousandths of a token of plain input; 0 for space
};

struct ContextCounts {
    uint32_t pinned = 0;      // units
    uint32_t open = 0;        // the first unit that is open
    uint32_t read = 0;        // units that the newest call of a model had
    uint32_t checkpoint = 0;  // the newest
    uint32_t calls = 0;       // of a model, so far
    bool acted = false;       // there was an act
    uint32_t new_facts = 0;   // bytes in ContextState::facts before those of open units
    uint64_t messages = 0;    // so far
    uint64_t closed = 0;      // messages that checkpoints have reported to the host
    uint64_t history = 0;     // tokens of the plain history
    uint64_t evictions = 0;   // so far
    NewestEviction newest_eviction;
    // Times by the host's clock; 0: unknown. A host may append a reply of a model late, together
    // with the result of a slow tool. The model was called after the message before that reply.
    uint64_t newest_ms = 0;  // of the newest message
    uint64_t called_ms = 0;  // of the newest reply of a model
    uint64_t asked_ms = 0;   // of the message before that reply
    // Tokens of the pinned, closed and open units: sum_tokens().
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
    // Returns the first unit of hot, which is the name of the newest checkpoint if there is one.
    size_t hot() const {
        return open && units[open - 1].kind == UnitKind::kReference ? open - 1 : open;
    }

    // Returns whether one line may replace this unit and the one before it: both are in the same
    // checkpoint, or both are open.
    bool can_join(size_t unit) const {
        return unit > pinned && unit != open &&
               units[unit].checkpoint == units[unit - 1].checkpoint;
    }

    // Sets the sums of tokens.
    void sum_tokens() {
        pinned_tokens = tokens(0, pinned);
        closed_tokens = tokens(pinned, open);
        open_tokens = tokens(open, units.size());
    }
    // Reserves space for one more unit, its hidden lines and its facts.
    void reserve(size_t text_bytes, size_t hidden_bytes, size_t fact_bytes);
    // Appends a unit and sets its end.
    void add(Unit unit, std::string_view text_of_it, std::string_view hidden_of_it);
    void clear();
    // Copies the other state with little spare space. On OutOfMemory nothing has changed.
    void assign_tightly(const ContextState &other, Memory &memory);
};

// Restores a state unless take() is called, if texts and units were only appended and counts
// changed.
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

// While it exists, the state is as after one more call of the model.
class NextCall {
public:
    explicit NextCall(ContextState &state) : undo_(state) {
        ++state.calls;
        state.read = static_cast<uint32_t>(state.units.size());
    }

private:
    Undo undo_;
};

// Writes the lines that a gap stands for. Reading removes the first such run; it returns false if
// there is none.
void write_run(std::string_view lines, Buffer<char> &out);
bool read_run(std::string_view &hidden, std::string_view &lines);

// Appends the saved form. Reading returns ACCP_ERR_ARG if the bytes are not a saved state.
void write_state(const ContextState &state, const ContextOptions &options, Buffer<char> &out);
Status read_state(std::string_view bytes, const ContextOptions &options, ContextState &out);

}  // namespace accp::context
