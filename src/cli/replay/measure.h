// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Measures the contexts of a replayed run against its history, and the rivals along with them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/replay/figures.h"
#include "cli/replay/history.h"
#include "cli/replay/rivals.h"

namespace cli {

// The first request of a recording: of a person, or with the operation plan or task; where there is
// none, its first message.
class FirstRequest {
public:
    explicit FirstRequest(const Arguments &arguments) : reader_(arguments) {}
    // The next line. One that is no message is passed over.
    void look(std::string_view line);
    bool is_at(uint64_t line) const { return line_ == line; }
    // Sentences of it, up to 1,000 tokens of its text.
    accp_status sentences(ReplayTokens &tokens, std::vector<std::string> &out,
                          accp_error &err) const;

private:
    ReplayReader reader_;
    uint64_t looked_ = 0, line_ = 0;
    std::optional<ReplayMessage> message_;
};

class ReplayMeasure {
public:
    // All are borrowed.
    ReplayMeasure(const Arguments &arguments, const FirstRequest &first,
                  const accp_tokenizer *tokenizer, accp_counter *counter);

    // What the session gave before a message.
    struct Given {
        std::string_view context;
        BlockTokens blocks;
    };
    // A message that the session has taken, and its newest checkpoint after it. `line` counts the
    // lines of the recording, from 0.
    accp_status add(uint64_t line, std::string_view json, const Given &given, uint32_t checkpoint,
                    accp_error &err);
    const ReplayFigures &figures();

private:
    // A rival, and what it sent last.
    struct Opponent {
        std::unique_ptr<Rival> rival;
        Parts last;
    };

    accp_status call(const ReplayMessage &next, const Given &given, accp_error &err);
    void oppose(Opponent &opponent, const Needs &needs, uint64_t budget, RowFigures &row);
    void bill(RowFigures &row, uint64_t tokens, uint64_t shared) const;

    const FirstRequest &first_;
    ReplayTokens tokens_;
    ReplayReader reader_;
    ReplayHistory history_;
    ReplayNeeds needs_;
    std::vector<Opponent> opponents_;
    std::vector<std::string> task_, newest_;  // sentences, lines of the message before
    bool has_task_ = false;
    Ids last_ids_;
    uint32_t checkpoint_ = 0;
    ReplayFigures figures_;
};

}  // namespace cli
