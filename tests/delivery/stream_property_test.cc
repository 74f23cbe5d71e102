// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random streams compared with a model that keeps every chunk in a map and sorts. Chunks are lost,
// repeated and reordered, ends come too early, and some chunks contradict others. After each call
// both return the same, and a refused call has changed nothing.
#include <algorithm>
#include <map>
#include <vector>

#include "delivery/receiver.h"
#include "unit.h"

namespace {

using namespace accp_streams;
using accp_unit::Random;

struct Chunk {
    std::string cid;
    int64_t index;
    std::string data;
    bool is_final;
    int64_t total;
};

class Model {
public:
    Model(size_t bytes, int64_t ahead, size_t open)
        : max_bytes_(bytes), max_ahead_(ahead), max_open_(open) {}

    Part add(const Chunk &chunk) {
        if (closed_.count(chunk.cid)) return refused(ACCP_E1004);
        const bool known = streams_.count(chunk.cid) != 0;
        Stream stream = known ? streams_[chunk.cid] : Stream();
        if (chunk.index < 0 || stream.chunks.count(chunk.index)) return refused(ACCP_E1004);
        stream.chunks[chunk.index] = chunk.data;
        if (chunk.total) stream.totals.push_back(chunk.total);
        if (chunk.is_final) stream.finals.push_back(chunk.index);
        if (!is_sound(stream)) return refused(ACCP_E1004);
        if (!known && streams_.size() >= max_open_) return refused(ACCP_E2003);
        const int64_t next = known ? in_order(streams_[chunk.cid]) : 0;
        const auto waiting = static_cast<int64_t>(stream.chunks.size()) - 1 - next;
        if (chunk.index != next && (chunk.index - next > max_ahead_ || waiting >= max_ahead_))
            return refused(ACCP_E2003);
        if (held() + chunk.data.size() > max_bytes_) return refused(ACCP_E2003);
        streams_[chunk.cid] = stream;
        return hand_out(chunk.cid, false);
    }

    Part end(const std::string &cid) {
        if (streams_.count(cid)) return hand_out(cid, true);
        const bool known = !closed_.emplace(cid, true).second;
        return {ACCP_OK, known ? ACCP_STREAM_CLOSED : ACCP_STREAM_ABORTED, "", "", 0};
    }

    size_t open() const { return streams_.size(); }

private:
    struct Stream {
        std::map<int64_t, std::string> chunks;
        std::vector<int64_t> totals, finals;
        size_t shown = 0;
    };

    static Part refused(accp_status status) { return {status, -1, "", "", 0}; }

    static bool is_sound(const Stream &stream) {
        const int64_t highest = stream.chunks.rbegin()->first;
        for (int64_t total : stream.totals)
            if (total != stream.totals[0] || highest >= total) return false;
        if (stream.finals.size() > 1) return false;
        if (stream.finals.empty()) return true;
        return stream.finals[0] == highest &&
               (stream.totals.empty() || stream.totals[0] == highest + 1);
    }

    static int64_t in_order(const Stream &stream) {
        int64_t next = 0;
        while (stream.chunks.count(next)) ++next;
        return next;
    }

    size_t held() const {
        size_t bytes = 0;
        for (const auto &[cid, stream] : streams_)
            for (const auto &[index, data] : stream.chunks) bytes += data.size();
        return bytes;
    }

    Part hand_out(const std::string &cid, bool ended) {
        Stream &stream = streams_[cid];
        const int64_t next = in_order(stream);
        std::string all;
        for (int64_t i = 0; i < next; ++i) all += stream.chunks[i];
        Part part = {ACCP_OK, ACCP_STREAM_OPEN, all.substr(stream.shown), "", next};
        stream.shown = all.size();
        const bool complete = !stream.finals.empty() && next == stream.finals[0] + 1;
        if (!complete && !ended) return part;
        part.state = complete ? ACCP_STREAM_COMPLETE : ACCP_STREAM_ABORTED;
        part.whole = all;
        streams_.erase(cid);
        closed_[cid] = true;
        return part;
    }

