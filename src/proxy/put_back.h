// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Puts calls of accp_resolve and their results back into the body of a later request.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proxy/exchange.h"
#include "proxy/json_text.h"
#include "proxy/request.h"

namespace proxy {

// The content of a result, as JSON.
struct ResultContent {
    std::string json;
    bool is_error = false;
};
using ContentOf = std::function<ResultContent(const ResolvedCall &)>;

// Returns a content without the cache marks of its blocks, because a copy must not add marks.
// `json` is used within the call only.
std::string without_marks(std::string_view content, JsonText &json);

// Returns the results of calls, with commas between them: blocks (Messages), messages (chat) or
// items (Responses).
std::string result_list(Api api, const std::vector<ResolvedCall> &calls,
                        const ContentOf &content_of);

// The messages of one response of the model and of the results of its calls, as they are sent.
// `blocks`, `results`: JSON with commas between. Returns an empty text if there are none.
std::string messages_turn(const std::string &blocks);
std::string messages_results(const std::string &results);

// A run of pages of the model in one message; of the Responses interface, in one response.
struct ModelMessage {
    size_t first = 0, count = 0;  // pages
};
// Returns the message whose first page is at this place. Its count is 0 if the model's pages there
// are not those of one message.
ModelMessage find_model_message(const ModelRequest &request, Api api, size_t first);

// Returns the hash by which AnswerPrint recognises it.
Hash print_of(const ModelRequest &request, Api api, ModelMessage message, const HashKey &key);

// Returns whether the message has the places of an exchange.
bool can_put_back(const ModelRequest &request, Api api, ModelMessage message,
                  const Exchange &exchange);

// Appends the edits that put an exchange back. Returns false, and appends nothing, if the message
// does not have its places.
bool put_back(const ModelRequest &request, Api api, ModelMessage message, const Exchange &exchange,
              const ContentOf &content_of, std::vector<Edit> &edits);

}  // namespace proxy
