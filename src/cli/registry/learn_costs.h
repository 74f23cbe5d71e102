// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Measures what messages cost under a registry document, in exact tokens of their frames, and
// whether they decode to the same message.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/registry/learn_document.h"

namespace cli {

using LearnSample = std::vector<const LearnMessage *>;

// The parts of a registry: a document, and profiles whose schemas are added.
struct LearnRegistry {
    std::string document;
    uint32_t profiles = ACCP_PROFILE_NONE;
};

class LearnCosts {
public:
    explicit LearnCosts(const Arguments &arguments);

    // Counts tokens without a registry, with payloads by key.
    uint64_t plain(const LearnMessage &message);
    uint64_t plain(const LearnSample &sample);
    // Counts tokens under a document, with payloads by position where possible.
    uint64_t with_document(const LearnedDocument &document, const LearnSample &sample);

    struct Result {
        uint64_t tokens = 0;  // a refused message counts with its plain frame
        uint64_t refused = 0;
        uint64_t changed =
            0;  // messages that differ after decoding, except for members in `defaults`
        uint64_t added = 0;  // members that decoding added and named in `defaults`
    };
    Result measure(const LearnRegistry &registry, const LearnSample &sample);

    // Returns the frames under a document, "" for a refused message.
    std::vector<std::string> frames(const LearnedDocument &document, const LearnSample &sample);
    uint64_t count(std::string_view text);
    // Returns whether a registry may have this short key. Keys of the specification have fixed
    // ones.
    bool may_abbreviate(const std::string &key, const std::string &form);

private:
    Handle<accp_codec> open(const LearnRegistry &registry);
    void compare(const LearnMessage &sent, std::string_view back, Result &result);
    bool is_same(const std::string &a, const std::string &b);

    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Handle<accp_codec> plain_;
    Handle<accp_value> value_;
};

}  // namespace cli
