// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message, how it stands in a context, and what kind of source it is.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "frame/message/message.h"

namespace accp::context {

// What a context writes before the header of an untrusted message, as the render form does.
inline constexpr std::string_view kUntrustedHead = "(untrusted message) ";

// Who says something decides how long it is worth keeping.
enum class Source : uint8_t {
    kGuide,   // said once for all: notify, sync
    kTask,    // asked, and not by way of a tool
    kAct,     // what an agent does: a request with arguments
    kResult,  // what came of it
};
Source source_of(const message::Message &message);

// Bytes of the name of an agent or an operation in a header, and twice those of an intent: so a
// header is never cut (kMaxLineBytes in cut.h).
constexpr size_t kMaxHeadName = 64;

// Appends a name. Of a longer one its begin, `~`, which no name has, and 16 hexadecimal digits of
// its SHA-256: two of them are never alike.
void put_name(std::string_view name, size_t max_bytes, Buffer<char> &out);

// Appends `@agent intent:operation`.
void write_head(const message::Message &message, Buffer<char> &out);

// Appends the first line of a message that was closed: of what write_message() began with `@coder
// req:tool`, `coder@26:`, and the rest of the line. The intent and the operation stay where they
// are not those of a tool's call and its answer.
void write_closed_head(std::string_view line, uint64_t number, Buffer<char> &out);

// Appends who says it, as facts name their author.
inline constexpr std::string_view kUntrustedAuthor = " (untrusted)";
void write_author(const message::Message &message, Buffer<char> &out);

// A message as a context writes it: of a tool's call and its answer the member `call_id` is for
// those who send them on to a provider, and no model needs it.
message::Message without_call_id(const message::Message &message, Arena &arena);

// Appends the header, its fields, and a newline. A field whose text has lines of its own begins a
// line and is written raw, with the path of its key before it; the others are render text
// (docs/render.md). A payload that is a text stands in the lines after the header, a short one in
// quotes in it.
void write_message(const message::Message &message, Memory &memory, Arena &arena, uint64_t seed,
                   Buffer<char> &out);

// The same with its payload as compact JSON, where that is shorter.
void write_json_message(const message::Message &message, Memory &memory, Buffer<char> &out);

// Is there text in the payload, in words or lines, and not names and numbers alone?
bool has_text(const message::Message &message);

}  // namespace accp::context
