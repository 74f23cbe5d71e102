// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rules of the profiles (specification 3.6, 10): a table, rules.def, for both directions.
//
// The rules apply to the schemas of the profiles. A registry may use the same code for another
// schema, so the name, the code and the type of one field must match. The schema need not be built
// in: after a negotiation it is not.
#pragma once

#include "base/status.h"
#include "registry/registry.h"

namespace accp::codec {

// The input of the rules.
struct ProfileMessage {
    int intent;
    const registry::Schema *schema;
    value::TreeView tree;
    // the values of the schema's fields, in order; 0: missing, or the default
    const uint32_t *nodes;
    bool has_cid;
};

// Returns whether there are rules for this schema (nullptr: no schema).
bool has_profile_rules(const registry::Schema *schema);

// Returns whether this is a request under TC, of the profile or of the registry, so that the tool
// must be looked up.
bool is_tool_call(const registry::Schema *schema, int intent);

// Returns whether the message answers a request, so that it needs a cid. An error frame does not:
// the frame at fault may have had no id.
bool is_reply(const registry::Schema *schema, int intent);
inline constexpr const char *kNoCidOfAnswer =
    "done, fail and ack must name their request: set a cid in the metadata, the request's cid or "
    "mid";

// Checks the rules. E1004: refused; the offset is 1 + the index of the field, or 0 for the message
// as a whole. Adds to `warnings` (bits of accp_warning).
Status check_profile_rules(const ProfileMessage &message, bool sending, bool strict,
                           uint32_t &warnings);

}  // namespace accp::codec
