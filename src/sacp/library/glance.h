// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A look at a message's text, over the index of its structure and without a tree: enough to say
// that a usual message is valid. It takes all checks of SACP-RULES at once, in no order, and gives
// up at the first that does not pass, and at whatever it does not know: escapes, references,
// messages inside messages, words that make agents. Checker then has the answer.
#pragma once

#include "sacp/message/json_walk.h"
#include "sacp/library/key_names.h"
#include "sacp/message/message.h"
#include "sacp/library/scopes.h"

namespace accp::plan {

class Glance : private JsonWalk {
public:
    // `index` is JsonReader's of this text.
    Glance(std::string_view text, const uint32_t *index, size_t index_count, const Library &library,
           bool strict)
        : JsonWalk(text, index, index_count), library_(library), strict_(strict) {}

    // True: the message is VALID. False: nothing is known. To be called once.
    bool accepts();

private:
    static constexpr uint32_t kMaxParams = 16;  // of a step

    struct Params;

    // Each passes what it is named after, or gives up.
    At member(At at, Member member);
    At ctx(At at);
    At parts(At at, uint32_t parallels);
    At parallel(At at, uint32_t parallels);
    At step(At at, bool may_join);
    At params(At at, Params &params);
    At param(At at, Params &params, std::string_view key);

    bool find(std::string_view text, NameId &out) const;

    const Library &library_;
    const bool strict_;
};

}  // namespace accp::plan
