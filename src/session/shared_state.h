// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The state that two sides keep equal with sync:state (specification 5.4; decisions A35, A36): one
// map, a version, and what is sent when it changes.
//
//   {"version":N,"state":{…}}             all of it
//   {"version":N,"delta":{k:v,gone:null}} from version N - 1: members replaced, and removed by null
//   … "rm":[k,…]                          where it is there, it names what is removed, and null in
//                                         `delta` is a null
//   … "merge":{row:{cell:v,gone:null}}    only where both sides named m1: inside these members,
//                                         maps themselves, the cells that changed
//   … "sh":"<12 hex or more>"             optional: the first digits of the SHA-256 of the hash
//   form of what must come out
//
// `merge` never gives a cell the value null, and never meets a member that is no map: such a member
// goes whole, in `delta`.
#pragma once

#include "base/arena.h"
#include "value/json_reader.h"

namespace accp::session {

class SharedState {
public:
    explicit SharedState(Memory &memory) : json_(memory), next_(memory) {}

    int64_t version() const { return version_; }
    std::string_view json() const {
        return json_.empty() ? std::string_view("{}")
                             : std::string_view(json_.data(), json_.size());
    }

    // What apply() and write_change() work with, of whoever calls: one for many states.
    struct Scratch {
        explicit Scratch(Memory &memory)
            : old_state(memory),
              reader(memory),
              arena(memory),
              left(memory),
              right(memory),
              whole(memory),
              cells(memory),
              merge(memory) {}
        value::Value old_state;
        value::JsonReader reader;
        Arena arena;
        Buffer<char> left, right;          // two values to compare
        Buffer<char> whole, cells, merge;  // a row in both its forms; all rows that go as cells
    };

    // What the payload of a sync:state makes of the state: checked first, and then take() makes it
    // so. E3003: not the version after ours, or a whole state more than `jump` versions ahead;
    // E1004: what is not of the form above; E2003: more than kMaxSharedBytes. The offset of a
    // failure is a node of the payload.
    Status apply(value::TreeView tree, uint32_t payload, int64_t jump, Scratch &scratch);
    // `from_outside`: what was applied is data from outside, and with it the state, until a whole
    // state that is not takes its place.
    void take(bool from_outside);

    // Appends the JSON payload that turns this state into the map `next`: a delta, or all of it
    // while there is no version yet. `merge`: m1 is in force. E2003 as above, and where no version
    // is left. `changed`: is there anything to send?
    Status write_change(value::TreeView next, uint32_t map, bool merge, Scratch &scratch,
                        Buffer<char> &out, bool &changed) const;

    // As it is kept: with a blank before it where it is untrusted.
    void restore(int64_t version, std::string_view json);

    bool untrusted = false;

private:
    Status read_state(Scratch &scratch) const;
    Status write_delta(value::TreeView next, uint32_t map, bool merge, Scratch &scratch,
                       Buffer<char> &out, bool &changed) const;
    Status out_of_order(uint32_t version, int64_t awaited, const char *message) const;
    Status check_result(value::TreeView tree, uint32_t payload, Scratch &scratch) const;

    int64_t version_ = 0;
    Buffer<char> json_;  // empty: {}
    int64_t next_version_ = 0;
    bool next_is_whole_ = false;
    Buffer<char> next_;
};

}  // namespace accp::session
