// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/sources.h"

#include <algorithm>

#include "base/bytes.h"
#include "packet/file/schema.h"

namespace accp::packet {

namespace {

constexpr std::string_view kHashName = "sha256:", kFileList = "relevant_files";
constexpr size_t kHashBytes = kHashName.size() + 16;

// Returns a list in a map; 0: none.
uint32_t find_list(value::TreeView tree, uint32_t map, std::string_view name) {
    const uint32_t list = map ? tree.find(map, name) : 0;
    return list && tree[list].kind == ACCP_ARRAY ? list : 0;
}

// Returns a map in a map; 0: none. An unchecked packet may have any value there.
uint32_t find_map(value::TreeView tree, uint32_t map, std::string_view name) {
    const uint32_t found = tree.find(map, name);
    return found && tree[found].kind == ACCP_MAP ? found : 0;
}

// Reads the hash of an entry. Returns false if it is malformed.
bool read_hash(std::string_view source, uint64_t &hash) {
    hash = 0;
    for (const char c : source.substr(kHashName.size(), kHashBytes - kHashName.size())) {
        if (hex_digit(static_cast<unsigned char>(c)) < 0) return false;
        hash = hash << 4 | static_cast<uint64_t>(hex_digit(static_cast<unsigned char>(c)));
    }
    return true;
}

}  // namespace

void append_file_source(uint64_t text_hash, std::string_view path, Buffer<char> &out) {
    out.append(kHashName);
    for (int shift = 60; shift >= 0; shift -= 4)
        out.push("0123456789abcdef"[text_hash >> shift & 15]);
    out.push(' ');
    out.append(path);
}

std::string_view path_of_source(value::TreeView packet, uint32_t entry) {
    if (packet[entry].kind != ACCP_STRING) return {};
    const std::string_view text = packet.string(entry);
    if (!text.starts_with(kHashName) || text.size() <= kHashBytes || text[kHashBytes] != ' ')
        return {};
    return text.substr(kHashBytes + 1);
}

uint32_t find_file_sources(value::TreeView packet) {
    return find_list(packet, find_map(packet, 0, "sources"), kFileList);
}

void read_file_paths(value::TreeView packet, Buffer<std::string_view> &out) {
    out.clear();
    const uint32_t context = find_map(packet, 0, "context");
    const uint32_t codebase = context ? find_map(packet, context, "codebase") : 0;
    const uint32_t files = find_list(packet, codebase, kFileList);
    for (uint32_t i = files + 1; files && i < packet[files].next; i = packet[i].next)
        out.push(member_text(packet, i, "path"));
    std::sort(out.begin(), out.end());
}

Status append_stale_files(value::TreeView packet, const CodeFiles &code, Memory &memory,
                          Buffer<char> &out) {
    const uint32_t sources = find_file_sources(packet);
    if (!sources) return {};
    Buffer<std::string_view> paths(memory);
    read_file_paths(packet, paths);
    for (uint32_t i = sources + 1; i < packet[sources].next; i = packet[i].next) {
        const std::string_view path = path_of_source(packet, i);
        uint64_t hash = 0;
        if (path.empty() || !std::binary_search(paths.begin(), paths.end(), path) ||
            !read_hash(packet.string(i), hash))
            continue;
        bool is_same = false;
        Status status = code.has(path, hash, is_same);
        if (status.failed()) return status;
        if (is_same) continue;
        out.append(path);
        out.push('\n');
    }
    return {};
}

}  // namespace accp::packet
