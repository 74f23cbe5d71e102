// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a model should be given of a session: specification section 5, docs/context.md. A pure
// engine: messages go in one by one, and at any moment a text comes out that is far shorter than
// their history. It knows no store, no clock and no thread, and the same messages make the same
// bytes.
//
// Hot holds the newest messages. A checkpoint takes out of them what is worth keeping, as facts and
// a summary, into warm; the messages themselves lie with the caller (cold), and the engine only
// names them. Nothing here looks at more than the newest message and a bounded state.
#pragma once

#include "base/arena.h"
#include "context/state.h"
#include "token/count.h"

namespace accp::context {

// intents done, esc, comp; above hot_due; checkpoint()
enum class CheckpointCause : uint8_t { kDone, kHandoff, kAsked, kFull, kPhase };

// Specification 5.3: an (entity, value, relationship) triple. The newest of one entity and
// relationship wins.
struct ContextFact {
    std::string_view entity, value, relationship;
};

// A checkpoint that was just made. Views, until the hook returns.
struct CheckpointView {
    uint32_t id = 0;  // 1, 2, 3…: $warm.ckpt_ID
    CheckpointCause cause = CheckpointCause::kPhase;
    // the messages that it closes, counted from 1; first > last for none
    uint64_t first = 0, last = 0;
    std::string_view summary, text;  // text: summary and facts, as the context has them
    uint32_t summary_tokens = 0, tokens = 0;
    const ContextFact *facts = nullptr;  // those that are its own
    uint32_t fact_count = 0;
};

struct ContextHooks {
    // Writes a summary of the frozen hot text, appended to `out`, one line or more. False, no valid
    // UTF-8, a line that begins with @, or more than summary_max tokens: the extractive one is
    // taken. It is written as any text is. It must depend on its arguments alone where restore() is
    // to rebuild the same state. May be NULL.
    bool (*summarise)(std::string_view hot, uint32_t summary_max, Buffer<char> &out,
                      void *user) = nullptr;
    // After each checkpoint, when the state is whole: save() may be called. May be NULL; must not
    // throw nor call what changes the engine.
    void (*checkpointed)(const CheckpointView &checkpoint, void *user) = nullptr;
    void *user = nullptr;
};

// Specification 7.1: GetBudget.
struct TokenUse {
    uint64_t hot_used, hot_max, warm_used, warm_max, total_used, total_max;
};

struct ContextScratch;

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

    // Takes the next message. Makes a checkpoint before it where hot would pass hot_max (decision
    // A60), and one after it on done, esc, comp and above hot_due; so 0, 1 or 2 of them, of which
    // the hook hears, once the message is taken. Fails only for a ref that is too long
    // (ACCP_ERR_ARG), a name that no frame has (E1001), where the tokenizer does (ACCP_ERR_IO), or
    // memory (OutOfMemory); then nothing changed.
    // `ref`: what the whole message is asked for by, such as $cold.m17: at most 64 bytes, no
    // spaces.
    Status append(const message::Message &message, std::string_view ref);
    // A phase boundary. With nothing in hot since the last one it makes none.
    Status checkpoint();

    // Appends the text for a model, and says how many tokens it has: at most `budget`, total_max
    // and what the history has. budget 0: as much as is worth it (docs/context.md). Hot is always
    // whole; a budget below its size is ACCP_E2003, and `out` as it was. Between checkpoints, and
    // for the same budget, each text begins with the one before.
    Status render(uint64_t budget, Buffer<char> &out, uint64_t &tokens);

    // Exact: the texts of hot() and of the retained checkpoints. Counts the latter anew;
    // ACCP_ERR_IO from a tokenizer of the host's.
    Status use(TokenUse &out) const;
    uint64_t hot_tokens() const { return state_.hot_tokens(); }
    uint64_t messages() const { return state_.messages; }            // so far
    uint32_t checkpoints() const { return state_.base.checkpoint; }  // the id of the newest, or 0
    // so many of them are in what save() writes
    uint64_t saved_messages() const { return state_.base.messages; }
    // What all messages are in the plain history; exact up to 16,384.
    uint64_t history_tokens() const { return state_.history; }

    // Of the texts that the state has: hot, warm, refs, and facts that no checkpoint has closed.
    size_t text_bytes() const {
        return state_.hot.size() + state_.refs.size() + state_.facts.size() +
               state_.warm.text_bytes();
    }

    // The text of a retained checkpoint (what $warm.ckpt_ID stands for), or a view without data.
    // Until the next change.
    std::string_view warm(uint32_t id) const;
    // The text of hot (what $hot stands for). Until the next change.
    std::string_view hot() const;

    // Appends the state as of the last checkpoint: at most kMaxContextState bytes. restore() and
    // the messages after saved_messages() make the same engine.
    void save(Buffer<char> &out) const;
    // Replaces the state. What save() did not write, or wrote for other options, is ACCP_ERR_ARG,
    // and nothing changed.
    Status restore(const char *state, size_t len);

private:
    Status count(std::string_view text, uint64_t &tokens) const;
    Status write(const message::Message &message, uint64_t &tokens, uint64_t &history);
    Status cut(std::string_view text, std::string_view ref, uint32_t max, uint32_t number,
               const ContextState &state, Buffer<char> &out, uint64_t &tokens);
    Status close(CheckpointCause cause, uint64_t room, std::string_view whole);
    Status learn(uint32_t id, std::string_view whole, ContextState &state, uint64_t &tokens);
    Status survive(uint64_t room, ContextState &state);
    Status keep_newest(uint64_t room, const ContextState &state, ContextState &next);
    Status front(uint64_t budget, Buffer<char> &out);
    void note(CheckpointCause cause, uint64_t first, uint32_t tokens);
    uint32_t summarise(uint32_t *lines, uint32_t count);
    void ask_for_summary(std::string_view hot);
    void commit();

    Memory &memory_;
    ContextScratch *scratch_;
    const ContextOptions options_;
    const ContextHooks hooks_;
    const uint64_t seed_;
    ContextState state_;
    mutable Buffer<char> view_;  // what warm() answers
};

}  // namespace accp::context
