// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See run.h: calls as messages for agents, and their replies. The id of such a message is
//
//   KEY.PART.TRY    the call's key, the number of its part, the tries of this step before it
//
// so a reply to an earlier try is nobody's, and a try that is made again after a restart has the
// same id.
#include "base/text.h"
#include "sacp/message/reference.h"
#include "sacp/run/run.h"
#include "value/json_writer.h"

namespace accp::execute {

namespace {

// A failure of the agent that the run can tell apart (R43). One that does not know the verb or the
// tool will not know it the next time either.
Outcome outcome_of(plan::Code code) {
    switch (code) {
        case plan::Code::kTIMEOUT: return Outcome::kTimeout;
        case plan::Code::kNO_AGENT:
        case plan::Code::kUNKNOWN_VERB:
        case plan::Code::kUNKNOWN_TOOL:
        case plan::Code::kVERB_TOOL_MISMATCH: return Outcome::kNoAgent;
        default: return Outcome::kToolFailed;
    }
}

// A member that is a string, or nothing.
std::string_view word_of(value::TreeView tree, uint32_t object, std::string_view member) {
    const uint32_t node = tree[object].kind == ACCP_MAP ? tree.find(object, member) : 0;
    return node && tree[node].kind == ACCP_STRING ? tree.string(node) : std::string_view();
}

}  // namespace

// Only whoever makes the answer of the whole plan is told for whom it is (S5, section 4).
plan::OutFmt Run::out_fmt_of(uint32_t part) const {
    const Program &program = progress_.program;
    const bool is_last = !progress_.parts[part].scope &&
                         program.part(part).parent == plan::kNoPart &&
                         program.part(part).end == program.scope(0).end;
    return is_last ? program.out_fmt() : plan::OutFmt::kRaw;
}

void Run::write_request_id(uint32_t place, Buffer<char> &out) {
    const uint32_t part = attempts_[place].part;
    make_key(part);
    out.append(key_.view());
    out.push('.');
    append_decimal(part, out);
    out.push('.');
    append_decimal(progress_.parts[part].count, out);
}

Request Run::write_request(uint64_t call, const Delegate &to, Buffer<char> &out) {
    uint32_t place;
    if (find_call(call, {}, place) != Answer::kTaken) return Request::kLate;
    const uint32_t part = attempts_[place].part;
    const PartRun &run = progress_.parts[part];
    const Program &program = progress_.program;
    if (program.part(part).verb == plan::kJoin) return Request::kJoin;
    Buffer<char> &who = error_;  // what is handed in may lie in this run
    who.assign(to.name);
    who.append(to.role);
    const size_t begin = out.size();
    out.append("{\"g\":");
    value::write_json(program.tree(), program.scope(run.scope).node(plan::kGoal), out);
    const Slice ctx = progress_.scopes[run.scope].ctx;
    bool dry_is_said = false;
    if (ctx.len) {
        out.append(",\"ctx\":");
        out.append(progress_.text(ctx));
        // it is none, whatever the ctx says: of those nothing is called (R47)
        dry_is_said = find_member(progress_.text(ctx), "\"test_mode\"").data();
    }
    out.append(",\"plan\":[[");
    value::write_json_string(program.verb(part), out);
    out.push(',');
    value::write_json_string(tool_of(part, run.fallback), out);
    out.push(',');
    write_as_text(progress_.text(run.params), out);
    out.append("]]");
    const plan::OutFmt out_fmt = out_fmt_of(part);
    if (out_fmt == plan::OutFmt::kHuman) out.append(",\"out_fmt\":\"human\"");
    if (out_fmt == plan::OutFmt::kSummary) out.append(",\"out_fmt\":\"summary\"");
    out.append(",\"msg_id\":\"");
    write_request_id(place, out);
    out.push('"');
    if (!program.message_id().empty()) {
        out.append(",\"reply_to\":");
        value::write_json_string(program.message_id(), out);
    }
    if (dry_is_said) out.append(",\"test_mode\":false");
    out.push('}');
    if (plan::find_too_deep(out.view().substr(begin))) {
        out.resize_down(begin);
        return Request::kTooDeep;
    }
    while (asked_.size() <= place) asked_.push({});
    const std::string_view name = who.view().substr(0, to.name.size());
    const Slice kept = progress_.keep(name), role = progress_.keep(who.view().substr(name.size()));
    asked_[place] = {call, kept, role, out_fmt};
    return Request::kMade;
}

// The place of the attempt that waits for a reply to this message; kNoAttempt: none does.
uint32_t Run::find_request(std::string_view id) {
    std::string_view labels = id;
    uint32_t part;
    plan::take_label(labels);
    if (!plan::read_label_number(plan::take_label(labels), 0, part) ||
        part >= progress_.parts.size())
        return kNoAttempt;
    const uint32_t place = progress_.parts[part].attempt;
    if (place >= asked_.size() || attempts_[place].stage != Attempt::kCalled ||
        asked_[place].call != attempts_[place].number)
        return kNoAttempt;
    error_.clear();
    write_request_id(place, error_);
    return error_.view() == id ? place : kNoAttempt;
}

Answer Run::receive(std::string_view sender, std::string_view text, uint64_t now) {
    verdict_.clear();
    if (!plan::read_json(reader_, text, policy_.bounds().max_output, value_, verdict_))
        return Answer::kRefused;
    const std::string_view id = word_of(value_.view(), 0, plan::member_name(plan::kReplyTo));
    if (id.empty()) return Answer::kRefused;
    const uint32_t place = find_request(id);
    if (place == kNoAttempt) return Answer::kLate;
    const Asked &asked = asked_[place];
    if (!sender.empty() && sender != progress_.text(asked.name)) return Answer::kForeign;
    return take_reply(place, {progress_.text(asked.role), asked.out_fmt}, text, now);
}

Answer Run::reply(uint64_t call, std::string_view tool, std::string_view role,
                  std::string_view text, uint64_t now) {
    uint32_t place;
    const Answer answer = find_call(call, tool, place);
    if (answer != Answer::kTaken) return answer;
    const uint32_t scope = progress_.parts[attempts_[place].part].scope,
                   node = progress_.program.scope(scope).node(plan::kOutFmt);
    const plan::OutFmt out_fmt =
        node ? plan::find_out_fmt(progress_.program.tree().string(node)) : plan::OutFmt::kRaw;
    return take_reply(place, {role, out_fmt}, text, now);
}

// A message that is DONE brings its result's output, or else its result; another object what it
// is; prose a string. One that is IN_PROGRESS, and the word that a message is VALID, are no answer
// yet.
Answer Run::take_reply(uint32_t place, const plan::ReplyRules &rules, std::string_view text,
                       uint64_t now) {
    const uint64_t call = attempts_[place].number;
    if (!replies_.check_reply(text, policy_.bounds().max_output, progress_.program.library(),
                              progress_.program.strict(), rules, verdict_))
        return failed(call, {}, Outcome::kToolFailed, verdict_.details(), now);
    if (!verdict_.valid())
        return failed(call, {}, Outcome::kToolFailed, "the reply needs something", now);
    reply_.clear();
    if (!plan::read_json(reader_, text, policy_.bounds().max_output, value_, verdict_) ||
        value_.view()[0].kind != ACCP_MAP) {
        value::write_json_string(text, reply_);
        return done(call, {}, reply_.view(), now);
    }
    const value::TreeView tree = value_.view();
    const std::string_view status = word_of(tree, 0, "status"), state = word_of(tree, 0, "state");
    if (state == "IN_PROGRESS" || status == "VALID") return Answer::kTaken;
    if (status == "ERR" || status == "REQ_CLARIFY") return take_failure(call, 0, now);
    const uint32_t result = tree.find(0, "result");
    if (state == "FAILED") return take_failure(call, result ? tree.find(result, "error") : 0, now);
    const uint32_t output = result ? tree.find(result, "output") : 0;
    value::write_json(tree, output ? output : result, reply_);
    return done(call, {}, reply_.view(), now);
}

// With what an ERR or a REQ_CLARIFY says, a node of value_, as the reason.
Answer Run::take_failure(uint64_t call, uint32_t error, uint64_t now) {
    const value::TreeView tree = value_.view();
    const std::string_view code = word_of(tree, error, "code");
    const uint32_t need = tree[error].kind == ACCP_MAP ? tree.find(error, "need") : 0;
    reply_.assign("the agent says that it failed");
    if (!code.empty()) {
        reply_.assign(code);
        reply_.append(": ");
        reply_.append(word_of(tree, error, "details"));
    } else if (need) {
        reply_.assign("the agent asks for ");
        value::write_json(tree, need, reply_);
    }
    return failed(call, {}, outcome_of(plan::find_code(code)), reply_.view(), now);
}

}  // namespace accp::execute
