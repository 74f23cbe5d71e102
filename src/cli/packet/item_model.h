// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The model of --model, which finds the items of packets.
#pragma once

#include <atomic>

#include "cli/arguments/arguments.h"
#include "server/model/item_questions.h"

namespace cli {

// Returns a function that asks the model, or its cache; it may be called by several threads, and
// waits for the model. Empty: there is no --model, or it is none. Nothing is sent before its first
// call. Throws Failure for an invalid --model. `stop`: ends calls once it is true, as failures; it
// outlives the function.
server::FindItems item_finder(const Arguments &arguments, const std::atomic<bool> *stop = nullptr);

}  // namespace cli
