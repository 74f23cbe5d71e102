// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A core out of the store: the snapshot, and then the records after it.
#pragma once

#include "session/core.h"
#include "session/refs.h"

namespace accp::session {

// Into a core that is new. ACCP_ERR_CORRUPT for what cannot be read, ACCP_ERR_ARG for a session
// that was kept under other rules; an ACCP code above 0 is damage as well.
class Restore {
public:
    Restore(const Reading &from, const SessionRules &rules, Core &core, Scratch &scratch)
        : from_(from), rules_(rules), core_(core), scratch_(scratch) {}

    // `bytes`: how many it has; 0: there is none.
    Status snapshot(uint64_t &bytes);
    // The records after it; adds their bytes to `bytes`.
    Status records(uint64_t &bytes);

private:
    Status agents();
    Status state(int64_t version);
    Status pending();
    Status blob(std::string_view key, const char *lost);
    Status apply(const store::StoreRecords::Record &stored);
    Status read(const Record &record, ReadAsWritten &as, uint64_t place, message::Message &out);
    std::string_view found() const { return scratch_.log.found.view(); }

    const Reading from_;
    const SessionRules &rules_;
    Core &core_;
    Scratch &scratch_;
    uint64_t place_ = 0;  // the last record that the snapshot has
};

}  // namespace accp::session
