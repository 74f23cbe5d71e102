// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks of a message before it is written: the profile rules, and the hooks of the host. The
// values are still those of the message.
#include "codec/encode/outgoing.h"
#include "codec/profile_rules.h"
#include "value/json_writer.h"

namespace accp::codec {

namespace {

bool has_field(const Outgoing &out, std::string_view key, uint32_t bit) {
    const message::Message &message = out.message;
    const uint32_t node = message.has_meta ? message.meta_tree.find(message.meta, key) : 0;
    return node ? message.meta_tree[node].kind != ACCP_NULL
                : out.call.envelope && out.call.envelope->fields() & bit;
}
bool has_cid(const Outgoing &out) { return has_field(out, "cid", ACCP_ENVELOPE_CID); }

Status check_names(Outgoing &out) {
    const CodecHooks &hooks = out.setup.hooks;
    if (hooks.is_strict(ACCP_STRICT_OPERATIONS) &&
        !out.setup.registry->has_operation(out.message.operation))
        return fail(ACCP_E5001, out.tree().find(0, "operation"), "the operation is not registered");
    for (uint32_t i = 0; i < out.count && out.schema && hooks.is_strict(ACCP_STRICT_SCHEMA); ++i) {
        if (out.params[i].key.field) continue;
        out.at_key = true;
        return fail(ACCP_E1004, out.params[i].node, "the schema has no such member");
    }
    return {};
}

Status check_answer(Outgoing &out) {
    if (!is_reply(out.schema, out.intent) || has_cid(out) ||
        !has_field(out, "mid", ACCP_ENVELOPE_MID))
        return {};
    out.warnings |= ACCP_WARN_NO_REQUEST;
    if (!out.setup.hooks.is_strict(ACCP_STRICT_REPLIES)) return {};
    return fail(ACCP_E1004, out.tree().find(0, "intent"), kNoCidOfAnswer);
}

Status check_profile(Outgoing &out) {
    if (!has_profile_rules(out.schema)) return {};
    auto *nodes = out.arena.allocate<uint32_t>(out.schema->field_count);
    for (uint32_t i = 0; i < out.schema->field_count; ++i) nodes[i] = 0;
    for (uint32_t i = 0; i < out.count; ++i)
        if (out.params[i].key.field)
            nodes[out.params[i].key.field - out.schema->fields] = out.params[i].node;
    const ProfileMessage message = {out.intent, out.schema, out.tree(), nodes, has_cid(out)};
    Status status = check_profile_rules(
        message, true, out.setup.hooks.is_strict(ACCP_STRICT_PROFILES), out.warnings);
    if (status.failed())
        status.offset = status.offset && nodes[status.offset - 1] ? nodes[status.offset - 1]
                                                                  : out.message.payload;
    return status;
}

Status check_tool(Outgoing &out) {
    if (!out.setup.hooks.tool || !is_tool_call(out.schema, out.intent)) return {};
    value::TreeView tree = out.tree();
    const uint32_t payload = out.message.payload, name = tree.find(payload, "tool_name"),
                   arguments = tree.find(payload, "arguments");
    const size_t start = out.out.size();
    if (arguments) value::write_json(tree, arguments, out.out);
    Status status = look_up_tool(
        out.setup.hooks,
        name && tree[name].kind == ACCP_STRING ? to_text(tree.string(name)) : accp_text{nullptr, 0},
        {out.out.data() + start, out.out.size() - start});
    out.out.resize_down(start);
    status.offset = status.code == ACCP_E4001 && name        ? name
                    : arguments && status.code != ACCP_E4001 ? arguments
                                                             : payload;
    return status;
}

Status check_policy(Outgoing &out) {
    if (!out.setup.hooks.policy) return {};
    const message::Message &message = out.message;
    const accp_policy_case policy_case = {
        ACCP_SENT,
        0,
        to_text(message.agent),
        to_text(message.intent),
        to_text(message.operation),
        to_text(out.schema ? out.schema->code : std::string_view()),
        to_text(out.json)};
    return apply_policy(out.setup.hooks, policy_case);
}

}  // namespace

Status check_outgoing(Outgoing &out) {
    if (!out.setup.registry) return {};
    for (auto check : {check_names, check_answer, check_profile, check_tool, check_policy})
        if (Status status = check(out); status.failed()) return status;
    return {};
}

}  // namespace accp::codec
