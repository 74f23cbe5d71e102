// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is said of a message that came as text: valid, wrong, or in need of something.
#pragma once

#include "sacp/message/spelling.h"
#include "sacp/message/v1.h"

namespace accp::sacp {

// Does a role talk to people?
inline bool talks_to_people(std::string_view role) {
    return role == "interface" || role == "formatter";
}

constexpr size_t kMaxSummary = 280;  // code points of result.summary

// Whose reply it is, and what it was asked for (SACP-RULES R13).
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

    // Each replaces the verdict. True: there is no error; it may need something.
    bool check(std::string_view text, uint64_t max_bytes, const Library &library, bool strict,
               Verdict &verdict);
    // The same answer as check() gives, sooner where it is VALID; tree() and scopes() are not those
    // of this text then.
    bool check_fast(std::string_view text, uint64_t max_bytes, const Library &library, bool strict,
                    Verdict &verdict);
    bool check_reply(std::string_view text, uint64_t max_bytes, const Library &library, bool strict,
                     const ReplyRules &rules, Verdict &verdict);
    // Appends the message in its canonical form.
    bool spell(std::string_view text, uint64_t max_bytes, const Library &library, Spelling spelling,
               Buffer<char> &out, Verdict &verdict);

    // The same as it goes to a receiver.
    bool compose(std::string_view text, uint64_t max_bytes, const Library &library,
                 const Receiver &receiver, Buffer<char> &out, Verdict &verdict);

    // Of the last text that could be read; the scopes only of a message of version 0.1.
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
