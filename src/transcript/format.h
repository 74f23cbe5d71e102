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
    // The lines of a rollout of Codex. Only lines of type response_item are read: event_msg
    // repeats them. Instructions, and notes of Codex in the user's name, are ignored.
    kCodex,
    // A session of opencode, {"info","messages":[{"info","parts"}]}, as `opencode export` prints
    // it; or its messages as lines. Parts that opencode has added, and summaries, are ignored.
    kOpenCode,
    // The lines of a session file of pi. Only lines of type message are read.
    kPi,
    // The lines of a chat of Gemini CLI. Only lines of type user and gemini are read, and of
    // several
    // with one id what is new. Results of tools are read where their calls are.
    kGemini,
};

// Converts a name: openai, anthropic, claude-code, swe-agent, specstory, aider, speakers,
// codex, opencode, pi,
// gemini.
bool find_format(std::string_view name, Format &out);
std::string_view format_name(Format format);

// Detects the format from the beginning of a text. Returns false for other texts and for our own
// messages.
bool detect_format(std::string_view text, Format &out);

}  // namespace accp::transcript
