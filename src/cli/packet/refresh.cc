// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_refresh.h.
#include "cli/packet/refresh.h"

#include "cli/host.h"
#include "cli/packet/packet_file.h"
#include "cli/packet/panes_project.h"

namespace cli {
namespace {

// Has an object a list, or object, of this name, and something in it?
bool has(const JsonTree &tree, uint32_t parent, std::string_view name) {
    const uint32_t found = tree.find(parent, name);
    return found != 0 && tree.has_any(found);
}

// The least depth that has all that the packet has.
std::string named_depth(const JsonTree &packet) {
    const uint32_t context = packet.find(0, "context");
    if (has(packet, context, "failed_attempts") || has(packet, context, "open_questions"))
        return "deep";
    if (has(packet, context, "decisions")) return "standard";
    const uint32_t code = packet.find(context, "codebase");
    const bool tells_code =
        code != 0 && (has(packet, code, "relevant_files") || has(packet, code, "patterns"));
    return tells_code ? "standard" : "minimal";
}

}  // namespace

int take_standing(Arguments &arguments, std::string &creator, Streams &io) {
    const PanesProject project(arguments, JournalUse::kNone);
    PacketFile packet(arguments);
    const int64_t pane = said_pane(arguments);
    accp_error err = {};
    if (project.read_as_it_stands(pane, packet.get(), &err) != ACCP_OK)
        return refuse_pane(pane, err, io);
    const JsonTree standing(packet.print(accp_packet_print_json), packet.config());
    arguments.files = {std::string(standing.text(standing.find(0, "target_task")))};
    creator = standing.text(standing.find(0, "creator"));
    if (arguments.depth.empty()) arguments.depth = named_depth(standing);
    return 0;
}

}  // namespace cli
