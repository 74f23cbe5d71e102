// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A context to a request of a provider: its parts, in order, to roles, calls and results.
//
// - A part that stands there whole, is trusted, and was said in a provider's terms is the text that
//   was appended, byte for byte: `req:plan` of {content} is a user's (of another agent than `user`
//   with its name), `req:notify` of {content} by `system` a system's, `done:reply` of {content} by
//   `assistant` an assistant's, `done:tool` of {result} a result. A message that is kept as it came
//   from this provider (read.h) is written so.
// - Any other part is the text that it has in the context: of what is pinned a trusted guide is
//   system; an act is the assistant's, without white space at its end; all else is user. Such parts
//   of white space are left out, for Anthropic the others too.
// - Acts one after the other, followed at once by a result of each, are calls and results: as many
//   of a row of acts, from its end, as all are answered; and at the end of the request also if
//   results are missing: what the host has put then stands before them. They belong together by
//   `call_id`; those without one by their order, and where intent is `fail` or the operation is the
//   same. An act is written as its thought, and its other members as JSON (but for `schema`), and
//   the call; without `tool_name` its operation is the tool.
// - Ids that a provider would refuse, or that are there already, are `call_<number>`; of a tool's
//   name what is not allowed is `_`, and it ends with 16 digits of its SHA-256.
// - What is not trusted is never system and never the assistant's. Broken UTF-8 is U+FFFD.
//
// For OpenAI the request is a list `messages`: one user message of all that is closed and stands
// together. For Anthropic it is {"system"?, "messages"}, each part a block, neighbours of one role
// one message; the last block that is pinned and the last that is stable end what is to be cached.
#pragma once

#include "base/arena.h"
#include "message/message.h"

namespace accp::transcript {

enum class Provider : uint8_t { kOpenAi, kAnthropic };

// By its name: openai, anthropic.
bool find_provider(std::string_view name, Provider &out);

enum class PartKind : uint8_t { kPinned, kClosed, kOpen };

// What kind of source it has: see context/message.h. Of open parts, and of pinned ones.
enum class Said : uint8_t { kGuide, kTask, kAct, kResult };

struct Part {
    PartKind kind = PartKind::kOpen;
    Said said = Said::kTask;
    bool is_stable = false;  // it will stand in the next request too, and so will all before it
    bool is_untrusted = false;
    // The text has all that the message says: else an act is no call. A result may be cut.
    bool is_whole = true;
    std::string_view text;  // as it stands in the context
    uint64_t number = 0;    // of the message
    // Of an open part, and of one that is pinned: the message. nullptr: the part is a text.
    const message::Message *message = nullptr;
};

// Appends the request. Linear, but for groups of at most 128 calls. The memory that it works with
// is the arena's, which is not reset, and `memory`'s.
void write_request(Provider provider, const Part *parts, size_t count, Memory &memory, Arena &arena,
                   Buffer<char> &out);

}  // namespace accp::transcript
