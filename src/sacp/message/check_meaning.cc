// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks what a message means: references name something that exists when the step begins
// (SACP-RULES R30 to R33), verbs, tools and types match the library, and required values are
// present (SACP-RULES R12).
#include "base/random.h"
#include "sacp/message/check.h"
#include "sacp/message/reference.h"

namespace accp::sacp {

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

// Checks the ctx of a message in `subtask`, which may refer to earlier ones.
bool Checker::check_subtask_ctx(Scope &scope, uint32_t message, uint32_t number) {
    const uint32_t ctx = ctx_of(message);
    return !ctx || check_range(scope, ctx + 1, tree_[ctx].next, kNoPart, number);
}

// Checks all strings among these nodes. If `part` is kNoPart, `number` is that of a message in
// `subtask`.
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
    if (!reference.is_reference()) return true;
    const char *wrong = nullptr;
    if (!reference.is_sound()) {
        wrong = "a reference with an empty label";
    } else if (reference.kind == Reference::kStep) {
        const uint32_t named =
            part == kNoPart ? kNoPart : scopes_.find_part(scope, reference.labels);
        if (named == kNoPart) wrong = "a reference to a step that is not in this plan";
        else if (!scopes_.ends_before(named, part))
            wrong = "a reference to a step that may not have ended";
    } else if (reference.kind == Reference::kSub) {
        uint32_t sub;
        const uint32_t known = part == kNoPart ? number - 1 : Scopes::subtask_count(tree_, scope);
        if (!read_label_number(take_label(reference.labels), 1, sub) || sub > known)
            wrong = "a reference to a message that may not have ended";
    }
    if (!wrong) return true;
    if (part != kNoPart) return refuse_part(scope, Code::kMALFORMED_PLAN, wrong, part, node);
    Scope inner = {};
    inner.part = kNoPart;
    inner.number = number;
    scopes_.set_prefix(inner, scope);
    return refuse(inner, Code::kMALFORMED_PLAN, wrong, node);
}

bool Checker::check_vocabulary(const Scope &scope) {
    for (uint32_t i = scope.first; i < scope.end; ++i)
        if (scopes_.parts[i].kind == Part::kStep && !check_step_vocabulary(scope, i)) return false;
    return true;
}

// Returns whether an earlier step of this plan defines the tool.
bool Checker::is_declared(const Scope &scope, std::string_view tool) const {
    const uint64_t own = number_of(scope);
    return declared_.find(seeded_hash(tool.data(), tool.size(), seed_ + own), [&](uint64_t entry) {
        return entry >> 32 == own && tree_.string(static_cast<uint32_t>(entry)) == tool;
    });
}

void Checker::declare(const Scope &scope, uint32_t node) {
    const auto hash = [this](uint64_t entry) {
        const std::string_view text = tree_.string(static_cast<uint32_t>(entry));
        return seeded_hash(text.data(), text.size(), seed_ + (entry >> 32));
    };
    if (is_declared(scope, tree_.string(node))) return;
    const uint64_t own = number_of(scope) << 32 | node;
    declared_.reserve(1, hash);
    declared_.add(hash(own), own);
}

bool Checker::check_step_vocabulary(const Scope &scope, uint32_t part) {
    const Part &step = scopes_.parts[part];
    const Library &library = *rules_.library;
    const uint32_t verb_node = step.node + 1, tool_node = tree_[verb_node].next;
    const bool makes_agents = step.verb == kDefine || step.verb == kInstantiate;
    if (makes_agents && !scope.is_spawn_request)
        return refuse_part(scope, Code::kUNKNOWN_VERB,
                           "define and instantiate are allowed only under the goal SPAWN_AGENT",
                           part, verb_node);
    if (makes_agents) return check_spawn_step(scope, part);
    const bool verb_known = library.verb(step.verb);
    if (!verb_known && rules_.strict)
        return refuse_part(scope, Code::kUNKNOWN_VERB, "the library has no such verb", part,
                           verb_node);
    const Tool *tool = library.tool(step.tool);
    if (!tool) {
        const bool known = (step.verb == kJoin && step.tool == kMerge) ||
                           (scope.is_spawn_request && is_declared(scope, tree_.string(tool_node)));
        return known || !rules_.strict ||
               refuse_part(scope, Code::kUNKNOWN_TOOL, "the library has no such tool", part,
                           tool_node);
    }
    return !verb_known || library.supports(*tool, step.verb) ||
           (scope.is_spawn_request && is_declared(scope, tree_.string(tool_node))) ||
           refuse_part(scope, Code::kVERB_TOOL_MISMATCH, "the tool does not support the verb", part,
                       tool_node);
}

