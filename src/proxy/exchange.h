// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An exchange between the model and the proxy that the client does not see: calls of the tool
// accp_resolve in one response. The client has the rest of that response in one message. In later
// requests the calls and their results are put back into it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/pack.h"
#include "proxy/hash.h"

namespace proxy {

constexpr std::string_view kResolveTool = "accp_resolve";
// Within one call of the client, this many responses may call the tool before it returns kTooOften.
constexpr size_t kMaxResolveRounds = 8;

// Members of a chat response that have the model's reasoning.
constexpr std::string_view kReasoningMembers[] = {"reasoning_content", "reasoning"};
// A list that has it too, in the form of OpenRouter.
constexpr std::string_view kReasoningList = "reasoning_details";
// Between the words of two responses of chat that the client has as one content.
constexpr std::string_view kBetweenWords = "\n\n";

// The outcome of a call of the tool.
enum class ResolveOutcome : uint8_t { kFound, kNotLeftOut, kUnknown, kBadInput, kTooOften };

// Returns the text of a result that is an error.
std::string resolve_error(ResolveOutcome outcome, uint32_t number);

struct ResolvedCall {
    std::string json;  // the call as the model made it
    std::string id;
    uint32_t number = 0;  // of the page that it wants
    uint32_t before = 0;  // blocks of the client's message (chat: calls) that came before it
    ResolveOutcome outcome = ResolveOutcome::kUnknown;
};

// One of the responses that the client has as one message.
struct ResolveRound {
    uint32_t words = 0;     // the end of its part: in blocks; of chat: in bytes of the content
    uint32_t thoughts = 0;  // of chat: in bytes of the reasoning
    std::vector<ResolvedCall> calls;
};

struct Exchange {
    Hash answer;           // of the client's message: AnswerPrint
    bool is_open = false;  // the last round has calls of the client's tools too
    std::vector<ResolveRound> rounds;

    void pack(accp::Packer &to) const;
    // Returns false if it is not valid.
    bool unpack(accp::Unpacker &from);
};

// Returns whether the text has only white space.
bool is_blank(std::string_view text);

// Recognises a response of the model in a later request of the client, by its texts without white
// space, and the ids of its calls. Blank texts do not count.
class AnswerPrint {
public:
    void add_text(std::string_view text);
    void add_call(std::string_view id) { add('c', id); }
    void add_other(std::string_view type) { add('o', type); }
    // Adds a block or item that is not text. `id`: its call_id, or the id of a call; may be empty.
    void add_block(std::string_view type, std::string_view id) {
        if (id.empty()) add_other(type);
        else add_call(id);
    }
    Hash hash(const HashKey &key) const { return hash_text(print_, key); }

private:
    void add(char tag, std::string_view text);

    std::string print_;
};

}  // namespace proxy
