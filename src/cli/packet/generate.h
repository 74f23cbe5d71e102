// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context, of packets that are made: of a conversation, of code, or of both.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// accp context generate, refresh, spawn. The last does not return where the worker is started.
int generate_packet(const Arguments &arguments, Streams &io);
int refresh_packet(const Arguments &arguments, Streams &io);
int spawn_worker(const Arguments &arguments, Streams &io);

}  // namespace cli
