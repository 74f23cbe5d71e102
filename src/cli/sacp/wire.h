// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SACP between two processes: a frame a line (docs/sacp.md). The pipe keeps order and loses
// nothing, and calls have ids of their own, so frames need no envelope (docs/notes/packets.md).
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

class SacpWire {
public:
    // `max_bytes`: of a message. Throws Failure.
    SacpWire(const Arguments &arguments, size_t max_bytes);

    // False, with `fault`: it cannot be one.
    bool to_frame(std::string_view sacp, std::string_view agent, std::string &frame,
                  std::string &fault);
    struct Received {
        std::string agent;  // who speaks, as the frame says
        std::string sacp;
        bool is_request = false;
    };
    bool from_frame(std::string_view frame, Received &out, std::string &fault);

    // Throws Failure for a name of this option that cannot be who speaks in a frame.
    void check_name(std::string_view name, const std::string &option);

    // How long a line may be.
    size_t max_line() const { return max_line_; }

private:
    size_t max_line_;
    Handle<accp_config> config_;
    Handle<accp_registry> registry_;
    Handle<accp_sacp> sacp_;
    Handle<accp_codec> codec_;
};

// The schemas of messages and lookups. Throws Failure.
Handle<accp_registry> new_sacp_registry(uint32_t profiles, const accp_config *config);

// Takes the next whole line off, without its end. False: there is none.
bool take_line(std::string &text, std::string &line);

}  // namespace cli
