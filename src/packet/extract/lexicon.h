// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A lexicon of software topics and of the words that indicate them. For example, `JWT` indicates
// the topic authentication.
#pragma once

#include "text/phrases.h"

namespace accp::packet {

// The role of a word in its topic.
enum class TopicRole : uint8_t {
    kSubject,  // names the topic: database
    kProduct,  // one of several alternatives: postgres, mysql
    kPart,     // belongs to such a product, and to no other topic: rs256
    kHint,     // belongs to several topics, so it counts only if the topic is known: expiry
};

struct TopicWord {
    uint32_t topic;
    uint32_t product;  // the same number for all spellings of a product; 0: no product
    TopicRole role;
};
constexpr uint32_t kMaxTopics = 32;

// Finds a word in lower case, singular or plural. Returns false if it shows no topic.
bool find_topic_word(std::string_view word, TopicWord &out);

// Returns the short name of a topic, as in `JWT auth`.
std::string_view short_name_of(uint32_t topic);

// The topics of one text, as bit sets.
struct TopicSet {
    uint32_t shown = 0;   // by subjects, products and parts
    uint32_t hinted = 0;  // by hints
    // Returns the topics, with hints only for those that are already known.
    uint32_t with(uint32_t known) const { return shown | (hinted & known); }
};
TopicSet find_topics(const text::Words &words);

}  // namespace accp::packet
