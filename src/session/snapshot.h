// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session's memory as a blob, beside the log: what makes opening it cheap. Everything in it follows from the log as well.
#pragma once

#include "base/pack.h"
#include "context/context.h"
#include "delivery/chains.h"
#include "delivery/inbox.h"

namespace accp {

struct Snapshot {
    static constexpr uint64_t kForm = 1;

    uint64_t context_from = 1;  // the first record whose message is not in the context here
    uint64_t next_key = 1;
    int64_t state_version = 0;
    bool ended = false;

    void write(const Context &context, const CancelledChains &chains, const Inbox &inbox, Buffer<char> &out) const {
        Packer packer(out);
        for (uint64_t n : {kForm, context_from, next_key, static_cast<uint64_t>(state_version), uint64_t{ended}}) packer.number(n);
        packer.text(chains.all());
        packer.number(inbox.senders().size());
        for (const Inbox::Sender &sender : inbox.senders()) {
            packer.text(sender.name());
            packer.number(static_cast<uint64_t>(sender.next));
        }
        context.save(out);
    }

    // The head of what write() wrote; the rest is given by give(), over the same bytes. False for anything else.
    bool read(std::string_view bytes) {
        Unpacker unpacker(bytes);
        if (unpacker.number() != kForm) return false;
        context_from = unpacker.number();
        next_key = unpacker.number();
        state_version = static_cast<int64_t>(unpacker.number());
        ended = unpacker.number() != 0;
        rest_ = unpacker.rest();
        return unpacker.ok();
    }
    Status give(Context &context, CancelledChains &chains, Inbox &inbox) const {
        if (!rest_.data()) return {};
        Unpacker unpacker(rest_);
        for (std::string_view all = unpacker.text(); !all.empty();) {
            std::string_view id = all.substr(0, all.find('\0'));
            Status status = chains.add(id);
            if (status.failed()) return status;
            all.remove_prefix(id.size() < all.size() ? id.size() + 1 : all.size());
        }
        uint64_t senders = unpacker.number();
        for (uint64_t i = 0; i < senders && unpacker.ok(); ++i) {
            std::string_view name = unpacker.text();
            inbox.restore(name, static_cast<int64_t>(unpacker.number()));
        }
        std::string_view rest = unpacker.rest();
        Status status = unpacker.ok() ? context.restore(rest.data(), rest.size()) : fail(ACCP_ERR_ARG, 0, "");
        return status.code == ACCP_ERR_ARG ? fail(ACCP_ERR_CORRUPT, 0, "the session's state is not one, or of other options") : status;
    }

private:
    std::string_view rest_;
};

}  // namespace accp
