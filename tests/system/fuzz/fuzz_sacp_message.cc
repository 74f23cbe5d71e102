// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a message, with a library that has aliases of every kind. sacp_check.h has the
// checks.
#include "fuzz/sacp_check.h"

using namespace accp_fuzz;

namespace {

constexpr std::string_view kLibrary = R"({
"verbs":[{"name":"search","description":"","inputs":{"city":"string","price_max":"number","amenities":"array","limit":"integer"},"outputs":"array"},
{"name":"rank","description":"","inputs":{"criteria":"array","items":"any","order":"string"},"outputs":"array"},
{"name":"book","description":"","inputs":{"hotel_id":"string","refundable":"boolean","ctx.user":"object"},"outputs":"object","required":["hotel_id","ctx.user"]},
{"name":"delegate","description":"","inputs":["subtask","note"],"outputs":"any"}],
"tools":[{"id":"H_API","description":"","supported_verbs":["search"]},{"id":"RANK","description":"","supported_verbs":["rank","join"]},
{"id":"B","description":"","supported_verbs":["book"]},{"id":"AGENT","description":"","supported_verbs":["delegate"]}],
"aliases":{"keys":{"bdg":"budget","loc":"location","am":"amenities","in":"check_in"},"verbs":{"s":"search","r":"rank","j":"join"},
"verb_params":{"search":{"c":"city","p_max":"price_max"},"rank":{"c":"criteria"},"delegate":{"st":"subtask"}},
"tool_params":{"H_API":{"k":"city","a":"amenities"},"B":{"h":"hotel_id"}}}})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    static accp::sacp::Library *library = [] {
        accp::sacp::Verdict verdict(memory);
        auto *made = new accp::sacp::Library(memory);
        REQUIRE(made->read(kLibrary, SacpCheck::kMaxBytes, verdict));
        return made;
    }();
    SacpCheck(*library).run(text_of(data, size));
    return 0;
}
