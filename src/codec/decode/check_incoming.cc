// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks of a received message: the profile rules, and the hooks of the host.
#include "codec/decode/incoming.h"
#include "codec/profile_rules.h"
#include "value/json_writer.h"

namespace accp::codec {

namespace {

Status check_names(const Incoming &in) {
    const CodecHooks &hooks = in.setup.hooks;
    value::TreeView tree = in.tree();
    if (hooks.is_strict(ACCP_STRICT_OPERATIONS) &&
        !in.setup.registry->has_operation(tree.string(frame::kOperation)))
        return fail(ACCP_E5001, tree[frame::kOperation].offset, "the operation is not registered");
    for (uint32_t i = 0; i < in.count && in.schema && hooks.is_strict(ACCP_STRICT_SCHEMA); ++i)
        if (!in.members[i].field)
            return fail(ACCP_E1004, ACCP_NODE_KEY(&tree.nodes[in.members[i].frame_node]),
                        "the schema has no such member");
    return {};
}

const Member *find_member(const Incoming &in, std::string_view key) {
    for (uint32_t i = 0; i < in.count; ++i)
        if (in.members[i].key == key && in.members[i].node) return in.members + i;
    return nullptr;
}

bool has_cid(const Incoming &in) { return in.meta() && in.tree().find(in.meta(), "cid"); }

Status check_answer(Incoming &in) {
    if (!is_reply(in.schema, in.intent) || has_cid(in) || !in.meta() ||
        !in.tree().find(in.meta(), "mid"))
        return {};
    in.warnings |= ACCP_WARN_NO_REQUEST;
    if (!in.setup.hooks.is_strict(ACCP_STRICT_REPLIES)) return {};
    return fail(ACCP_E1004, in.tree()[frame::kIntent].offset, kNoCidOfAnswer);
}

Status check_profile(Incoming &in) {
    if (!has_profile_rules(in.schema)) return {};
    auto *nodes = in.scratch.arena.allocate<uint32_t>(in.schema->field_count);
    for (uint32_t i = 0; i < in.schema->field_count; ++i) nodes[i] = 0;
    for (uint32_t i = 0; i < in.count; ++i)
        if (in.members[i].field)
            nodes[in.members[i].field - in.schema->fields] = in.members[i].node;
    const ProfileMessage message = {in.intent, in.schema, in.scratch.payload.view(), nodes,
                                    has_cid(in)};
    Status status = check_profile_rules(
        message, false, in.setup.hooks.is_strict(ACCP_STRICT_PROFILES), in.warnings);
    if (status.ok()) return status;
    uint32_t frame_node = frame::kPayload;
    for (uint32_t i = 0; i < in.count && status.offset; ++i)
        if (in.members[i].field == in.schema->fields + status.offset - 1)
            frame_node = in.members[i].frame_node;
    status.offset = in.tree()[frame_node].offset;
    return status;
}

Status check_tool(Incoming &in) {
    if (!in.setup.hooks.tool || !is_tool_call(in.schema, in.intent)) return {};
    value::TreeView tree = in.scratch.payload.view();
    const Member *name = find_member(in, "tool_name"), *arguments = find_member(in, "arguments");
    Buffer<char> &json = in.scratch.json;
    json.clear();
    if (arguments) value::write_json(tree, arguments->node, json);
    const bool named = name && tree[name->node].kind == ACCP_STRING;
    Status status = look_up_tool(in.setup.hooks,
                                 named ? to_text(tree.string(name->node)) : accp_text{nullptr, 0},
                                 {json.data(), json.size()});
    const Member *wrong = status.code == ACCP_E4001 ? name : arguments;
    status.offset = in.tree()[wrong ? wrong->frame_node : frame::kPayload].offset;
    return status;
}

}  // namespace

Status check_incoming(Incoming &in) {
    if (!in.setup.registry || !in.call.checked) return {};
    Status status = check_names(in);
    if (status.ok()) status = check_answer(in);
    if (status.ok()) status = check_profile(in);
    return status.failed() ? status : check_tool(in);
}

bool has_policy(const Incoming &in) {
    return in.setup.hooks.policy && in.setup.registry && in.call.checked;
}

Status check_decoded(Incoming &in, std::string_view json) {
    if (!has_policy(in)) return {};
    value::TreeView tree = in.tree();
    const accp_policy_case policy_case = {ACCP_RECEIVED,
                                          in.untrusted,
                                          to_text(tree.string(frame::kAgent)),
                                          to_text(tree.string(frame::kIntent)),
                                          to_text(tree.string(frame::kOperation)),
                                          to_text(in.schema ? in.schema->code : std::string_view()),
                                          to_text(json)};
    return apply_policy(in.setup.hooks, policy_case);
}

}  // namespace accp::codec
