// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Converts the conversations of hosts to messages: the histories of providers' interfaces, and the
// files of coding agents.
//
//     system, developer     {"agent":"system","intent":"req","operation":"notify",
//                            "payload":{"content":T}}
//     user                  {"agent":"user","intent":"req","operation":"plan",
//                            "payload":{"content":T}}
//     call of a tool        {"agent":"assistant","intent":"req","operation":"tool",
//                            "payload":{"thought":T,"tool_name":N,"arguments":{…},"call_id":ID}}
//     result of a tool      {"agent":"tool","intent":"done","operation":"tool",
//                            "payload":{"tool_name":N,"result":T,"error":true,"call_id":ID}}
//     assistant, no call    {"agent":"assistant","intent":"done","operation":"reply",
//                            "payload":{"content":T}}
//
// - The texts and thoughts of an assistant become the thought of its first call.
// - Arguments that are not a JSON object become {"input":text}. Missing arguments become {}.
// - A text is kept byte for byte. A newline separates several texts of one message.
// - A provider's message may have more than text: images, thoughts and their signatures, blocks of
//   unknown types, other members, arguments with white space of their own. The original is then
//   kept as metadata of the first message made from it: {"openai":{"messages":N,"message":{…}}}. It
//   is sent back unchanged (write.h).
// - Nothing in a provider's list is dropped or invented: an unknown item is an error.
//   A `system` or `input` of white space beside the list is dropped. In files (claude-code and the
//   formats after it), messages of white space are dropped, and so are thoughts without a call.
// - In a text, an image, a document or audio becomes `[image image/png, 34,112 bytes, sha256
//   1f2e3d4c5b6a7988]` or `[image https://…]`. An unknown part becomes its text, or `[type]`.
// - The `name` of a user becomes the agent. Characters that an agent's name cannot have become `_`.
//   A changed name ends with 8 digits of its SHA-256, and so does a name that is system, developer,
//   assistant, tool or function.
#pragma once

#include "transcript/format.h"
#include "transcript/read_state.h"
#include "transcript/text_transcript.h"

namespace accp::transcript {

inline constexpr const char *kNoItems =
    "there is no message in it: give a message, a list of messages, or a request with `messages`";

class TranscriptReader {
public:
    // The limits apply to one item: a message, a line or a step.
    TranscriptReader(Memory &memory, const value::JsonLimits &limits);

    // Passes each message to the sink as one line of JSON, without a newline. The view is valid
    // during the call. Items are read one by one.
    //
    // E1001, E1004: an item is invalid, or there is none. `record` is the number of the item, from
    // 0, and `offset` a byte in the text. `had` and `limit` are set if the item is too long. The
    // sink has then received all messages before the item, and none from it. A list or a request
    // without an end counts as one item here. A failure of the sink ends the call.
    Status read(Format format, std::string_view text, const Sink &sink);

    // For use in a sink: the number of the item that completed the message, and its position.
    uint32_t item() const { return is_text_format() ? text_reader_.turns() - 1 : item_; }
    size_t item_offset() const { return is_text_format() ? text_reader_.turn_offset() : item_at_; }
    // The absolute directory in which the session worked, as the last text names it first; empty:
    // it names none. Valid until the next call of read().
    std::string_view directory() const { return state_.directory.view(); }
    uint32_t items() const { return is_text_format() ? text_reader_.turns() : items_; }

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
    bool is_text_format() const {
        return format_ >= Format::kSpecStory && format_ <= Format::kSpeakers;
    }
    bool continues_turn(Role role) const;
    Status deliver();

    Format format_ = Format::kOpenAi;
    value::JsonLimits limits_;
    value::JsonReader reader_;
    value::Value value_;
    ReadState state_;
    TextTranscriptReader text_reader_;
    Sink sink_ = {};
    bool has_stopped_ = false;  // the sink failed
    uint32_t items_ = 0, item_ = 0;
    size_t item_at_ = 0;
};

}  // namespace accp::transcript
