// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The operations that are timed, checked and counted. All three use the same objects, so exactly
// what was checked is timed. op(i) processes message i and returns whether it succeeded; its result
// is in out. An operation that needs prepared input has prepare(), which makes it for a block of
// messages just before they are processed, and is not timed.
#pragma once

#include <algorithm>
#include <vector>

#include "corpus.h"

namespace accp_bench {

// Large enough that stopping the clock between blocks costs only a nanosecond per message, and
// small enough that the prepared input is still in the cache.
constexpr size_t kBlock = 250;

// Runs op on messages 0 to count, block by block. Calls between(prepare) where the clock should
// stop.
template <class Operation, class Between>
bool run_pass(Operation &op, size_t count, Between between) {
    bool good = true;
    if constexpr (requires { op.prepare(0, 0); }) {
        for (size_t first = 0; first < count; first += kBlock) {
            size_t end = std::min(count, first + kBlock);
            between([&] { op.prepare(first, end); });
            for (size_t i = first; i < end; ++i) good &= op(i);
        }
    } else {
        for (size_t i = 0; i < count; ++i) good &= op(i);
    }
    return good;
}

struct Result {
    accp_error error = {};
    accp_text out = {};
};

struct Parse : Result {
    Parse(const Lines &frames, const accp_config *config)
        : frames(frames), frame(make_frame(config)) {}
    bool operator()(size_t i) {
        return accp_frame_parse(frame.get(), frames[i].data(), frames[i].size(), &error) == ACCP_OK;
    }

    const Lines &frames;
    Frame frame;
};

// Parses all frames in one call; i is always 0.
struct BatchParse : Result {
    BatchParse(const Lines &frames, const accp_config *config)
        : frames(frames), batch(make_batch(config)) {}
    bool operator()(size_t) {
        return accp_batch_parse(batch.get(), frames.all().data(), frames.all().size(), &error) ==
               ACCP_OK;
    }

    const Lines &frames;
    Batch batch;
};

// Parses each frame without its last byte: the whole frame is read before it is refused, and then
// the offset is determined.
struct Refuse : Parse {
    using Parse::Parse;
    bool operator()(size_t i) {
        size_t cut = frames[i].size() - 1;
        return accp_frame_parse(frame.get(), frames[i].data(), cut, &error) == ACCP_E1001 &&
               error.offset == cut;
    }
};

// Prints existing trees; each frame of the block has its own handle.
struct Print : Result {
    Print(const Lines &frames, const accp_config *config) : frames(frames) {
        for (size_t i = 0; i < kBlock; ++i) handles.push_back(make_frame(config));
    }
    void prepare(size_t first, size_t end) {
        for (size_t i = first; i < end; ++i)
            accp_frame_parse(handles[i % kBlock].get(), frames[i].data(), frames[i].size(), &error);
    }
    bool operator()(size_t i) {
        return accp_frame_print(handles[i % kBlock].get(), &out, &error) == ACCP_OK;
    }

    const Lines &frames;
    std::vector<Frame> handles;
};

// Parses and prints with one handle, as `accp canon` does.
struct Canon : Parse {
    using Parse::Parse;
    bool operator()(size_t i) {
        return Parse::operator()(i) && accp_frame_print(frame.get(), &out, &error) == ACCP_OK;
    }
};

// Builds frames from existing values: a payload and metadata for each frame of the block.
struct Build : Result {
    Build(const Lines &frames, const accp_config *config)
        : frames(frames), reader(make_frame()), frame(make_frame(config)), parts(kBlock) {}
    void prepare(size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) parts[i % kBlock].read(reader.get(), frames[i]);
    }
    bool operator()(size_t i) {
        const Parts &p = parts[i % kBlock];
        return accp_frame_build(frame.get(), p.names[0], p.names[1], p.names[2], p.payload.get(),
                                p.meta.get(), &out, &error) == ACCP_OK;
    }

    const Lines &frames;
    Frame reader, frame;
    std::vector<Parts> parts;
};

struct Encode : Result {
    Encode(const Lines &messages, const accp_config *config)
        : messages(messages), codec(make_codec(config)) {}
    bool operator()(size_t i) {
        return accp_codec_encode(codec.get(), messages[i].data(), messages[i].size(), &out,
                                 &error) == ACCP_OK;
    }

    const Lines &messages;
    Codec codec;
};

struct Decode : Result {
    Decode(const Lines &frames, const accp_config *config)
        : frames(frames), codec(make_codec(config)) {}
    bool operator()(size_t i) {
        return accp_codec_decode(codec.get(), frames[i].data(), frames[i].size(), &out, &error) ==
               ACCP_OK;
    }

    const Lines &frames;
    Codec codec;
};

// Decodes frames that the library did not encode. Their refs become {"$ref":"warm.key"}.
struct DecodePlain : Decode {
    DecodePlain(const Lines &frames, const accp_config *) : Decode(frames, keeping_refs().get()) {}

private:
    static Config keeping_refs() {
        Config config = make_config();
        accp_config_set_rule(config.get(), ACCP_RULE_KEEP_REFS, 1, nullptr);
        return config;
    }
};

}  // namespace accp_bench
