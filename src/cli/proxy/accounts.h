// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rewriter of accp proxy with its store, its prices and its log of calls, as set on the command
// line.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/arguments/arguments.h"
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

private:
    void log(std::string_view line);

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

// Returns what the calls cost and what they would have cost, as lines for a person.
std::string summary_of(const proxy::Totals &rewritten, const proxy::Totals &held_out);

}  // namespace cli
