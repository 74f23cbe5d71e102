// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The formats of transcripts.
#pragma once

#include <cstdint>
#include <string_view>

namespace accp::transcript {

enum class Format : uint8_t {
    // Messages of chat completions, or items of the Responses interface: a list, a single one, or
    // one after the other as in lines. Also requests with `messages`, or with `input` and
    // `instructions`.
    kOpenAi,
    // The same for the Messages interface. A request has `messages` and `system`.
    kAnthropic,
    // The lines of a session file. Only `message` of lines of type user and assistant is read.
    // Other lines, and those with isSidechain, isMeta or isApiErrorMessage, are ignored. Adjacent
    // lines with the same message id are one message.
    kClaudeCode,
    // A .traj file. From `history` it reads the system messages before the first request and that
    // request, without demonstrations. From each step of `trajectory` it reads thought (or
    // response), action and observation.
    kSweAgent,
    // The Markdown that SpecStory writes for Cursor and others.
    kSpecStory,
    // aider's chat history.
    kAider,
    // Text or Markdown with the name of the speaker before each turn.
    kSpeakers,
};

// Converts a name: openai, anthropic, claude-code, swe-agent, specstory, aider, speakers.
bool find_format(std::string_view name, Format &out);
std::string_view format_name(Format format);

// Detects the format from the beginning of a text. Returns false for other texts and for our own
// messages.
bool detect_format(std::string_view text, Format &out);

}  // namespace accp::transcript
