// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks whether a message can run. The checks follow SACP-RULES in order; the first failure is the
// verdict.
//
//   check.cc          2 to 5: the members of a message
//                     6a: the shape of its plan; the names of verbs, tools and params
//   check_meaning.cc  6b: references
//                     7, 8: verbs and tools of the library, types of params
//                     10: what is still missing if nothing is wrong
#pragma once

#include "base/slots.h"
#include "sacp/library/aliases.h"
#include "sacp/message/message.h"
#include "sacp/message/reference.h"
#include "sacp/message/scopes.h"
#include "sacp/message/verdict.h"

namespace accp::sacp {

class Checker {
public:
    explicit Checker(Memory &memory);

    enum Extent : uint8_t {
        kShape,  // checks 2 to 6a, also of nested messages
        kAll
    };
    struct Rules {
        const Library *library;
        bool strict;  // verbs and tools that the library does not have are errors
        Extent extent = kAll;
        const value::JsonReader *origins = nullptr;  // maps the tree to offsets in its text
    };

    // Checks a message of version 0.1. `verdict` must be clear. Returns true if there is no error;
    // `verdict` may then still list missing values. The tree must stay valid until the next check.
    bool check(value::TreeView tree, const Rules &rules, Verdict &verdict);

    // The message and its nested messages. After an error, only those that were checked before it.
    const Scopes &scopes() const { return scopes_; }
    Scopes &scopes() { return scopes_; }  // not const: Scopes::find_part() builds an index

private:
    // Adding a scope can move the others in memory, so scopes are passed by number.
    Scope &scope(uint32_t number) { return scopes_.scopes[number]; }

    bool check_scope(uint32_t number);
    bool check_nested(uint32_t number);
    bool check_inner(uint32_t outer, uint32_t message, uint32_t part, uint32_t number);

    bool check_members(Scope &scope);
    bool check_types(const Scope &scope);
    bool check_ids(const Scope &scope);
    bool check_subtask(const Scope &scope);

    bool check_plan_shape(Scope &scope);
    bool add_parts(Scope &scope, uint32_t list, uint32_t parent, uint32_t parallels);
    bool add_part(Scope &scope, uint32_t node, uint32_t parent, uint32_t label, uint32_t parallels);
    bool add_parallel(Scope &scope, uint32_t part, uint32_t parallels);
    bool check_step(const Scope &scope, uint32_t part);
    void name_params(Part &step);

    bool check_references(Scope &scope);
    bool check_subtask_ctx(Scope &scope, uint32_t message, uint32_t number);
    bool check_range(Scope &scope, uint32_t begin, uint32_t end, uint32_t part, uint32_t number);
    bool check_reference(Scope &scope, uint32_t node, uint32_t part, uint32_t number);
    uint32_t ctx_of(uint32_t message) const {
        return tree_[message].kind == ACCP_MAP ? tree_.find(message, "ctx") : 0;
    }

    bool check_vocabulary(const Scope &scope);
    bool check_step_vocabulary(const Scope &scope, uint32_t part);
    bool check_spawn_step(const Scope &scope, uint32_t part);
    bool is_declared(const Scope &scope, std::string_view tool) const;
    void declare(const Scope &scope, uint32_t node);
    uint64_t number_of(const Scope &scope) const {
        return static_cast<uint64_t>(&scope - scopes_.scopes.data()) + 1;
    }
    uint32_t find_param(const Part &step, NameId wanted) const;
    bool check_param_types(const Scope &scope, uint32_t part);

    void find_needs(uint32_t number);
    void find_step_needs(uint32_t number, uint32_t part);
    void find_ctx_needs(uint32_t number, uint32_t message);
    void find_range_needs(uint32_t number, uint32_t begin, uint32_t end);
    bool has_ctx(uint32_t number, std::string_view labels, bool filled);
    uint32_t find_ctx_member(uint32_t number, std::string_view name);
    std::string_view full_label(uint32_t number, std::string_view label);
    void resolve_ctx_names(Scope &own);

    // Each returns false. For the message itself, and for a part.
    bool refuse(const Scope &scope, Code code, const char *details, uint32_t node);
    bool refuse_part(const Scope &scope, Code code, const char *details, uint32_t part,
                     uint32_t node);
    uint64_t byte_of(uint32_t node) const {
        return rules_.origins ? rules_.origins->origin(node).value : 0;
    }

    value::TreeView tree_ = {};
    Rules rules_ = {};
    Verdict *verdict_ = nullptr;
    Scopes scopes_;
    KeyResolver key_resolver_;
    TreeIndex index_;
    Slots declared_;  // scope numbers plus 1, and nodes of the tool names that their plans define
    Buffer<char> text_;
    uint64_t seed_;
};

}  // namespace accp::sacp
