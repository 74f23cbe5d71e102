// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_log.h.
#include "nats/nats_log.h"

#include <map>

namespace accp_nats {

namespace {

constexpr size_t kLogWindow = 64;

class BackReader {
public:
    BackReader(Stream &stream, uint64_t above) : stream_(stream), above_(above) {}

    void add(LogMessage &&read) {
        const uint64_t number = read.head.trail.number + 1;
        wanted_.erase(number);
        const auto [found, is_new] = found_.emplace(number, std::move(read));
        if (!is_new) return;
        found->second.head.trail.each([this](uint64_t one, uint64_t seq) {
            if (seq > above_ && !found_.contains(one)) wanted_[one] = seq;
        });
    }

    // One whose own number is another raced and lost, so its way back is none.
    bool read_wanted() {
        while (!wanted_.empty()) {
            Sequences all;
            std::vector<uint64_t> numbers;
            for (const auto &[number, seq] : wanted_) numbers.push_back(number), all.push_back(seq);
            std::vector<Message> messages;
            if (!stream_.get(all, kLogWindow, messages)) return false;
            wanted_.clear();
            for (size_t i = 0; i < messages.size(); ++i) {
                LogMessage read;
                read.read(std::move(messages[i]));
                if (read.head.trail.number + 1 != numbers[i]) return false;
                add(std::move(read));
            }
        }
        return true;
    }

    bool read_ends(const Sequences &ends) {
        std::vector<Message> messages;
        if (!stream_.get(ends, kLogWindow, messages)) return false;
        for (Message &message : messages) {
            LogMessage read;
            read.read(std::move(message));
            add(std::move(read));
        }
        return true;
    }

    // Without a gap, from the first one above.
    bool take(std::vector<LogMessage> &out) {
        uint64_t next = 0;
        for (auto &[number, read] : found_) {
            if (next ? number != next : read.head.previous() > above_) return false;
            next = number + 1;
            out.push_back(std::move(read));
        }
        return true;
    }

private:
    Stream &stream_;
    uint64_t above_;
    std::map<uint64_t, LogMessage> found_;  // by number
    std::map<uint64_t, uint64_t> wanted_;   // sequences
};

}  // namespace

void LogMessage::read(Message &&from) {
    message = std::move(from);
    const std::string_view rest = head.read(message.data);
    body = message.data.size() - rest.size();
}

bool read_back(Stream &stream, const Sequences &ends, const LogMessage *newest, uint64_t above,
               std::vector<LogMessage> &out) {
    out.clear();
    BackReader reader(stream, above);
    if (newest) reader.add(LogMessage(*newest));
    if (!ends.empty() && !reader.read_ends(ends)) return false;
    return reader.read_wanted() && reader.take(out);
}

}  // namespace accp_nats
