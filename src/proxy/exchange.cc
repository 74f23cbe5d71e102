// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/exchange.h"

#include <algorithm>
#include <iterator>

namespace proxy {

namespace {

bool is_space(char c) { return static_cast<unsigned char>(c) <= ' '; }

constexpr uint64_t kMaxRoundsRead = 64, kMaxCallsRead = 1024;

bool read_count(accp::Unpacker &from, uint32_t &out) {
    const uint64_t n = from.number();
    out = static_cast<uint32_t>(n);
    return n <= UINT32_MAX;
}

}  // namespace

std::string resolve_error(ResolveOutcome outcome, uint32_t number) {
    const std::string example =
        "a line such as [Read src/app.ts: 240 lines, 3,120 tokens, left out to save cost. To see "
        "it: accp_resolve 57.]";
    const std::string n = std::to_string(number);
    switch (outcome) {
        case ResolveOutcome::kFound: break;
        case ResolveOutcome::kNotLeftOut: return "Result " + n + " was not left out: it is above.";
        case ResolveOutcome::kUnknown:
            return "There is no result " + n + ". Use the number in " + example;
        case ResolveOutcome::kBadInput:
            return "accp_resolve needs {\"number\": N}, with the number in " + example;
        case ResolveOutcome::kTooOften:
            return "accp_resolve was called too often in a row. Go on with what is above.";
    }
    return {};
}

void Exchange::pack(accp::Packer &to) const {
    to.number(is_open);
    to.number(rounds.size());
    for (const ResolveRound &round : rounds) {
        to.number(round.words);
        to.number(round.thoughts);
        to.number(round.calls.size());
        for (const ResolvedCall &call : round.calls) {
            to.text(call.json);
            to.text(call.id);
            to.number(call.number);
            to.number(call.before);
            to.number(static_cast<uint64_t>(call.outcome));
        }
    }
}

bool Exchange::unpack(accp::Unpacker &from) {
    is_open = from.number() != 0;
    const uint64_t round_count = from.number();
    if (round_count > kMaxRoundsRead) return false;
    bool fits = true;
    rounds.assign(round_count, {});
    for (ResolveRound &round : rounds) {
        fits &= read_count(from, round.words);
        fits &= read_count(from, round.thoughts);
        const uint64_t call_count = from.number();
        if (!from.ok() || call_count > kMaxCallsRead) return false;
        round.calls.assign(call_count, {});
        for (ResolvedCall &call : round.calls) {
            call.json = from.text();
            call.id = from.text();
            fits &= read_count(from, call.number);
            fits &= read_count(from, call.before);
            const uint64_t outcome = from.number();
            fits &= outcome <= static_cast<uint64_t>(ResolveOutcome::kTooOften);
            call.outcome = static_cast<ResolveOutcome>(outcome);
        }
    }
    return fits && from.ok();
}

void AnswerPrint::add(char tag, std::string_view text) {
    print_ += tag;
    print_.append(text).push_back('\0');
}

bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), is_space); }

void AnswerPrint::add_text(std::string_view text) {
    if (is_blank(text)) return;
    print_ += 't';
    std::remove_copy_if(text.begin(), text.end(), std::back_inserter(print_), is_space);
    print_ += '\0';
}

}  // namespace proxy
