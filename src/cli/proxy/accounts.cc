// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/accounts.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
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
    proxy::AnswerEnd answer_end(uint64_t call, bool is_whole, std::string_view held,
                                int64_t) override {
        return to_.answer_end(call, is_whole, held, now_ms_);
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
    if (!arguments.store.empty()) {
        if (!arguments.store.starts_with("sqlite:"))
            throw Failure("--store " + arguments.store +
                          ": conversations are kept in sqlite:PATH; without --store they are kept "
                          "in memory");
        journal_ = std::make_unique<proxy::StoreJournal>();
        const accp::Status opened = journal_->open(arguments.store);
        if (opened.failed())
            throw Failure("--store " + arguments.store + ": cannot be opened: " +
                          (opened.message ? opened.message : "the file cannot be used"));
    }
    conversations_ =
        std::make_unique<proxy::Conversations>(proxy::ConversationLimits(), journal_.get());
    if (!conversations_->load())
        throw Failure("--store " + arguments.store +
                      ": its list of conversations is damaged, and a new one was begun; start the "
                      "proxy again");
    if (!arguments.calls_file.empty()) {
        calls_ = std::fopen(arguments.calls_file.c_str(), "ae");
        if (!calls_) throw Failure("--calls " + arguments.calls_file + ": " + std::strerror(errno));
    }
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

void ProxyAccounts::log(std::string_view line) {
    if (!calls_) return;
    std::fprintf(calls_, "%.*s\n", static_cast<int>(line.size()), line.data());
    std::fflush(calls_);
}

namespace {

// Returns what share of the untouched bill was saved.
std::string saved_text(const proxy::CallBill &bill) {
    const long percent = std::lround(100 * bill.saved_share());
    return percent < 0 ? std::to_string(-percent) + " % more than untouched"
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

std::string summary_of(const proxy::Totals &rewritten, const proxy::Totals &held_out) {
    std::string out;
    const auto add = [&](const char *name, const proxy::Totals &totals) {
        if (!totals.calls) return;
        const proxy::CallBill &bill = totals.bill;
        out += std::string(name) + ": " + grouped(totals.calls) + " calls";
        if (totals.unknown_calls < totals.calls) out += ", billed " + with_digits(bill.billed, 4);
        if (totals.rewritten_calls && bill.untouched > 0)
            out += "; untouched about " + with_digits(bill.untouched, 4) + " (error " +
                   with_digits(bill.error, 4) + "): " + saved_text(bill);
        out += "; " + left_out_text(totals);
        if (totals.resolve_calls)
            out += "; " + grouped(totals.resolve_calls) +
                   " further calls for accp_resolve, billed " + with_digits(totals.resolve_bill, 4);
        if (totals.unknown_calls) out += "; " + unknown_usage_text(totals);
        out += '\n';
    };
    add("proxy", rewritten);
    add("held out", held_out);
    if (out.empty()) out = "proxy: no call of a model\n";
    return out;
}

}  // namespace cli
