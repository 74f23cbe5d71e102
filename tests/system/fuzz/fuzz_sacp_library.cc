// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a message on the first line and the document of a library after it. The library is accepted
// or refused, and the checks of sacp_check.h must hold for the message under it.
#include "fuzz/sacp_check.h"

using namespace accp_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const std::string_view input = text_of(data, size);
    const size_t line = input.find('\n');
    const std::string_view message = input.substr(0, line);
    const Exact document(line == input.npos ? input : input.substr(line + 1));
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::sacp::Verdict verdict(memory);
    accp::sacp::Library library(memory);
    if (library.read(document.view(), SacpCheck::kMaxBytes, verdict)) {
        REQUIRE(!verdict.failed());
        SacpCheck(library).run(message);
    } else {
        REQUIRE(verdict.failed() && verdict.step().empty());
        REQUIRE(verdict.byte() <= document.size());
    }
    return 0;
}
