// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See check.h: the order of the checks, and the messages inside a message.
#include "sacp/message/check.h"

#include "base/limits.h"
#include "base/random.h"

namespace accp::plan {

Checker::Checker(Memory &memory)
    : scopes_(memory),
      key_names_(memory),
      index_(memory),
      declared_(memory),
      text_(memory),
      seed_(random_seed()) {}

bool Checker::refuse(const Scope &scope, Code code, const char *details, uint32_t node) {
    std::string_view place = scopes_.place(scope);
    if (place.empty()) return verdict_->refuse(code, details, byte_of(node));
    place.remove_suffix(1);
    return verdict_->refuse(code, details, place, byte_of(node));
}

bool Checker::refuse_part(const Scope &scope, Code code, const char *details, uint32_t part,
                          uint32_t node) {
    text_.clear();
    scopes_.write_path(scope, part, text_);
    return verdict_->refuse(code, details, text_.view(), byte_of(node));
}

bool Checker::check(value::TreeView tree, const Rules &rules, Verdict &verdict) {
    tree_ = tree;
    rules_ = rules;
    verdict_ = &verdict;
    scopes_.clear();
    declared_.recycle(kKeptBytes);
    index_.begin(tree);
    Scope whole = {};
    whole.outer = kNoPart;
    scopes_.scopes.push(whole);
    if (!check_scope(0)) return false;
    if (rules.until == kAll)
        for (uint32_t i = 0; i < scopes_.scopes.size(); ++i) find_needs(i);
    return true;
}

bool Checker::check_scope(uint32_t number) {
    Scope &own = scope(number);
    if (tree_[own.message].kind != ACCP_MAP)
        return refuse(own, Code::kMALFORMED_MESSAGE, "a message is an object", own.message);
    if (!check_head(own) || !check_shape(own)) return false;
    if (rules_.until == kAll) {
        if (!check_references(own) || !check_words(own)) return false;
        for (uint32_t i = own.first; i < own.end; ++i)
            if (scopes_.parts[i].kind == Part::kStep && !check_param_types(own, i)) return false;
    }
    return check_nested(number);
}

bool Checker::check_nested(uint32_t number) {
    const Scope outer = scope(number);  // a copy: scopes are added
    const auto check_subtask = [&](uint32_t message, uint32_t count) {
        return check_inner(number, message, kNoPart, count);
    };
    if (!Scopes::each_subtask(tree_, outer, check_subtask)) return false;
    for (uint32_t i = outer.first; i < outer.end; ++i) {
        const uint32_t message =
            scopes_.parts[i].kind == Part::kStep ? scopes_.parts[i].subtask : 0;
        if (message && tree_[message].kind == ACCP_MAP && !check_inner(number, message, i, 0))
            return false;
    }
    scope(number).end_scope = static_cast<uint32_t>(scopes_.scopes.size());
    return true;
}

bool Checker::check_inner(uint32_t outer, uint32_t message, uint32_t part, uint32_t number) {
    Scope inner = {};
    inner.message = message;
    inner.outer = outer;
    inner.part = part;
    inner.number = number;
    inner.depth = scope(outer).depth + 1;
    scopes_.set_place(inner, scope(outer));
    if (inner.depth > kMaxNested)
        return refuse(inner, Code::kLIMIT, "more than 5 messages inside one another", message);
    const auto made = static_cast<uint32_t>(scopes_.scopes.size());
    if (part != kNoPart) scopes_.parts[part].inner = made;
    scopes_.scopes.push(inner);
    return check_scope(made);
}

}  // namespace accp::plan
