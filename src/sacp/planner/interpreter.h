// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A person's prompt becomes a message that is valid, or a question. Phrases say which; where none
// does, a model of the host's may, whose answer is checked.
#pragma once

#include "sacp/library/phrases.h"
#include "sacp/message/validator.h"
#include "sacp/planner/planner.h"

namespace accp::sacp {

// Asks the model: what it is told, and what its answer before this one was rejection for, which is
// empty at first. Fills in a view that lives until the next question.
class Model {
public:
    virtual ~Model() = default;
    virtual Status answer(std::string_view prompt, std::string_view specification,
                          std::string_view rejection, std::string_view &out) = 0;
};

class PromptInterpreter {
public:
    explicit PromptInterpreter(Memory &memory);

    // Once. False, with a verdict: it is only good to be thrown away.
    bool read(std::string_view document, uint64_t max_bytes, Verdict &verdict) {
        return phrases_.read(document, max_bytes, verdict);
    }

    // Appends the message where the verdict is VALID, and nothing otherwise. A failure is the
    // model's. `model` may be nullptr.
    Status interpret(std::string_view prompt, const Library &library, uint64_t max_bytes,
                     Model *model, Buffer<char> &out, Verdict &verdict);

private:
    static constexpr int kTries = 2;  // of a model: once, and once again with the verdict

    void complete(const Library &library, uint64_t max_bytes, Buffer<char> &out, Verdict &verdict);
    Status ask_model(std::string_view prompt, const Library &library, uint64_t max_bytes,
                     Model &model, Buffer<char> &out, Verdict &verdict);
    void read_model_reply(std::string_view text, const Library &library, uint64_t max_bytes,
                          Buffer<char> &out, Verdict &verdict);
    void read_clarification(value::TreeView tree, Verdict &verdict);

    Phrases phrases_;
    Planner planner_;
    Validator validator_;
    value::JsonReader reader_;
    value::Value value_;
    Buffer<char> message_;
    Buffer<char> specification_;
    Buffer<char> rejection_;
};

}  // namespace accp::sacp
