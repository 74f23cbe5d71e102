// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/lws_headers.h"

namespace server {

std::string header_text(lws *wsi, lws_token_indexes token) {
    const int length = lws_hdr_total_length(wsi, token);
    if (length <= 0) return {};
    std::string text(static_cast<size_t>(length) + 1, '\0');
    const int copied = lws_hdr_copy(wsi, text.data(), length + 1, token);
    text.resize(copied > 0 ? static_cast<size_t>(copied) : 0);
    return text;
}

std::string header_text(lws *wsi, std::string_view name) {
    const int size = static_cast<int>(name.size());
    const int length = lws_hdr_custom_length(wsi, name.data(), size);
    if (length <= 0) return {};
    std::string text(static_cast<size_t>(length) + 1, '\0');
    if (lws_hdr_custom_copy(wsi, text.data(), length + 1, name.data(), size) < 0) return {};
    text.resize(static_cast<size_t>(length));
    return text;
}

}  // namespace server
