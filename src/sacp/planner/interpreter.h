// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Turns a person's prompt into a valid message or a question. Phrases are matched first; if none
// matches, a language model of the host may answer, and its reply is checked.
#pragma once

#include "sacp/library/phrases.h"
#include "sacp/message/validator.h"
#include "sacp/planner/planner.h"

namespace accp::sacp {

// Prompts the model. `rejection` is the verdict on its previous reply, empty at first. Stores a
// view that stays valid until the next call.
class Model {
public:
    virtual ~Model() = default;
    virtual Status answer(std::string_view prompt, std::string_view specification,
                          std::string_view rejection, std::string_view &out) = 0;
};

class PromptInterpreter {
public:
    explicit PromptInterpreter(Memory &memory);

    // Call it once. If it returns false, with a verdict, this object must not be used.
    bool read(std::string_view document, uint64_t max_bytes, Verdict &verdict) {
        return phrases_.read(document, max_bytes, verdict);
    }

    // Appends the message if the verdict is VALID, else nothing. Fails only if the model fails.
    // `model` may be nullptr.
    Status interpret(std::string_view prompt, const Library &library, uint64_t max_bytes,
                     Model *model, Buffer<char> &out, Verdict &verdict);

private:
    static constexpr int kTries = 2;  // of a model: a second try includes the verdict on the first

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
