// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The snapshot of a session: its memory, which the store keeps beside the log
// (StoreSession::state()). Opening a session reads it, and then only the records after it. It
// contains nothing that the log does not determine.
//
//   snapshot = form rules record next version pending ended inbox context
//   form     = number           5
//   rules    = string 14*number how texts were counted and cut: see TokenRules
//   record   = number           the last record that it includes
//   next     = number           of the next value to be stored in cold
//   version  = number           of the shared state, the blob `state!` in warm; 0: there is none
//   pending  = number           1: there is a blob `open!` in warm (core.h)
//   ended    = number           1: no more frames are accepted
//   inbox    = number *sender   the number of senders, and each sender
//   sender   = string awaited own marks *mark
//   awaited  = number           the expected number of its next frame
//   own      = number           1: this agent belongs to the host
//   marks    = number           how many numbers were used ahead of a gap
//   mark     = number           one of them, as the difference from the one before it
//   context  = the rest         see context/state.h
//
// Numbers and strings are those of a record (record.h).
#pragma once

#include "base/pack.h"
#include "context/context.h"
#include "delivery/inbox.h"

namespace accp::session {

// The tokenizer and the options of a snapshot. They decide how texts are counted and cut, so the
// snapshot cannot be used with others.
struct TokenRules {
    std::string_view tokenizer;
    const context::ContextOptions &options;

    void write(Packer &packer) const {
        packer.text(tokenizer);
        for (uint32_t n : options.all()) packer.number(n);
    }
    static void skip(Unpacker &unpacker) {
        unpacker.text();
        for (size_t i = 0; i < context::ContextOptions::kCount; ++i) unpacker.number();
    }
    // Returns whether the same rules follow in the input. The unpacker is a copy, because this only
    // looks ahead. Also returns true for damaged bytes, which read_head() then reports.
    bool match(Unpacker unpacker) const {
        bool same = unpacker.text() == tokenizer;
        for (uint32_t n : options.all()) same = unpacker.number() == n && same;
        return same || !unpacker.ok();
    }
};

struct Snapshot {
    static constexpr uint64_t kForm = 5;
    // Contexts had other units in it. Such a session is restored from its log alone.
    static constexpr uint64_t kOlderForm = 4;
    static constexpr size_t kOlderOptions = 12;

    bool is_older = false;  // it has the older form, and nothing of it was read
    uint64_t record = 0;    // the last record that it includes
    uint64_t next_key = 1;
    int64_t state_version = 0;
    bool has_pending = false;
    bool ended = false;

    void write(const TokenRules &rules, const context::Context &context,
               const delivery::Inbox &inbox, Buffer<char> &out) const {
        Packer packer(out);
        packer.number(kForm);
        rules.write(packer);
        for (uint64_t n : {record, next_key, static_cast<uint64_t>(state_version),
                           uint64_t{has_pending}, uint64_t{ended}})
            packer.number(n);
        inbox.save(packer);
        context.save(out);
    }

    // Reads what write() wrote. ACCP_ERR_ARG: other rules, or the older form; ACCP_ERR_CORRUPT:
    // anything else.
    Status read(std::string_view bytes, const TokenRules &rules, context::Context &context,
                delivery::Inbox &inbox) {
        Unpacker unpacker(bytes);
        Status status = read_head(unpacker, &rules);
        if (status.failed()) return status;
        if (!inbox.restore(unpacker)) return fail(ACCP_ERR_CORRUPT, 0, kDamaged);
        std::string_view rest = unpacker.rest();
        status =
            unpacker.ok() ? context.restore(rest.data(), rest.size()) : fail(ACCP_ERR_ARG, 0, "");
        return status.code == ACCP_ERR_ARG ? fail(ACCP_ERR_CORRUPT, 0, kDamaged) : status;
    }

    // Reads all fields before the inbox. If `rules` is nullptr, the rules are not compared.
    Status read_head(Unpacker &unpacker, const TokenRules *rules) {
        const uint64_t form = unpacker.number();
        is_older = form == kOlderForm;
        if (is_older) return fail(ACCP_ERR_ARG, 0, "the session's snapshot has an older form");
        if (form != kForm) return fail(ACCP_ERR_CORRUPT, 0, kDamaged);
        if (rules && !rules->match(unpacker))
            return fail(ACCP_ERR_ARG, 0,
                        "the session was written under another tokenizer or other context rules");
        TokenRules::skip(unpacker);
        record = unpacker.number();
        next_key = unpacker.number();
        state_version = static_cast<int64_t>(unpacker.number());
        has_pending = unpacker.number() != 0;
        ended = unpacker.number() != 0;
        return unpacker.ok() && state_version >= 0 && state_version <= kMaxSeq
                   ? Status{}
                   : fail(ACCP_ERR_CORRUPT, 0, kDamaged);
    }

private:
    static constexpr const char *kDamaged = "the session's snapshot is damaged";
};

}  // namespace accp::session
