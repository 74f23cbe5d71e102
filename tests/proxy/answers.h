// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Responses of models for tests: the output of a model, written as a provider sends it, and read
// back as a strict client reads it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proxy/request.h"

namespace accp_proxy {

struct Said {
    enum Kind { kThought, kText, kCall } kind;
    std::string text;  // of a call: its arguments, as JSON
    std::string id, name;

    bool operator==(const Said &) const = default;
};

struct SaidTurn {
    std::vector<Said> blocks;
    unsigned output = 0;  // tokens
    std::string stop;     // empty: the one that fits the blocks

    bool operator==(const SaidTurn &) const = default;
};

// `cut`: the bytes of each delta.
std::string write_events(proxy::Api api, const SaidTurn &turn, size_t cut, bool pings);
std::string write_whole(proxy::Api api, const SaidTurn &turn);

// Return nothing if the response breaks a rule of the interface: order, indices, identifiers.
std::optional<SaidTurn> read_events(proxy::Api api, const std::string &text);
std::optional<SaidTurn> read_whole(proxy::Api api, const std::string &text);

// Returns the response that a client gets of several: everything except calls of accp_resolve.
SaidTurn join_turns(proxy::Api api, const std::vector<SaidTurn> &turns);

}  // namespace accp_proxy
