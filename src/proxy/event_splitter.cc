// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/event_splitter.h"

#include <algorithm>

namespace proxy {

// Lines end with CR LF, LF or CR. A CR at the end so far may be the first half of CR LF.
std::string_view EventSplitter::next() {
    for (;;) {
        const size_t end = pending_.find_first_of("\r\n", at_);
        if (end == pending_.npos || (pending_[end] == '\r' && end + 1 == pending_.size())) {
            at_ = std::min(end, pending_.size());
            break;
        }
        const bool is_blank = end == line_begin_;
        at_ = end + (pending_[end] == '\r' && pending_[end + 1] == '\n' ? 2 : 1);
        line_begin_ = at_;
        if (!is_blank) continue;
        const size_t begin = begin_;
        begin_ = at_;
        return std::string_view(pending_).substr(begin, at_ - begin);
    }
    pending_.erase(0, begin_);
    at_ -= begin_;
    line_begin_ -= begin_;
    begin_ = 0;
    return {};
}

void EventSplitter::clear() {
    std::string().swap(pending_);
    begin_ = at_ = line_begin_ = 0;
}

EventData::EventData(std::string_view event) {
    constexpr std::string_view kField = "data:";
    size_t lines = 0;
    for (size_t at = 0; at < event.size();) {
        const size_t end = std::min(event.find_first_of("\r\n", at), event.size());
        std::string_view line = event.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with(kField)) continue;
        line.remove_prefix(kField.size());
        if (line.starts_with(' ')) line.remove_prefix(1);
        if (lines++ == 0) {
            line_ = line;
            continue;
        }
        if (lines == 2) joined_ = line_;
        (joined_ += '\n') += line;
    }
}

std::string EventData::with(std::string_view event, std::string_view data) const {
    if (joined_.empty()) {
        std::string out(event);
        return out.replace(static_cast<size_t>(line_.data() - event.data()), line_.size(), data);
    }
    // All lines but those of data, then the data in one line.
    std::string out;
    for (size_t at = 0; at < event.size();) {
        const size_t end = std::min(event.find_first_of("\r\n", at), event.size());
        const std::string_view line = event.substr(at, end - at);
        at = end + 1;
        if (!line.empty() && !line.starts_with("data:")) (out += line) += '\n';
    }
    out += "data: ";
    for (const char c : data) out += c == '\n' ? ' ' : c;
    return out + "\n\n";
}

}  // namespace proxy
