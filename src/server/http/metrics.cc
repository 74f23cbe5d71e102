// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/metrics.h"

namespace server {
namespace {

void print_counters(std::string_view name, std::string_view help, std::string_view label,
                    const std::map<int, uint64_t> &counts, std::string &out) {
    print_metric_head(name, help, "counter", out);
    for (const auto &[number, count] : counts)
        print_sample(name, std::string(label) + "=\"" + std::to_string(number) + "\"", count, out);
}

// A peer's own words are not used as labels, because their number is unlimited.
std::string_view known_intent(std::string_view intent) {
    constexpr std::string_view kIntents[] = {"req",  "done", "fail", "wait",   "esc",    "comp",
                                             "sync", "qry",  "ack",  "cancel", "stream", "end"};
    for (const std::string_view one : kIntents)
        if (one == intent) return one;
    return "other";
}

}  // namespace

void Metrics::count_frame(std::string_view intent, std::string_view code) {
    ++frames_[{std::string(known_intent(intent)), std::string(code)}];
}

std::string Metrics::print(const accp_engine *engine) const {
    std::string out;
    print_metric_head("accp_hub_frames_total", "Received frames, by intent and result.", "counter",
                      out);
    for (const auto &[label, count] : frames_)
        out.append("accp_hub_frames_total{intent=\"" + label.first + "\",code=\"" + label.second +
                   "\"} " + std::to_string(count) + "\n");
    print_counters("accp_hub_http_replies_total", "HTTP replies, by status.", "status", replies_,
                   out);
    print_counter("accp_hub_refused_heads_total", "Requests that were refused by their head.",
                  refused_heads, out);
    print_metric_head("accp_hub_closed_connections_total",
                      "Connections closed without a reply, by reason.", "counter", out);
    constexpr const char *kReasons[] = {"excess", "unknown", "late", "flood"};
    for (size_t i = 0; i < closed_.size(); ++i)
        out.append("accp_hub_closed_connections_total{reason=\"")
            .append(kReasons[i])
            .append("\"} " + std::to_string(closed_[i]) + "\n");
    print_counters("accp_hub_websocket_closes_total", "WebSockets that the hub closed, by code.",
                   "code", socket_closes_, out);
    print_counter("accp_hub_libwebsockets_errors_total",
                  "Errors of libwebsockets, including those that the log leaves out.", lws_errors,
                  out);
    replies_took.print("accp_hub_http_reply_seconds",
                       "Time from a complete request to its reply, including the wait.", out);
    syncs_took.print("accp_hub_store_sync_seconds", "Time of the one store write of a turn.", out);
    for (int32_t i = 0; accp_metric_name(i); ++i) {
        std::string name = accp_metric_name(i);
        for (char &c : name)
            if (c == '.') c = '_';
        print_counter(name + "_total", "See docs/observability.md.", accp_engine_metric(engine, i),
                      out);
    }
    return out;
}

}  // namespace server
