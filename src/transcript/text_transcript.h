// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Conversations that were kept as text: whose words a line begins, by the marks of each format.
#pragma once

#include "transcript/format.h"
#include "transcript/outbox.h"

namespace accp::transcript {

enum class Speaker : uint8_t {
    kNone,  // the line begins nothing
    kUser,
    kAssistant,
    kSystem,
    kTool,
    kNote,  // of the program that kept the file: nobody's words
};

struct SpeakerLine {
    Speaker speaker = Speaker::kNone;
    std::string_view text;  // what of the line is said
    bool is_mark = false;   // it ends what was said before, also by the same speaker
};

// specstory  `_**User**_` or `_**Agent (model …)**_` alone on a line, a rule `---` between turns
// aider      `#### ` before each line of the user's, `> ` before each of the program's
// speakers   `User:` before what is said, or `**User:**`, `[User]`, or the heading `## User`: one
//            who uses, assists, guides or answers as a tool. Not in a code block.
SpeakerLine read_speaker(Format format, std::string_view line);

// Code blocks of Markdown: one ends with a line of the mark that it began with, as often or more
// often, and nothing else.
class CodeBlock {
public:
    bool is_open() const { return length_ != 0; }
    void close() { length_ = 0; }
    void read(std::string_view line);

private:
    char mark_ = 0;
    size_t length_ = 0;  // of the mark that opened it; 0: none is open
};

// A conversation that was kept as text, line by line to messages.

class TextTranscriptReader {
public:
    TextTranscriptReader(Memory &memory, uint64_t max_bytes)
        : max_bytes_(max_bytes), turn_text_(memory), out_(memory) {}

    // Passes a message for each turn to the sink. Text before the first speaker is ignored. E1001:
    // a turn has more than max_bytes (`record` is its number, `offset` its first byte), or there is
    // no speaker. E1004: the text is not UTF-8.
    Status read(Format format, std::string_view text, const Sink &sink);
    // For use in a sink: the number of turns up to that of the message, and where that one begins.
    uint32_t turns() const { return turns_; }
    size_t turn_offset() const { return turn_at_; }

private:
    Status end_turn(const Sink &sink);

    uint64_t max_bytes_;
    Buffer<char> turn_text_;
    Outbox out_;
    Speaker speaker_ = Speaker::kNone;
    bool has_turn_ = false;
    CodeBlock code_;
    size_t turn_at_ = 0;
    uint32_t turns_ = 0;
};

}  // namespace accp::transcript
