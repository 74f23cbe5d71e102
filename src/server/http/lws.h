// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Headers of a request or an answer, as libwebsockets has read them.
#pragma once

#include <libwebsockets.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace server {

// One that libwebsockets knows. Empty: there is none.
std::string header_text(lws *wsi, lws_token_indexes token);
// Any other: its name in lower case, with the colon. Empty: there is none.
std::string header_text(lws *wsi, std::string_view name);

// Limits what libwebsockets writes to standard error. A peer can cause a line for each byte that it
// sends, so only the first few lines in each interval are written. The others are counted.

void limit_lws_log();
// The number of lines that were not written.
uint64_t left_out_lws_lines();

// Connections whose other side is gone without a word.

// The kernel asks a peer that has been silent for a minute, and ends a connection that it answers
// no more two minutes after its last word.
inline void enable_keep_alive(lws_context_creation_info &info) {
    constexpr int kQuietSeconds = 60, kProbes = 4, kProbeSeconds = 15;
    info.ka_time = kQuietSeconds;
    info.ka_probes = kProbes;
    info.ka_interval = kProbeSeconds;
}

// A time by which libwebsockets ends its wait.
class WebTimer {
public:
    // lws_service() of the context waits no longer than this, also where the time is over before
    // it begins to wait: then libwebsockets counts it as done, and would wait for what comes next.
    void set(lws_context *context, int64_t us) {
        held_.context = context;
        lws_sul_schedule(context, 0, &held_.list, end_wait, us);
    }
    void cancel() { lws_sul_cancel(&held_.list); }

private:
    struct Held {
        lws_sorted_usec_list_t list;  // the first, as it is what libwebsockets gives back
        lws_context *context;
    };
    static void end_wait(lws_sorted_usec_list_t *list) {
        lws_cancel_service(reinterpret_cast<Held *>(list)->context);
    }

    Held held_ = {};
};

}  // namespace server
