// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a message that has no fault still needs (SACP-RULES R12).
#include "sacp/message/check.h"
#include "sacp/message/reference.h"

namespace accp::plan {

void Checker::find_needs(uint32_t number) {
    const Scope &own = scope(number);
    if (!own.count) {
        text_.clear();
        text_.append(scopes_.place(own));
        text_.append("plan");
        verdict_->need(text_.view());
    }
    for (uint32_t i = own.first; i < own.end; ++i)
        if (scopes_.parts[i].kind == Part::kStep) find_step_needs(number, i);
    Scopes::each_subtask(tree_, own, [&](uint32_t message, uint32_t) {
        find_ctx_needs(number, message);
        return true;
    });
}

void Checker::find_step_needs(uint32_t number, uint32_t part) {
    const Part &step = scopes_.parts[part];
    const Library &library = *rules_.library;
    if (const Verb *verb = library.verb(step.verb)) {
        for (NameId wanted : library.names(verb->required)) {
            const std::string_view name = library.text(wanted);
            if (name.starts_with("ctx.")) {
                if (!has_ctx(number, name.substr(4), true)) verdict_->need(name);
                continue;
            }
            const uint32_t param = find_param(step, wanted);
            if (param && tree_[param].kind != ACCP_NULL) continue;
            text_.clear();
            text_.append("step.");
            scopes_.write_path(scope(number), part, text_);
            text_.push('.');
            text_.append(name);
            verdict_->need(text_.view());
        }
    }
    const uint32_t end = tree_[step.params].next;
    if (!step.subtask) return find_range_needs(number, step.params + 1, end);
    find_range_needs(number, step.params + 1, step.subtask);
    find_ctx_needs(number, step.subtask);
    find_range_needs(number, tree_[step.subtask].next, end);
}

// Of the ctx that a message inside this one gets.
void Checker::find_ctx_needs(uint32_t number, uint32_t message) {
    if (const uint32_t ctx = ctx_of(message)) find_range_needs(number, ctx + 1, tree_[ctx].next);
}

void Checker::find_range_needs(uint32_t number, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
        if (tree_[i].kind != ACCP_STRING || !tree_[i].len || tree_.text[tree_[i].offset] != '$')
            continue;
        Reference reference = read_reference(tree_.string(i));
        if (reference.kind != Reference::kCtx || has_ctx(number, reference.labels, false)) continue;
        text_.clear();
        text_.append("ctx.");
        text_.append(full_label(number, take_label(reference.labels)));
        if (!reference.labels.empty()) text_.push('.');
        text_.append(reference.labels);
        verdict_->need(text_.view());
    }
}

// Does the context of a message have what these labels lead to, and is it not null where it must be
// filled? What a reference stands for nobody knows before the run.
bool Checker::has_ctx(uint32_t number, std::string_view labels, bool filled) {
    const std::string_view first = take_label(labels);
    const std::string_view name = full_label(number, first);
    uint32_t in = number, node = find_ctx_member(in, name);
    while (!node && (in = scope(in).outer) != kNoPart) node = find_ctx_member(in, name);
    if (!node) return false;
    if (scope(in).outer != kNoPart && tree_[node].kind == ACCP_STRING &&
        read_reference(tree_.string(node)).is_one())
        return true;
    node = index_.find_labels(node, labels);
    return node && !(filled && tree_[node].kind == ACCP_NULL);
}

// The member of a message's own ctx that has this full name, or 0.
uint32_t Checker::find_ctx_member(uint32_t number, std::string_view name) {
    Scope &own = scope(number);
    const uint32_t ctx = own.node(kCtx);
    if (!ctx) return 0;
    read_ctx(own);
    const KeyTable keys(*rules_.library);
    const NameId wanted = own.ctx_as_is ? 0 : rules_.library->find(name);
    if (wanted && keys.full(wanted) != wanted) return 0;
    const uint32_t node = index_.find(ctx, name);
    const NameId brief = node ? wanted : keys.brief(wanted);
    return brief == wanted ? node : index_.find(ctx, rules_.library->text(brief));
}

// The full name of a reference's first label: as those of the ctx are, if those are full.
std::string_view Checker::full_label(uint32_t number, std::string_view label) {
    Scope &own = scope(number);
    read_ctx(own);
    const NameId id = own.ctx_as_is ? 0 : rules_.library->find(label);
    const NameId full = id ? KeyTable(*rules_.library).full(id) : 0;
    return full ? rules_.library->text(full) : label;
}

// Have its keys the full names, or would two of them get one?
void Checker::read_ctx(Scope &own) {
    if (own.ctx_is_read || !own.node(kCtx)) return;
    own.ctx_is_read = true;
    const size_t names = scopes_.names.size();
    own.ctx_as_is = key_names_.read(*rules_.library, KeyTable(*rules_.library), Spelling::kFull,
                                    tree_, own.node(kCtx), scopes_.names);
    scopes_.names.resize_down(names);
}

}  // namespace accp::plan
