// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A receiver of streams for tests, through the C API. Every text is in a block of its exact size.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "accp/parts.h"
#include "config.h"

namespace accp_streams {

using accp_test::Config;
using accp_test::string_of;

struct Free {
    void operator()(accp_stream *handle) const { accp_stream_free(handle); }
    void operator()(accp_codec *handle) const { accp_codec_free(handle); }
    void operator()(accp_deadline *handle) const { accp_deadline_free(handle); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

struct Exact {
    explicit Exact(std::string_view text) : block(new char[text.size()]), len(text.size()) {
        std::copy(text.begin(), text.end(), block.get());
    }
    accp_text view() const { return {block.get(), len}; }
    std::unique_ptr<char[]> block;
    size_t len;
};

struct Part {
    accp_status status = ACCP_OK;
    int32_t state = -1;
    std::string data, whole;
    int64_t chunks = 0;

    bool operator==(const Part &) const = default;
};

inline Part part_of(accp_status status, const accp_stream_part &part) {
    if (status != ACCP_OK) return {status, -1, "", "", 0};
    return {status, part.state, string_of(part.data), string_of(part.whole), part.chunks};
}

// A codec with the schemas of the profiles.
inline Handle<accp_codec> open_codec(uint32_t profiles, uint32_t extensions) {
    accp_registry *registry = nullptr;
    EXPECT_EQ(accp_registry_new(nullptr, 0, profiles, nullptr, &registry, nullptr), ACCP_OK);
    Handle<accp_codec> codec(
        accp_test::make_codec(Config().registry(registry).extensions(extensions)).release());
    accp_registry_free(registry);
    return codec;
}

class Receiver {
public:
    explicit Receiver(const Config &config = Config()) {
        accp_stream *made = nullptr;
        EXPECT_EQ(accp_stream_new(config.get(), &made, nullptr), ACCP_OK);
        stream.reset(made);
    }

    Part add(std::string_view cid, int64_t index, std::string_view data, bool is_final = false,
             int64_t total = 0) {
        const Exact id(cid), text(data);
        accp_chunk chunk = {id.view(), text.view(), index, total, is_final, 0};
        accp_stream_part out = {};
        const accp_status status = accp_stream_add(stream.get(), &chunk, &out, nullptr);
        return part_of(status, out);
    }
    Part end(std::string_view cid) {
        const Exact id(cid);
        accp_stream_part out = {};
        const accp_status status =
            accp_stream_end(stream.get(), id.view().text, id.view().len, &out, nullptr);
        return part_of(status, out);
    }
    Part receive(std::string_view json) {
        const Exact text(json);
        accp_stream_part out = {};
        const accp_status status =
            accp_stream_receive(stream.get(), text.view().text, text.view().len, &out, nullptr);
        return part_of(status, out);
    }
    uint32_t open() const { return accp_stream_open_count(stream.get()); }

    Handle<accp_stream> stream;
};

}  // namespace accp_streams
