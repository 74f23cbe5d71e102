// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What `accp session negotiate` keeps in its session, for itself and for every later command on it:
// the value $ctx.negotiation, an object with the state of the negotiation, what was agreed, the
// frames that were heard and how many were said.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

// A part of it as JSON, by its name; empty where nothing is kept.
std::string kept_negotiation(accp_session *session, const char *part);

// Makes the config go by what was agreed in the session that the arguments name, in the store that
// the config has; nothing where nothing was. Throws Failure.
void go_by_agreement(const Arguments &arguments, accp_config *config);

}  // namespace cli
