// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_refresh.h.
#include "cli/context_refresh.h"

#include "cli/context_packet.h"
#include "cli/panes_project.h"

namespace cli {
namespace {

// A packet's JSON, by the names of members.
class Members {
public:
    explicit Members(const OnePacket &packet) : value_(new_value(packet.config.get())) {
        const std::string json = printed(packet.get(), accp_packet_print_json);
        accp_error err = {};
        if (accp_value_parse_json(value_.get(), json.data(), json.size(), &err) != ACCP_OK)
            throw Failure(message_of(err));
    }
    // 0: there is none.
    uint32_t find(uint32_t parent, std::string_view name) const {
        return accp_value_find(value_.get(), parent, name.data(), name.size());
    }
    std::string text(std::string_view name) const {
        const accp_node &found = node(find(0, name));
        return std::string(to_view(accp_value_text(value_.get())).substr(found.offset, found.len));
    }
    // Is the list, or map, there, and something in it?
    bool has(uint32_t parent, std::string_view name) const {
        const uint32_t found = find(parent, name);
        return found != 0 && node(found).len != 0;
    }

private:
    const accp_node &node(uint32_t index) const {
        size_t count = 0;
        return accp_value_nodes(value_.get(), &count)[index];
    }

    Handle<accp_value> value_;
};

// The least depth that has all that the packet has.
std::string depth_of(const Members &packet) {
    const uint32_t context = packet.find(0, "context");
    if (packet.has(context, "failed_attempts") || packet.has(context, "open_questions"))
        return "deep";
    if (packet.has(context, "decisions")) return "standard";
    const uint32_t code = packet.find(context, "codebase");
    const bool tells_code =
        code != 0 && (packet.has(code, "relevant_files") || packet.has(code, "patterns"));
    return tells_code ? "standard" : "minimal";
}

}  // namespace

int take_standing(Arguments &arguments, std::string &creator, Streams &io) {
    const PanesProject project(arguments, JournalUse::kNone);
    const OnePacket packet(arguments);
    const int64_t pane = said_pane(arguments);
    accp_error err = {};
    if (accp_panes_read(project.get(), pane, ACCP_PANES_UNVERIFIED, 0, packet.get(), &err) !=
        ACCP_OK)
        return refuse_pane(pane, err, io);
    const Members standing(packet);
    arguments.files = {standing.text("target_task")};
    creator = standing.text("creator");
    if (arguments.depth.empty()) arguments.depth = depth_of(standing);
    return 0;
}

}  // namespace cli
