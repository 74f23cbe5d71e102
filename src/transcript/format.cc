// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Detects the format of a transcript from its beginning.
#include "transcript/format.h"

#include <iterator>

#include "transcript/items.h"
#include "transcript/text_transcript.h"

namespace accp::transcript {

namespace {

constexpr std::string_view kFormatNames[] = {"openai",    "anthropic", "claude-code", "swe-agent",
                                             "specstory", "aider",     "speakers",    "codex",
                                             "opencode",  "pi",        "gemini"};

constexpr size_t kLines = 200;  // lines to examine

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Examines the member names of the first value in a JSON text, and words near its beginning.
bool detect_json(std::string_view text, Format &out) {
    const std::string_view head = text.substr(0, 64 << 10);
    if (text.front() == '{') {
        ItemScanner values({text, 0, {}}, Within::kText);
        Item first;
        if (!values.next(first)) return false;
        bool is_line = false, is_typed = false, has_trajectory = false, is_ours = false;
        bool is_gemini = false, has_info = false, has_payload = false, has_time = false,
             is_session = false;
        ItemScanner members(first, Within::kObject);
        for (Item member; members.next(member);) {
            has_trajectory |= member.key == "trajectory";
            is_line |= member.key == "sessionId" || member.key == "parentUuid";
            is_typed |= member.key == "type" &&
                        (member.text == "\"user\"" || member.text == "\"assistant\"" ||
                         member.text == "\"summary\"");
            is_ours |= member.key == "operation";
            has_info |= member.key == "info" && member.first() == '{';
            has_payload |= member.key == "payload" && member.first() == '{';
            is_gemini |= member.key == "projectHash";
            has_time |= member.key == "timestamp";
            is_session |= member.key == "type" && member.text == "\"session\"";
        }
        if (is_ours && !is_line) return false;  // lines of Claude Code may have it too
        if (is_gemini) return out = Format::kGemini, true;
        if (has_payload && has_time) return out = Format::kCodex, true;
        if (has_info) return out = Format::kOpenCode, true;
        if (is_session) return out = Format::kPi, true;
        if (has_trajectory) return out = Format::kSweAgent, true;
        if (is_line || (is_typed && !has(first.text, "\"role\":\"system\"")))
            return out = Format::kClaudeCode, true;
    }
    const bool anthropic = has(head, "\"tool_use\"") || has(head, "\"tool_result\"") ||
                           has(head, "\"cache_control\"") || has(head, "\"anthropic_version\"");
    out = anthropic ? Format::kAnthropic : Format::kOpenAi;
    return anthropic || has(head, "\"role\"") || has(head, "\"input\"");
}

bool has_turns(Format format, std::string_view text) {
    size_t at = 0;
    int turns = 0;
    CodeBlock code;
    for (size_t i = 0; i < kLines && at < text.size(); ++i) {
        size_t end = text.find('\n', at);
        if (end == text.npos) end = text.size();
        const std::string_view line = text.substr(at, end - at);
        const SpeakerLine read = read_speaker(format, line);
        const bool begins = !code.is_open() && read.is_mark && read.speaker != Speaker::kNone;
        turns += begins;
        code.read(begins ? read.text : line);
        at = end + 1;
    }
    return turns >= (format == Format::kSpeakers ? 2 : 1);
}

}  // namespace

bool find_format(std::string_view name, Format &out) {
    for (size_t i = 0; i < std::size(kFormatNames); ++i) {
        if (kFormatNames[i] != name) continue;
        out = static_cast<Format>(i);
        return true;
    }
    return false;
}

std::string_view format_name(Format format) { return kFormatNames[static_cast<size_t>(format)]; }

bool detect_format(std::string_view text, Format &out) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return false;
    if (text[begin] == '{' || text[begin] == '[') return detect_json(text.substr(begin), out);
    for (Format format : {Format::kSpecStory, Format::kAider, Format::kSpeakers}) {
        if (!has_turns(format, text)) continue;
        out = format;
        return true;
    }
    return false;
}

}  // namespace accp::transcript
