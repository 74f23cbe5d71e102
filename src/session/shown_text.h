// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The one text of a message that a context shows in part, without what a context writes around it:
// the lines that are there with their own bytes, and gaps for the others.
#pragma once

#include "base/memory.h"

namespace accp::session {

// Appends the text. `key`: of the member that it is, or empty if it is the payload. `shown`: the
// message in the context. `hidden`: the lines that its gaps stand for (context/state.h). Returns
// false, and appends nothing, if the context has another text.
bool write_gapped_text(std::string_view text, std::string_view key, std::string_view shown,
                       std::string_view hidden, Memory &memory, Buffer<char> &out);

// The same for a message that was cut: as the context shows it, without the marks of its lines.
void write_cut_text(std::string_view key, std::string_view shown, Buffer<char> &out);

}  // namespace accp::session
