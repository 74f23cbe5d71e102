// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See registry_changes.h.
#include "cli/registry/changes.h"

#include "cli/host.h"

namespace cli {
namespace {

uint32_t find(const accp_value *value, uint32_t parent, std::string_view key) {
    return accp_value_find(value, parent, key.data(), key.size());
}

bool is_true(const Tree &tree, uint32_t node) {
    return (tree.nodes[node].flags & ACCP_NODE_TRUE) != 0;
}

// The members "add" and "del" alone.
void write_delta(accp_value *diff, std::string &out) {
    accp_error err = {};
    accp_text text = {};
    if (accp_value_print_json(diff, &text, &err) != ACCP_OK)
        throw Failure(std::string("registry diff: ") + message_of(err));
    const std::string_view json = to_view(text);
    out.append(json.substr(0, member_end(json, member_end(json, 1) + 1))).append("}\n");
}

// "breaking    field_default  sales_report.period  "quarterly" -> "monthly": why".
void write_change(const accp_value *diff, const Tree &tree, uint32_t change, std::string &out) {
    out.append(is_true(tree, find(diff, change, "breaking")) ? "breaking    " : "compatible  ");
    append_printable(tree.raw(find(diff, change, "kind")), out);
    for (const char *about : {"schema", "field", "member", "key", "operation", "binding"}) {
        const uint32_t node = find(diff, change, about);
        if (node == 0) continue;
        out.append(std::string_view(about) == "field" ? "." : " ");
        append_printable(tree.raw(node), out);
    }
    const uint32_t from = find(diff, change, "from"), to = find(diff, change, "to");
    if (from != 0 || to != 0)
        out.append(" (")
            .append(from != 0 ? shown(tree, from) : "none")
            .append(" -> ")
            .append(to != 0 ? shown(tree, to) : "none")
            .append(")");
    out.append(": ");
    append_printable(tree.raw(find(diff, change, "why")), out);
    out.append("\n");
}

}  // namespace

bool write_changes(accp_value *diff, std::string &out) {
    write_delta(diff, out);
    const Tree tree = tree_of(diff);
    const uint32_t changes = find(diff, 0, "changes");
    const bool breaking = is_true(tree, find(diff, 0, "breaking"));
    out.append(breaking ? "breaking\n" : "compatible\n");
    for (uint32_t i = changes + 1; i < tree.nodes[changes].next; i = tree.nodes[i].next)
        write_change(diff, tree, i, out);
    return breaking;
}

}  // namespace cli
