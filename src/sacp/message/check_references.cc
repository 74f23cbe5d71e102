// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What references name: something that surely is there when the step begins (SACP-RULES R30 to
// R33).
#include "sacp/message/check.h"
#include "sacp/message/reference.h"

namespace accp::plan {

bool Checker::check_references(Scope &scope) {
    const auto check_subtask = [&](uint32_t message, uint32_t number) {
        return check_subtask_ctx(scope, message, number);
    };
    if (!Scopes::each_subtask(tree_, scope, check_subtask)) return false;
    for (uint32_t i = scope.first; i < scope.end; ++i) {
        const Part &step = scopes_.parts[i];
        if (step.kind != Part::kStep) continue;
        const uint32_t end = tree_[step.params].next;
        if (!step.subtask) {
            if (!check_range(scope, step.params + 1, end, i, kNoPart)) return false;
            continue;
        }
        const uint32_t ctx = ctx_of(step.subtask);
        if (!check_range(scope, step.params + 1, step.subtask, i, kNoPart) ||
            (ctx && !check_range(scope, ctx + 1, tree_[ctx].next, i, kNoPart)) ||
            !check_range(scope, tree_[step.subtask].next, end, i, kNoPart))
            return false;
    }
    return true;
}

// The ctx that a message of the member subtask gets: it may name those before it.
bool Checker::check_subtask_ctx(Scope &scope, uint32_t message, uint32_t number) {
    const uint32_t ctx = ctx_of(message);
    return !ctx || check_range(scope, ctx + 1, tree_[ctx].next, kNoPart, number);
}

// All strings among these nodes. `number` is that of a message of the member subtask, where `part`
// is none.
bool Checker::check_range(Scope &scope, uint32_t begin, uint32_t end, uint32_t part,
                          uint32_t number) {
    for (uint32_t i = begin; i < end; ++i)
        if (tree_[i].kind == ACCP_STRING && tree_[i].len && tree_.text[tree_[i].offset] == '$' &&
            !check_reference(scope, i, part, number))
            return false;
    return true;
}

bool Checker::check_reference(Scope &scope, uint32_t node, uint32_t part, uint32_t number) {
    Reference reference = read_reference(tree_.string(node));
    if (!reference.is_one()) return true;
    const char *wrong = nullptr;
    if (!reference.sound()) {
        wrong = "a reference with an empty label";
    } else if (reference.kind == Reference::kStep) {
        const uint32_t named =
            part == kNoPart ? kNoPart : scopes_.find_part(scope, reference.labels);
        if (named == kNoPart) wrong = "a reference to a step that is not in this plan";
        else if (!scopes_.is_over_before(named, part))
            wrong = "a reference to a step that has not surely ended";
    } else if (reference.kind == Reference::kSub) {
        uint32_t sub;
        const uint32_t known = part == kNoPart ? number - 1 : Scopes::subtask_count(tree_, scope);
        if (!read_label_number(take_label(reference.labels), 1, sub) || sub > known)
            wrong = "a reference to a message that has not surely ended";
    }
    if (!wrong) return true;
    if (part != kNoPart) return refuse_part(scope, Code::kMALFORMED_PLAN, wrong, part, node);
    Scope inner = {};
    inner.part = kNoPart;
    inner.number = number;
    scopes_.set_place(inner, scope);
    return refuse(inner, Code::kMALFORMED_PLAN, wrong, node);
}

}  // namespace accp::plan
