// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes messages as a context has them, and finds their sources.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "frame/message/message.h"

namespace accp::context {

// Precedes the header of an untrusted message, as in the render form.
inline constexpr std::string_view kUntrustedHead = "(untrusted message) ";

// The source of a message decides how long it is kept.
enum class Source : uint8_t {
    kGuide,   // notify, sync
    kTask,    // a request without arguments
    kAct,     // a request with arguments: an agent calls a tool
    kResult,  // everything else
};
Source source_of(const message::Message &message);

// Maximum bytes of the name of an agent or an operation in a header; an intent has half as many. So
// a header is never cut (kMaxLineBytes in cut.h).
constexpr size_t kMaxHeadName = 64;

// Appends a name. A longer name is cut and gets `~`, which no name contains, and 16 hexadecimal
// digits of its SHA-256, so two names never look alike.
void put_name(std::string_view name, size_t max_bytes, Buffer<char> &out);

// Appends `@agent intent:operation`.
void write_head(const message::Message &message, Buffer<char> &out);

// Appends the first line of a closed message: `@coder req:tool` of write_message() becomes
// `coder@26:`, and the rest of the line follows. The intent and the operation stay unless the
// message is a call of a tool or its result.
void write_closed_head(std::string_view line, uint64_t number, Buffer<char> &out);

// Appends the author of the message, as facts name it.
inline constexpr std::string_view kUntrustedAuthor = " (untrusted)";
void write_author(const message::Message &message, Buffer<char> &out);

// Returns the message without the member `call_id` if it is a call of a tool or its result. Only
// providers need that member.
message::Message without_call_id(const message::Message &message, Arena &arena);

// Appends the header, the fields and a newline. A field whose text has several lines begins a line
// and is written raw after the path of its key; the others are render text (docs/render.md). A
// payload that is a text is written in the lines after the header, or in quotes if it is short.
void write_message(const message::Message &message, Memory &memory, Arena &arena, uint64_t seed,
                   Buffer<char> &out);

// Appends the header, the payload as compact JSON, and a newline.
void write_json_message(const message::Message &message, Memory &memory, Buffer<char> &out);

// Counts the lines of the payload that stand for images, documents and audio (transcript/read.h).
size_t count_media(const message::Message &message);

// Returns whether the payload has a text of words or lines, not only names and numbers.
bool has_text(const message::Message &message);

}  // namespace accp::context
