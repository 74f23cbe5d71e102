// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rules of the profiles (specification 3.6, 10): one table, rules.def, for both directions.
//
// They bind the profiles' own schemas. A registry may say something else by the same code: a schema
// is a profile's where its name, its code and the type of the field that tells it apart are the
// profile's (it need not be built in: after a negotiation none is).
#pragma once

#include "base/status.h"
#include "registry/registry.h"

namespace accp::codec {

// A message as the rules see it.
struct ProfileMessage {
    int intent;
    const registry::Schema *schema;
    value::TreeView tree;
    // of the values of the schema's fields, in their order; 0: not there, or its default
    const uint32_t *nodes;
    bool has_cid;
};

// Is there a rule for messages under this schema? Then they want to be looked at. nullptr: no
// schema, no rule.
bool has_profile_rules(const registry::Schema *schema);

// A request under TC, be it the profile's or a schema of the registry's own: what a host's tools
// are looked up for.
bool is_tool_call(const registry::Schema *schema, int intent);

// Does such a message answer a request, which its cid names? An error frame need not: what it is
// about may have had no name.
bool is_reply(const registry::Schema *schema, int intent);
inline constexpr const char *kNoCidOfAnswer =
    "done, fail and ack name what they answer: a cid in the metadata, the request's or its mid";

// E1004 for what is refused; its offset is 1 + the place of the field, 0 where it is no field's.
// Adds to `warnings` (bits of accp_warning).
Status check_profile_rules(const ProfileMessage &message, bool sending, bool strict,
                           uint32_t &warnings);

}  // namespace accp::codec
