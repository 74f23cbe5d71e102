// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Rewrites the model calls of a proxy, and keeps the accounts. Anything that it does not understand
// passes unchanged.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "proxy/call_history.h"
#include "proxy/ledger.h"
#include "proxy/resolve_session.h"
#include "proxy/traffic.h"

namespace proxy {

class Rewriter final : public Traffic {
public:
    // Receives each call after its response, as one line of JSON.
    using CallSink = std::function<void(std::string_view line)>;

    // `conversations`: borrowed, loaded.
    Rewriter(const RewriteOptions &options, Conversations &conversations, PriceTable prices,
             CallSink sink = {});

    std::optional<std::string> outgoing(uint64_t call, const CallHead &head, std::string_view body,
                                        int64_t now_ms) override;
    AnswerMode answer_head(uint64_t call, int status, const Headers &headers) override;
    std::optional<std::string> answer_bytes(uint64_t call, std::string_view bytes) override;
    AnswerEnd answer_end(uint64_t call, std::string_view fault, std::string_view held,
                         int64_t now_ms) override;

    // Fills this history from now on. It outlives the rewriter.
    void show(CallHistory *history) { history_ = history; }

    const Ledger &ledger() const { return ledger_; }
    // Returns whether the store does not accept records, so that nothing more is left out.
    bool store_fails() const { return conversations_.journal_fails(); }
    // Model calls whose body was not understood.
    uint64_t not_understood() const { return not_understood_; }

private:
    struct PendingCall {
        CallPlan plan;
        UsageReader usage;
        int status = 0;
        int64_t began_ms = 0;
        std::string upstream;
        std::string refusal;                      // the beginning of a response that is an error
        std::unique_ptr<ResolveSession> resolve;  // if the conversation has the tool
    };
    void account(uint64_t number, const PendingCall &call, std::string_view fault, int64_t now_ms);
    std::string failure_of(const PendingCall &call, std::string_view fault);
    std::string error_type(const PendingCall &call);
    void note_exchange(PendingCall &call);

    CallTerms terms_of(const Price &price) const;
    void note_begin(uint64_t call, std::string_view upstream, int64_t now_ms);

    BodyRewriter bodies_;
    Conversations &conversations_;
    JsonText json_;  // of responses, one at a time
    PriceTable prices_;
    Ledger ledger_;
    CallSink sink_;
    CallHistory *history_ = nullptr;
    std::unordered_map<uint64_t, PendingCall> pending_;
    uint64_t not_understood_ = 0;
};

}  // namespace proxy
