// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The shape of a plan, and the names in it.
#include "sacp/message/check.h"

namespace accp::plan {

namespace {

constexpr const char *kMissing[] = {"Missing verb for", "Missing tool for",
                                    "Missing parameters for"};

// A branch that is a list of steps, not a step (R3)?
bool is_list(value::TreeView tree, uint32_t branch) {
    return tree[branch].kind == ACCP_ARRAY && tree[branch].len &&
           value::is_container(tree[branch + 1].kind);
}

}  // namespace

bool Checker::check_shape(Scope &scope) {
    const uint32_t plan = scope.node(kPlan);
    scope.first = static_cast<uint32_t>(scopes_.parts.size());
    scope.count = tree_[plan].len;
    if (!add_parts(scope, plan, kNoPart, 0)) return false;
    scope.end = static_cast<uint32_t>(scopes_.parts.size());
    for (uint32_t i = scope.first; i < scope.end; ++i)
        if (scopes_.parts[i].kind == Part::kStep) name_params(scopes_.parts[i]);
    return true;
}

bool Checker::add_parts(Scope &scope, uint32_t list, uint32_t parent, uint32_t parallels) {
    uint32_t label = 0, before = kNoPart;
    for (uint32_t i = list + 1; i < tree_[list].next; i = tree_[i].next) {
        const auto part = static_cast<uint32_t>(scopes_.parts.size());
        if (!add_part(scope, i, parent, ++label, parallels)) return false;
        const bool joins =
            scopes_.parts[part].kind == Part::kStep && scopes_.parts[part].verb == kJoin;
        if (joins && (before == kNoPart || scopes_.parts[before].kind != Part::kParallel))
            return refuse_part(scope, Code::kMALFORMED_PLAN,
                               "join does not stand directly behind a parallel", part, i);
        before = part;
    }
    return true;
}

bool Checker::add_part(Scope &scope, uint32_t node, uint32_t parent, uint32_t label,
                       uint32_t parallels) {
    const auto part = static_cast<uint32_t>(scopes_.parts.size());
    Part made = {};
    made.kind = tree_[node].kind == ACCP_MAP ? Part::kParallel : Part::kStep;
    made.node = node;
    made.parent = parent;
    made.label = label;
    made.end = part + 1;
    scopes_.parts.push(made);
    return made.kind == Part::kParallel ? add_parallel(scope, part, parallels + 1)
                                        : check_step(scope, part);
}

bool Checker::add_parallel(Scope &scope, uint32_t part, uint32_t parallels) {
    const uint32_t node = scopes_.parts[part].node, branches = node + 1;
    if (tree_[node].len != 1 || tree_.key(branches) != "parallel" ||
        tree_[branches].kind != ACCP_ARRAY || !tree_[branches].len)
        return refuse_part(scope, Code::kMALFORMED_PLAN,
                           "an object that is not {\"parallel\":[one branch or more]}", part, node);
    if (parallels > kMaxParallels)
        return refuse_part(scope, Code::kLIMIT, "more than 5 parallels inside one another", part,
                           node);
    uint32_t label = 0;
    for (uint32_t i = branches + 1; i < tree_[branches].next; i = tree_[i].next) {
        const auto branch = static_cast<uint32_t>(scopes_.parts.size());
        if (!is_list(tree_, i)) {
            if (!add_part(scope, i, part, ++label, parallels)) return false;
            if (scopes_.parts[branch].kind == Part::kStep && scopes_.parts[branch].verb == kJoin)
                return refuse_part(scope, Code::kMALFORMED_PLAN, "join is a branch", branch, i);
            continue;
        }
        Part list = {};
        list.kind = Part::kList;
        list.node = i;
        list.parent = part;
        list.label = ++label;
        list.count = tree_[i].len;
        scopes_.parts.push(list);
        if (!add_parts(scope, i, branch, parallels)) return false;
        scopes_.parts[branch].end = static_cast<uint32_t>(scopes_.parts.size());
    }
    scopes_.parts[part].count = label;
    scopes_.parts[part].end = static_cast<uint32_t>(scopes_.parts.size());
    return true;
}

bool Checker::check_step(const Scope &scope, uint32_t part) {
    const uint32_t node = scopes_.parts[part].node;
    const auto wrong = [&](const char *details, uint32_t at) {
        return refuse_part(scope, Code::kMALFORMED_PLAN, details, part, at);
    };
    if (tree_[node].kind != ACCP_ARRAY)
        return wrong("neither [verb, tool, params] nor {\"parallel\":[…]}", node);
    if (tree_[node].len < 3) return wrong(kMissing[tree_[node].len], node);
    const uint32_t verb = node + 1, tool = tree_[verb].next, params = tree_[tool].next;
    if (tree_[node].len > 3) return wrong("more than [verb, tool, params]", tree_[params].next);
    if (tree_[verb].kind != ACCP_STRING || !tree_[verb].len)
        return wrong("the verb is not a string, or an empty one", verb);
    if (tree_[tool].kind != ACCP_STRING || !tree_[tool].len)
        return wrong("the tool is not a string, or an empty one", tool);
    if (tree_[params].kind != ACCP_MAP) return wrong("the parameters are not an object", params);
    Part &step = scopes_.parts[part];
    step.verb = rules_.library->full_verb(rules_.library->find(tree_.string(verb)));
    step.tool = rules_.library->find(tree_.string(tool));
    step.params = params;
    return true;
}

void Checker::name_params(Part &step) {
    step.names = static_cast<uint32_t>(scopes_.names.size());
    if (!tree_[step.params].len) return;
    key_names_.read(*rules_.library, KeyTable(*rules_.library, step.verb, step.tool),
                    Spelling::kFull, tree_, step.params, scopes_.names);
    const NameId *name = scopes_.names.data() + step.names;
    for (uint32_t i = step.params + 1; i < tree_[step.params].next; i = tree_[i].next)
        if (*name++ == kSubtask) step.subtask = i;
}

}  // namespace accp::plan
