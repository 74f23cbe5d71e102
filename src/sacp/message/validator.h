// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks messages that arrive as text and writes them in canonical form.
#pragma once

#include "sacp/message/spelling.h"
#include "sacp/message/v1.h"

namespace accp::sacp {

// Returns whether agents of this role write for people.
inline bool talks_to_people(std::string_view role) {
    return role == "interface" || role == "formatter";
}

constexpr size_t kMaxSummary = 280;  // code points of result.summary

// Who sent a reply, and which out_fmt was requested (SACP-RULES R13).
struct ReplyRules {
    std::string_view role;
    OutFmt out_fmt;

    bool allows_prose() const { return talks_to_people(role) || out_fmt == OutFmt::kHuman; }
};

class Validator {
public:
    explicit Validator(Memory &memory)
        : reader_(memory),
          value_(memory),
          checker_(memory),
          checker_v1_(memory),
          speller_(memory) {}

    // Each replaces the verdict. Returns true if there is no error; there may be needs.
    bool check(std::string_view text, uint64_t max_bytes, const Library &library, bool strict,
               Verdict &verdict);
    // Like check(), but faster if the message is VALID. tree() and scopes() are then not updated.
    bool check_fast(std::string_view text, uint64_t max_bytes, const Library &library, bool strict,
                    Verdict &verdict);
    bool check_reply(std::string_view text, uint64_t max_bytes, const Library &library, bool strict,
                     const ReplyRules &rules, Verdict &verdict);
    // Appends the message in canonical form.
    bool spell(std::string_view text, uint64_t max_bytes, const Library &library, Spelling spelling,
               Buffer<char> &out, Verdict &verdict);

    // Appends the message for a receiver.
    bool compose(std::string_view text, uint64_t max_bytes, const Library &library,
                 const Receiver &receiver, Buffer<char> &out, Verdict &verdict);

    // Of the last text that was parsed; scopes() only for a message of version 0.1.
    value::TreeView tree() const { return value_.view(); }
    const Scopes &scopes() const { return checker_.scopes(); }

private:
    bool check_message(const Library &library, bool strict, Verdict &verdict);
    bool check_status(uint32_t status, Verdict &verdict);
    bool check_discipline(const ReplyRules &rules, Verdict &verdict);

    value::JsonReader reader_;
    value::Value value_;
    Checker checker_;
    CheckerV1 checker_v1_;
    Speller speller_;
};

}  // namespace accp::sacp
