// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/accounts.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/host.h"
#include "cli/settings.h"
#include "cli/terminal/table_text.h"
#include "proxy/http_text.h"

namespace cli {
namespace {

// Takes the time of a call from one of its headers.
class ReplayClock final : public proxy::Traffic {
public:
    ReplayClock(std::string header, proxy::Traffic &to) : header_(std::move(header)), to_(to) {}

    std::optional<std::string> outgoing(uint64_t call, const proxy::CallHead &head,
                                        std::string_view body, int64_t now_ms) override {
        for (const auto &[name, value] : head.headers)
            if (proxy::equals_ignoring_case(name, header_))
                now_ms = std::strtoll(value.c_str(), nullptr, 10);
        now_ms_ = now_ms;
        return to_.outgoing(call, head, body, now_ms);
    }
    proxy::AnswerMode answer_head(uint64_t call, int status,
                                  const proxy::Headers &headers) override {
        return to_.answer_head(call, status, headers);
    }
    std::optional<std::string> answer_bytes(uint64_t call, std::string_view bytes) override {
        return to_.answer_bytes(call, bytes);
    }
    proxy::AnswerEnd answer_end(uint64_t call, std::string_view fault, std::string_view held,
                                int64_t) override {
        return to_.answer_end(call, fault, held, now_ms_);
    }

private:
    const std::string header_;
    proxy::Traffic &to_;
    int64_t now_ms_ = 0;
};

}  // namespace

ProxyAccounts::ProxyAccounts(const Arguments &arguments) {
    proxy::PriceTable prices;
    if (!arguments.prices.empty())
        if (const auto wrong = prices.read(read_file(arguments.prices)))
            throw Failure("--prices " + arguments.prices + ": " + *wrong);
    if (!arguments.store.empty()) open_store(arguments.store);
    conversations_ =
        std::make_unique<proxy::Conversations>(proxy::ConversationLimits(), journal_.get());
    if (!conversations_->load())
        throw Failure("--store " + arguments.store +
                      ": its list of conversations is damaged, and a new one was begun; start the "
                      "proxy again");
    if (!arguments.calls_file.empty()) open_calls(arguments.calls_file);
    proxy::RewriteOptions options;
    options.holdout = arguments.untouched ? 1 : arguments.holdout;
    options.has_resolve = !arguments.no_resolve;
    options.adds_marks = arguments.adds_marks;
    rewriter_ = std::make_unique<proxy::Rewriter>(options, *conversations_, std::move(prices),
                                                  [this](std::string_view line) { log(line); });
    if (!arguments.no_page) history_ = std::make_unique<proxy::CallHistory>();
    rewriter_->show(history_.get());
    traffic_ = rewriter_.get();
    if (arguments.clock_header.empty()) return;
    replay_clock_ = std::make_unique<ReplayClock>(arguments.clock_header, *rewriter_);
    traffic_ = replay_clock_.get();
}

ProxyAccounts::~ProxyAccounts() {
    if (calls_) std::fclose(calls_);
}

// Another proxy that opened the store would take it over, and this one would leave out nothing
// more.
void ProxyAccounts::open_store(const std::string &store) {
    constexpr std::string_view kScheme = "sqlite:";
    if (!store.starts_with(kScheme))
        throw Failure("--store " + store +
                      ": conversations are kept in sqlite:PATH; without --store they are kept in "
                      "memory");
    lock_.emplace(store.substr(kScheme.size()));
    journal_ = std::make_unique<proxy::StoreJournal>();
    const accp::Status opened = journal_->open(store);
    if (opened.ok()) return;
    lock_->remove();
    throw Failure("--store " + store + ": cannot be opened: " +
                  (opened.message ? opened.message : "the file cannot be used"));
}

// If an earlier proxy was killed within a line, the next one begins a new line.
void ProxyAccounts::open_calls(const std::string &path) {
    char last = '\n';
    std::error_code none;
    if (std::filesystem::is_regular_file(path, none)) {
        std::ifstream file(path, std::ios::binary);
        if (file.seekg(-1, std::ios::end)) file.get(last);
    }
    calls_ = std::fopen(path.c_str(), "ae");
    if (!calls_) throw Failure("--calls " + path + ": " + std::strerror(errno));
    if (last != '\n') std::fputc('\n', calls_);
}

void ProxyAccounts::log(std::string_view line) {
    if (!calls_) return;
    std::fprintf(calls_, "%.*s\n", static_cast<int>(line.size()), line.data());
    std::fflush(calls_);
}

namespace {

// Returns what share of the untouched bill was saved.
std::string saved_text(const proxy::CallBill &bill) {
    const long percent = std::lround(100 * bill.saved_share());
    return percent < 0 ? std::to_string(-percent) + " % more than without it"
                       : std::to_string(percent) + " % saved";
}

}  // namespace

std::string left_out_text(const proxy::Totals &totals) {
    if (totals.evictions)
        return grouped(totals.evictions) +
               (totals.evictions == 1 ? " result was" : " results were") + " left out";
    // In calls that are rewritten, results can be left out since an earlier run.
    return totals.rewritten_calls ? "no further result was left out" : "no result was left out";
}

std::string unknown_usage_text(const proxy::Totals &totals) {
    if (totals.unknown_calls == totals.calls)
        return "the bill is unknown: the provider reported no usage in any of them";
    return "the provider reported no usage in " + grouped(totals.unknown_calls) + " of " +
           grouped(totals.calls) + ", which are not in the bill";
}

std::string amount_text(double value, bool is_priced) {
    const std::string digits = with_digits(std::abs(value), 4);
    const std::string sign = value < 0 ? "-" : "";
    return is_priced ? sign + "$" + digits : sign + digits + " M";
}

std::string unit_lines(bool has_dollars, bool has_tokens) {
    std::string out;
    if (has_dollars) out += "$: US dollars, by the table of prices.\n";
    if (has_tokens)
        out +=
            "M: millions of plain input tokens, for models that are not in the table of prices. A "
            "token that is read from the cache counts as a part of one.\n";
    return out;
}

namespace {

std::string failed_text(const proxy::Totals &totals) {
    return grouped(totals.failed_calls) + (totals.failed_calls == 1 ? " call" : " calls") +
           " failed";
}

// Returns the line of the calls whose bill is in one unit; empty if there are none.
std::string summary_line(const char *name, const proxy::Totals &totals, bool is_priced) {
    const proxy::CallBill &bill = totals.bill;
    const auto amount = [&](double value) { return amount_text(value, is_priced); };
    if (!totals.calls && !totals.failed_calls) return {};
    std::string out = std::string(name) + ": ";
    if (!totals.calls) return out + failed_text(totals) + ", and none had a whole answer\n";
    out += grouped(totals.calls) + (totals.calls == 1 ? " call" : " calls");
    if (totals.unknown_calls < totals.calls) out += ", billed " + amount(bill.billed);
    if (totals.rewritten_calls && bill.untouched > 0)
        out += "; without the proxy about " + amount(bill.untouched) + " (error " +
               amount(bill.error) + "): " + saved_text(bill);
    out += "; " + left_out_text(totals);
    if (totals.resolve_calls)
        out += "; " + grouped(totals.resolve_calls) + " further calls for accp_resolve, billed " +
               amount(totals.resolve_bill);
    if (totals.failed_calls) out += "; " + failed_text(totals);
    if (totals.unknown_calls) out += "; " + unknown_usage_text(totals);
    return out + "\n";
}

}  // namespace

std::string summary_of(const proxy::UnitTotals &rewritten, const proxy::UnitTotals &held_out,
                       const proxy::CallFailure &last_failure) {
    std::string out;
    bool has_bill[2] = {};
    for (const bool is_priced : {true, false}) {
        out += summary_line("proxy", rewritten.of(is_priced), is_priced);
        out += summary_line("held out", held_out.of(is_priced), is_priced);
        for (const proxy::UnitTotals *all : {&rewritten, &held_out})
            has_bill[is_priced] |= all->of(is_priced).calls > all->of(is_priced).unknown_calls;
    }
    if (out.empty()) return "proxy: no call of a model\n";
    if (last_failure.time_ms)
        out += "last failure, of " + last_failure.upstream + ": " + last_failure.reason + "\n";
    return out + unit_lines(has_bill[true], has_bill[false]);
}

}  // namespace cli
