// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/page/proxy_page.h"

#include <utility>

#include "proxy/http_text.h"
#include "proxy/page/history_json.h"
#include "proxy/page/page_files.h"
#include "server/json/writer.h"

namespace proxy {
namespace {

constexpr int kNotFound = 404;
constexpr std::string_view kNoSlash = "/_accp";
constexpr const char *kJson = "application/json";
const Headers::value_type kNoStore = {"Cache-Control", "no-store"};

const server::PageFile *find_own_file(std::string_view path) {
    return path.starts_with("/_accp/") ? find_page_file(path.substr(kNoSlash.size())) : nullptr;
}

// Writes the counters of a ledger, separately for rewritten and held-out conversations.
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

ProxyPage::ProxyPage(Facts facts, const CallMeter &meter, const Rewriter &rewriter,
                     const CallHistory *history)
    : facts_(std::move(facts)), meter_(meter), rewriter_(rewriter), history_(history) {}

bool ProxyPage::is_public(std::string_view target) const {
    const std::string_view path = path_of(target);
    return history_ && (path == kNoSlash || find_own_file(path));
}

OwnAnswer ProxyPage::answer(const OwnRequest &request, int64_t now_ms) {
    const std::string_view path = path_of(request.target);
    if (path == "/_accp/status")
        return {200, kJson, status(request.connections, now_ms), {kNoStore}};
    if (path == "/_accp/metrics")
        return {200, "text/plain; version=0.0.4", metrics(request.connections), {kNoStore}};
    return history_ ? answer_page(path, request, now_ms) : OwnAnswer{kNotFound, "", "", {}};
}

// Does not send data again that the page already has.
OwnAnswer ProxyPage::answer_page(std::string_view path, const OwnRequest &request,
                                 int64_t now_ms) const {
    if (path == kNoSlash) return {308, "", "", {{"Location", "/_accp/"}}};
    if (const server::PageFile *file = find_own_file(path)) {
        OwnAnswer answer = {200, std::string(file->type), std::string(file->text), {}};
        for (const auto &[name, value] : server::kPageHeaders)
            answer.headers.emplace_back(name, value);
        return answer;
    }
    const std::string tag = "\"" + std::to_string(history_->version()) + "\"";
    const auto reply = [&](auto make) -> OwnAnswer {
        for (const auto &[name, value] : request.headers)
            if (equals_ignoring_case(name, "if-none-match") && value == tag)
                return {304, "", "", {{"ETag", tag}}};
        return {200, kJson, make(), {kNoStore, {"ETag", tag}}};
    };
    if (path == "/_accp/conversations")
        return reply([&] { return overview_json(*history_, rewriter_.ledger(), now_ms); });
    constexpr std::string_view kOne = "/_accp/conversation?id=";
    const auto id = request.target.starts_with(kOne)
                        ? read_conversation_id(request.target.substr(kOne.size()))
                        : std::nullopt;
    const CallHistory::Conversation *found = id ? history_->find(*id) : nullptr;
    if (!found) return {kNotFound, "", "", {}};
    return reply([&] { return conversation_json(*found, now_ms); });
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
    out.json("not_understood", number(rewriter_.not_understood()));
    out.json("bill", bill).json("last_failure", failure_json(ledger.last_failure()));
    out.flag("store_fails", rewriter_.store_fails());
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
    account.family("accp_proxy_failed_calls_total",
                   "Calls of models that were refused, got no answer, or broke off.",
                   [](const Totals &sum) { return sum.failed_calls; });
    account.family("accp_proxy_rewritten_calls_total", "Those with results that were left out.",
                   [](const Totals &sum) { return sum.rewritten_calls; });
    account.family("accp_proxy_calls_without_usage_total", "Those whose usage is unknown.",
                   [](const Totals &sum) { return sum.unknown_calls; });
    account.family("accp_proxy_evicted_pages_total", "Results that were left out.",
                   [](const Totals &sum) { return sum.evictions; });
    account.family("accp_proxy_resolve_calls_total", "Further calls, with results of accp_resolve.",
                   [](const Totals &sum) { return sum.resolve_calls; });
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
