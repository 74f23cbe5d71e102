// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The state that both sides keep equal with sync:state (specification 5.4; decisions A35, A36): a
// map with a version. A change is sent in one of these forms:
//
//   {"version":N,"state":{…}}             the whole state
//   {"version":N,"delta":{k:v,gone:null}} from version N - 1: replaced members; null removes one
//   … "rm":[k,…]                          optional: the removed members; then a null in `delta`
//                                         is a value
//   … "merge":{row:{cell:v,gone:null}}    only if both sides support m1: the changed cells of
//                                         members that are maps
//   … "sh":"<12 hex or more>"             optional: the first digits of the SHA-256 of the hash
//                                         form of the result
//
// `merge` never sets a cell to null, and never applies to a member that is not a map: such a member
// is sent whole, in `delta`.
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

    // Working memory of apply() and write_change(); one can serve many states.
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
        Buffer<char> whole, cells, merge;  // a row in both forms; all rows that are sent as cells
    };

    // Checks a sync:state payload and computes the new state; take() then makes it current. E3003:
    // not the next version, or a whole state more than `jump` versions ahead; E1004: another form;
    // E2003: more than kMaxSharedBytes. The offset of a failure is a node of the payload.
    Status apply(value::TreeView tree, uint32_t payload, int64_t jump, Scratch &scratch);
    // `from_outside`: the change is untrusted. The state then stays untrusted until a trusted whole
    // state replaces it.
    void take(bool from_outside);

    // Appends the JSON payload that changes this state to the map `next`: a delta, or the whole
    // state if there is no version yet. `merge`: use m1. E2003: too large, or no version is left.
    // `changed`: whether there is anything to send.
    Status write_change(value::TreeView next, uint32_t map, bool merge, Scratch &scratch,
                        Buffer<char> &out, bool &changed) const;

    // Restores the stored form: an untrusted state starts with a blank.
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
