// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context spawn: a worker is started, with its packet in place.
#pragma once

#include "cli/arguments/arguments.h"

namespace cli {

// The command after --, which receives the task in place of {task} and in AGENTWIRE_TASK. {task}
// must be an argument of its own, or the value of an option. Throws Failure if the task, the
// command or the pane is missing, if there is nothing to make a packet of, or if {task} would be
// part of what a shell runs.
class Worker {
public:
    explicit Worker(const Arguments &arguments);
    // The configuration's auto_generate.
    bool wants_packet() const { return wants_packet_; }
    // Replaces this program, in the project's directory and with AGENTWIRE_PANE set. Throws Failure
    // if the command cannot be started.
    [[noreturn]] void start() const;

private:
    bool has_packet() const;

    const Arguments &arguments_;
    bool wants_packet_;
};

}  // namespace cli
