// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See chains.h.
#include "sacp/planner/chains.h"

namespace accp::plan {

NameId tool_for(const Library &library, NameId verb) {
    for (const Tool &tool : library.tools())
        if (library.supports(tool, verb)) return tool.name;
    return 0;
}

void Chains::add_make(const Library &library, std::string_view name, uint32_t verb, bool member) {
    Type type;
    if (find_type(name, type)) return;  // what it is like, not what it is
    const NameId id = library.find(name);
    if (id) makes_.push({id, verb, member});
}

void Chains::forget() {
    for (Producer &producer : producers_) producer = {};
    for (uint32_t &cost : costs_) cost = kNoWay;
}

void Chains::begin(const Library &library) {
    const value::TreeView tree = library.document();
    makes_.clear();
    producers_.clear();
    costs_.clear();
    for (uint32_t i = 0; i < library.name_count(); ++i) {
        producers_.push({});
        costs_.push(kNoWay);
    }
    for (uint32_t i = 0; i < library.verbs().size(); ++i) {
        const Verb &verb = library.verbs()[i];
        if (!verb.node || !tool_for(library, verb.name)) continue;
        const uint32_t outputs = tree.find(verb.node, "outputs");
        if (tree[outputs].kind == ACCP_STRING) add_make(library, tree.string(outputs), i, false);
        if (!value::is_container(tree[outputs].kind)) continue;
        const bool map = tree[outputs].kind == ACCP_MAP;
        for (uint32_t j = outputs + 1; j < tree[outputs].next; j = tree[j].next)
            if (map || tree[j].kind == ACCP_STRING)
                add_make(library, map ? tree.key(j) : tree.string(j), i, true);
    }
}

bool Chains::makes(uint32_t verb, NameId name, bool &member) const {
    for (const Make &make : makes_) {
        if (make.verb != verb || make.name != name) continue;
        member = make.member;
        return true;
    }
    return false;
}

// Round by round: each finds the names whose chain is one link longer.
void Chains::find_costs(const Library &library) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Make &make : makes_) {
            uint64_t cost = 1;
            for (NameId input : library.names(library.verbs()[make.verb].required)) {
                if (costs_[input] == kNoWay) cost = kNoWay;
                if (cost != kNoWay) cost += costs_[input];
            }
            if (cost >= costs_[make.name]) continue;
            costs_[make.name] = static_cast<uint32_t>(cost);
            producers_[make.name] = {make.verb, make.member};
            changed = true;
        }
    }
}

}  // namespace accp::plan
