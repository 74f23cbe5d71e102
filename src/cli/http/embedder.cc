// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/http/embedder.h"

#include <charconv>
#include <new>

#include "cli/host.h"
#include "cli/http/model_endpoint.h"

namespace cli {
namespace {

constexpr const char *kOption = "--embedder";

// Appends the numbers of a vector to `out`.
void append_numbers(std::string_view vector, std::vector<float> &out) {
    for (const std::string_view text : json_items(vector)) {
        double number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size())
            throw Failure("the answer has a vector with " + std::string(text) +
                          ", which is not a number within the range of doubles");
        out.push_back(static_cast<float>(number));
    }
}

}  // namespace

EndpointEmbedder::EndpointEmbedder(const std::string &place)
    : endpoint_(place.empty()
                    ? nullptr
                    : std::make_unique<ModelEndpoint>(kOption, place, "ACCP_EMBEDDER_KEY")) {}

EndpointEmbedder::~EndpointEmbedder() = default;

// {"model":…,"data":[{"index":0,"embedding":[…]},…]}; the vectors may come in any order.
void EndpointEmbedder::post(const accp_text *texts, size_t count) {
    JsonList inputs;
    for (size_t i = 0; i < count; ++i) inputs.text(to_view(texts[i]));
    JsonObject request;
    request.json("input", inputs.end());
    if (!endpoint_->model().empty()) request.text("model", endpoint_->model());
    ModelEndpoint::Limits limits;
    limits.max_bytes = size_t{64} << 20;
    const std::string answer = endpoint_->post("/embeddings", request.end(), limits);
    const std::string place = std::string(kOption) + " " + endpoint_->url() + "/embeddings: ";
    const std::vector<std::string_view> data = json_items(json_member(answer, "data"));
    std::vector<std::string_view> vectors(data.size());
    for (size_t i = 0; i < data.size(); ++i) {
        const std::string_view text = json_member(data[i], "index");
        size_t index = i;
        if (!text.empty()) std::from_chars(text.data(), text.data() + text.size(), index);
        const std::string_view vector = json_member(data[i], "embedding");
        if (!vector.starts_with('[') || index >= data.size() || !vectors[index].empty())
            throw Failure(place +
                          "the answer is not {\"data\":[{\"index\":0,\"embedding\":[…]},…]}");
        vectors[index] = vector;
    }
    numbers_.clear();
    dimension_ = 0;
    count_ = vectors.size();
    for (size_t i = 0; i < vectors.size(); ++i) {
        const size_t before = numbers_.size();
        try {
            append_numbers(vectors[i], numbers_);
        } catch (const Failure &failure) {
            throw Failure(place + failure.what());
        }
        if (i && numbers_.size() - before != dimension_)
            throw Failure(place + "vector " + std::to_string(i + 1) + " has " +
                          std::to_string(numbers_.size() - before) + " numbers, and those before " +
                          std::to_string(dimension_));
        dimension_ = numbers_.size() - before;
    }
    if (count_ != count)
        throw Failure(place + "the answer has " + std::to_string(count_) + " vectors for " +
                      std::to_string(count) + " texts");
    model_ = json_text(json_member(answer, "model"));
    if (model_.empty()) model_ = endpoint_->model();
}

accp_status EndpointEmbedder::embed(const accp_text *texts, size_t count, accp_vectors *out,
                                    void *user) {
    EndpointEmbedder &self = *static_cast<EndpointEmbedder *>(user);
    try {
        self.post(texts, count);
    } catch (const Failure &failure) {
        self.fault_ = failure.what();
        out->reason = {self.fault_.data(), self.fault_.size()};
        return ACCP_ERR_IO;
    } catch (const std::bad_alloc &) {
        return ACCP_ERR_NOMEM;
    }
    out->numbers = self.numbers_.data();
    out->count = self.count_;
    out->dimension = self.dimension_;
    out->model = {self.model_.data(), self.model_.size()};
    return ACCP_OK;
}

void EndpointEmbedder::check() const {
    if (!fault_.empty()) throw Failure(fault_);
}

}  // namespace cli
