// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cases as text: reads the Markdown files of this directory. README.md describes their format.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accp_spec {

struct Refusal {
    int32_t status = 0;
    uint64_t offset = 0;
};

struct Case {
    std::string file, heading;
    int line = 0;
    std::vector<std::string> dialects;  // one run for each
    std::vector<std::pair<std::string, uint64_t>> limits;
    uint32_t extensions = 0;
    uint32_t render_flags = 0;
    bool abbreviate = false, keep_refs = false, taken = false;
    std::optional<Refusal> refused, canon_refused, envelope_refused;
    std::map<std::string, std::string> blocks;  // by the word after the fence

    const std::string *block(std::string_view name) const;
};

/**
 * Returns every case of every .md file of a directory except README.md, by file name. Throws
 * std::runtime_error with file and line for anything unknown, because an ignored line would be a
 * check that never fails.
 */
std::vector<Case> read_cases(const std::string &directory);

/**
 * Returns `text` with each `<HH>` replaced by that byte, and each `<<text*N>>` by N copies of the
 * text.
 */
std::string unfold_bytes(std::string_view text);

}  // namespace accp_spec
