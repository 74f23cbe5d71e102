// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message and those inside it, each with the parts of its plan, in arrays: what the checks walk
// over, and what runs.
#pragma once

#include <span>

#include "sacp/library/library.h"
#include "sacp/message/message.h"

namespace accp::sacp {

constexpr uint32_t kNoPart = UINT32_MAX;
constexpr uint32_t kMaxParallels = 5;  // inside one another, and as many messages (R4)
constexpr uint32_t kMaxNested = 5;

// A step, a parallel, or a list of steps that is one branch of a parallel. A part lies before those
// in it.
struct Part {
    enum Kind : uint8_t { kStep, kParallel, kList };

    Kind kind;
    uint32_t node;      // in the message's tree
    uint32_t parent;    // kNoPart: the plan itself
    uint32_t label;     // its number in its parent, from 1
    uint32_t end;       // behind the last part in it
    uint32_t count;     // of the parts directly in it
    uint32_t children;  // where Scopes::children has those, once it is made

    // Of a step:
    uint32_t params;  // node
    NameId verb;      // by its full name
    NameId tool;
    uint32_t names;    // where Scopes::names has the full names of its params
    uint32_t subtask;  // node of the param of this name; 0: it has none
    uint32_t inner;    // its scope, where it is a message
};

struct Scope {
    uint32_t message;            // node
    uint32_t members[kMembers];  // nodes; 0: absent
    uint32_t outer;              // the scope around it; kNoPart: none
    uint32_t part = kNoPart;     // of the outer one, where it is that step's param
    uint32_t number = 0;         // where it is an element of the member subtask: which, from 1
    uint32_t depth = 0;          // how many scopes are around it
    uint32_t prefix = 0, prefix_len = 0;  // its path, in Scopes::prefixes
    uint32_t end_scope = 0;               // behind the last scope in it
    uint32_t first = 0, end = 0;          // its parts
    uint32_t count = 0;                   // parts of the plan itself
    uint32_t children = kNoPart;    // where Scopes::children has those; kNoPart: it is not made
    bool is_spawn_request = false;  // its goal is SPAWN_AGENT
    bool ctx_names_resolved = false;
    bool ctx_keeps_names = false;  // two of its keys would get one name

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

    // How many messages the member subtask has.
    static uint32_t subtask_count(value::TreeView tree, const Scope &scope) {
        const uint32_t subtask = scope.node(kSubtaskMember);
        return !subtask ? 0 : tree[subtask].kind == ACCP_ARRAY ? tree[subtask].len : 1;
    }

    // Calls visit(message, number) for each of them, numbers from 1, until it answers false.
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

    // Appends the path of a part of a scope: its prefix and its labels.
    void write_path(const Scope &scope, uint32_t part, Buffer<char> &out) const;
    // Of the step that a nested message stands in, with its slash; of the outermost empty.
    std::string_view prefix(const Scope &scope) const {
        return {prefixes.data() + scope.prefix, scope.prefix_len};
    }
    void set_prefix(Scope &scope, const Scope &outer);

    // Takes labels of a path off, as long as they lead to parts: the part, or kNoPart where one
    // leads nowhere (R31).
    uint32_t find_part(Scope &scope, std::string_view &labels);
    // Has a part surely ended before another begins (R32)?
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
