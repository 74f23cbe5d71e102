// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/planner/interpreter.h"

#include "base/utf8.h"
#include "sacp/agents/prompt.h"

namespace accp::sacp {

PromptInterpreter::PromptInterpreter(Memory &memory)
    : phrases_(memory),
      planner_(memory),
      validator_(memory),
      reader_(memory),
      value_(memory),
      message_(memory),
      specification_(memory),
      rejection_(memory) {}

Status PromptInterpreter::interpret(std::string_view prompt, const Library &library,
                                    uint64_t max_bytes, Model *model, Buffer<char> &out,
                                    Verdict &verdict) {
    verdict.clear();
    message_.clear();
    const size_t valid = valid_utf8_prefix(prompt.data(), prompt.size());
    if (valid != prompt.size()) {
        verdict.refuse(Code::kMALFORMED_MESSAGE, "a prompt must be UTF-8", valid);
        return {};
    }
    const Phrases::Result result = phrases_.match(prompt, message_, verdict);
    if (result == Phrases::Result::kMatch && verdict.valid())
        complete(library, max_bytes, out, verdict);
    if (result != Phrases::Result::kNoMatch) return {};
    if (model) return ask_model(prompt, library, max_bytes, *model, out, verdict);
    verdict.need("goal");
    return {};
}

// Completes the plan and checks the message. Appends nothing unless it is valid.
void PromptInterpreter::complete(const Library &library, uint64_t max_bytes, Buffer<char> &out,
                                 Verdict &verdict) {
    const size_t begin = out.size();
    if (!planner_.plan(message_.view(), library, false, max_bytes, out, verdict)) return;
    if (verdict.valid())
        validator_.check(out.view().substr(begin), max_bytes, library, true, verdict);
    if (!verdict.valid()) out.resize_down(begin);
}

Status PromptInterpreter::ask_model(std::string_view prompt, const Library &library,
                                    uint64_t max_bytes, Model &model, Buffer<char> &out,
                                    Verdict &verdict) {
    specification_.clear();
    rejection_.clear();
    write_specification(library, specification_);
    for (int attempt = 0; attempt < kTries; ++attempt) {
        std::string_view text;
        Status status = model.answer(prompt, specification_.view(), rejection_.view(), text);
        if (status.failed()) return status;
        read_model_reply(text, library, max_bytes, out, verdict);
        if (!verdict.failed()) return {};
        rejection_.clear();
        verdict.write(rejection_);
    }
    return {};
}

void PromptInterpreter::read_model_reply(std::string_view text, const Library &library,
                                         uint64_t max_bytes, Buffer<char> &out, Verdict &verdict) {
    verdict.clear();
    if (!read_json(reader_, text, max_bytes, value_, verdict)) return;
    const value::TreeView tree = value_.view();
    if (tree[0].kind == ACCP_MAP && tree.find(0, "status") && !tree.find(0, "g"))
        return read_clarification(tree, verdict);
    if (!validator_.check(text, max_bytes, library, true, verdict) || !verdict.valid()) return;
    validator_.spell(text, max_bytes, library, Spelling::kFull, out, verdict);
}

void PromptInterpreter::read_clarification(value::TreeView tree, Verdict &verdict) {
    const uint32_t status = tree.find(0, "status"), need = tree.find(0, "need");
    bool good = tree[status].kind == ACCP_STRING && tree.string(status) == "REQ_CLARIFY" && need &&
                tree[need].kind == ACCP_ARRAY && tree[need].len;
    for (uint32_t i = need + 1; good && i < tree[need].next; i = tree[i].next)
        good = tree[i].kind == ACCP_STRING;
    if (!good) {
        verdict.refuse(Code::kMALFORMED_MESSAGE,
                       "a model must reply with a message, or with REQ_CLARIFY and need");
        return;
    }
    for (uint32_t i = need + 1; i < tree[need].next; i = tree[i].next) verdict.need(tree.string(i));
}

}  // namespace accp::sacp
