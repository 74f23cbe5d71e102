// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message in its canonical form, with full or short names, or those that it has (SACP-RULES R20
// to R25).
#pragma once

#include "sacp/message/check.h"

namespace accp::sacp {

// To whom a message goes: who of those that read it may be asked for text for people, and its
// msg_id where it has none.
struct Receiver {
    bool may_write_prose = false;
    std::string_view formatters;  // tools that may too, a line feed between two
    std::string_view msg_id;
};

class Speller {
public:
    explicit Speller(Memory &memory)
        : checker_(memory), key_resolver_(memory), names_(memory), text_(memory) {}

    // Appends it. False, with a verdict, and nothing appended: it has not the shape of a message.
    bool spell(value::TreeView tree, const Library &library, Spelling spelling,
               const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict);

    // The same with the names that it has, as it goes to a receiver: who is in between is not asked
    // for text for people.
    bool compose(value::TreeView tree, const Library &library, const Receiver &receiver,
                 const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict);

    // The same in two steps, for whoever writes members one by one, as they are: a check, and a
    // member that is there.
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
        bool renames_ctx;  // have references to its ctx other names?
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
    // A key and its colon.
    void write_key(uint32_t node, NameId name, Buffer<char> &out);
    // A value with references to the ctx of this message; none: it has no references.
    void write_value(uint32_t node, const NestedMessage *nested, Buffer<char> &out);
    void write_string(uint32_t node, Buffer<char> &out);
    NameId respell(const AliasTable &table, NameId name) const {
        return spelling_ == Spelling::kFull ? table.full(name) : table.brief(name);
    }

    Checker checker_;
    KeyResolver key_resolver_;
    Buffer<NameId> names_;
    Buffer<char> text_;  // of a reference that is renamed
    value::TreeView tree_ = {};
    const Library *library_ = nullptr;
    Spelling spelling_ = Spelling::kAsIs;
    const Receiver *receiver_ = nullptr;  // nullptr: out_fmt stays as it is
};

}  // namespace accp::sacp
