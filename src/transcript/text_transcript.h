// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Transcripts in text form. The marks of each format show who speaks in a line.
#pragma once

#include "transcript/format.h"
#include "transcript/outbox.h"

namespace accp::transcript {

enum class Speaker : uint8_t {
    kNone,  // no new speaker
    kUser,
    kAssistant,
    kSystem,
    kTool,
    kNote,  // a note of the program that wrote the file
};

struct SpeakerLine {
    Speaker speaker = Speaker::kNone;
    std::string_view text;  // the spoken part of the line
    bool is_mark = false;   // ends the last turn, even with the same speaker
};

// specstory  `_**User**_` or `_**Agent (model …)**_` alone on a line, a rule `---` between turns
// aider      `#### ` before each line of the user, `> ` before each line of the program
// speakers   `User:`, `**User:**`, `[User]` or the heading `## User` before a turn, also for the
//            names of assistants, systems and tools. Not in a code block.
SpeakerLine read_speaker(Format format, std::string_view line);

// Tracks code blocks of Markdown. A block ends with a line that has only the mark of its first
// line, at least as often.
class CodeBlock {
public:
    bool is_open() const { return length_ != 0; }
    void close() { length_ = 0; }
    void read(std::string_view line);

private:
    char mark_ = 0;
    size_t length_ = 0;  // repetitions of the mark that opened it; 0: no block is open
};

// Converts a transcript in text form to messages, line by line.
class TextTranscriptReader {
public:
    TextTranscriptReader(Memory &memory, uint64_t max_bytes)
        : max_bytes_(max_bytes), turn_text_(memory), out_(memory) {}

    // Passes a message for each turn to the sink. Text before the first speaker is ignored. E1001:
    // a turn has more than max_bytes (`record` is its number, `offset` its first byte), or there is
    // no speaker. E1004: the text is not UTF-8.
    Status read(Format format, std::string_view text, const Sink &sink);
    // For use in a sink: the number of turns so far, with that of the message, and the position of
    // the last one.
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
