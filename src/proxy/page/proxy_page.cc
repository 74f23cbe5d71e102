// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/page/proxy_page.h"

#include <utility>

#include "server/json/writer.h"

namespace proxy {
namespace {

constexpr int kNotFound = 404;

// Writes the counters of a ledger: those of rewritten conversations and of held out ones apart.
class LedgerMetrics {
public:
    LedgerMetrics(const Ledger &ledger, std::string &out) : ledger_(ledger), out_(out) {}

    template <class Value>
    void family(std::string_view name, std::string_view help, Value value) {
        server::print_metric_head(name, help, "counter", out_);
        server::print_sample(name, "group=\"rewritten\"", value(ledger_.rewritten()), out_);
        server::print_sample(name, "group=\"held_out\"", value(ledger_.held_out()), out_);
    }

private:
    const Ledger &ledger_;
    std::string &out_;
};

void print_calls(const CallMeter &meter, std::string &out) {
    constexpr std::string_view kCalls = "accp_proxy_calls_total";
    server::print_metric_head(kCalls, "Calls that ended, by upstream and status.", "counter", out);
    for (const auto &[key, count] : meter.ended()) {
        const std::string status = key.second ? std::to_string(key.second) : "none";
        server::print_sample(kCalls, "upstream=\"" + key.first + "\",status=\"" + status + "\"",
                             count, out);
    }
    server::print_counter("accp_proxy_broken_answers_total", "Answers whose end was missing.",
                          meter.broken(), out);
    meter.deciding().print("accp_proxy_deciding_seconds",
                           "Time to decide about a call and to rewrite it.", out);
    meter.heads().print("accp_proxy_answer_head_seconds",
                        "Time from a call to the head of its answer.", out);
}

void print_tokens(const Ledger &ledger, std::string &out) {
    constexpr std::string_view kTokens = "accp_proxy_tokens_total";
    server::print_metric_head(kTokens, "Tokens that providers billed, by kind.", "counter", out);
    Totals all = ledger.rewritten();
    all.add(ledger.held_out());
    const std::pair<const char *, uint64_t> kinds[] = {
        {"input", all.usage.input},
        {"cache_read", all.usage.cache_read},
        {"cache_write", all.usage.cache_write},
        {"cache_write_hour", all.usage.cache_write_hour},
        {"output", all.usage.output}};
    for (const auto &[kind, count] : kinds)
        server::print_sample(kTokens, std::string("kind=\"") + kind + "\"", count, out);
}

}  // namespace

ProxyPage::ProxyPage(Facts facts, const CallMeter &meter, const Rewriter &rewriter)
    : facts_(std::move(facts)), meter_(meter), rewriter_(rewriter) {}

bool ProxyPage::is_public(std::string_view) const { return false; }

OwnAnswer ProxyPage::answer(const OwnRequest &request, int64_t now_ms) {
    const std::string_view path = request.target.substr(0, request.target.find('?'));
    const Headers headers = {{"Cache-Control", "no-store"}};
    if (path == "/_accp/status")
        return {200, "application/json", status(request.connections, now_ms), headers};
    if (path == "/_accp/metrics")
        return {200, "text/plain; version=0.0.4", metrics(request.connections), headers};
    return {kNotFound, "", "", {}};
}

std::string ProxyPage::status(size_t connections, int64_t now_ms) const {
    const auto number = [](auto value) { return std::to_string(value); };
    const Ledger &ledger = rewriter_.ledger();
    host::JsonList upstreams;
    for (const Upstream &one : facts_.upstreams)
        upstreams.json(host::JsonObject().text("name", one.name).text("url", one.url).end());
    const std::string bill = host::JsonObject()
                                 .json("rewritten", totals_json(ledger.rewritten()))
                                 .json("held_out", totals_json(ledger.held_out()))
                                 .end();
    host::JsonObject out;
    out.text("name", "accp proxy").text("version", facts_.version);
    out.json("started_ms", number(facts_.started_ms)).json("now_ms", number(now_ms));
    out.json("upstreams", upstreams.end());
    out.json("connections", number(connections)).json("calls", number(meter_.calls()));
    out.json("running", number(meter_.running()));
    out.json("last_call_ms", meter_.last_call_ms() ? number(meter_.last_call_ms()) : "null");
    out.json("conversations", number(ledger.conversations()));
    out.json("not_understood", number(rewriter_.not_understood())).json("bill", bill);
    return out.end() + "\n";
}

std::string ProxyPage::metrics(size_t connections) const {
    const Ledger &ledger = rewriter_.ledger();
    std::string out;
    server::print_gauge("accp_proxy_connections", "Open connections of clients.", connections, out);
    server::print_gauge("accp_proxy_running_calls", "Calls that run.", meter_.running(), out);
    print_calls(meter_, out);
    LedgerMetrics account(ledger, out);
    account.family("accp_proxy_model_calls_total", "Answered calls of models.",
                   [](const Totals &sum) { return sum.calls; });
    account.family("accp_proxy_rewritten_calls_total", "Those with results that were left out.",
                   [](const Totals &sum) { return sum.rewritten_calls; });
    account.family("accp_proxy_calls_without_usage_total", "Those whose usage is unknown.",
                   [](const Totals &sum) { return sum.unknown_calls; });
    account.family("accp_proxy_evicted_pages_total", "Results that were left out.",
                   [](const Totals &sum) { return sum.evictions; });
    account.family("accp_proxy_billed_total", "The bill (docs/proxy.md has the unit).",
                   [](const Totals &sum) { return sum.bill.billed; });
    account.family("accp_proxy_untouched_total", "The bill without the proxy: an estimate.",
                   [](const Totals &sum) { return sum.bill.untouched; });
    account.family("accp_proxy_untouched_error_total", "One standard deviation of that estimate.",
                   [](const Totals &sum) { return sum.bill.error; });
    account.family("accp_proxy_rewriting_total", "Of the bill: what was written again, about.",
                   [](const Totals &sum) { return sum.bill.rewriting; });
    print_tokens(ledger, out);
    server::print_counter("accp_proxy_not_understood_total",
                          "Calls of models whose body was not understood, so sent as they came.",
                          rewriter_.not_understood(), out);
    return out;
}

}  // namespace proxy
