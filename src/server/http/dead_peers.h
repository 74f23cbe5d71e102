// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Connections whose other side is gone without a word.
#pragma once

#include <libwebsockets.h>

namespace server {

// The kernel asks a peer that has been silent for a minute, and ends a connection that it answers
// no more two minutes after its last word.
inline void notice_dead_peers(lws_context_creation_info &info) {
    constexpr int kQuietSeconds = 60, kProbes = 4, kProbeSeconds = 15;
    info.ka_time = kQuietSeconds;
    info.ka_probes = kProbes;
    info.ka_interval = kProbeSeconds;
}

}  // namespace server
