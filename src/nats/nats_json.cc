// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_json.h.
#include "nats/nats_json.h"

#include <simdjson.h>

namespace accp_nats {

struct Reply::Tree {
    simdjson::dom::parser parser;
    simdjson::simdjson_result<simdjson::dom::element> root = simdjson::UNINITIALIZED;
};

Reply::Reply() : tree_(std::make_unique<Tree>()) {}
Reply::~Reply() = default;

bool Reply::read(std::string_view json) {
    tree_->root = tree_->parser.parse(json.data(), json.size());
    if (tree_->root.error() == simdjson::MEMALLOC) throw std::bad_alloc();
    return tree_->root.error() == simdjson::SUCCESS;
}

ServerError Reply::error() const { return {number("/error/code"), number("/error/err_code")}; }

uint64_t Reply::number(std::string_view path) const {
    uint64_t out = 0;
    return tree_->root.at_pointer(path).get(out) == simdjson::SUCCESS ? out : 0;
}

std::string_view Reply::text(std::string_view path) const {
    std::string_view out;
    return tree_->root.at_pointer(path).get(out) == simdjson::SUCCESS ? out : std::string_view();
}

bool Reply::has(std::string_view path) const {
    return tree_->root.at_pointer(path).error() == simdjson::SUCCESS;
}

}  // namespace accp_nats
