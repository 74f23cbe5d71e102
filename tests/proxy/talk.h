// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Conversations of an agent for tests, written as bodies of each interface in the ways that clients
// write them.
#pragma once

#include <string>
#include <vector>

#include "proxy/request.h"

namespace accp_proxy {

struct Block {
    enum Kind { kUser, kWords, kCall, kResult, kImageResult } kind;
    std::string text;  // the text of the block; of a call: its path
    int id = 0;        // of calls and results
    bool is_error = false;
};

// In order. Blocks of the model follow each other, then those of the user and the tools.
using Talk = std::vector<Block>;

struct Style {
    int mark = -1;              // the block with the cache mark; -1: none
    int second_mark = -1;       // one more of them
    bool marks_front = false;   // the system prompt has a mark too
    bool hour = false;          // the mark is for an hour
    bool lists = false;         // contents are lists of text blocks
    bool escapes = false;       // letters are escaped
    bool spaces = false;        // white space between tokens
    std::string session = "s";  // in the system prompt
    std::string model = "claude-x";
};

// A piece of a body. Each content that a proxy may replace is a piece of its own.
struct Piece {
    std::string json;
    int block = -1;  // the block whose content it is; -1: another part
};

std::vector<Piece> write_pieces(proxy::Api api, const Talk &talk, const Style &style);
std::string join(const std::vector<Piece> &pieces);

// Returns the text as a JSON string.
std::string quoted(const std::string &text, bool escapes = false);

}  // namespace accp_proxy
