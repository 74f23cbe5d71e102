// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What messages cost under a registry's document, in exact tokens of their frames, and whether they
// come back.
#pragma once

#include "cli/registry/learn_document.h"
#include "cli/registry/learn_messages.h"

namespace cli {

using LearnSample = std::vector<const LearnMessage *>;

// What a registry is made of: a document, and profiles whose schemas come with it.
struct LearnRegistry {
    std::string document;
    uint32_t profiles = ACCP_PROFILE_NONE;
};

class LearnCosts {
public:
    explicit LearnCosts(const Arguments &arguments);

    // Without a registry, and by key.
    uint64_t plain(const LearnMessage &message);
    uint64_t plain(const LearnSample &sample);
    // Under a document of these, by position where that goes.
    uint64_t under(const LearnedDocument &document, const LearnSample &sample);

    struct Result {
        uint64_t tokens = 0;  // a frame that is refused counts as it is without a registry
        uint64_t refused = 0;
        uint64_t changed = 0;  // messages that came back as another, but for what `defaults` names
        uint64_t added = 0;    // members that `defaults` names and the message did not have
    };
    Result measure(const LearnRegistry &registry, const LearnSample &sample);

    // The frames of these under a document; an empty text for one that is refused.
    std::vector<std::string> frames(const LearnedDocument &document, const LearnSample &sample);
    uint64_t count(std::string_view text);
    // May a registry have this short key? The specification's own keys have no other.
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
