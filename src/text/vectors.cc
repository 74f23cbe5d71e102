// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/vectors.h"

#include <algorithm>
#include <cmath>

namespace accp::text {

void Vectors::clear() {
    numbers_.clear();
    model_.clear();
    dimension_ = 0;
}

Status Vectors::add(Embedder &embedder, std::span<const std::string_view> texts) {
    for (size_t at = 0; at < texts.size(); at += kMaxBatch) {
        const auto batch = texts.subspan(at, std::min(kMaxBatch, texts.size() - at));
        RawVectors made;
        Status status = embedder.embed(batch, made);
        if (status.ok()) status = check_and_add(made, batch.size());
        if (status.failed()) return status;
    }
    return {};
}

Status Vectors::check_and_add(const RawVectors &made, size_t texts) {
    if (made.count != texts)
        return fail_limit(ACCP_ERR_ARG, 0,
                          made.count < texts ? "the embedder returned fewer vectors than texts"
                                             : "the embedder returned more vectors than texts",
                          made.count, texts);
    if (!made.dimension || made.numbers.size() != made.count * made.dimension)
        return fail(ACCP_ERR_ARG, 0, "the embedder returned empty vectors");
    if (dimension_ && made.dimension != dimension_)
        return fail_limit(ACCP_ERR_ARG, 0, "the embedder returned vectors of different lengths",
                          made.dimension, dimension_);
    if (dimension_ && made.model != model_.view())
        return fail(ACCP_ERR_ARG, 0, "the embedder changed its model during the call");
    for (const float number : made.numbers)
        if (!std::isfinite(number))
            return fail(ACCP_ERR_ARG, 0,
                        "the embedder returned a vector with a number that is not finite");
    if (!dimension_) model_.append(made.model);
    dimension_ = made.dimension;
    numbers_.append(made.numbers.data(), made.numbers.size());
    return {};
}

double cosine(std::span<const float> a, std::span<const float> b) {
    double common = 0, norm = 0, other_norm = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const double x = a[i], y = b[i];
        common += x * y, norm += x * x, other_norm += y * y;
    }
    const double product = std::sqrt(norm * other_norm);
    return product > 0 ? common / product : 0;
}

}  // namespace accp::text
