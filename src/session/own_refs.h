// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// References of a session, as its host asks for them, puts values under them, and lets other
// sessions read them.
#pragma once

#include "session/standing.h"

namespace accp::session {

class OwnRefs {
public:
    OwnRefs(Driver &driver, StandingValues &standing) : driver_(driver), standing_(standing) {}

    // What a ref ("warm.k") stands for, as JSON, appended. E2001, E2002.
    Status resolve(std::string_view ref, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // The same of another session, by its grant. E5002 without one, whether it is there or not.
    Status resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);
    // Puts JSON under a ref of ours; expires_ms 0: never. E1001: no JSON; E1004: no such tier;
    // E2003: under hot or warm, whose values stand in contexts, too much for that.
    Status put(std::string_view ref, std::string_view json, int64_t expires_ms, Scratch &scratch);
    Status erase(std::string_view ref, Scratch &scratch);
    Status grant(std::string_view grantee, std::string_view prefix, int64_t expires_ms,
                 Scratch &scratch);
    uint64_t last_record() const { return driver_.last(); }
    Status revoke(std::string_view grantee, std::string_view prefix, Scratch &scratch);

private:
    Status commit(bool stands, Scratch &scratch);

    Driver &driver_;
    StandingValues &standing_;
};

}  // namespace accp::session
