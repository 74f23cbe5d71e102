// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The input of the benchmarks: 2,000 distinct messages, each as a frame and as JSON. With only a
// few repeated ones all results would be 15 to 40 % faster, because the branch predictor would
// learn them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"

namespace accp_bench {

// Lines one after the other in one block, with the padding after it that simdjson requires.
class Lines {
public:
    static Lines read(const std::string &path);  // throws std::runtime_error
    void add(std::string_view line);

    size_t size() const { return starts_.size() - 1; }
    std::string_view operator[](size_t i) const {
        return {text_.data() + starts_[i], starts_[i + 1] - starts_[i] - 1};
    }
    std::string_view all() const { return text_; }
    double mean_bytes() const {
        return static_cast<double>(text_.size() - size()) / static_cast<double>(size());
    }
    void pad() { text_.reserve(text_.size() + 64); }

private:
    std::string text_;
    std::vector<size_t> starts_ = {0};
};

struct Corpus {
    Lines frames;    // as in data/corpus
    Lines compact;   // the same messages as compact JSON, with the short member "op"
    Lines messages;  // and with "operation", as accp_codec_encode() accepts it
    // its output, for decoding without loss; plain frames lose something, because `$` in their text
    // is not a ref
    Lines encoded;
    Lines talk;  // a developer's conversation with an assistant (data/agents)
};

Corpus read_corpus(const std::string &directory);

// Frees the handles.
struct Free {
    void operator()(accp_frame *handle) const { accp_frame_free(handle); }
    void operator()(accp_codec *handle) const { accp_codec_free(handle); }
    void operator()(accp_batch *handle) const { accp_batch_free(handle); }
    void operator()(accp_value *handle) const { accp_value_free(handle); }
    void operator()(accp_config *handle) const { accp_config_free(handle); }
};
using Frame = std::unique_ptr<accp_frame, Free>;
using Codec = std::unique_ptr<accp_codec, Free>;
using Batch = std::unique_ptr<accp_batch, Free>;
using Value = std::unique_ptr<accp_value, Free>;
using Config = std::unique_ptr<accp_config, Free>;

// All throw std::runtime_error if memory is exhausted. config may be NULL.
Frame make_frame(const accp_config *config = nullptr);
Codec make_codec(const accp_config *config = nullptr);
Batch make_batch(const accp_config *config = nullptr);
Value make_value(const accp_config *config = nullptr);
Config make_config();

// The arguments of accp_frame_build(), made from a frame.
struct Parts {
    void read(accp_frame *frame, std::string_view text);  // throws std::runtime_error
    accp_text names[3] = {};
    Value payload = make_value(), meta = make_value();
};

}  // namespace accp_bench
