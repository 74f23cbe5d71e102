// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See corpus.h.
#include "corpus.h"

#include <fstream>
#include <stdexcept>

namespace accp_bench {

namespace {

void need(accp_status status, const accp_error &error, const char *what) {
    if (status != ACCP_OK) throw std::runtime_error(std::string(what) + ": " + error.message);
}

std::string with_operation(std::string_view line) {
    constexpr std::string_view kShort = "\"op\":";
    size_t at = line.find(kShort);
    if (at == line.npos) throw std::runtime_error("a message of the corpus has no \"op\"");
    return std::string(line.substr(0, at)) +
           "\"operation\":" + std::string(line.substr(at + kShort.size()));
}

}  // namespace

Lines Lines::read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    Lines lines;
    for (std::string line; std::getline(file, line);) lines.add(line);
    if (!lines.size()) throw std::runtime_error(path + " is empty");
    lines.pad();
    return lines;
}

void Lines::add(std::string_view line) {
    text_.append(line).push_back('\n');
    starts_.push_back(text_.size());
}

Corpus read_corpus(const std::string &directory) {
    Corpus corpus = {
        Lines::read(directory + "/frames.txt"),
        Lines::read(directory + "/compact.ndjson"),
        {},
        {},
        Lines::read(
            directory +
            "/../agents/claude-code/2026_01_13_16_29_49Z_pkg_providers_claudecode_13.jsonl")};
    if (corpus.frames.size() != corpus.compact.size())
        throw std::runtime_error("the corpus has not as many messages as frames");
    Codec codec = make_codec();
    for (size_t i = 0; i < corpus.compact.size(); ++i) {
        std::string message = with_operation(corpus.compact[i]);
        corpus.messages.add(message);
        accp_error error;
        accp_text out = {};
        need(accp_codec_encode(codec.get(), message.data(), message.size(), &out, &error), error,
             "encoding the corpus");
        corpus.encoded.add({out.text, out.len});
    }
    corpus.messages.pad();
    corpus.encoded.pad();
    return corpus;
}

Frame make_frame(const accp_config *config) {
    accp_frame *frame;
    accp_error error;
    need(accp_frame_new(config, &frame, &error), error, "accp_frame_new");
    return Frame(frame);
}

Codec make_codec(const accp_config *config) {
    accp_codec *codec;
    accp_error error;
    need(accp_codec_new(config, &codec, &error), error, "accp_codec_new");
    return Codec(codec);
}

Batch make_batch(const accp_config *config) {
    accp_batch *batch;
    accp_error error;
    need(accp_batch_new(config, &batch, &error), error, "accp_batch_new");
    return Batch(batch);
}

Value make_value(const accp_config *config) {
    accp_value *value;
    accp_error error;
    need(accp_value_new(config, &value, &error), error, "accp_value_new");
    return Value(value);
}

Config make_config() {
    accp_config *config;
    accp_error error;
    need(accp_config_new(&config, &error), error, "accp_config_new");
    return Config(config);
}

void Parts::read(accp_frame *frame, std::string_view text) {
    accp_error error;
    need(accp_frame_parse(frame, text.data(), text.size(), &error), error,
         "parsing a frame to build");
    const accp_node *nodes = accp_frame_nodes(frame, nullptr);
    for (int i = 0; i < 3; ++i) names[i] = {text.data() + nodes[i].offset, nodes[i].len};
    need(accp_frame_payload(frame, payload.get(), &error), error, "accp_frame_payload");
    need(accp_frame_meta(frame, meta.get(), &error), error, "accp_frame_meta");
}

}  // namespace accp_bench