    size_t max_bytes_;
    int64_t max_ahead_;
    size_t max_open_;
    std::map<std::string, Stream> streams_;
    std::map<std::string, bool> closed_;
};

// The chunks of a few streams: some lost, some repeated, some invalid, in random or nearly correct
// order.
std::vector<Chunk> make_traffic(Random &random) {
    std::vector<Chunk> chunks;
    for (size_t s = 1 + random.below(4); s > 0; --s) {
        const std::string cid = "s" + std::to_string(random.below(6));
        const auto count = static_cast<int64_t>(1 + random.below(12));
        const bool says_total = random.below(2), says_final = random.below(8) != 0;
        for (int64_t i = 0; i < count; ++i) {
            if (random.below(16) == 0) continue;
            Chunk chunk = {cid, i, random.text("ab ", random.below(6)),
                           says_final && i == count - 1, says_total && random.below(4) ? count : 0};
            if (random.below(24) == 0) chunk.is_final = !chunk.is_final;
            if (random.below(24) == 0) chunk.total = static_cast<int64_t>(random.below(14));
            if (random.below(24) == 0) chunk.index += static_cast<int64_t>(random.below(12)) - 4;
            chunks.push_back(chunk);
            if (random.below(12) == 0) chunks.push_back(chunk);
        }
    }
    const size_t mixing = random.below(3) == 0 ? 3 : chunks.size();
    for (size_t i = 0; i < chunks.size() && mixing; ++i)
        std::swap(chunks[i], chunks[std::min(chunks.size() - 1, i + random.below(mixing))]);
    return chunks;
}

// ACCP-10.4-04
TEST(StreamProperty, AsTheModelThatSorts) {
    int completed = 0, aborted = 0, refused = 0, beyond = 0;
    constexpr int kShare = ACCP_SANITIZED ? 10 : 1;  // a sanitizer is ten times slower
    for (uint64_t seed = 1; seed <= 20'000 / kShare && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Random random(seed);
        const size_t bytes = random.below(3) ? 1000 : 20, open = random.below(3) ? 8 : 2;
        const auto ahead = static_cast<uint32_t>(random.below(3) ? 64 : 3);
        Receiver receiver(Config()
                              .limit(ACCP_LIMIT_STREAM_BYTES, bytes)
                              .limit(ACCP_LIMIT_STREAM_AHEAD, ahead)
                              .limit(ACCP_LIMIT_OPEN_STREAMS, open));
        Model model(bytes, ahead, open);
        for (const Chunk &chunk : make_traffic(random)) {
            const Part got =
                receiver.add(chunk.cid, chunk.index, chunk.data, chunk.is_final, chunk.total);
            const Part want = model.add(chunk);
            ASSERT_EQ(got, want) << chunk.cid << " " << chunk.index << " of " << chunk.total
                                 << (chunk.is_final ? " final: " : ": ") << got.status << " "
                                 << want.status;
            completed += got.state == ACCP_STREAM_COMPLETE;
            refused += got.status == ACCP_E1004;
            beyond += got.status == ACCP_E2003;
            if (random.below(40) == 0) {
                const Part end = receiver.end(chunk.cid);
                ASSERT_EQ(end, model.end(chunk.cid));
                aborted += end.state == ACCP_STREAM_ABORTED;
            }
            ASSERT_EQ(receiver.open(), model.open());
        }
    }
    // Every outcome occurred, and often.
    for (int seen : {completed, aborted, refused, beyond}) EXPECT_GT(seen, 2000 / kShare);
}

// A permutation without loss always gives the text.
TEST(StreamProperty, AnyOrderIsTheText) {
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const std::string text = random.text("abcdefgh", random.below(3000));
        std::vector<Chunk> chunks;
        accp_chunk chunk = {};
        const auto max = static_cast<uint32_t>(1 + random.below(40));
        while (accp_chunk_next(text.data(), text.size(), max, &chunk, nullptr) == ACCP_OK)
            chunks.push_back({"c", chunk.index, string_of(chunk.data), chunk.is_final != 0, 0});
        if (chunks.size() > 1024) continue;
        for (size_t i = chunks.size(); i > 1; --i)
            std::swap(chunks[i - 1], chunks[random.below(i)]);
        Receiver receiver;
        std::string seen;
        Part part;
        for (const Chunk &one : chunks) {
            part = receiver.add(one.cid, one.index, one.data, one.is_final, one.total);
            ASSERT_EQ(part.status, ACCP_OK);
            seen += part.data;
        }
        EXPECT_EQ(part.state, ACCP_STREAM_COMPLETE);
        EXPECT_EQ(part.whole, text);
        EXPECT_EQ(seen, text);
    }
}

}  // namespace
