// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of `accp context`, each returning the exit status.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/packet/packet_file.h"
#include "cli/terminal/streams.h"

namespace cli {

// generate.cc
int generate_packet(const Arguments &arguments, Streams &io);
// What a worker without a pane reads of a packet.
struct GeneratedPrompt {
    std::string text;
    uint64_t tokens = 0;
};
int generate_prompt(const Arguments &arguments, GeneratedPrompt &prompt, Streams &io);
int refresh_packet(const Arguments &arguments, Streams &io);
// spawn.cc: does not return if the worker starts.
int spawn_worker(const Arguments &arguments, Streams &io);

// panes.cc
int show_pane(const Arguments &arguments, Streams &io);
int push_packet(const Arguments &arguments, Streams &io);
int edit_packet(const Arguments &arguments, Streams &io);
int clear_pane(const Arguments &arguments, Streams &io);
int restore_pane(const Arguments &arguments, Streams &io);
// Writes a generated packet into the pane's file, and prints how a worker finds it; after refresh,
// the frame that announces it.
int put_in_pane(const Arguments &arguments, PacketFile &packet, Streams &io);

// learning.cc
int show_feedback(const Arguments &arguments, Streams &io);
int record_task(const Arguments &arguments, Streams &io);
int show_stats(const Arguments &arguments, Streams &io);
int advise_depth(const Arguments &arguments, Streams &io);

// hook.cc: reads the JSON that agents give to hooks.
int run_hook(const Arguments &arguments, Streams &io);
// agent_setup.cc
int set_up_context(const Arguments &arguments, Streams &io);

// query.cc
int query_packets(const Arguments &arguments, Streams &io);
int show_changelog(const Arguments &arguments, Streams &io);
int show_diff(const Arguments &arguments, Streams &io);
int revise_packet(const Arguments &arguments, Streams &io);
int compress_packet(const Arguments &arguments, Streams &io);

}  // namespace cli
