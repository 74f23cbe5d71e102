// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The order of the checks, nested messages, the members of a message and the shape of its plan.
#include "sacp/message/check.h"

#include "base/limits.h"
#include "base/random.h"

namespace accp::sacp {

namespace {

constexpr const char *kMissing[] = {"Missing verb for", "Missing tool for",
                                    "Missing parameters for"};

// A branch is a list of steps, not a step, if its first element is a container (R3).
bool is_list(value::TreeView tree, uint32_t branch) {
    return tree[branch].kind == ACCP_ARRAY && tree[branch].len &&
           value::is_container(tree[branch + 1].kind);
}

}  // namespace

Checker::Checker(Memory &memory)
    : scopes_(memory),
      key_resolver_(memory),
      index_(memory),
      declared_(memory),
      text_(memory),
      seed_(random_seed()) {}

bool Checker::refuse(const Scope &scope, Code code, const char *details, uint32_t node) {
    std::string_view prefix = scopes_.prefix(scope);
    if (prefix.empty()) return verdict_->refuse(code, details, byte_of(node));
    prefix.remove_suffix(1);
    return verdict_->refuse(code, details, prefix, byte_of(node));
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
    index_.reset(tree);
    Scope whole = {};
    whole.outer = kNoPart;
    scopes_.scopes.push(whole);
    if (!check_scope(0)) return false;
    if (rules.extent == kAll)
        for (uint32_t i = 0; i < scopes_.scopes.size(); ++i) find_needs(i);
    return true;
}

bool Checker::check_scope(uint32_t number) {
    Scope &own = scope(number);
    if (tree_[own.message].kind != ACCP_MAP)
        return refuse(own, Code::kMALFORMED_MESSAGE, "a message is an object", own.message);
    if (!check_members(own) || !check_plan_shape(own)) return false;
    if (rules_.extent == kAll) {
        if (!check_references(own) || !check_vocabulary(own)) return false;
        for (uint32_t i = own.first; i < own.end; ++i)
            if (scopes_.parts[i].kind == Part::kStep && !check_param_types(own, i)) return false;
    }
    return check_nested(number);
}

bool Checker::check_nested(uint32_t number) {
    const Scope outer = scope(number);  // a copy, because scopes are added
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
    scopes_.set_prefix(inner, scope(outer));
    if (inner.depth > kMaxNested)
        return refuse(inner, Code::kLIMIT, "messages are nested more than 5 levels deep", message);
    const auto made = static_cast<uint32_t>(scopes_.scopes.size());
    if (part != kNoPart) scopes_.parts[part].inner = made;
    scopes_.scopes.push(inner);
    return check_scope(made);
}

bool Checker::check_members(Scope &scope) {
    const uint32_t unknown = find_members(tree_, scope.message, scope.members);
    if (const uint32_t version = scope.node(kProtoVer)) {
        if (tree_[version].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "proto_ver must be a string", version);
        const std::string_view text = tree_.string(version);
        if (text != "0.1" && text != "0.1.0")
            return refuse(scope, Code::kUNSUPPORTED_VERSION,
                          text == "1.0.0" ? "a message of version 1.0.0 is not allowed here"
                                          : "unknown version: use 0.1, 0.1.0 or 1.0.0",
                          version);
    }
    if (unknown)
        return refuse(scope, Code::kMALFORMED_MESSAGE,
                      "unknown member of a message: put members of your own into ext", unknown);
    if (!scope.node(kGoal))
        return refuse(scope, Code::kMISSING_FIELD, "a message must have a goal, g", scope.message);
    if (!scope.node(kPlan))
        return refuse(scope, Code::kMISSING_FIELD, "a message must have a plan", scope.message);
    scope.is_spawn_request = tree_.string(scope.node(kGoal)) == "SPAWN_AGENT" &&
                             tree_[scope.node(kGoal)].kind == ACCP_STRING;
    return check_types(scope) && check_ids(scope) && check_subtask(scope);
}

bool Checker::check_types(const Scope &scope) {
    const uint32_t goal = scope.node(kGoal), ctx = scope.node(kCtx), plan = scope.node(kPlan),
                   out_fmt = scope.node(kOutFmt), state = scope.node(kState);
    if (tree_[goal].kind != ACCP_STRING)
        return refuse(scope, Code::kINVALID_TYPE, "the goal, g, must be a string", goal);
    if (!tree_[goal].len) return refuse(scope, Code::kMISSING_FIELD, "the goal, g, is empty", goal);
    if (ctx) {
        if (tree_[ctx].kind != ACCP_MAP)
            return refuse(scope, Code::kINVALID_TYPE, "ctx must be an object", ctx);
        const uint32_t test_mode = tree_.find(ctx, "test_mode");
        if (test_mode && tree_[test_mode].kind != ACCP_BOOL)
            return refuse(scope, Code::kINVALID_TYPE, "ctx.test_mode must be true or false",
                          test_mode);
    }
    if (tree_[plan].kind != ACCP_ARRAY)
        return refuse(scope, Code::kMALFORMED_PLAN, "a plan must be an array of steps", plan);
    if (out_fmt) {
        if (tree_[out_fmt].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "out_fmt must be a string", out_fmt);
        if (find_out_fmt(tree_.string(out_fmt)) == OutFmt::kNone)
            return refuse(scope, Code::kBAD_OUT_FMT, "out_fmt must be human, raw or summary",
                          out_fmt);
    }
    if (state) {
        if (tree_[state].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "state must be a string", state);
        if (find_state(Version::k01, tree_.string(state)) == kNoState)
            return refuse(scope, Code::kUNKNOWN_STATE,
                          "state must be PENDING, IN_PROGRESS, DONE or FAILED", state);
    }
    return true;
}

bool Checker::check_ids(const Scope &scope) {
    for (Member member : {kMsgId, kReplyTo}) {
        const uint32_t id = scope.node(member);
        if (!id) continue;
        if (tree_[id].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "an id must be a string", id);
        if (!is_id(tree_.string(id)))
            return refuse(scope, Code::kMALFORMED_MESSAGE,
                          "an id must have 1 to 128 letters, digits, dots, colons, - and _", id);
    }
    return true;
}

bool Checker::check_subtask(const Scope &scope) {
    const uint32_t subtask = scope.node(kSubtaskMember), test_mode = scope.node(kTestMode);
    if (subtask && tree_[subtask].kind != ACCP_MAP) {
        bool sound = tree_[subtask].kind == ACCP_ARRAY;
        for (uint32_t i = subtask + 1; sound && i < tree_[subtask].next; i = tree_[i].next)
            sound = tree_[i].kind == ACCP_MAP;
        if (!sound)
            return refuse(scope, Code::kINVALID_TYPE,
                          "subtask must be a message or an array of messages", subtask);
    }
    if (test_mode && tree_[test_mode].kind != ACCP_BOOL)
        return refuse(scope, Code::kINVALID_TYPE, "test_mode must be true or false", test_mode);
    for (Member member : {kResult, kExt})
        if (scope.node(member) && tree_[scope.node(member)].kind != ACCP_MAP)
            return refuse(scope, Code::kINVALID_TYPE,
                          member == kExt ? "ext must be an object" : "result must be an object",
                          scope.node(member));
    return true;
}

bool Checker::check_plan_shape(Scope &scope) {
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
            return refuse_part(scope, Code::kMALFORMED_PLAN, "join must directly follow a parallel",
                               part, i);
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
                           "an object in a plan must be {\"parallel\":[one branch or more]}", part,
                           node);
    if (parallels > kMaxParallels)
        return refuse_part(scope, Code::kLIMIT, "parallels are nested more than 5 levels deep",
                           part, node);
    uint32_t label = 0;
    for (uint32_t i = branches + 1; i < tree_[branches].next; i = tree_[i].next) {
        const auto branch = static_cast<uint32_t>(scopes_.parts.size());
        if (!is_list(tree_, i)) {
            if (!add_part(scope, i, part, ++label, parallels)) return false;
            if (scopes_.parts[branch].kind == Part::kStep && scopes_.parts[branch].verb == kJoin)
                return refuse_part(scope, Code::kMALFORMED_PLAN, "join cannot be a branch", branch,
                                   i);
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
        return wrong("a step must be [verb, tool, params] or {\"parallel\":[…]}", node);
    if (tree_[node].len < 3) return wrong(kMissing[tree_[node].len], node);
    const uint32_t verb = node + 1, tool = tree_[verb].next, params = tree_[tool].next;
    if (tree_[node].len > 3)
        return wrong("a step must have only [verb, tool, params]", tree_[params].next);
    if (tree_[verb].kind != ACCP_STRING || !tree_[verb].len)
        return wrong("the verb is not a string or is empty", verb);
    if (tree_[tool].kind != ACCP_STRING || !tree_[tool].len)
        return wrong("the tool is not a string or is empty", tool);
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
    key_resolver_.resolve(*rules_.library, AliasTable(*rules_.library, step.verb, step.tool),
                          Spelling::kFull, tree_, step.params, scopes_.names);
    const NameId *name = scopes_.names.data() + step.names;
    for (uint32_t i = step.params + 1; i < tree_[step.params].next; i = tree_[i].next)
        if (*name++ == kSubtask) step.subtask = i;
}

}  // namespace accp::sacp
