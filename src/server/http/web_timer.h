// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A time by which libwebsockets ends its wait.
#pragma once

#include <libwebsockets.h>

#include <cstdint>

namespace server {

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
