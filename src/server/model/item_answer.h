// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads what a model answers to the questions of item_questions.h. Models put fences around JSON,
// think aloud before it, and make up members: what can be read is read, a single bad item is
// dropped with a note, and an answer without the form is a Failure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace server {

struct ModelItem {
    size_t list;  // see item_list_name()
    std::string what, why, made_by, quote;
};

// The name of a list of items; nullptr after the last one.
const char *item_list_name(size_t list);
// Are items of this list checked against later messages of users?
bool is_checked_list(size_t list);

struct ModelItems {
    std::string goal;
    std::vector<ModelItem> items;
    std::vector<std::string> notes;  // what was dropped or ignored, for people

    // Reads an answer. Throws Failure if it has no JSON object with one of the known members.
    static ModelItems read(std::string_view answer);
    // Writes the items in the form of accp_packet_request.items. Constraints, decisions, failed
    // attempts and open questions are always present, so that rules add none.
    std::string print() const;
};

// An item that a user later made untrue, according to the model.
struct OutdatedItem {
    uint64_t number;
    std::string quote;
};
// Reads {"outdated":[…]}. Entries of another form are left out. Throws Failure for another answer.
std::vector<OutdatedItem> read_outdated(std::string_view answer);

}  // namespace server