// define declares its tool for later steps; instantiate must name a known tool.
bool Checker::check_spawn_step(const Scope &scope, uint32_t part) {
    const Part &step = scopes_.parts[part];
    if (step.verb == kDefine) {
        declare(scope, tree_[step.node + 1].next);
        return true;
    }
    const uint32_t tool = find_param(step, kToolInput);
    if (!rules_.strict || !tool || tree_[tool].kind != ACCP_STRING) return true;
    const std::string_view text = tree_.string(tool);
    return read_reference(text).is_reference() || is_declared(scope, text) ||
           rules_.library->tool(rules_.library->find(text)) ||
           refuse_part(scope, Code::kUNKNOWN_TOOL,
                       "the tool is neither defined before nor in the library", part, tool);
}

// Returns the node of a param by its full name, or 0.
uint32_t Checker::find_param(const Part &step, NameId wanted) const {
    const NameId *name = scopes_.names.data() + step.names;
    for (uint32_t i = step.params + 1; i < tree_[step.params].next; i = tree_[i].next)
        if (*name++ == wanted) return i;
    return 0;
}

bool Checker::check_param_types(const Scope &scope, uint32_t part) {
    const Part &step = scopes_.parts[part];
    const Verb *verb = rules_.library->verb(step.verb);
    if (!verb && !step.subtask) return true;
    const NameId *name = scopes_.names.data() + step.names;
    for (uint32_t i = step.params + 1; i < tree_[step.params].next; i = tree_[i].next, ++name) {
        if (*name == kSubtask) {
            if (tree_[i].kind != ACCP_MAP)
                return refuse_part(scope, Code::kINVALID_TYPE, "the param subtask is not an object",
                                   part, i);
            continue;
        }
        if (!verb || !*name) continue;
        const Type type = rules_.library->type(*verb, *name);
        if (type == Type::kAny || has_type(tree_, i, type)) continue;
        if (tree_[i].kind == ACCP_STRING && read_reference(tree_.string(i)).is_reference())
            continue;
        text_.clear();
        scopes_.write_path(scope, part, text_);
        return verdict_->refuse(Code::kINVALID_TYPE, rules_.library->text(*name), type_fault(type),
                                text_.view(), byte_of(i));
    }
    return true;
}

void Checker::find_needs(uint32_t number) {
    const Scope &own = scope(number);
    if (!own.count) {
        text_.clear();
        text_.append(scopes_.prefix(own));
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

// Adds needs of the ctx that is passed to a nested message.
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

// Returns whether the ctx of a message has a value at this path; `filled`: not null. A value that
// is a reference counts as present, because only the run can resolve it.
bool Checker::has_ctx(uint32_t number, std::string_view labels, bool filled) {
    const std::string_view first = take_label(labels);
    const std::string_view name = full_label(number, first);
    uint32_t in = number, node = find_ctx_member(in, name);
    while (!node && (in = scope(in).outer) != kNoPart) node = find_ctx_member(in, name);
    if (!node) return false;
    if (scope(in).outer != kNoPart && tree_[node].kind == ACCP_STRING &&
        read_reference(tree_.string(node)).is_reference())
        return true;
    node = index_.find_path(node, labels);
    return node && !(filled && tree_[node].kind == ACCP_NULL);
}

// Returns the member of the message's own ctx with this full name, or 0.
uint32_t Checker::find_ctx_member(uint32_t number, std::string_view name) {
    Scope &own = scope(number);
    const uint32_t ctx = own.node(kCtx);
    if (!ctx) return 0;
    resolve_ctx_names(own);
    const AliasTable keys(*rules_.library);
    const NameId wanted = own.ctx_keeps_names ? 0 : rules_.library->find(name);
    if (wanted && keys.full(wanted) != wanted) return 0;
    const uint32_t node = index_.find(ctx, name);
    const NameId brief = node ? wanted : keys.brief(wanted);
    return brief == wanted ? node : index_.find(ctx, rules_.library->text(brief));
}

// Returns the full name of a reference's first label, if the ctx has full names.
std::string_view Checker::full_label(uint32_t number, std::string_view label) {
    Scope &own = scope(number);
    resolve_ctx_names(own);
    const NameId id = own.ctx_keeps_names ? 0 : rules_.library->find(label);
    const NameId full = id ? AliasTable(*rules_.library).full(id) : 0;
    return full ? rules_.library->text(full) : label;
}

// Finds out once whether the keys of the ctx can have full names without a conflict.
void Checker::resolve_ctx_names(Scope &own) {
    if (own.ctx_names_resolved || !own.node(kCtx)) return;
    own.ctx_names_resolved = true;
    const size_t names = scopes_.names.size();
    own.ctx_keeps_names =
        key_resolver_.resolve(*rules_.library, AliasTable(*rules_.library), Spelling::kFull, tree_,
                              own.node(kCtx), scopes_.names);
    scopes_.names.resize_down(names);
}

}  // namespace accp::sacp
