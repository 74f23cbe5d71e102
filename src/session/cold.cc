// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cold.h.
#include "session/cold.h"

#include "base/sha256.h"

namespace accp::session {

Status put_cold(ColdStore &cold, std::string_view text, Buffer<char> &stub) {
    const Digest name = sha256(text);
    Status status = cold.put(name.view(), text);
    if (status.failed()) return status;
    stub.clear();
    stub.push(kStubMark);
    stub.append(name.view().data(), name.view().size());
    return {};
}

Status get_cold(ColdStore *cold, Buffer<char> &found) {
    if (found.empty() || found[0] != kStubMark) return {};
    if (!cold)
        return fail(ACCP_ERR_ARG, 0,
                    "the value is in a cold store of the host's, and the engine was given none");
    Digest name = {};
    if (found.size() != 1 + name.view().size())
        return fail(ACCP_ERR_CORRUPT, 0, "a cold value's name is damaged");
    std::string_view(found.data() + 1, name.view().size()).copy(name.hex, name.view().size());
    std::string_view text;
    Status status = cold->get(name.view(), text);
    if (status.code == ACCP_E2001)
        return fail(ACCP_ERR_CORRUPT, 0, "the cold store has lost a value");
    if (status.failed()) return status;
    if (sha256(text).view() != name.view())
        return fail(ACCP_ERR_CORRUPT, 0, "the cold store answered another text than was put");
    found.clear();
    found.append(text);
    return {};
}

}  // namespace accp::session
