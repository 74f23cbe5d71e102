// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A context to a request of a provider: its parts, in order, to roles, calls and results. What is
// written a provider takes, whatever the parts say.
//
// - A trusted guide that is pinned is system. Nothing else is, and what is not trusted is user, or
//   the result of a tool, in the text that it has in the context.
// - Acts one after the other, followed at once by a result of each, are calls and results: as many
//   of a row of acts, from its end, as all are answered. They belong together by `call_id`; those
//   without one by their order, and where intent is `fail` or the operation is the same. An act is
//   written as its thought, and its other members as JSON (but for `schema`), and the call; without
//   `tool_name` its operation is the tool.
// - Ids that a provider would refuse, or that are there already, are `call_<number>`; of a tool's
//   name what is not allowed is `_`, and it ends with 16 digits of its SHA-256.
// - Any other act is a text of the assistant, and so is `done:reply` of the agent `assistant`.
//   White space at their ends is left out.
// - All else is user. Parts of white space are left out. Broken UTF-8 is U+FFFD.
//
// For OpenAI the request is a list `messages`: one user message of all that is pinned or closed and
// stands together. For Anthropic it is {"system"?, "messages"}, each part a block, neighbours of
// one role one message; the last block that is pinned and the last that is stable end what is to be
// cached. Where an assistant would begin, or nobody says anything, a user says `(continued)` first.
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
    // Of an open part: the message. nullptr: not known, and the part is a text.
    const message::Message *message = nullptr;
};

// Appends the request. Linear, but for groups of at most 128 calls. The memory that it works with
// is the arena's, which is not reset, and `memory`'s.
void write_request(Provider provider, const Part *parts, size_t count, Memory &memory, Arena &arena,
                   Buffer<char> &out);

}  // namespace accp::transcript
