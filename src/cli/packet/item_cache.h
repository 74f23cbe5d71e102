// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What models found in conversations, by the hash of their questions: one file each in
// $XDG_CACHE_HOME/accp/items or ~/.cache/accp/items, readable by the user only, since it quotes
// conversations. At most 256 files; the least recently written ones are removed.
//
//     file    = digest LF content     digest: SHA-256 of the content, 64 digits
//     content = JSON: {"items":…,"notes":[…]}
//
// A cache never fails: without a place, or with a damaged file, read() returns nothing.
#pragma once

#include <optional>
#include <string>

#include "server/model/item_questions.h"

namespace cli {

class ItemCache {
public:
    // `key`: a text that names the model, and has the question.
    explicit ItemCache(const std::string &key);

    std::optional<server::FoundItems> read() const;
    void write(const server::FoundItems &found) const;

private:
    std::string folder_, path_;  // empty: no place
};

}  // namespace cli
