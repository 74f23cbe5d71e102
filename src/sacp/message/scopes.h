// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message and its nested messages as flat arrays of scopes and plan parts, for checks and runs.
#pragma once

#include <span>

#include "sacp/library/library.h"
#include "sacp/message/message.h"

namespace accp::sacp {

constexpr uint32_t kNoPart = UINT32_MAX;
constexpr uint32_t kMaxParallels = 5;  // nested levels of parallels, and of messages (R4)
constexpr uint32_t kMaxNested = 5;

// A part of a plan: a step, a parallel (branches that run at the same time), or a branch that is a
// list of steps. In Scopes::parts it comes before the parts inside it.
struct Part {
    enum Kind : uint8_t { kStep, kParallel, kList };

    Kind kind;
    uint32_t node;      // in the message's tree
    uint32_t parent;    // kNoPart: the plan itself
    uint32_t label;     // position in its parent, from 1
    uint32_t end;       // after the last part in it
    uint32_t count;     // direct children
    uint32_t children;  // index in Scopes::children, once that is built

    // Only for a step:
    uint32_t params;  // node
    NameId verb;      // full name
    NameId tool;
    uint32_t names;    // index in Scopes::names of the full names of its params
    uint32_t subtask;  // node of the param `subtask`; 0: absent
    uint32_t inner;    // the scope of the nested message, if it has one
};

// A message, the outermost or a nested one, and its place among the others.
struct Scope {
    uint32_t message;                     // node
    uint32_t members[kMembers];           // nodes; 0: absent
    uint32_t outer;                       // the surrounding scope; kNoPart: none
    uint32_t part = kNoPart;              // the step of the outer scope whose param it is
    uint32_t number = 0;                  // position in the member `subtask`, from 1; 0 otherwise
    uint32_t depth = 0;                   // the number of surrounding scopes
    uint32_t prefix = 0, prefix_len = 0;  // path prefix in Scopes::prefixes
    uint32_t end_scope = 0;               // after the last scope in it
    uint32_t first = 0, end = 0;          // its parts
    uint32_t count = 0;                   // direct parts of the plan
    uint32_t children = kNoPart;          // index in Scopes::children; kNoPart: not built
    bool is_spawn_request = false;        // the goal is SPAWN_AGENT
    bool ctx_names_resolved = false;
    bool ctx_keeps_names = false;  // full names would give two keys the same name

    uint32_t node(Member member) const { return members[member]; }
};

class Scopes {
public:
    explicit Scopes(Memory &memory)
        : scopes(memory), parts(memory), names(memory), prefixes(memory), children(memory) {}

    void clear() {
        scopes.clear();
        parts.clear();
        names.clear();
        prefixes.clear();
        children.clear();
    }

    // The number of messages in the member `subtask`.
    static uint32_t subtask_count(value::TreeView tree, const Scope &scope) {
        const uint32_t subtask = scope.node(kSubtaskMember);
        return !subtask ? 0 : tree[subtask].kind == ACCP_ARRAY ? tree[subtask].len : 1;
    }

    // Calls visit(message, number) for each of them, counting from 1, until it returns false.
    template <class Visit>
    static bool each_subtask(value::TreeView tree, const Scope &scope, Visit visit) {
        const uint32_t subtask = scope.node(kSubtaskMember);
        if (!subtask) return true;
        if (tree[subtask].kind != ACCP_ARRAY) return visit(subtask, 1u);
        uint32_t number = 0;
        for (uint32_t i = subtask + 1; i < tree[subtask].next; i = tree[i].next)
            if (!visit(i, ++number)) return false;
        return true;
    }

    // Appends the path of a part: the prefix of its scope and its labels.
    void write_path(const Scope &scope, uint32_t part, Buffer<char> &out) const;
    // The path of the step with the nested message and a slash; empty for the outermost message.
    std::string_view prefix(const Scope &scope) const {
        return {prefixes.data() + scope.prefix, scope.prefix_len};
    }
    void set_prefix(Scope &scope, const Scope &outer);

    // Follows the labels of a path while they lead to parts and removes them. Returns the part, or
    // kNoPart if a label leads nowhere (R31).
    uint32_t find_part(Scope &scope, std::string_view &labels);
    // Returns whether a part has always ended before another begins (R32).
    bool ends_before(uint32_t part, uint32_t other) const;

    Buffer<Scope> scopes;  // each before those inside it
    Buffer<Part> parts;
    Buffer<NameId> names;
    Buffer<char> prefixes;
    Buffer<uint32_t> children;

private:
    void index_children(Scope &scope);
    uint32_t find_child(const Scope &scope, uint32_t parent, std::string_view label) const;
};

}  // namespace accp::sacp
