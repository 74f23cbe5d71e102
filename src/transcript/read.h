// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What hosts have of a conversation, to messages: the histories of providers' interfaces and the
// files that coding agents keep.
//
//     system, developer     {"agent":"system","intent":"req","operation":"notify",
//                            "payload":{"content":T}}
//     user                  {"agent":"user","intent":"req","operation":"plan",
//                            "payload":{"content":T}}
//     call of a tool        {"agent":"assistant","intent":"req","operation":"tool",
//                            "payload":{"thought":T,"tool_name":N,"arguments":{…},"call_id":ID}}
//     what it answered      {"agent":"tool","intent":"done","operation":"tool",
//                            "payload":{"tool_name":N,"result":T,"error":true,"call_id":ID}}
//     assistant, no call    {"agent":"assistant","intent":"done","operation":"reply",
//                            "payload":{"content":T}}
//
// - What an assistant says and thinks beside calls is the thought of the first of them.
// - Arguments that are no JSON object are {"input":text}; none at all are {}.
// - A text is kept byte for byte. Several texts of one message have a newline between them.
// - A message of a provider that has more (images, thoughts and their signatures, blocks of types
//   that are not known, other members) is kept beside its text, as metadata of the first message
//   that became of it: {"openai":{"messages":N,"message":{…}}}, and goes back as it came (write.h).
// - Nothing of a provider's list is dropped, and nothing is made up: what is not understood is
//   refused. Of files (claude-code and those after it) a message of nothing but white space is
//   dropped, and so is what an assistant thinks without a call.
// - In a text an image, a document, audio is `[image image/png, 34,112 bytes, sha256
//   1f2e3d4c5b6a7988]`, or `[image https://…]`; a part that is not known is its text, or `[type]`.
// - A user's `name` is the agent. What no agent can be called is `_`, and what had to change, or is
//   system, developer, assistant, tool or function, ends with 8 digits of its SHA-256.
#pragma once

#include "transcript/format.h"
#include "transcript/read_work.h"
#include "transcript/spoken.h"

namespace accp::transcript {

inline constexpr const char *kNoItems =
    "there is no message in it: give a message, a list of messages, or a request with `messages`";

class TranscriptReader {
public:
    // Limits are those of one item: a message, a line, a step.
    TranscriptReader(Memory &memory, const value::JsonLimits &limits);

    // Gives the sink each message as one line of JSON, without a newline; the view lives as long as
    // the call. Items are read one by one.
    //
    // E1001, E1004: what an item is not; `record` is its number, from 0, `offset` a byte of the
    // text; of one that is too long, `had` and `limit` too; and of a text without any item. The
    // sink then has had what came before, and nothing of it (a list, or a request, that has no end
    // is one item in this). What the sink fails with ends the call.
    Status read(Format format, std::string_view text, const Sink &sink);

    // For a sink: the number of the item that the message ends in, and the byte where that begins.
    uint32_t item() const { return is_spoken() ? spoken_.turns() - 1 : item_; }
    size_t item_offset() const { return is_spoken() ? spoken_.turn_offset() : item_at_; }
    uint32_t items() const { return is_spoken() ? spoken_.turns() : items_; }

private:
    Status read_values(std::string_view text);
    Status read_value(const Item &item);
    Status read_request(const Item &system, const Item &messages);
    Status read_trajectory(const Item &history, const Item &trajectory);
    Status read_list(const Item &list, Role role);
    Status read_item(const Item &item, Role role);
    Status read_system_blocks();
    Status interpret(Role role);
    void keep(Role role);
    bool is_spoken() const { return format_ >= Format::kSpecStory; }
    bool continues_turn(Role role) const;
    Status deliver();

    Format format_ = Format::kOpenAi;
    value::JsonLimits limits_;
    value::JsonReader reader_;
    value::Value value_;
    ReadWork work_;
    SpokenReader spoken_;
    Sink sink_ = {};
    bool has_stopped_ = false;  // the sink refused
    uint32_t items_ = 0, item_ = 0;
    size_t item_at_ = 0;
};

}  // namespace accp::transcript
