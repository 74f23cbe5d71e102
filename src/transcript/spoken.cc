// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See spoken.h.
#include "transcript/spoken.h"

#include "base/utf8.h"

namespace accp::transcript {

namespace {

// Without the blank lines and rules that part one turn from the next.
std::string_view trim_turn(std::string_view text) {
    for (;;) {
        text = trim_end(text);
        const size_t line = text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1;
        if (text.substr(line) != "---") break;
        text = text.substr(0, line);
    }
    size_t begin = 0;
    for (size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
        if (has_words(text.substr(begin, end - begin))) break;
    return text.substr(begin);
}

}  // namespace

Status SpokenReader::read(Format format, std::string_view text, const Sink &sink) {
    said_.clear();
    out_.clear();
    speaker_ = Speaker::kNobody;
    has_spoken_ = false;
    code_.close();
    turns_ = 0;
    const size_t valid = valid_utf8_prefix(text.data(), text.size());
    if (valid != text.size()) return fail(ACCP_E1004, valid, "not UTF-8");
    for (size_t at = 0; at < text.size();) {
        size_t end = text.find('\n', at);
        if (end == text.npos) end = text.size();
        const std::string_view line = text.substr(at, end - at);
        // only marks that nobody writes by chance are looked for within code
        const bool may_begin = format != Format::kSpeakers || !code_.is_open();
        const SpokenLine read =
            may_begin ? read_speaker(format, line) : SpokenLine{Speaker::kNobody, line, false};
        const bool begins =
            read.speaker != Speaker::kNobody && (read.is_mark || read.speaker != speaker_);
        if (begins) {
            Status status = end_turn(sink);
            if (status.failed()) return status;
            speaker_ = read.speaker;
            turn_at_ = at;
            code_.close();
        }
        code_.read(begins ? read.text : line);
        if (!said_.empty()) said_.push('\n');
        if (speaker_ != Speaker::kNobody && speaker_ != Speaker::kNote) said_.append(read.text);
        if (said_.size() > max_bytes_)
            return {ACCP_E1001,   turns_,
                    turn_at_,     "a turn is longer than the limit json_bytes allows",
                    said_.size(), max_bytes_};
        at = end + 1;
    }
    Status status = end_turn(sink);
    if (status.failed() || has_spoken_) return status;
    return fail(ACCP_E1001, 0, "nobody speaks in this text: see the marks of its format");
}

Status SpokenReader::end_turn(const Sink &sink) {
    const std::string_view text = trim_turn(said_.view());
    switch (speaker_) {
        case Speaker::kUser: out_.add_request({}, text); break;
        case Speaker::kAssistant: out_.add_reply(text); break;
        case Speaker::kSystem: out_.add_guide(text); break;
        case Speaker::kTool:
            if (has_words(text)) out_.add_outcome({{}, {}, text});
            break;
        default: said_.clear(); return {};
    }
    has_spoken_ = true;
    ++turns_;
    said_.clear();
    return out_.deliver(sink);
}

}  // namespace accp::transcript
