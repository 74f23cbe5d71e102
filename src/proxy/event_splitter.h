// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Splits a stream of events (SSE) that comes in pieces of any size into whole events. No byte is
// lost: the events and the rest at the end are the stream.
#pragma once

#include <string>
#include <string_view>

namespace proxy {

class EventSplitter {
public:
    static constexpr size_t kMaxEventBytes = 8 << 20;

    void add(std::string_view bytes) { pending_.append(bytes); }
    // Returns the next whole event, with the blank line that ends it; empty if it is not complete
    // yet. It is valid until the next call of a member that is not const.
    std::string_view next();
    // The bytes that are left: the beginning of an event.
    std::string_view rest() const { return std::string_view(pending_).substr(begin_); }
    void clear();

private:
    std::string pending_;
    size_t begin_ = 0;       // of the next event
    size_t at_ = 0;          // read up to here
    size_t line_begin_ = 0;  // of the line that is being read
};

// Finds the data of an event: the text after "data:" in its lines, joined by line feeds.
class EventData {
public:
    explicit EventData(std::string_view event);
    std::string_view text() const { return joined_.empty() ? line_ : joined_; }
    // Returns the event with other data.
    std::string with(std::string_view event, std::string_view data) const;

private:
    std::string_view line_;  // the data, if it is in one line
    std::string joined_;     // if it is in several
};

}  // namespace proxy
