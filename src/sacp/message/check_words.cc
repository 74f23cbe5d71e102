// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Verbs and tools that the library has, params of the types that it says.
#include "base/random.h"
#include "sacp/message/check.h"
#include "sacp/message/reference.h"

namespace accp::plan {

bool Checker::check_words(const Scope &scope) {
    for (uint32_t i = scope.first; i < scope.end; ++i)
        if (scopes_.parts[i].kind == Part::kStep && !check_step_words(scope, i)) return false;
    return true;
}

// Has this plan defined the tool before?
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

bool Checker::check_step_words(const Scope &scope, uint32_t part) {
    const Part &step = scopes_.parts[part];
    const Library &library = *rules_.library;
    const uint32_t verb_node = step.node + 1, tool_node = tree_[verb_node].next;
    const bool makes_agents = step.verb == kDefine || step.verb == kInstantiate;
    if (makes_agents && !scope.spawns)
        return refuse_part(scope, Code::kUNKNOWN_VERB,
                           "define and instantiate stand only under the goal SPAWN_AGENT", part,
                           verb_node);
    if (makes_agents) return check_spawn_step(scope, part);
    const bool verb_known = library.verb(step.verb);
    if (!verb_known && rules_.strict)
        return refuse_part(scope, Code::kUNKNOWN_VERB, "the library has no such verb", part,
                           verb_node);
    const Tool *tool = library.tool(step.tool);
    if (!tool) {
        const bool known = (step.verb == kJoin && step.tool == kMerge) ||
                           (scope.spawns && is_declared(scope, tree_.string(tool_node)));
        return known || !rules_.strict ||
               refuse_part(scope, Code::kUNKNOWN_TOOL, "the library has no such tool", part,
                           tool_node);
    }
    return !verb_known || library.supports(*tool, step.verb) ||
           (scope.spawns && is_declared(scope, tree_.string(tool_node))) ||
           refuse_part(scope, Code::kVERB_TOOL_MISMATCH, "the tool does not support the verb", part,
                       tool_node);
}

// define declares its tool for what follows; instantiate names one that is declared.
bool Checker::check_spawn_step(const Scope &scope, uint32_t part) {
    const Part &step = scopes_.parts[part];
    if (step.verb == kDefine) {
        declare(scope, tree_[step.node + 1].next);
        return true;
    }
    const uint32_t tool = find_param(step, kToolInput);
    if (!rules_.strict || !tool || tree_[tool].kind != ACCP_STRING) return true;
    const std::string_view text = tree_.string(tool);
    return read_reference(text).is_one() || is_declared(scope, text) ||
           rules_.library->tool(rules_.library->find(text)) ||
           refuse_part(scope, Code::kUNKNOWN_TOOL,
                       "a tool that is neither defined before nor known", part, tool);
}

// The param of a full name; 0: there is none.
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
        if (tree_[i].kind == ACCP_STRING && read_reference(tree_.string(i)).is_one()) continue;
        text_.clear();
        scopes_.write_path(scope, part, text_);
        return verdict_->refuse(Code::kINVALID_TYPE, rules_.library->text(*name), type_fault(type),
                                text_.view(), byte_of(i));
    }
    return true;
}

}  // namespace accp::plan
