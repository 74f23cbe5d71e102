// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Helpers for libwebsockets that the server loop and the HTTP client share.
#pragma once

#include <libwebsockets.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "server/http/web_library.h"

namespace server {

// Returns a header that libwebsockets knows; empty: missing.
std::string header_text(lws *wsi, lws_token_indexes token);
// Returns any other header: its name in lower case, with the colon; empty: missing.
std::string header_text(lws *wsi, std::string_view name);

// Limits what libwebsockets writes to standard error. A peer can cause a line for each byte that it
// sends, so only the first few lines in each interval are written. The others are counted.
void limit_lws_log();
// The number of lines, written or not.
uint64_t lws_line_count();

// Enables TCP keep-alive: the kernel probes a peer that has been silent for a minute, and ends the
// connection after a further minute without a reply.
inline void enable_keep_alive(lws_context_creation_info &info) {
    constexpr int kQuietSeconds = 60, kProbes = 4, kProbeSeconds = 15;
    info.ka_time = kQuietSeconds;
    info.ka_probes = kProbes;
    info.ka_interval = kProbeSeconds;
}

// A time limit for a wait of libwebsockets.
class WebTimer {
public:
    // lws_service() of the context waits no longer than this. That holds even if the time is over
    // before the wait begins: the callback then wakes it up.
    void set(lws_context *context, int64_t us) {
        held_.context = context;
        web().sul_schedule(context, 0, &held_.list, end_wait, us);
    }
    void cancel() { web().sul_cancel(&held_.list); }

private:
    struct Held {
        lws_sorted_usec_list_t list;  // must come first: libwebsockets passes its address back
        lws_context *context;
    };
    static void end_wait(lws_sorted_usec_list_t *list) {
        web().cancel_service(reinterpret_cast<Held *>(list)->context);
    }

    Held held_ = {};
};

}  // namespace server
