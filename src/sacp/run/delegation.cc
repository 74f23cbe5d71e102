// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls as messages for agents, and their replies. The id of such a message is
//
//   KEY.PART.TRY    the call's key, the number of its part, and the earlier tries of the step
//
// So a reply to an earlier try matches nothing, and a try that is repeated after a restart has the
// same id.
#include "base/text.h"
#include "sacp/message/reference.h"
#include "sacp/run/run.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

// The outcome for an agent's failure (R43). An agent that lacks the verb or the tool is not tried
// again.
Outcome outcome_of(Code code) {
    switch (code) {
        case Code::kTIMEOUT: return Outcome::kTimeout;
        case Code::kNO_AGENT:
        case Code::kUNKNOWN_VERB:
        case Code::kUNKNOWN_TOOL:
        case Code::kVERB_TOOL_MISMATCH: return Outcome::kNoAgent;
        default: return Outcome::kToolFailed;
    }
}

// Returns a member that is a string, or an empty text.
std::string_view word_of(value::TreeView tree, uint32_t object, std::string_view member) {
    const uint32_t node = tree[object].kind == ACCP_MAP ? tree.find(object, member) : 0;
    return node && tree[node].kind == ACCP_STRING ? tree.string(node) : std::string_view();
}

}  // namespace

// Only the step that makes the final result gets the out_fmt of the message (S5, section 4).
OutFmt Run::out_fmt_of(uint32_t part) const {
    const Program &program = progress_.program;
    const bool is_last = !progress_.parts[part].scope && program.part(part).parent == kNoPart &&
                         program.part(part).end == program.scope(0).end;
    return is_last ? program.out_fmt() : OutFmt::kRaw;
}

void Run::write_request_id(uint32_t index, Buffer<char> &out) {
    const uint32_t part = attempts_[index].part;
    make_key(part);
    out.append(key_.view());
    out.push('.');
    append_decimal(part, out);
    out.push('.');
    append_decimal(progress_.parts[part].count, out);
}

RequestStatus Run::write_request(uint64_t call, const Delegate &to, Buffer<char> &out) {
    uint32_t index;
    if (find_call(call, {}, index) != Reception::kAccepted) return RequestStatus::kLate;
    const uint32_t part = attempts_[index].part;
    const PartProgress &run = progress_.parts[part];
    const Program &program = progress_.program;
    if (program.part(part).verb == kJoin) return RequestStatus::kJoin;
    Buffer<char> &who = error_;  // copied, because the argument may be inside this run
    who.assign(to.name);
    who.append(to.role);
    const size_t begin = out.size();
    out.append("{\"g\":");
    value::write_json(program.tree(), program.scope(run.scope).node(kGoal), out);
    const TextSlice ctx = progress_.scopes[run.scope].ctx;
    bool dry_is_said = false;
    if (ctx.len) {
        out.append(",\"ctx\":");
        out.append(progress_.text(ctx));
        // A call is never a dry run (R47), so override a test_mode in the ctx.
        dry_is_said = find_member(progress_.text(ctx), "\"test_mode\"").data();
    }
    out.append(",\"plan\":[[");
    value::write_json_string(program.verb(part), out);
    out.push(',');
    value::write_json_string(tool_of(part, run.fallback), out);
    out.push(',');
    write_as_text(progress_.text(run.params), out);
    out.append("]]");
    const OutFmt out_fmt = out_fmt_of(part);
    if (out_fmt == OutFmt::kHuman) out.append(",\"out_fmt\":\"human\"");
    if (out_fmt == OutFmt::kSummary) out.append(",\"out_fmt\":\"summary\"");
    out.append(",\"msg_id\":\"");
    write_request_id(index, out);
    out.push('"');
    if (!program.message_id().empty()) {
        out.append(",\"reply_to\":");
        value::write_json_string(program.message_id(), out);
    }
    if (dry_is_said) out.append(",\"test_mode\":false");
    out.push('}');
    if (find_too_deep(out.view().substr(begin))) {
        out.resize_down(begin);
        return RequestStatus::kTooDeep;
    }
    while (delegations_.size() <= index) delegations_.push({});
    const std::string_view name = who.view().substr(0, to.name.size());
    const TextSlice kept = progress_.keep(name),
                    role = progress_.keep(who.view().substr(name.size()));
    delegations_[index] = {call, kept, role, out_fmt};
    return RequestStatus::kWritten;
}

