// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_stale.h.
#include "packet/code_stale.h"

#include "base/bytes.h"

namespace accp::packet {

namespace {

constexpr std::string_view kHashName = "sha256:", kFileList = "relevant_files";

// The list of a map; 0: it has none.
uint32_t find_list(value::TreeView tree, uint32_t map, std::string_view name) {
    const uint32_t list = map ? tree.find(map, name) : 0;
    return list && tree[list].kind == ACCP_ARRAY ? list : 0;
}

// The map of a map; 0: it has none. A packet's context may be anything in one that nobody read.
uint32_t find_map(value::TreeView tree, uint32_t map, std::string_view name) {
    const uint32_t found = tree.find(map, name);
    return found && tree[found].kind == ACCP_MAP ? found : 0;
}

// Has the file another text than the one of this hash?
bool is_stale(std::string_view path, std::string_view hash, const CodeIndex &code) {
    uint64_t told = 0;
    if (!hash.starts_with(kHashName) || hash.size() != kHashName.size() + 16) return false;
    for (const char c : hash.substr(kHashName.size())) {
        if (hex_digit(static_cast<unsigned char>(c)) < 0) return false;
        told = told << 4 | static_cast<uint64_t>(hex_digit(static_cast<unsigned char>(c)));
    }
    return !code.has(path, told);
}

}  // namespace

void append_text_hash(uint64_t hash, Buffer<char> &out) {
    out.append(kHashName);
    for (int shift = 60; shift >= 0; shift -= 4) out.push("0123456789abcdef"[hash >> shift & 15]);
}

void append_stale_files(value::TreeView packet, const CodeIndex &code, Buffer<char> &out) {
    const uint32_t context = find_map(packet, 0, "context");
    const uint32_t codebase = context ? find_map(packet, context, "codebase") : 0;
    const uint32_t files = find_list(packet, codebase, kFileList),
                   hashes = find_list(packet, find_map(packet, 0, "sources"), kFileList);
    if (!files || !hashes) return;
    uint32_t hash = hashes + 1;
    for (uint32_t file = files + 1; file < packet[files].next && hash < packet[hashes].next;
         file = packet[file].next, hash = packet[hash].next) {
        const uint32_t path = packet[file].kind == ACCP_MAP ? packet.find(file, "path") : 0;
        if (!path || packet[hash].kind != ACCP_STRING) continue;
        if (!is_stale(packet.string(path), packet.string(hash), code)) continue;
        out.append(packet.string(path));
        out.push('\n');
    }
}

}  // namespace accp::packet
