// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a host has put under hot and warm: it stands at the end of each context, as it is by then,
// and counts in the budget (specification 5.1). A value changes whenever the host says so, so
// nothing that a provider keeps in its cache comes after it.
//
// Which they are is a blob of the session, which is written with each that is new or gone:
//
//   names = name*       by their bytes, none twice
//   name  = string      "hot.plan"
#pragma once

#include "session/driver.h"

namespace accp::session {

struct ContextValueTokens {
    uint64_t hot = 0, warm = 0;
    uint64_t sum() const { return hot + warm; }
};

class ContextValues {
public:
    ContextValues(Memory &memory, Driver &driver)
        : driver_(driver), names_(memory), next_(memory) {}

    // `name`, of hot or warm, stands with this value from the next commit on: into the batch.
    // E2003: the values of its tier have more tokens than it may have, or they are too many.
    Status add(std::string_view name, std::string_view json, Scratch &scratch);
    // It does no more, if it did.
    Status remove(std::string_view name, Scratch &scratch);
    // The batch was committed.
    void commit() { names_.swap(next_); }

    // Appends the lines of those that have not expired when the newest record was made; nothing
    // where there are none.
    Status write(Scratch &scratch, Buffer<char> &out, ContextValueTokens &tokens);

private:
    Status load(Scratch &scratch);
    Status set(std::string_view name, bool stands, Scratch &scratch, ContextValueTokens &others);
    Status now(Scratch &scratch, uint64_t &out);
    Status add_line(std::string_view name, uint64_t now_ms, Scratch &scratch, Buffer<char> &out,
                    ContextValueTokens &tokens);
    static Status count(std::string_view name, std::string_view text, Scratch &scratch,
                        ContextValueTokens &tokens);

    Driver &driver_;
    Buffer<char> names_, next_;
    bool loaded_ = false;
};

}  // namespace accp::session
