// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cases as text: reads the Markdown files of this directory. README.md says how they are written.
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
 * Every case of every .md file of a directory but README.md, by file name. Throws
 * std::runtime_error, naming file and line, for anything that is not understood: a line that nobody
 * reads would be a check that never fails.
 */
std::vector<Case> read_cases(const std::string &directory);

/** `text` with `<HH>` as that byte and `<<text*N>>` as N times that text. */
std::string unfold_bytes(std::string_view text);

}  // namespace accp_spec
