// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/metrics.h"

#include <cstdio>

namespace server {
namespace {

constexpr double kUsPerSecond = 1e6;

void print_head(std::string_view name, std::string_view help, std::string_view type,
                std::string &out) {
    out.append("# HELP ").append(name).append(" ").append(help);
    out.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void print_counter(std::string_view name, std::string_view help, uint64_t value, std::string &out) {
    print_head(name, help, "counter", out);
    out.append(name).append(" ").append(std::to_string(value)).append("\n");
}

void print_counters(std::string_view name, std::string_view help, std::string_view label,
                    const std::map<int, uint64_t> &counts, std::string &out) {
    print_head(name, help, "counter", out);
    for (const auto &[number, count] : counts)
        out.append(name).append("{").append(label).append("=\"" + std::to_string(number) + "\"} " +
                                                          std::to_string(count) + "\n");
}

std::string seconds(int64_t us) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", static_cast<double>(us) / kUsPerSecond);
    return text;
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

void Histogram::add(int64_t us) {
    size_t at = 0;
    while (at < kLimitsUs.size() && us > kLimitsUs[at]) ++at;
    ++counts_[at];
    ++count_;
    sum_us_ += us;
}

void Histogram::print(std::string_view name, std::string_view help, std::string &out) const {
    print_head(name, help, "histogram", out);
    uint64_t below = 0;
    const std::string bucket = std::string(name) + "_bucket{le=\"";
    for (size_t i = 0; i < kLimitsUs.size(); ++i) {
        below += counts_[i];
        out.append(bucket).append(seconds(kLimitsUs[i])).append("\"} ");
        out.append(std::to_string(below)).append("\n");
    }
    out.append(bucket).append("+Inf\"} ").append(std::to_string(count_)).append("\n");
    out.append(name).append("_sum ").append(seconds(sum_us_)).append("\n");
    out.append(name).append("_count ").append(std::to_string(count_)).append("\n");
}

void Metrics::count_frame(std::string_view intent, std::string_view code) {
    ++frames_[{std::string(known_intent(intent)), std::string(code)}];
}

void Metrics::print_gauge(std::string_view name, std::string_view help, uint64_t value,
                          std::string &out) {
    print_head(name, help, "gauge", out);
    out.append(name).append(" ").append(std::to_string(value)).append("\n");
}

std::string Metrics::print(const accp_engine *engine) const {
    std::string out;
    print_head("accp_hub_frames_total", "Received frames, by intent and result.", "counter", out);
    for (const auto &[label, count] : frames_)
        out.append("accp_hub_frames_total{intent=\"" + label.first + "\",code=\"" + label.second +
                   "\"} " + std::to_string(count) + "\n");
    print_counters("accp_hub_http_replies_total", "HTTP replies, by status.", "status", replies_,
                   out);
    print_counter("accp_hub_refused_heads_total", "Requests that were refused by their head.",
                  refused_heads, out);
    print_head("accp_hub_closed_connections_total",
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
