// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Responses with calls of accp_resolve, played through a session of the proxy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proxy/answers.h"
#include "proxy/resolve_session.h"

namespace accp_proxy {

constexpr proxy::Api kApis[] = {proxy::Api::kMessages, proxy::Api::kChat, proxy::Api::kResponses};

// Returns a request in which result 5 was left out, and result 3 was not.
proxy::ResolveRequest request_of(proxy::Api api);

Said thought(const std::string &text);
Said words(const std::string &text);
Said theirs(const std::string &id);
Said ours(const std::string &id, const std::string &input = R"({"number":5})");

std::vector<std::string> answers_of(proxy::Api api, const std::vector<SaidTurn> &turns, size_t cut,
                                    bool pings);

struct Played {
    std::string shown;
    std::vector<std::string> follow_ups;
    std::optional<proxy::Exchange> exchange;
    bool is_broken = false;
};

// Plays responses, in pieces of these sizes, which are repeated.
Played play_events(proxy::Api api, const std::vector<std::string> &answers,
                   const std::vector<size_t> &sizes);
Played play_whole(proxy::Api api, const std::vector<SaidTurn> &turns);

}  // namespace accp_proxy
