// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What frames of a log are under the registry, the extensions and the strictness of the arguments.
// Refs stay refs, so a session is not needed.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/session/log.h"

namespace cli {

class FrameJudge {
public:
    explicit FrameJudge(const Arguments &arguments);

    // Why the frame is refused, "E1003: …"; empty: it is not, and message() is its JSON.
    std::string judge(const std::string &frame);
    const std::string &message() const { return message_; }
    // Of a frame or a message; empty where it cannot be read.
    std::string intent_of(const LogLine &line);

private:
    Handle<accp_config> config_;
    Handle<accp_registry> registry_;
    Handle<accp_codec> codec_;
    Handle<accp_frame> frame_;
    std::string message_;
};

}  // namespace cli
