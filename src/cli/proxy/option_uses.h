// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp proxy in which each option has an effect.
#pragma once

#include "cli/arguments/arguments.h"

namespace cli {

// Throws Failure if an option was given that has no effect in this action, or beside another
// option.
void check_proxy_options(const Arguments &arguments);

}  // namespace cli
