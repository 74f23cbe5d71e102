// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rewriter of accp proxy with its store, its prices and its log of calls, as set on the command
// line.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/arguments/arguments.h"
#include "cli/proxy/store_lock.h"
#include "proxy/rewriter.h"
#include "proxy/store_journal.h"

namespace cli {

class ProxyAccounts {
public:
    // Throws Failure if the store, the prices or the log of calls cannot be used.
    explicit ProxyAccounts(const Arguments &arguments);
    ~ProxyAccounts();
    ProxyAccounts(const ProxyAccounts &) = delete;
    ProxyAccounts &operator=(const ProxyAccounts &) = delete;

    proxy::Traffic &traffic() { return *traffic_; }
    const proxy::Rewriter &rewriter() const { return *rewriter_; }
    // For the page; nullptr: no page.
    const proxy::CallHistory *history() const { return history_.get(); }
    const proxy::Ledger &ledger() const { return rewriter_->ledger(); }
    // Notes the address of this proxy for others that want its store.
    void note_address(const std::string &url) {
        if (lock_) lock_->note_address(url);
    }

private:
    void log(std::string_view line);

    void open_store(const std::string &store);
    void open_calls(const std::string &path);

    std::optional<StoreLock> lock_;  // released last
    std::unique_ptr<proxy::StoreJournal> journal_;
    std::unique_ptr<proxy::Conversations> conversations_;
    std::unique_ptr<proxy::CallHistory> history_;
    std::unique_ptr<proxy::Rewriter> rewriter_;
    std::unique_ptr<proxy::Traffic> replay_clock_;
    proxy::Traffic *traffic_ = nullptr;  // one of the two
    FILE *calls_ = nullptr;
};

// Returns how many results were left out, for a sentence.
std::string left_out_text(const proxy::Totals &totals);
// Returns which calls are not in the bill because the provider reported no usage. Requires that
// there are such calls.
std::string unknown_usage_text(const proxy::Totals &totals);

// Returns an amount of a bill with its unit, such as $0.1234 or 0.1234 M.
std::string amount_text(double value, bool is_priced);
// Returns a line for each unit, with its meaning.
std::string unit_lines(bool has_dollars, bool has_tokens);

// Returns what the calls cost and what they would have cost, as lines for a person.
std::string summary_of(const proxy::UnitTotals &rewritten, const proxy::UnitTotals &held_out,
                       const proxy::CallFailure &last_failure);

}  // namespace cli
