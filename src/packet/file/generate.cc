// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See generate.h.
#include "packet/file/generate.h"

#include <algorithm>

namespace accp::packet {

namespace {

// The lengths of the texts of what must stand, as space gets short.
constexpr size_t kRequiredBytes[] = {kMaxStatement, 110, 70};
constexpr uint64_t kStandardTokens = 400, kDeepTokens = 800;

}  // namespace

Status Generator::generate(const Request &request, token::TokenCounter &counter, Packet &out,
                           Prompt &prompt) {
    const std::span<const Found> told =
        request.told ? request.told->found() : std::span<const Found>();
    extractor_.extract(request.task, request.conversation, told);
    Status status = ranker_.rank(request.code, extractor_, request.task, request.conversation);
    items_.clear();
    if (status.ok()) status = measure(request, counter, out, prompt);  // the task, what is left out
    if (status.failed()) return status;
    const uint64_t fixed = prompt.tokens;
    status = collect(request, counter);
    for (const size_t max_bytes : kRequiredBytes) {
        if (status.ok()) status = choose(request, counter, fixed, max_bytes);
        if (status.ok()) status = drop_until_fits(request, counter, out, prompt);
        if (status.failed() || prompt.tokens <= request.budget_tokens) return status;
    }
    out.value.clear();
    return fail_limit(prompt.tokens, request.budget_tokens,
                      what_is_too_long(request.depth, prompt.tokens));
}

Status Generator::drop_until_fits(const Request &request, token::TokenCounter &counter, Packet &out,
                                  Prompt &prompt) {
    for (;;) {
        Status status = measure(request, counter, out, prompt);
        if (status.failed() || prompt.tokens <= request.budget_tokens) return status;
        Item *const last = last_optional();
        if (!last) return {};
        last->kept = false;
    }
}

const char *Generator::what_is_too_long(Depth depth, uint64_t tokens) const {
    const auto is_required = [](const Item &item) { return item.required; };
    if (std::none_of(items_.begin(), items_.end(), is_required))
        return "the task alone has more tokens than the budget";
    if (depth == Depth::kMinimal && tokens <= kStandardTokens)
        return "what was demanded has more tokens than the budget: depth standard would hold it";
    if (depth != Depth::kDeep && tokens <= kDeepTokens)
        return "what was demanded and decided has more tokens than the budget: depth deep would "
               "hold it";
    return "what was demanded and decided has more tokens than the budget: give a greater one";
}

// The packet as it is now, and its prompt.
Status Generator::measure(const Request &request, token::TokenCounter &counter, Packet &out,
                          Prompt &prompt) {
    json_.clear();
    write(request);
    Status status = reader_.read_json(json_.view(), out);
    return status.ok() ? prompt.make(out.view(), counter) : status;
}

}  // namespace accp::packet
