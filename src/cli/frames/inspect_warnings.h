// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is odd about a frame that is a frame: the envelope that specification 3.5 asks for, names
// that nobody knows, a form that is not the canonical one, keys that look like one another. Each is
// a warning and no more: `accp inspect` is a debug view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

class Warnings {
public:
    explicit Warnings(const Arguments &arguments);

    // The warnings about one frame, which has been parsed before without complaint.
    std::vector<std::string> of(std::string_view text);

private:
    void intent(const Tree &tree);
    void envelope(const Tree &tree);
    void nodes(const Tree &tree);
    void keys(const Tree &tree, uint32_t parent);
    void decoding(std::string_view text, accp_codec *codec, const char *under);
    void form(std::string_view text);

    Handle<accp_frame> frame_;
    Handle<accp_codec> codec_, abbreviating_;
    bool compat_;
    std::vector<std::string> found_;
};

}  // namespace cli
