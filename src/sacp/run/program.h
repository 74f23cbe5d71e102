// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message that can be run: checked, and in its canonical form with full names (SACP-RULES R41).
#pragma once

#include "sacp/message/validator.h"

namespace accp::execute {

class Program {
public:
    explicit Program(Memory &memory)
        : memory_(memory),
          checker_(memory),
          value_(memory),
          text_(memory),
          received_(memory),
          subs_(memory),
          first_subs_(memory) {}

    // To be called once. The library stays where it is. False, with a verdict that is an error or
    // says what is needed: nothing may run.
    bool read(std::string_view message, uint64_t max_bytes, const plan::Library &library,
              bool strict, plan::Verdict &verdict);

    const plan::Library &library() const { return *library_; }
    value::TreeView tree() const { return value_.view(); }
    std::string_view text() const { return text_.view(); }
    // As they came: what a reply repeats, JSON; and the message's id, empty where it has none.
    std::string_view received_goal() const { return received_.view().substr(0, goal_len_); }
    std::string_view received_plan() const { return received_.view().substr(goal_len_); }
    std::string_view message_id() const {
        const uint32_t id = scope(0).node(plan::kMsgId);
        return id ? tree().string(id) : std::string_view();
    }
    // Of the whole message.
    plan::OutFmt out_fmt() const {
        const uint32_t node = scope(0).node(plan::kOutFmt);
        return node ? plan::find_out_fmt(tree().string(node)) : plan::OutFmt::kRaw;
    }
    bool strict() const { return strict_; }

    uint32_t scope_count() const { return static_cast<uint32_t>(scopes().scopes.size()); }
    uint32_t part_count() const { return static_cast<uint32_t>(scopes().parts.size()); }
    const plan::Scope &scope(uint32_t number) const { return scopes().scopes[number]; }
    const plan::Part &part(uint32_t number) const { return scopes().parts[number]; }
    bool is_step(uint32_t number) const { return part(number).kind == plan::Part::kStep; }
    const plan::Scopes &scopes() const { return checker_.scopes(); }

    // A part of this scope by its path, as Scopes::find_part().
    uint32_t find_part(uint32_t scope, std::string_view &labels) {
        return checker_.scopes().find_part(checker_.scopes().scopes[scope], labels);
    }
    // The scope of message `number`, from 1, of the member subtask.
    uint32_t sub_count(uint32_t scope) const {
        return plan::Scopes::subtask_count(tree(), this->scope(scope));
    }
    uint32_t sub(uint32_t scope, uint32_t number) const {
        return subs_[first_subs_[scope] + number - 1];
    }

    std::string_view verb(uint32_t step) const { return tree().string(part(step).node + 1); }
    std::string_view tool(uint32_t step) const {
        return tree().string(tree()[part(step).node + 1].next);
    }
    // The join that is built in, which calls nothing (R45)?
    bool merges(uint32_t step) const {
        return part(step).verb == plan::kJoin && tool(step) == "MERGE" &&
               !library_->tool(plan::kMerge);
    }
    // Does a message ask for a dry run itself (R47)?
    bool asks_dry_run(uint32_t scope) const;

private:
    void keep_received(const plan::Validator &validator);
    void index_subs();

    Memory &memory_;
    plan::Checker checker_;
    value::Value value_;
    Buffer<char> text_, received_;
    size_t goal_len_ = 0;
    Buffer<uint32_t> subs_, first_subs_;
    const plan::Library *library_ = nullptr;
    bool strict_ = true;
};

}  // namespace accp::execute
