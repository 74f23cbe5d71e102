// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The members of a message: which it has, and of what kind they are.
#include "sacp/message/check.h"

namespace accp::plan {

bool Checker::check_head(Scope &scope) {
    const uint32_t unknown = find_members(tree_, scope.message, scope.members);
    if (const uint32_t version = scope.node(kProtoVer)) {
        if (tree_[version].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "proto_ver is a string", version);
        const std::string_view text = tree_.string(version);
        if (text != "0.1" && text != "0.1.0")
            return refuse(scope, Code::kUNSUPPORTED_VERSION,
                          text == "1.0.0" ? "a message of version 1.0.0 cannot stand here"
                                          : "versions are 0.1, 0.1.0 and 1.0.0",
                          version);
    }
    if (unknown)
        return refuse(scope, Code::kMALFORMED_MESSAGE,
                      "a member that messages do not have: members of your own stand in ext",
                      unknown);
    if (!scope.node(kGoal))
        return refuse(scope, Code::kMISSING_FIELD, "a message has a goal, g", scope.message);
    if (!scope.node(kPlan))
        return refuse(scope, Code::kMISSING_FIELD, "a message has a plan", scope.message);
    scope.spawns = tree_.string(scope.node(kGoal)) == "SPAWN_AGENT" &&
                   tree_[scope.node(kGoal)].kind == ACCP_STRING;
    return check_types(scope) && check_ids(scope) && check_subtask(scope);
}

bool Checker::check_types(const Scope &scope) {
    const uint32_t goal = scope.node(kGoal), ctx = scope.node(kCtx), plan = scope.node(kPlan),
                   out_fmt = scope.node(kOutFmt), state = scope.node(kState);
    if (tree_[goal].kind != ACCP_STRING)
        return refuse(scope, Code::kINVALID_TYPE, "the goal, g, is a string", goal);
    if (!tree_[goal].len) return refuse(scope, Code::kMISSING_FIELD, "the goal, g, is empty", goal);
    if (ctx) {
        if (tree_[ctx].kind != ACCP_MAP)
            return refuse(scope, Code::kINVALID_TYPE, "ctx is an object", ctx);
        const uint32_t test_mode = tree_.find(ctx, "test_mode");
        if (test_mode && tree_[test_mode].kind != ACCP_BOOL)
            return refuse(scope, Code::kINVALID_TYPE, "ctx.test_mode is true or false", test_mode);
    }
    if (tree_[plan].kind != ACCP_ARRAY)
        return refuse(scope, Code::kMALFORMED_PLAN, "a plan is an array of steps", plan);
    if (out_fmt) {
        if (tree_[out_fmt].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "out_fmt is a string", out_fmt);
        if (find_out_fmt(tree_.string(out_fmt)) == OutFmt::kNone)
            return refuse(scope, Code::kBAD_OUT_FMT, "out_fmt is human, raw or summary", out_fmt);
    }
    if (state) {
        if (tree_[state].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "state is a string", state);
        if (find_state(Version::k01, tree_.string(state)) == kNoState)
            return refuse(scope, Code::kUNKNOWN_STATE,
                          "state is PENDING, IN_PROGRESS, DONE or FAILED", state);
    }
    return true;
}

bool Checker::check_ids(const Scope &scope) {
    for (Member member : {kMsgId, kReplyTo}) {
        const uint32_t id = scope.node(member);
        if (!id) continue;
        if (tree_[id].kind != ACCP_STRING)
            return refuse(scope, Code::kINVALID_TYPE, "an id is a string", id);
        if (!is_id(tree_.string(id)))
            return refuse(scope, Code::kMALFORMED_MESSAGE,
                          "an id has 1 to 128 letters, digits, dots, colons, - and _", id);
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
            return refuse(scope, Code::kINVALID_TYPE, "subtask is a message, or an array of them",
                          subtask);
    }
    if (test_mode && tree_[test_mode].kind != ACCP_BOOL)
        return refuse(scope, Code::kINVALID_TYPE, "test_mode is true or false", test_mode);
    for (Member member : {kResult, kExt})
        if (scope.node(member) && tree_[scope.node(member)].kind != ACCP_MAP)
            return refuse(scope, Code::kINVALID_TYPE,
                          member == kExt ? "ext is an object" : "result is an object",
                          scope.node(member));
    return true;
}

}  // namespace accp::plan
