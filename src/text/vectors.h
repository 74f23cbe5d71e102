// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Vectors of texts: texts with similar meaning have vectors with similar directions.
#pragma once

#include <span>
#include <string_view>

#include "base/memory.h"
#include "base/status.h"

namespace accp::text {

// Vectors as an embedder returns them, one after another.
struct RawVectors {
    std::span<const float> numbers;
    size_t count = 0, dimension = 0;
    std::string_view model = {};
};

// Makes vectors of texts; implemented by the host.
class Embedder {
public:
    virtual ~Embedder() = default;
    // The vectors are valid until the next call.
    virtual Status embed(std::span<const std::string_view> texts, RawVectors &out) = 0;
};

// Returns the cosine of two vectors of one length; 0 if one of them is zero.
double cosine(std::span<const float> a, std::span<const float> b);

class Vectors {
public:
    explicit Vectors(Memory &memory) : numbers_(memory), model_(memory) {}

    void clear();
    // Adds the vectors of these texts, in calls of at most kMaxBatch texts. Fails with the error of
    // the embedder, or with ACCP_ERR_ARG if a vector is missing, has another length than the others
    // or a number that is not finite, or if the model changes. Earlier batches then stay.
    static constexpr size_t kMaxBatch = 64;
    Status add(Embedder &embedder, std::span<const std::string_view> texts);
    // The same without the vectors before.
    Status make(Embedder &embedder, std::span<const std::string_view> texts) {
        clear();
        return add(embedder, texts);
    }

    size_t size() const { return dimension_ ? numbers_.size() / dimension_ : 0; }
    size_t dimension() const { return dimension_; }
    std::string_view model() const { return model_.view(); }
    // As the embedder returned it.
    std::span<const float> operator[](size_t i) const {
        return {numbers_.data() + i * dimension_, dimension_};
    }
    double cosine(size_t a, size_t b) const { return text::cosine((*this)[a], (*this)[b]); }

private:
    Status check_and_add(const RawVectors &made, size_t texts);

    Buffer<float> numbers_;
    size_t dimension_ = 0;
    Buffer<char> model_;
};

}  // namespace accp::text
