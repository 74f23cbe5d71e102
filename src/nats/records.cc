// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads records. The waypoints of the index divide a log into blocks, whose messages are read in
// few rounds. A read of the next record takes one request.
#include <algorithm>
#include <map>

#include "nats/backend.h"
#include "nats/c_interface.h"

namespace accp_nats {

namespace {

constexpr size_t kLogWindow = 64;

// Reads messages by following back links.
class BackReader {
public:
    BackReader(Stream &stream, uint64_t above) : stream_(stream), above_(above) {}

    void add(LogMessage &&read) {
        const uint64_t number = read.head.back_links.number + 1;
        wanted_.erase(number);
        const auto [found, is_new] = found_.emplace(number, std::move(read));
        if (!is_new) return;
        found->second.head.back_links.each([this](uint64_t one, uint64_t seq) {
            if (seq > above_ && !found_.contains(one)) wanted_[one] = seq;
        });
    }

    // Returns false if a message has another number than its link: it lost a race, so its links are
    // not valid.
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
                if (read.head.back_links.number + 1 != numbers[i]) return false;
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

    // Moves the messages to `out`. Returns false if one is missing.
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
    std::map<uint64_t, uint64_t> wanted_;   // sequences by number
};

constexpr uint64_t kFewRecords = 4, kNear = 8;
constexpr size_t kMaxBlocks = 16;        // waypoints that are read at once
constexpr size_t kBlockBytes = 1 << 20;  // if a read has fewer bytes, the next one has more blocks

// Returns the block that has the record.
size_t block_of(const SessionIndex &index, uint64_t record) {
    const auto after = std::upper_bound(
        index.waypoints.begin(), index.waypoints.end(), record,
        [](uint64_t wanted, const SessionIndex::Waypoint &one) { return wanted < one.first; });
    return static_cast<size_t>(after - index.waypoints.begin()) -
           (after != index.waypoints.begin());
}

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

// Visits the wanted records of a message. Returns false at the end.
bool Backend::visit_message(const Session &it, const LogMessage &read, uint64_t first,
                            uint64_t last, const Visit &visit) {
    const uint64_t end = read.head.first + read.head.count;  // after its last record
    if (end <= first || !read.head.count) return true;
    it.index().reached = {read.head.first, read.message.seq};
    const std::string body = body_of(it, read.head, read.rest());
    FormReader records(body);
    for (uint64_t seq = read.head.first; seq < end && seq <= last; ++seq) {
        const std::string_view record = records.text();
        if (seq >= first && !visit(seq, record)) return false;
    }
    return end <= last;
}

// Walks from a valid message or the first of the log. If the log ends before the last record, the
// session was erased, or the server cannot be reached.
void Backend::walk_records(const Session &it, uint64_t first, uint64_t last, const Visit &visit) {
    uint64_t before = 0, counted = 0, awaited = 0;  // `awaited` is a record
    bool contradicted = false;                      // as in SessionIndex
    const auto take = [&](Message &message) {
        LogMessage read;
        read.read(std::move(message));
        const bool counts = !before || read.head.previous() == before;
        const bool goes_on = read.head.base == counted && read.head.first == awaited;
        contradicted = before && (read.head.previous() > before || (counts && !goes_on) ||
                                  (!counts && counts_for_leader(it, read)));
        if (contradicted) return false;
        before = read.message.seq;
        if (!counts) return true;
        counted = read.message.seq;
        awaited = read.head.first + read.head.count;
        return visit_message(it, read, first, last, visit);
    };
    const SessionIndex &index = it.index();
    const bool is_whole =
        it.stream->walk(it.subject('l'), index.place_of(first), index.tail(), take);
    if (!is_whole || contradicted) fail_history(it, contradicted);
}

// Returns the valid messages of the blocks begin … end - 1, or nothing if they cannot be read by
// back links.
std::vector<LogMessage> Backend::read_block(const Session &it, size_t begin, size_t end) {
    const SessionIndex &index = it.index();
    Sequences ends;
    for (size_t i = begin + 1; i <= end && i < index.waypoints.size(); ++i)
        ends.push_back(index.waypoints[i].seq);
    if (end >= index.waypoints.size()) ends.push_back(index.head);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<LogMessage> all;
    if (!read_back(*it.stream, ends, nullptr, index.waypoints[begin].seq - 1, all)) return {};
    uint64_t before = 0, counted = 0;
    bool contradicted = false;
    std::erase_if(all, [&](const LogMessage &read) {
        const bool counts = !before || read.head.previous() == before;
        contradicted |= counts && before && read.head.base != counted;
        before = read.message.seq;
        if (counts) counted = before;
        return !counts;
    });
    if (contradicted) all.clear();
    return all;
}

void Backend::read_records(const Session &it, uint64_t first, uint64_t last, const Visit &visit) {
    const SessionIndex &index = it.index();
    const uint64_t reached = index.reached.first;
    if (last - first < kFewRecords && reached && reached <= first && first - reached <= kNear)
        return walk_records(it, first, last, visit);
    size_t blocks = 1;
    const size_t past = block_of(index, last) + 1;
    for (size_t at = block_of(index, first); at < past;) {
        const size_t end = std::min(at + blocks, past);
        const std::vector<LogMessage> all = read_block(it, at, end);
        if (all.empty()) return walk_records(it, first, last, visit);
        size_t bytes = 0;
        for (const LogMessage &read : all) {
            bytes += read.message.data.size();
            if (!visit_message(it, read, first, last, visit)) return;
            first = std::max(first, read.head.first + read.head.count);
        }
        at = end;
        blocks = bytes < kBlockBytes ? std::min(2 * blocks, kMaxBlocks) : 1;
    }
}

void Backend::records(std::string_view id, uint64_t first, uint64_t last, bool newest_first,
                      accp_store_entry_function give, void *context) {
    const Session it = locked(id);
    const SessionIndex &index = current(it);
    if (!first || first > last || last > index.last_record)
        throw Failure{ACCP_ERR_CORRUPT, "records are missing"};
    if (!newest_first)
        return read_records(it, first, last, [&](uint64_t seq, std::string_view record) {
            return give(seq, text_of(record), context) == 0;
        });
    // from waypoint to waypoint, backwards
    for (size_t at = block_of(index, last) + 1; at && last >= first;) {
        --at;
        std::vector<std::string> run;
        const uint64_t begin = std::max(first, index.waypoints[at].first);
        read_records(it, begin, last, [&](uint64_t, std::string_view record) {
            run.emplace_back(record);
            return true;
        });
        for (size_t i = run.size(); i; --i)
            if (give(begin + i - 1, text_of(run[i - 1]), context)) return;
        last = begin - 1;
    }
}

}  // namespace accp_nats
