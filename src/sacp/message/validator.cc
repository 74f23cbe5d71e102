// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/message/validator.h"

#include "base/utf8.h"
#include "sacp/message/fast_validator.h"

namespace accp::sacp {

bool Validator::check_message(const Library &library, bool strict, Verdict &verdict) {
    if (is_v1(tree())) return checker_v1_.check(tree(), &reader_, verdict);
    return checker_.check(tree(), {&library, strict, Checker::kAll, &reader_}, verdict);
}

bool Validator::check(std::string_view text, uint64_t max_bytes, const Library &library,
                      bool strict, Verdict &verdict) {
    verdict.clear();
    return read_json(reader_, text, max_bytes, value_, verdict) &&
           check_message(library, strict, verdict);
}

bool Validator::check_fast(std::string_view text, uint64_t max_bytes, const Library &library,
                           bool strict, Verdict &verdict) {
    verdict.clear();
    const Status indexed = reader_.make_index(text.data(), text.size(), message_limits(max_bytes));
    if (indexed.ok() &&
        FastValidator(text, reader_.index(), reader_.index_count(), library, strict).accepts())
        return true;
    return read_indexed_json(reader_, indexed, text, max_bytes, value_, verdict) &&
           check_message(library, strict, verdict);
}

bool Validator::spell(std::string_view text, uint64_t max_bytes, const Library &library,
                      Spelling spelling, Buffer<char> &out, Verdict &verdict) {
    verdict.clear();
    return read_json(reader_, text, max_bytes, value_, verdict) &&
           speller_.spell(tree(), library, spelling, &reader_, out, verdict);
}

bool Validator::compose(std::string_view text, uint64_t max_bytes, const Library &library,
                        const Receiver &receiver, Buffer<char> &out, Verdict &verdict) {
    verdict.clear();
    return read_json(reader_, text, max_bytes, value_, verdict) &&
           speller_.compose(tree(), library, receiver, &reader_, out, verdict);
}

bool Validator::check_reply(std::string_view text, uint64_t max_bytes, const Library &library,
                            bool strict, const ReplyRules &rules, Verdict &verdict) {
    verdict.clear();
    const bool is_json = read_json(reader_, text, max_bytes, value_, verdict);
    if (verdict.code() == Code::kLIMIT) return false;
    if (!is_json || tree()[0].kind != ACCP_MAP) {
        verdict.clear();
        const size_t valid = valid_utf8_prefix(text.data(), text.size());
        if (valid < text.size())
            return verdict.refuse(Code::kMALFORMED_MESSAGE, "not UTF-8", valid);
        return rules.allows_prose() ||
               verdict.refuse(Code::kOUTPUT_DISCIPLINE,
                              "the reply is not a message, and its sender may not write prose");
    }
    const uint32_t status = tree().find(0, "status");
    if (status && !tree().find(0, "g")) return check_status(status, verdict);
    return check_message(library, strict, verdict) &&
           (!verdict.valid() || check_discipline(rules, verdict));
}

// Checks an object with the status VALID, ERR or REQ_CLARIFY.
bool Validator::check_status(uint32_t status, Verdict &verdict) {
    const auto refuse = [&](Code code, const char *details, uint32_t node) {
        return verdict.refuse(code, details, reader_.origin(node).value);
    };
    const std::string_view word =
        tree()[status].kind == ACCP_STRING ? tree().string(status) : std::string_view();
    if (word == "VALID") return true;
    const bool error = word == "ERR";
    if (!error && word != "REQ_CLARIFY")
        return refuse(Code::kMALFORMED_MESSAGE, "status must be VALID, ERR or REQ_CLARIFY", status);
    const uint32_t first = tree().find(0, error ? "code" : "need"),
                   second = error ? tree().find(0, "details") : first;
    if (!first || !second)
        return refuse(
            Code::kMISSING_FIELD,
            error ? "an ERR must have a code and details" : "a REQ_CLARIFY must have need", 0);
    bool sound = tree()[first].kind == (error ? ACCP_STRING : ACCP_ARRAY) &&
                 (!error || tree()[second].kind == ACCP_STRING);
    for (uint32_t i = first + 1; !error && i < tree()[first].next; i = tree()[i].next)
        sound &= tree()[i].kind == ACCP_STRING;
    return sound ||
           refuse(Code::kINVALID_TYPE,
                  error ? "code and details must be strings" : "need must be an array of strings",
                  first);
}

bool Validator::check_discipline(const ReplyRules &rules, Verdict &verdict) {
    const uint32_t out_fmt = tree().find(0, member_name(kOutFmt)),
                   state = tree().find(0, member_name(kState));
    if (out_fmt && tree().string(out_fmt) == "human" && !rules.allows_prose())
        return verdict.refuse(Code::kOUTPUT_DISCIPLINE,
                              "out_fmt is human, but the sender may not write prose",
                              reader_.origin(out_fmt).value);
    if (rules.out_fmt != OutFmt::kSummary || !state || tree().string(state) != "DONE") return true;
    const uint32_t result = tree().find(0, member_name(kResult)),
                   summary = result ? tree().find(result, "summary") : 0;
    const size_t length = summary && tree()[summary].kind == ACCP_STRING
                              ? count_code_points(tree().string(summary))
                              : 0;
    return (length && length <= kMaxSummary) ||
           verdict.refuse(Code::kOUTPUT_DISCIPLINE,
                          "out_fmt is summary: result.summary must have 1 to 280 characters");
}

}  // namespace accp::sacp
