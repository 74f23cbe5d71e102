// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The types and helpers that the command shares with the servers.
#pragma once

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/backend.h"
#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/library/pane_words.h"
#include "server/library/plan_run.h"
#include "server/library/token_limits.h"

namespace cli {
using namespace host;
}
