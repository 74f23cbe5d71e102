// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_memory.h.
#include "packet/code/memory.h"

#include <algorithm>

namespace accp::packet {

Status CodeMemory::add(std::string_view path, std::string_view text, uint64_t stamp) {
    index_.add(path, text, stamp);
    return {};
}

Status CodeMemory::remove(std::string_view path, bool &was_there) {
    was_there = index_.remove(path);
    return {};
}

Status CodeMemory::count(uint64_t &out) const {
    out = index_.count();
    return {};
}

Status CodeMemory::has(std::string_view path, uint64_t text_hash, bool &out) const {
    out = index_.has(path, text_hash);
    return {};
}

Status CodeMemory::stamp(std::string_view path, uint64_t &out) const {
    out = index_.stamp(path);
    return {};
}

Status CodeMemory::list(Buffer<char> &out) const {
    Buffer<std::string_view> paths(*memory_);
    CodeFile file;
    for (size_t i = 0; i < index_.entries(); ++i)
        if (index_.get(i, file)) paths.push(file.path);
    std::sort(paths.begin(), paths.end());
    for (const std::string_view path : paths) {
        out.append(path);
        out.push('\0');
    }
    return {};
}

Status CodeMemory::pick(const CodeQuery &query, CodePick &out) const {
    out.view = &index_;
    out.files = index_.count();
    out.length = 0;
    out.having.clear();
    for (size_t i = 0; i < query.words.size(); ++i) out.having.push(0);
    CodeFile file;
    for (size_t i = 0; i < index_.entries(); ++i) {
        if (!index_.get(i, file)) continue;
        out.length += file.length;
        for (size_t word = 0; word < query.words.size(); ++word)
            out.having[word] +=
                std::binary_search(file.words.begin(), file.words.end(), query.words[word]);
    }
    return {};
}

}  // namespace accp::packet
