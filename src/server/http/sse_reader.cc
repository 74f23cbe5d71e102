// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sse_reader.h. A line ends with LF, CR LF or CR.
#include "server/http/sse_reader.h"

#include <charconv>
#include <utility>

namespace server {

void SseReader::read(std::string_view bytes, const Each &each) {
    for (const char c : bytes) {
        if (std::exchange(after_cr_, c == '\r') && c == '\n') continue;
        if (c == '\n' || c == '\r') end_line(each);
        else line_ += c;
    }
}

void SseReader::end_line(const Each &each) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (!std::exchange(has_begun_, true) && line_.starts_with(kMark)) line_.erase(0, kMark.size());
    const std::string line = std::exchange(line_, {});
    if (!line.empty()) {
        const size_t colon = std::min(line.find(':'), line.size());
        std::string_view value = std::string_view(line).substr(std::min(colon + 1, line.size()));
        if (value.starts_with(' ')) value.remove_prefix(1);
        return field(std::string_view(line).substr(0, colon), value);
    }
    if (std::exchange(has_id_, false)) last_id_ = id_;
    if (!std::exchange(has_data_, false)) return;
    const std::string data = std::exchange(data_, {});
    if (!data.empty()) each(data);
}

// A line without a name is a comment.
void SseReader::field(std::string_view name, std::string_view value) {
    if (name == "data") {
        if (std::exchange(has_data_, true)) data_ += '\n';
        data_ += value;
    } else if (name == "id" && value.find('\0') == value.npos) {
        id_ = value;
        has_id_ = true;
    } else if (name == "retry") {
        int64_t number = 0;
        const auto [end, fault] =
            std::from_chars(value.data(), value.data() + value.size(), number);
        if (fault == std::errc() && end == value.data() + value.size() && number >= 0)
            retry_ms_ = number;
    }
}

}  // namespace server
