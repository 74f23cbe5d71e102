// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values of the cold tier in a store of the host's (specification 5.1, 7.1: IExternalStore). They
// go there under the SHA-256 of their text before anything names them; the session's own store then
// holds a stub with that hash. So what is granted, expires and is there at all is decided in one
// place, a put that came to nothing leaves a text that nobody names, and what comes back is known
// to be what went in.
#pragma once

#include <string_view>

#include "base/memory.h"
#include "base/status.h"

namespace accp::session {

class ColdStore {
public:
    // Keeps `text`, durably on ACCP_OK. The same text comes with the same key, perhaps often.
    virtual Status put(std::string_view key, std::string_view text) = 0;
    // What was put: a view until the store is asked again. ACCP_E2001: it is not there.
    virtual Status get(std::string_view key, std::string_view &text) = 0;

protected:
    ~ColdStore() = default;
};

// No JSON begins like a stub.
constexpr char kStubMark = '\1';

// Puts `text` there, and makes `stub` what the session's own store is to hold.
Status put_cold(ColdStore &cold, std::string_view text, Buffer<char> &stub);
// `found` came out of the session's own store: where it is a stub, the text that it stands for
// takes its place.
Status get_cold(ColdStore *cold, Buffer<char> &found);

}  // namespace accp::session
