// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The values that the host put under hot and warm. They are at the end of each context and count in
// its budget (specification 5.1). The host may change them at any time, so they come after
// everything that a provider can cache.
//
// Their names are a blob of the session, which is written when a name is added or removed:
//
//   names = name*       in byte order, each once
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

    // Adds a value under hot or warm, which takes effect with the next commit of the batch. E2003:
    // the values of the tier have too many tokens, or there are too many values.
    Status add(std::string_view name, std::string_view json, Scratch &scratch);
    // Removes a value, if it exists.
    Status remove(std::string_view name, Scratch &scratch);
    // Call when the batch was committed.
    void commit() { names_.swap(next_); }

    // Appends the lines of the values that had not expired at the time of the newest record.
    // Without values, nothing is appended.
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
