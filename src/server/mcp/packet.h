// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the tools on context packets have in common.
#pragma once

#include <string>

#include "server/json/typed_json.h"
#include "server/mcp/tools.h"
#include "server/mcp/text_cut.h"

namespace server {

class McpPacket {
public:
    explicit McpPacket(const McpTools &tools) {
        accp_packet *made = nullptr;
        accp_error err = {};
        check(accp_packet_new(tools.house().config, &made, &err), err);
        held_.reset(made);
    }
    accp_packet *get() const { return held_.get(); }
    template <typename Print>
    std::string print(Print print) const {
        accp_text text = {};
        accp_error err = {};
        check(print(held_.get(), &text, &err), err);
        return std::string(host::to_view(text));
    }
    // "checksum":…,"tokens":N
    std::string members() const {
        return "\"checksum\":" +
               host::json_string(host::to_view(accp_packet_checksum(held_.get()))) +
               ",\"tokens\":" + std::to_string(accp_packet_tokens(held_.get()));
    }

private:
    host::Handle<accp_packet> held_;
};

// Throws Failure where something is wrong with a pane, or with what is shared.
void check_pane(int64_t pane, accp_status status, const accp_error &err);

// Makes a packet of what was said in the session that the call means. Throws Failure.
void make_of_session(const McpCall &call, const accp_packet_request &request,
                     const McpPacket &packet);

// The tool of this name.
void context_query(McpCall &call, McpResult &result);

}  // namespace server
