// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages as accp registry learn looks at them: intent, operation, and the payload's members as
// JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

struct LearnMember {
    std::string key, value;  // compact JSON both: the key has its quotes
};

struct LearnMessage {
    std::string json;  // the whole, as decoding its plain frame makes it
    std::string intent, operation;
    std::vector<LearnMember> payload;  // none of a payload that is a text

    const std::string *find(std::string_view key) const {
        for (const LearnMember &member : payload)
            if (member.key == key) return &member.value;
        return nullptr;
    }
};

// The members of a compact JSON object, in order; none of any other value.
std::vector<LearnMember> members_of(std::string_view json);

// Reads a message, or a frame of one.
class LearnReader {
public:
    explicit LearnReader(const accp_config *config) : codec_(new_codec(config)) {}

    // ACCP_E1002 for an intent that no registry knows; ACCP_E1003 for a message that names its
    // schema, which the learned document would not have.
    accp_status read(std::string_view line, LearnMessage &out, accp_error &err);

private:
    Handle<accp_codec> codec_;
};

}  // namespace cli
