// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a context as a request of a provider. Its parts become, in order, texts with roles, calls
// and results.
//
// - Some messages have an equivalent in the provider's format. If the part of such a message is
//   trusted, its text is written as it was appended, byte for byte. If the part lacks lines, they
//   are gaps in this text:
//     `req:plan` of {content}                  user, with its name if the agent is not `user`
//     `req:notify` of {content} by `system`    system
//     `done:reply` of {content} by `assistant` assistant
//     `done:tool` of {result}                  result of a tool
//   If the original message of this provider was kept (read.h), what it has of the part is written
//   instead: the blocks of a message that has several parts are each their part's own. If the part
//   lacks lines, only the text with the gaps differs. An original whose text is not one text has no
//   gaps.
// - Any other part is written as its text in the context. A pinned trusted guide is system. A
//   trusted act or reply is assistant, without white space at its end. Everything else is user.
//   Such parts are left out if they are white space; for Anthropic this holds for all parts.
// - An act with `arguments` is a call. A call that is not whole keeps its short arguments, and has
//   refs in place of the others. Acts in a row are one message of at most 128 calls; an original,
//   and an act with a thought, begin another one.
// - The results of calls are looked for up to the next act or reply, and follow their calls. A call
//   and its result are matched by `call_id`. Without ids they are matched by the name of the tool,
//   then by order, from the end, if the intent is `fail` or the operation is the same. A call
//   without a result has the result `… no result`. At the end of the request results may be
//   missing; the values of the host are then written before the calls.
// - A result without a call is user, after the text `@agent intent:operation`. Members of a result
//   other than its text follow the text as JSON, as a text of their own.
// - An act is written as its thought, its other members as JSON (except `schema`), and the call.
//   Without `tool_name` the operation is the tool.
// - An id that a provider would reject, or that occurs twice, becomes `call_<number>`. Characters
//   that the name of a tool cannot have become `_`; the name then ends with 16 digits of its
//   SHA-256.
// - An untrusted part is never system or assistant. Invalid UTF-8 becomes U+FFFD.
//
// For OpenAI the request is an array of messages; adjacent closed parts become one user message.
// For Anthropic it is {"system"?, "messages"}: each part is a block, and adjacent blocks of one
// role are one message. A guide after the first message is user, since a later `system` would
// change all that follows. Cache marks are set on the last pinned block and on the last stable
// block.
#pragma once

#include "base/arena.h"
#include "frame/message/message.h"

namespace accp::transcript {

enum class Provider : uint8_t { kOpenAi, kAnthropic };

// Finds a provider by its name: openai, anthropic.
bool find_provider(std::string_view name, Provider &out);

enum class PartKind : uint8_t { kPinned, kClosed, kOpen };

// The source of an open or pinned part (see context/message.h).
enum class SourceKind : uint8_t { kGuide, kTask, kAct, kResult };

struct Part {
    PartKind kind = PartKind::kOpen;
    SourceKind source = SourceKind::kTask;
    bool is_stable = false;  // the next request has it and all parts before it too
    bool is_untrusted = false;
    bool is_whole = true;     // the context has the whole message
    bool has_gaps = false;    // only lines are missing that other messages of the context have
    std::string_view text;    // as in the context
    std::string_view result;  // the line that stands for an evicted result; empty: none
    // The text of a message with one text that is not whole: its lines, and gaps. No data: none.
    std::string_view shown;
    uint64_t number = 0;  // of the message
    // The message of an open or pinned part. nullptr: the part is only a text.
    const message::Message *message = nullptr;
};

// Appends the request. The time is linear, except within groups of at most 128 calls. It allocates
// from `memory` and from the arena, which it does not reset.
void write_request(Provider provider, const Part *parts, size_t count, Memory &memory, Arena &arena,
                   Buffer<char> &out);

}  // namespace accp::transcript
