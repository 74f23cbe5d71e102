// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SACP between two processes, one frame per line (docs/sacp.md). A pipe keeps the order and loses
// nothing, and calls have ids, so the frames have no envelope (docs/notes/packets.md).
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

class SacpWire {
public:
    // `max_bytes`: of a message. Throws Failure.
    SacpWire(const Arguments &arguments, size_t max_bytes);

    // Each returns false and sets `fault` if the text cannot be converted.
    bool to_frame(std::string_view sacp, std::string_view agent, std::string &frame,
                  std::string &fault);
    struct Received {
        std::string agent;  // the sender, from the frame
        std::string sacp;
        bool is_request = false;
    };
    bool from_frame(std::string_view frame, Received &out, std::string &fault);

    // Throws Failure if the name, given by this option, cannot be the sender of a frame.
    void check_name(std::string_view name, const std::string &option);

    // The maximum length of a line in bytes.
    size_t max_line() const { return max_line_; }

private:
    size_t max_line_;
    Handle<accp_config> config_;
    Handle<accp_registry> registry_;
    Handle<accp_sacp> sacp_;
    Handle<accp_codec> codec_;
};

// A registry with the schemas of messages and lookups. Throws Failure.
Handle<accp_registry> new_sacp_registry(uint32_t profiles, const accp_config *config);

// Removes the first line from `text` and stores it without its newline. Returns false if there is
// no whole line.
bool take_line(std::string &text, std::string &line);

}  // namespace cli
