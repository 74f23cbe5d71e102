// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a context as a request of a provider. Its parts become, in order, texts with roles, calls
// and results.
//
// - Some messages have an equivalent in the provider's format. If the part of such a message is
//   trusted and whole, the text is written as it was appended, byte for byte:
//     `req:plan` of {content}                  user, with its name if the agent is not `user`
//     `req:notify` of {content} by `system`    system
//     `done:reply` of {content} by `assistant` assistant
//     `done:tool` of {result}                  result of a tool
//   If the original message of this provider was kept (read.h), it is written instead.
// - Any other part is written as its text in the context. A pinned trusted guide is system. A
//   trusted act or reply is assistant, without white space at its end. Everything else is user.
//   Such parts are left out if they are white space; for Anthropic this holds for all parts.
// - Acts in a row that are directly followed by a result for each become calls and results. If only
//   the last acts of the row have results, the earlier ones are text. At the end of the request
//   results may be missing; the values of the host are then written before the calls.
// - A call and its result are matched by `call_id`. Without ids they are matched by order, if the
//   intent is `fail` or the operation is the same. An act is written as its thought, its other
//   members as JSON (except `schema`), and the call. Without `tool_name` the operation is the tool.
// - An id that a provider would reject, or that occurs twice, becomes `call_<number>`. Characters
//   that the name of a tool cannot have become `_`; the name then ends with 16 digits of its
//   SHA-256.
// - An untrusted part is never system or assistant. Invalid UTF-8 becomes U+FFFD.
//
// For OpenAI the request is an array of messages; adjacent closed parts become one user message.
// For Anthropic it is {"system"?, "messages"}: each part is a block, and adjacent blocks of one
// role are one message. Cache marks are set on the last pinned block and on the last stable block.
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
    // The text has the whole message. Otherwise an act cannot be a call; a result may be cut.
    bool is_whole = true;
    std::string_view text;    // as in the context
    std::string_view result;  // written in its place as the result of a call; empty: the text is
    uint64_t number = 0;      // of the message
    // The message of an open or pinned part. nullptr: the part is only a text.
    const message::Message *message = nullptr;
};

// Appends the request. The time is linear, except within groups of at most 128 calls. It allocates
// from `memory` and from the arena, which it does not reset.
void write_request(Provider provider, const Part *parts, size_t count, Memory &memory, Arena &arena,
                   Buffer<char> &out);

}  // namespace accp::transcript
