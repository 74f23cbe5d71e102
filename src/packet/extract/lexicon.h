// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What software is about: topics, and the words that show them. JWT is about authentication, though
// no word of the two is the same.
#pragma once

#include "text/phrases.h"

namespace accp::packet {

// What a word is to its topic.
enum class Role : uint8_t {
    kSubject,  // it names the topic: database
    kThing,    // one of what excludes the others: postgres, mysql
    kPart,     // of such a thing, and of no other topic: rs256
    kHint,     // of several topics, so of this one only where the topic is known: expiry
};

struct TopicWord {
    uint32_t topic;
    uint32_t thing;  // spellings of one thing have one number; 0: it is none
    Role role;
};
constexpr uint32_t kMaxTopics = 32;

// A word in lower case, of any number. False: it shows no topic.
bool find_topic_word(std::string_view word, TopicWord &out);

// How a topic is called beside a name: `JWT auth`.
std::string_view short_name_of(uint32_t topic);

// Of one text; each is a set of topics, as bits.
struct TopicSet {
    uint32_t shown = 0;   // by subjects, things and parts
    uint32_t hinted = 0;  // by hints
    // With the topics that are known beforehand.
    uint32_t with(uint32_t known) const { return shown | (hinted & known); }
};
TopicSet find_topics(const text::Words &words);

}  // namespace accp::packet
