// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Asks a model for the items of a packet (docs/packets.md, "With a model"): which items the
// conversation has, each with a quote, and then which of them a user later made untrue. This file
// has the questions and reads the answers; others carry them to a model. It has neither a socket
// nor a clock.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accp/hooks.h"
#include "server/model/item_answer.h"

namespace server {

// What a model, or its cache, found.
struct FoundItems {
    std::string items;               // JSON in the form of accp_packet_request.items
    std::vector<std::string> notes;  // what was dropped or left out and why, for people
};
// Asks a model. `asked`: JSON as accp_extract_function gets it. Throws Failure.
using FindItems = std::function<FoundItems(const std::string &asked)>;

struct ModelQuestion {
    std::string system, user;  // texts of the two messages
};

// The conversation as a packet would be made from it. Use hooks() in the config of a packet and
// generate it: the call fails with ACCP_ERR_IO when the messages are here. If it succeeds, it had
// no conversation, and the packet needs no model.
class ConversationCapture {
public:
    // Valid as long as this object.
    accp_hooks hooks();
    // Returns the messages of the last call, and forgets them: JSON as accp_extract_function gets
    // it, without secrets unless the config keeps them. Empty: it had no conversation.
    std::string take() { return std::exchange(asked_, {}); }

private:
    std::string asked_;
};

class ItemQuestions {
public:
    struct Rules {
        uint64_t max_tokens = 16'000;                     // of the messages in a question
        std::function<uint64_t(std::string_view)> count;  // the tokens of a text
    };
    // `asked`: JSON as accp_extract_function gets it. Throws Failure.
    ItemQuestions(std::string_view asked, const Rules &rules);

    // What the result depends on, besides the model: both prompts and the first question.
    std::string fingerprint() const;

    bool has_question() const { return step_ != Step::kDone; }
    // The question to ask next.
    const ModelQuestion &question() const { return question_; }
    // Reads the answer to it. Throws Failure if it cannot be used; an unusable answer to the second
    // question is only a note.
    void read_answer(std::string_view answer);
    // Instead of an answer to the second question, the reason why it is missing.
    void skip(std::string_view reason);
    bool is_second() const { return step_ == Step::kCheck; }
    // Returns whether a question was skipped, or its answer was not used.
    bool is_partial() const { return is_partial_; }
    // Call this after the last answer.
    FoundItems result() const { return {items_.print(), items_.notes}; }

private:
    struct Message {
        uint64_t number;
        bool is_user;
        std::string text;
        std::string compared;  // the text as quotes are looked up in it, once it is sent
    };
    struct Checked {
        size_t item;       // index into items_
        uint64_t message;  // the number of the message with its quote
    };
    std::string conversation(const Rules &rules);
    std::string lines() const;
    static std::string line_of(const Message &message);
    static size_t bytes_at(const Message &message, size_t cap);
    size_t find_cap(size_t max_bytes) const;
    void cut_messages(size_t cap, size_t max_bytes);
    bool ask_for_check();
    void drop_outdated(const std::vector<OutdatedItem> &outdated);
    const Message *find_quote(std::string_view quote) const;

    std::vector<Message> messages_;
    ModelQuestion question_;
    ModelItems items_;
    std::vector<Checked> checked_;  // the items of the second question
    enum class Step { kItems, kCheck, kDone } step_ = Step::kItems;
    bool is_partial_ = false;
};

}  // namespace server
