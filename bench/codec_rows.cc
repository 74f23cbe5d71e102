// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The codec with a registry that has the schemas of all profiles: abbreviations, types, defaults,
// and exact token counts when encoding.
#include <stdexcept>

#include "operations.h"
#include "rows.h"

namespace accp_bench {

namespace {

struct FreeCodec {
    void operator()(accp_codec *handle) const { accp_codec_free(handle); }
    void operator()(accp_tokenizer *handle) const { accp_tokenizer_free(handle); }
    void operator()(accp_counter *handle) const { accp_counter_free(handle); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeCodec>;

const accp_tokenizer *tokenizer() {
    static const Owned<accp_tokenizer> made = [] {
        accp_tokenizer *out = nullptr;
        if (accp_tokenizer_new("o200k_base", 10, nullptr, &out, nullptr) != ACCP_OK)
            throw std::runtime_error("no o200k_base");
        return Owned<accp_tokenizer>(out);
    }();
    return made.get();
}

struct CodecRow : Result {
    explicit CodecRow(bool counts) {
        const Config config = make_config();
        accp_registry *registry = nullptr;
        accp_codec *made = nullptr;
        const bool good = accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, nullptr, &registry,
                                            &error) == ACCP_OK &&
                          accp_config_set_registry(config.get(), registry, &error) == ACCP_OK &&
                          accp_config_set_tokenizer(config.get(), counts ? tokenizer() : nullptr,
                                                    &error) == ACCP_OK &&
                          accp_codec_new(config.get(), &made, &error) == ACCP_OK;
        accp_registry_free(registry);
        codec.reset(made);
        if (!good) throw std::runtime_error("no codec");
    }
    bool encode(std::string_view text) {
        return accp_codec_encode(codec.get(), text.data(), text.size(), &out, &error) == ACCP_OK;
    }
    bool decode(std::string_view text) {
        return accp_codec_decode(codec.get(), text.data(), text.size(), &out, &error) == ACCP_OK;
    }

    Owned<accp_codec> codec;
};

struct EncodeRow : CodecRow {
    EncodeRow(const Lines &lines, bool counts) : CodecRow(counts), lines(lines) {}
    bool operator()(size_t i) { return encode(lines[i]); }

    const Lines &lines;
};

struct DecodeRow : CodecRow {
    explicit DecodeRow(const Lines &lines) : CodecRow(false), lines(lines) {}
    bool operator()(size_t i) { return decode(lines[i]); }

    const Lines &lines;
};

// The messages that the profiles' schemas accept (they refuse an amount that is a string), and
// their frames, which decode to the same messages.
struct CodecLines {
    explicit CodecLines(const Corpus &corpus) {
        CodecRow codec(true);
        for (size_t i = 0; i < corpus.messages.size(); ++i) {
            if (!codec.encode(corpus.messages[i])) continue;
            messages.add(corpus.messages[i]);
            const std::string frame(codec.out.text, codec.out.len);
            frames.add(frame);
            if (!codec.decode(frame))
                throw std::runtime_error("a frame of the codec does not decode: " + frame);
            const std::string message(codec.out.text, codec.out.len);
            if (!codec.encode(message) || std::string_view(codec.out.text, codec.out.len) != frame)
                throw std::runtime_error("a message comes back as another: " + frame);
        }
        if (messages.size() * 10 < corpus.messages.size() * 9)
            throw std::runtime_error("the codec takes too few messages");
        messages.pad();
        frames.pad();
    }
    Lines messages, frames;
};

}  // namespace

void add_codec_rows(const Corpus &corpus) {
    static const CodecLines lines(corpus);
    add_row(kCodecEncode, lines.messages, [] { return EncodeRow(lines.messages, true); });
    add_row(kCodecEncodeOnly, lines.messages, [] { return EncodeRow(lines.messages, false); });
    add_row(kCodecDecode, lines.frames, [] { return DecodeRow(lines.frames); });
}

}  // namespace accp_bench
