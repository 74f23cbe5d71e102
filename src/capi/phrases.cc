// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/phrases.h
#include "accp/phrases.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/library_handle.h"
#include "capi/sacp_handle.h"
#include "codec/hooks.h"
#include "sacp/planner/interpreter.h"

using namespace accp;
using namespace accp::capi;

struct accp_phrases {
    explicit accp_phrases(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          interpreter(memory),
          verdict(memory),
          out(memory) {}

    Settings settings;
    Memory memory;
    HandleUses uses;
    accp_library *owned = nullptr;
    sacp::PromptInterpreter interpreter;
    sacp::Verdict verdict;
    Buffer<char> out;
    accp_model_function model = nullptr;
    void *user = nullptr;
};

namespace {

void end_phrases(accp_phrases *phrases) noexcept {
    if (!phrases) return;
    release_handle(phrases->owned);
    destroy_handle(phrases);
}

class HostModel : public sacp::Model {
public:
    HostModel(accp_model_function model, void *user) : model_(model), user_(user) {}

    Status answer(std::string_view prompt, std::string_view specification, std::string_view refused,
                  std::string_view &out) override {
        accp_text text = {};
        const Status status = codec::check_host_status(
            model_(prompt.data(), prompt.size(), specification.data(), specification.size(),
                   refused.data(), refused.size(), &text, user_),
            "the model failed");
        if (status.failed()) return status;
        if (!is_text(text.text, text.len)) return fail(ACCP_E9999, 0, "the model's text is NULL");
        out = to_view(text);
        return {};
    }

private:
    accp_model_function model_;
    void *user_;
};

}  // namespace

extern "C" {

accp_status accp_phrases_new(const char *text, size_t text_len, const accp_library *library,
                             const accp_config *config, accp_phrases **out,
                             accp_error *err) noexcept {
    if (!out || !library) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return guard(err, [&]() -> Status {
        Held<accp_phrases, end_phrases> made(make_handle<accp_phrases>(settings_of(config)));
        made->owned = retain_handle(library);
        if (!made->interpreter.read(to_view(text, text_len),
                                    made->settings.limit(ACCP_LIMIT_JSON_BYTES), made->verdict))
            return failure_of(made->verdict);
        *out = made.release();
        return {};
    });
}

void accp_phrases_free(accp_phrases *phrases) noexcept {
    free_handle<accp_phrases, end_phrases>(phrases);
}

accp_status accp_phrases_set_model(accp_phrases *phrases, accp_model_function model, void *user,
                                   accp_error *err) noexcept {
    if (!phrases) return refuse(err, kNoHandle);
    if (accp_status status = check_unused(*phrases, err)) return status;
    phrases->model = model;
    phrases->user = user;
    return ACCP_OK;
}

accp_status accp_phrases_ask(accp_phrases *phrases, const char *text, size_t text_len,
                             accp_text *out, int32_t *answer_out, accp_error *err) noexcept {
    if (!phrases || !out) return refuse(err, kNoHandle);
    if (accp_status status = check_unused(*phrases, err)) return status;
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, phrases->out)) return refuse(err, kOwnText);
    const HandleUse<accp_phrases, end_phrases> use(phrases);
    return guard(err, [&]() -> Status {
        phrases->out.recycle(kKeptBytes);
        HostModel model(phrases->model, phrases->user);
        const Status status = phrases->interpreter.interpret(
            to_view(text, text_len), phrases->owned->library,
            phrases->settings.limit(ACCP_LIMIT_JSON_BYTES), phrases->model ? &model : nullptr,
            phrases->out, phrases->verdict);
        if (status.failed()) return status;
        if (const Status kept = check_kept(*phrases); kept.failed()) return kept;
        const sacp::Verdict &verdict = phrases->verdict;
        if (!verdict.valid()) verdict.write(phrases->out);
        if (answer_out)
            *answer_out = verdict.failed()  ? ACCP_SACP_ERR
                          : verdict.valid() ? ACCP_SACP_VALID
                                            : ACCP_SACP_REQ_CLARIFY;
        hand_out(phrases->out, out);
        return {};
    });
}

}  // extern "C"
