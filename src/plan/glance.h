// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A look at a message's text, over the index of its structure and without a tree: enough to say
// that a usual message is valid. It takes all checks of SACP-RULES at once, in no order, and gives
// up at the first that does not pass, and at whatever it does not know: escapes, references,
// messages inside messages, words that make agents. Checker then has the answer.
#pragma once

#include "plan/key_names.h"
#include "plan/message.h"
#include "plan/scopes.h"

namespace accp::plan {

class Glance {
public:
    // `index` is JsonReader's of this text.
    Glance(std::string_view text, const uint32_t *index, size_t index_count, const Library &library,
           bool strict)
        : text_(text.data()),
          end_(text.data() + text.size()),
          first_(index),
          last_(index + index_count),
          library_(library),
          strict_(strict) {}

    // True: the message is VALID. False: nothing is known. To be called once.
    bool accepts();

private:
    // What a message may have and this still knows, so that its cost has a bound.
    static constexpr uint32_t kMaxDepth = 16;
    static constexpr uint32_t kMaxKeys = 64;  // of the objects around a place
    static constexpr uint32_t kMaxKey = 64;   // bytes
    static constexpr uint32_t kMaxParams = 16;

    // A place in the index; nullptr: it gives up. By value from one to the next, so that it stays
    // in a register.
    using At = const uint32_t *;
    using Types = uint32_t;  // which a value has: a bit for each Type
    // An object or array that is open.
    struct Level {
        uint64_t seen;   // a bit for each key, by its ends and its length
        uint32_t first;  // of its keys in keys_
        char closing;
        bool more;  // does a value come next? else it has ended
    };
    struct Params;

    // The index says 0 after its last entry, and the text begins with a bracket that opens: only
    // open() must ask whether there is a next entry.
    char peek(At at) const { return text_[*at]; }
    At pass(At at, char c) const { return peek(at) == c ? at + 1 : nullptr; }
    // Each passes what it is named after, or gives up.
    At open(At at, Level &level) const;
    At go_on(At at, Level &level);
    At string(At at, std::string_view &out) const;
    At key(At at, Level &level, std::string_view &out);
    At literal(At at, std::string_view word) const;
    At number(At at, Types &types) const;
    At scalar(At at, bool references, Types &types) const;
    At value(At at, bool references, Types &types);
    At container(At at, bool references, Types &types);
    At member(At at, Member member);
    At ctx(At at);
    At parts(At at, uint32_t parallels);
    At parallel(At at, uint32_t parallels);
    At step(At at, bool may_join);
    At params(At at, Params &params);
    At param(At at, Params &params, std::string_view key);

    bool find(std::string_view text, NameId &out) const;

    const char *text_, *end_;
    At first_, last_;
    const Library &library_;
    bool strict_;
    uint32_t key_count_ = 0;
    struct Key {
        const char *text;
        size_t len;
    } keys_[kMaxKeys];  // of the objects that are open; trivial, so that they cost nothing
};

}  // namespace accp::plan
