// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Measures the session's contexts and those of the baselines over the calls of a replayed run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/replay/baselines.h"
#include "cli/replay/figures.h"
#include "cli/replay/history.h"

namespace cli {

// Finds the first request of a recording: the first message that is from a person or has the
// operation plan or task; if there is none, the first message.
class FirstRequest {
public:
    explicit FirstRequest(const Arguments &arguments) : reader_(arguments) {}
    // Reads the next line. Skips it if it is not a message.
    void read_line(std::string_view line);
    bool is_at(uint64_t line) const { return line_ == line; }
    // Returns the sentences in the first 1,000 tokens of the request.
    accp_status sentences(ReplayTokens &tokens, std::vector<std::string> &out,
                          accp_error &err) const;

private:
    ReplayReader reader_;
    uint64_t line_count_ = 0, line_ = 0;
    std::optional<ReplayMessage> message_;
};

// Returns the prices of the arguments. A session without prices (price_write=0) is billed at the
// default prices. Throws Failure.
Prices prices_of(const Arguments &arguments);

class ReplayMeasure {
public:
    // Borrows all but the arguments.
    ReplayMeasure(const Arguments &arguments, const Prices &prices, const FirstRequest &first,
                  const accp_tokenizer *tokenizer, accp_counter *counter);

    // The session's context before a message.
    struct SessionContext {
        std::string_view text;
        BlockTokens blocks;
    };
    // A message that was appended to the session.
    struct Appended {
        uint64_t line;    // in the recording, from 0
        int64_t time_ms;  // 0: unknown
        std::string_view json;
        uint32_t checkpoint;  // the session's newest, after the message
    };
    accp_status add(const Appended &message, const SessionContext &context, accp_error &err);
    const RunFigures &figures();

private:
    struct BaselineRun {
        std::unique_ptr<Baseline> baseline;
        Parts last;  // what it sent with the previous call
    };

    // What one method sends with a call.
    struct Sent {
        uint64_t tokens, shared;
        CallRecall recall;
    };

    accp_status measure_call(const ReplayMessage &call, int64_t time_ms,
                             const SessionContext &context, accp_error &err);
    void measure_baseline(BaselineRun &run, const CallNeeds &needs, uint64_t budget, bool is_cached,
                          RowFigures &row);
    void add_to(RowFigures &row, const Sent &sent, bool is_cached) const;
    bool is_cached(int64_t time_ms) const;

    const Prices prices_;
    const FirstRequest &first_;
    ReplayTokens tokens_;
    ReplayReader reader_;
    ReplayHistory history_;
    NeedFinder need_finder_;
    std::vector<BaselineRun> baselines_;
    std::vector<std::string> task_;  // sentences
    bool has_task_ = false;
    TokenIds last_ids_;
    int64_t called_ms_ = 0;  // the time of the last call; 0: unknown
    uint32_t checkpoint_ = 0;
    RunFigures figures_;
};

}  // namespace cli
