// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What transcripts can be read.
#pragma once

#include <cstdint>
#include <string_view>

namespace accp::transcript {

enum class Format : uint8_t {
    // A list of messages of chat completions, or of items of the Responses interface; one of them;
    // one after the other, as in lines; or requests that have them as `messages` or `input`, with
    // `instructions`.
    kOpenAi,
    // The same of the Messages interface: a request has `messages`, and `system`.
    kAnthropic,
    // The lines of a session's file. Lines of type user and assistant are read, `message` alone;
    // passed over are others, and those with isSidechain, isMeta or isApiErrorMessage. Lines one
    // after the other with one message id are one message.
    kClaudeCode,
    // A .traj file: of `history` what the system says before the first request, and that, without
    // demonstrations; of each step of `trajectory` thought (else response), action, observation.
    kSweAgent,
    // The Markdown that SpecStory keeps of Cursor and others.
    kSpecStory,
    // aider's chat history.
    kAider,
    // Text or Markdown with a name before what each says.
    kSpeakers,
};

// By its name: openai, anthropic, claude-code, swe-agent, specstory, aider, speakers.
bool find_format(std::string_view name, Format &out);
std::string_view format_name(Format format);

// By what a text begins with; false where it is none of these, or messages of our own.
bool detect_format(std::string_view text, Format &out);

}  // namespace accp::transcript
