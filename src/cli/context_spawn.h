// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context spawn: a worker is started, with its packet in place.
#pragma once

#include "cli/arguments.h"

namespace cli {

// What the words after -- mean: the command, with the task in place of {task}, which is an argument
// of its own, and in AGENTWIRE_TASK. Throws Failure if there is no task, command or pane, or
// nothing to make a packet of, or if {task} is part of what a shell runs.
class Worker {
public:
    explicit Worker(const Arguments &arguments);
    // The configuration's auto_generate.
    bool wants_packet() const { return wants_packet_; }
    // Takes the place of this program, in the project's directory, with AGENTWIRE_PANE set. Throws
    // Failure where it cannot be started.
    [[noreturn]] void start() const;

private:
    bool has_packet() const;

    const Arguments &arguments_;
    bool wants_packet_;
};

}  // namespace cli
