// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a message in canonical form with full, short or unchanged names (SACP-RULES R20 to R25).
#pragma once

#include "sacp/message/check.h"

namespace accp::sacp {

// The receiver of a message: whether it may write prose, and the msg_id for a message without one.
struct Receiver {
    bool may_write_prose = false;
    std::string_view formatters;  // tools that may write prose, separated by a line feed
    std::string_view msg_id;
};

class Speller {
public:
    explicit Speller(Memory &memory)
        : checker_(memory), key_resolver_(memory), names_(memory), text_(memory) {}

    // Appends the message. Returns false with a verdict, and nothing appended, if its shape is
    // invalid.
    bool spell(value::TreeView tree, const Library &library, Spelling spelling,
               const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict);

    // Appends the message for a receiver, with unchanged names. Removes requests for prose from all
    // parts whose reader may not write it.
    bool compose(value::TreeView tree, const Library &library, const Receiver &receiver,
                 const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict);

    // Alternative to spell(): check the message, then write single members that are present,
    // unchanged.
    bool check(value::TreeView tree, const Library &library, const value::JsonReader *origins,
               Verdict &verdict);
    const Scope &message() const { return checker_.scopes().scopes[0]; }
    void write_own_member(Member member, Buffer<char> &out) {
        write_member(member, {&message(), nullptr, false}, 0, out);
    }

private:
    // A message that is being written.
    struct NestedMessage {
        const Scope *scope;
        const NestedMessage *outer;
        bool renames_ctx;  // references to its ctx get other names
    };

    void write_message(uint32_t number, const NestedMessage *outer, Buffer<char> &out);
    void write_member_name(std::string_view member, char &before, Buffer<char> &out);
    bool is_omitted(const Scope &scope, Member member) const;
    bool may_write_prose(const Scope &scope) const;
    void write_member(Member member, const NestedMessage &nested, size_t ctx_names,
                      Buffer<char> &out);
    void write_list(uint32_t begin, uint32_t end, const NestedMessage &nested, Buffer<char> &out);
    void write_part(uint32_t part, const NestedMessage &nested, Buffer<char> &out);
    void write_params(const Part &step, const NestedMessage &nested, Buffer<char> &out);
    void write_subtasks(const NestedMessage &nested, Buffer<char> &out);
    // Writes a key and its colon.
    void write_key(uint32_t node, NameId name, Buffer<char> &out);
    // Writes a value with references to the ctx of `nested`; nullptr: the value has no references.
    void write_value(uint32_t node, const NestedMessage *nested, Buffer<char> &out);
    void write_string(uint32_t node, Buffer<char> &out);
    NameId respell(const AliasTable &table, NameId name) const {
        return spelling_ == Spelling::kFull ? table.full(name) : table.brief(name);
    }

    Checker checker_;
    KeyResolver key_resolver_;
    Buffer<NameId> names_;
    Buffer<char> text_;  // a renamed reference
    value::TreeView tree_ = {};
    const Library *library_ = nullptr;
    Spelling spelling_ = Spelling::kAsIs;
    const Receiver *receiver_ = nullptr;  // nullptr: out_fmt stays
};

}  // namespace accp::sacp