// Returns the attempt that waits for a reply to this message, or kNoAttempt.
uint32_t Run::find_request(std::string_view id) {
    std::string_view labels = id;
    uint32_t part;
    take_label(labels);
    if (!read_label_number(take_label(labels), 0, part) || part >= progress_.parts.size())
        return kNoAttempt;
    const uint32_t index = progress_.parts[part].attempt;
    if (index >= delegations_.size() || attempts_[index].stage != Attempt::kCalled ||
        delegations_[index].call != attempts_[index].number)
        return kNoAttempt;
    error_.clear();
    write_request_id(index, error_);
    return error_.view() == id ? index : kNoAttempt;
}

Reception Run::receive(std::string_view sender, std::string_view text, uint64_t now) {
    verdict_.clear();
    if (!read_json(reader_, text, policy_.bounds().max_output, value_, verdict_))
        return Reception::kRefused;
    const std::string_view id = word_of(value_.view(), 0, member_name(kReplyTo));
    if (id.empty()) return Reception::kRefused;
    const uint32_t index = find_request(id);
    if (index == kNoAttempt) return Reception::kLate;
    const Delegation &asked = delegations_[index];
    if (!sender.empty() && sender != progress_.text(asked.name)) return Reception::kWrongSender;
    return accept_reply(index, {progress_.text(asked.role), asked.out_fmt}, text, now);
}

Reception Run::reply(uint64_t call, std::string_view tool, std::string_view role,
                     std::string_view text, uint64_t now) {
    uint32_t index;
    const Reception reception = find_call(call, tool, index);
    if (reception != Reception::kAccepted) return reception;
    const uint32_t scope = progress_.parts[attempts_[index].part].scope,
                   node = progress_.program.scope(scope).node(kOutFmt);
    const OutFmt out_fmt =
        node ? find_out_fmt(progress_.program.tree().string(node)) : OutFmt::kRaw;
    return accept_reply(index, {role, out_fmt}, text, now);
}

// A message that is DONE yields result.output, or else its result. Another object yields itself,
// and prose yields a string. IN_PROGRESS and VALID are no result yet.
Reception Run::accept_reply(uint32_t index, const ReplyRules &rules, std::string_view text,
                            uint64_t now) {
    const uint64_t call = attempts_[index].number;
    if (!replies_.check_reply(text, policy_.bounds().max_output, progress_.program.library(),
                              progress_.program.strict(), rules, verdict_))
        return fail(call, {}, Outcome::kToolFailed, verdict_.details(), now);
    if (!verdict_.valid())
        return fail(call, {}, Outcome::kToolFailed, "the reply needs something", now);
    reply_.clear();
    if (!read_json(reader_, text, policy_.bounds().max_output, value_, verdict_) ||
        value_.view()[0].kind != ACCP_MAP) {
        value::write_json_string(text, reply_);
        return complete(call, {}, reply_.view(), now);
    }
    const value::TreeView tree = value_.view();
    const std::string_view status = word_of(tree, 0, "status"), state = word_of(tree, 0, "state");
    if (state == "IN_PROGRESS" || status == "VALID") return Reception::kAccepted;
    if (status == "ERR" || status == "REQ_CLARIFY") return accept_failure(call, 0, now);
    const uint32_t result = tree.find(0, "result");
    if (state == "FAILED")
        return accept_failure(call, result ? tree.find(result, "error") : 0, now);
    const uint32_t output = result ? tree.find(result, "output") : 0;
    value::write_json(tree, output ? output : result, reply_);
    return complete(call, {}, reply_.view(), now);
}

// Uses the text of an ERR or a REQ_CLARIFY, at node `error` of value_, as the reason.
Reception Run::accept_failure(uint64_t call, uint32_t error, uint64_t now) {
    const value::TreeView tree = value_.view();
    const std::string_view code = word_of(tree, error, "code");
    const uint32_t need = tree[error].kind == ACCP_MAP ? tree.find(error, "need") : 0;
    reply_.assign("the agent failed without a reason");
    if (!code.empty()) {
        reply_.assign(code);
        reply_.append(": ");
        reply_.append(word_of(tree, error, "details"));
    } else if (need) {
        reply_.assign("the agent asks for ");
        value::write_json(tree, need, reply_);
    }
    return fail(call, {}, outcome_of(find_code(code)), reply_.view(), now);
}

}  // namespace accp::sacp
