// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The input and the result of accp registry learn: messages, and a registry document.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/host.h"

namespace cli {

struct LearnMember {
    std::string key, value;  // both compact JSON; the key has its quotes
};

struct LearnMessage {
    std::string json;  // the message as its plain frame decodes
    std::string intent, operation;
    std::vector<LearnMember> payload;  // empty if the payload is a text

    const std::string *find(std::string_view key) const {
        for (const LearnMember &member : payload)
            if (member.key == key) return &member.value;
        return nullptr;
    }
};

// Returns the members of a compact JSON object in their order, and none for any other value.
std::vector<LearnMember> members_of(std::string_view json);

class LearnReader {
public:
    explicit LearnReader(const accp_config *config) : codec_(new_codec(config)) {}

    // Reads a message or a frame. Returns ACCP_E1002 for an unknown intent, and ACCP_E1003 for a
    // message that names its schema, because the learned document does not have that schema.
    accp_status read(std::string_view line, LearnMessage &out, accp_error &err);

private:
    Handle<accp_codec> codec_;
};

struct LearnedSchema {
    std::string name, code;
    std::vector<std::string> bind;
    std::vector<std::string> fields;              // JSON with quotes, in the order of p1
    std::map<std::string, std::string> defaults;  // by field
    std::map<std::string, const char *> types;    // by field
};

struct LearnedDocument {
    std::vector<LearnedSchema> schemas;
    std::map<std::string, std::string> aliases;  // key (JSON) to short key

    // Returns the document as JSON, with one line for each schema. Equal documents have equal
    // bytes.
    std::string json() const;
};

}  // namespace cli
