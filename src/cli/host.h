// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The types and helpers that the command shares with the servers.
#pragma once

#include "server/json/json_member.h"
#include "server/json/json_parts.h"
#include "server/json/json_tree.h"
#include "server/json/typed_json.h"
#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/library/node_view.h"
#include "server/library/pane_words.h"
#include "server/library/plan_run.h"
#include "server/library/store_place.h"
#include "server/library/token_limits.h"

namespace cli {
using namespace host;
}
