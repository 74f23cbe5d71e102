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

class ReplayMeasure {
public:
    // Borrows all but the arguments.
    ReplayMeasure(const Arguments &arguments, const FirstRequest &first,
                  const accp_tokenizer *tokenizer, accp_counter *counter);

    // The session's context before a message.
    struct SessionContext {
        std::string_view text;
        BlockTokens blocks;
    };
    // Adds a message that was appended to the session. `line`: its line in the recording, from 0.
    // `checkpoint`: the session's newest checkpoint after the message.
    accp_status add(uint64_t line, std::string_view json, const SessionContext &context,
                    uint32_t checkpoint, accp_error &err);
    const ReplayFigures &figures();

private:
    struct BaselineRun {
        std::unique_ptr<Baseline> baseline;
        Parts last;  // what it sent with the previous call
    };

    accp_status measure_call(const ReplayMessage &call, const SessionContext &context,
                             accp_error &err);
    void measure_baseline(BaselineRun &run, const CallNeeds &needs, uint64_t budget,
                          RowFigures &row);
    void bill(RowFigures &row, uint64_t tokens, uint64_t shared) const;

    const FirstRequest &first_;
    ReplayTokens tokens_;
    ReplayReader reader_;
    ReplayHistory history_;
    NeedFinder need_finder_;
    std::vector<BaselineRun> baselines_;
    std::vector<std::string> task_, newest_;  // sentences; lines of the previous message
    bool has_task_ = false;
    TokenIds last_ids_;
    uint32_t checkpoint_ = 0;
    ReplayFigures figures_;
};

}  // namespace cli
