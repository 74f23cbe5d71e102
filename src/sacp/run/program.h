// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message that was checked for a run, in canonical form with full names (SACP-RULES R41), and the
// progress of its parts.
#pragma once

#include "sacp/message/validator.h"

namespace accp::sacp {

class Program {
public:
    explicit Program(Memory &memory)
        : memory_(memory),
          checker_(memory),
          value_(memory),
          text_(memory),
          received_(memory),
          subtask_scopes_(memory),
          first_subtask_(memory) {}

    // Call it once. The library must outlive this object. Returns false, with an error or needs in
    // the verdict, if nothing may run.
    bool read(std::string_view message, uint64_t max_bytes, const Library &library, bool strict,
              Verdict &verdict);

    const Library &library() const { return *library_; }
    value::TreeView tree() const { return value_.view(); }
    std::string_view text() const { return text_.view(); }
    // The goal and plan as received, as JSON, for replies. message_id() is empty if the message has
    // none.
    std::string_view received_goal() const { return received_.view().substr(0, goal_len_); }
    std::string_view received_plan() const { return received_.view().substr(goal_len_); }
    std::string_view message_id() const {
        const uint32_t id = scope(0).node(kMsgId);
        return id ? tree().string(id) : std::string_view();
    }
    // Of the outermost message.
    OutFmt out_fmt() const {
        const uint32_t node = scope(0).node(kOutFmt);
        return node ? find_out_fmt(tree().string(node)) : OutFmt::kRaw;
    }
    bool strict() const { return strict_; }

    uint32_t scope_count() const { return static_cast<uint32_t>(scopes().scopes.size()); }
    uint32_t part_count() const { return static_cast<uint32_t>(scopes().parts.size()); }
    const Scope &scope(uint32_t number) const { return scopes().scopes[number]; }
    const Part &part(uint32_t number) const { return scopes().parts[number]; }
    bool is_step(uint32_t number) const { return part(number).kind == Part::kStep; }
    const Scopes &scopes() const { return checker_.scopes(); }

    // Finds a part by its path, like Scopes::find_part().
    uint32_t find_part(uint32_t scope, std::string_view &labels) {
        return checker_.scopes().find_part(checker_.scopes().scopes[scope], labels);
    }
    // The messages in the member `subtask`, and the scope of one of them, from 1.
    uint32_t subtask_count(uint32_t scope) const {
        return Scopes::subtask_count(tree(), this->scope(scope));
    }
    uint32_t subtask_scope(uint32_t scope, uint32_t number) const {
        return subtask_scopes_[first_subtask_[scope] + number - 1];
    }

    std::string_view verb(uint32_t step) const { return tree().string(part(step).node + 1); }
    std::string_view tool(uint32_t step) const {
        return tree().string(tree()[part(step).node + 1].next);
    }
    // Returns whether a step is the built-in join, which calls nothing (R45).
    bool is_builtin_join(uint32_t step) const {
        return part(step).verb == kJoin && tool(step) == "MERGE" && !library_->tool(kMerge);
    }
    // Returns whether the message itself requests a dry run (R47).
    bool is_dry_run(uint32_t scope) const;

private:
    void store_received(const Validator &validator);
    void index_subtasks();

    Memory &memory_;
    Checker checker_;
    value::Value value_;
    Buffer<char> text_, received_;
    size_t goal_len_ = 0;
    Buffer<uint32_t> subtask_scopes_, first_subtask_;
    const Library *library_ = nullptr;
    bool strict_ = true;
};

// A state changes only in this order; kDone and kFailed are final.
enum class State : uint8_t { kPending, kInProgress, kDone, kFailed };

// JSON in Progress::texts.
struct TextSlice {
    uint32_t at = 0, len = 0;
};

struct PartProgress {
    State state = State::kPending;
    bool has_params = false;
    uint32_t scope = 0;
    // For a step: its tries so far. For a parallel: its running branches. For a list: its last
    // part.
    uint32_t count = 0;
    uint32_t fallback = 0;          // the tool: 0 is its own, k the k-th fallback
    uint32_t attempt = UINT32_MAX;  // the current attempt of a step
    TextSlice params;               // with references resolved
    TextSlice output;               // the error if it failed; unused for a parallel that succeeded
    uint32_t first_entry = 0, last_entry = 0;  // of the trace, from 1; 0: none
};

struct ScopeProgress {
    State state = State::kPending;
    bool dry = false;
    uint32_t next_subtask = 0;  // the started messages of `subtask`
    uint32_t last_part = 0;     // the last direct part that ended
    TextSlice ctx;              // its own ctx, or empty
    TextSlice output;           // the error if it failed
};

class Progress {
public:
    explicit Progress(Memory &memory)
        : program(memory), parts(memory), scopes(memory), texts(memory) {}

    // Call it after the program was read.
    void begin() {
        for (uint32_t i = 0; i < program.part_count(); ++i) parts.push({});
        for (uint32_t i = 0; i < program.scope_count(); ++i) {
            scopes.push({});
            const Scope &scope = program.scope(i);
            for (uint32_t k = scope.first; k < scope.end; ++k) parts[k].scope = i;
        }
    }

    std::string_view text(TextSlice slice) const { return {texts.data() + slice.at, slice.len}; }
    TextSlice keep(std::string_view text) {  // must not be in `texts`
        const TextSlice slice = {static_cast<uint32_t>(texts.size()),
                                 static_cast<uint32_t>(text.size())};
        texts.append(text);
        return slice;
    }

    Program program;
    Buffer<PartProgress> parts;
    Buffer<ScopeProgress> scopes;
    Buffer<char> texts;
};

}  // namespace accp::sacp
