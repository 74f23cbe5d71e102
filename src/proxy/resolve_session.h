// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One call of a client in a conversation that has the tool accp_resolve. If the model calls only
// this tool, the session makes the body of a further call, which has the result, and joins the
// responses.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proxy/put_back.h"
#include "proxy/splicer.h"
#include "proxy/traffic.h"

namespace proxy {

// The definition of the tool, as JSON; empty: the interface has none.
std::string_view resolve_tool_json(Api api);

// A result that was left out: the bytes of its content in the body of the client.
struct LeftOut {
    uint32_t number;  // of its page
    size_t begin, end;
    bool is_error;
};

struct ResolveRequest {
    Api api = Api::kNone;
    std::string body;           // as the client sent it
    std::vector<Edit> edits;    // that turn `body` into the body that was sent
    size_t messages_end = 0;    // the bracket after the last message
    std::vector<bool> results;  // of each page: whether it is a result
    std::vector<LeftOut> left_out;
    Hash chain, place;      // of the conversation up to its last page
    bool can_mark = false;  // a further cache mark is allowed, and the client uses marks
};

class ResolveSession {
public:
    // `json` is borrowed, and used within calls only.
    ResolveSession(ResolveRequest request, const HashKey &key, JsonText &json);

    // Call these for each response, in this order.
    AnswerMode read_head(int status, const Headers &headers);
    // Returns what the client gets; nothing if that is unchanged.
    std::optional<std::string> read(std::string_view bytes);
    AnswerEnd end(bool is_whole, std::string_view held);

    // Returns the exchange, once: when the client's response is complete, before its last bytes are
    // returned.
    std::optional<Exchange> take_exchange() { return std::exchange(exchange_, std::nullopt); }
    const Hash &chain() const { return request_.chain; }
    const Hash &place() const { return request_.place; }

private:
    AnswerEnd end_events(bool is_whole);
    AnswerEnd end_held(std::string_view held);
    AnswerEnd fail(const std::string &why);
    std::optional<std::string> make_follow_up();
    ResolvedCall resolve(const AnswerBlock &block);
    ResultContent content_of(const ResolvedCall &call) const;
    ResolveRound end_round();
    bool is_dropped(const AnswerBlock &block) const;
    void count_words(const AnswerBlock &block);
    std::string turn_json() const;
    std::string mark() const;
    void finish();

    ResolveRequest request_;
    HashKey key_;
    JsonText &json_;
    std::unique_ptr<AnswerSplicer> splicer_;
    AnswerMode mode_ = AnswerMode::kAsItCame;
    bool has_head_ = false;    // of the current response
    bool has_failed_ = false;  // the further call was refused
    int status_ = 0;
    std::string refusal_;  // its body
    std::string added_;    // messages after those of the client
    std::vector<ResolveRound> rounds_;
    // What the client has of the rounds so far.
    uint32_t words_ = 0, thoughts_ = 0, calls_ = 0;
    AnswerPrint print_;           // Messages
    std::string chat_words_;      // chat
    std::string thought_member_;  // of chat: the member that is counted; another may repeat it
    std::vector<std::string> chat_calls_;
    std::optional<Exchange> exchange_;
    bool is_finished_ = false;
};

}  // namespace proxy
