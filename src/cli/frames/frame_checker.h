// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks frames of a session log against the registry, extensions and strictness of the arguments.
// Refs are not resolved, so no session is needed.
#pragma once

#include <string>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/session/log.h"

namespace cli {

class FrameChecker {
public:
    explicit FrameChecker(const Arguments &arguments);

    // Returns why the frame is refused, such as "E1003: …". Returns "" for a valid frame; message()
    // is then its JSON.
    std::string check(const std::string &frame);
    const std::string &message() const { return message_; }
    // Returns the intent of a frame or message, or "" if it cannot be parsed.
    std::string intent_of(const LogLine &line);

private:
    Handle<accp_config> config_;
    Handle<accp_registry> registry_;
    Handle<accp_codec> codec_;
    Handle<accp_frame> frame_;
    std::string message_;
};

}  // namespace cli
