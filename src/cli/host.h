// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the command shares with the servers, by its own names.
#pragma once

#include "host/failure.h"
#include "host/handles.h"
#include "host/json_member.h"
#include "host/json_parts.h"
#include "host/json_tree.h"
#include "host/node_view.h"
#include "host/pane_words.h"
#include "host/plan_run.h"
#include "host/store_place.h"
#include "host/token_limits.h"
#include "host/typed_json.h"

namespace cli {
using namespace host;
}
