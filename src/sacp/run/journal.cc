// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a run. A record is a line of JSON without its line end, numbered from 0:
//
//   {"n":0,"sacp":1,"id":I,"at":T,"strict":B,"library":H,"policy":H,"message":M}
//   {"n":N,"step":PATH,"part":P,"try":K,"outcome":O,"at":T,"output":V}
//   {"n":N,"step":PATH,"part":P,"try":K,"outcome":O,"at":T,"reason":R}
//   {"n":N,"cancelled":true,"at":T}
//
//   I  seed of jitter and keys                H  SHA-256 of the JSON of the library or policy
//   T  milliseconds                           P  number of the part at PATH
//   K  earlier tries of this step             O  OK with an output, else TOOL_FAILED, TIMEOUT or
//                                                NO_AGENT with a reason
//
// Steps that call no tool or agent are not recorded, because a replay computes them again: dry
// runs, built-in joins and unresolved references.
#include "base/random.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sacp/run/run.h"
#include "value/json_line.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr uint32_t kVersion = 1;
// A record nests a value one level deeper.
constexpr uint32_t kRecordDepth = kMaxMessageDepth + 1;

Digest digest_of(value::TreeView tree, bool empty, Buffer<char> &scratch) {
    scratch.clear();
    if (!empty) value::write_json(tree, 0, scratch);
    return sha256(scratch.view());
}

bool find_outcome(std::string_view name, Outcome &out) {
    for (Outcome each :
         {Outcome::kOk, Outcome::kToolFailed, Outcome::kTimeout, Outcome::kNoAgent}) {
        out = each;
        if (name == outcome_name(each)) return true;
    }
    return false;
}

}  // namespace

void Run::begin_record() {
    records_.append("{\"n\":");
    append_decimal(record_count_++, records_);
}

void Run::end_record() {
    records_.append(",\"at\":");
    append_decimal(now_, records_);
    records_.push('}');
    record_ends_.push(static_cast<uint32_t>(records_.size()));
}

void Run::set_id(std::string_view id) {
    id_.assign(id);
    seed_ = seeded_hash(id_.data(), id_.size(), kVersion);
}

void Run::record_start(std::string_view id) {
    set_id(id);
    begin_record();
    records_.append(",\"sacp\":");
    append_decimal(kVersion, records_);
    records_.append(",\"id\":");
    value::write_json_string(id, records_);
    records_.append(progress_.program.strict() ? ",\"strict\":true" : ",\"strict\":false");
    records_.append(",\"library\":\"");
    records_.append(digest_of(progress_.program.library().document(), false, error_).view());
    records_.append("\",\"policy\":\"");
    records_.append(digest_of(policy_.tree(), policy_.empty(), error_).view());
    records_.append("\",\"message\":");
    records_.append(progress_.program.text());
    end_record();
}

void Run::record_attempt(uint32_t index, Outcome outcome, std::string_view text) {
    const uint32_t part = attempts_[index].part;
    begin_record();
    records_.append(",\"step\":\"");
    records_.append(path_of(part));
    records_.append("\",\"part\":");
    append_decimal(part, records_);
    records_.append(",\"try\":");
    append_decimal(progress_.parts[part].count, records_);
    records_.append(",\"outcome\":\"");
    records_.append(outcome_name(outcome));
    if (outcome == Outcome::kOk) {
        records_.append("\",\"output\":");
        records_.append(text);
    } else {
        records_.append("\",\"reason\":");
        // A reason can be any text. Invalid UTF-8 would make the record unreadable.
        value::write_json_string(text.substr(0, valid_utf8_prefix(text.data(), text.size())),
                                 records_);
    }
    end_record();
}

void Run::record_cancel() {
    begin_record();
    records_.append(",\"cancelled\":true");
    end_record();
}

// Refuses a record that cannot be the next one: torn, out of order or of another run.
Reception Run::replay(std::string_view record) {
    const Status status =
        reader_.read(record.data(), record.size(), {UINT32_MAX, kRecordDepth}, value_);
    if (status.failed() || value_.view()[0].kind != ACCP_MAP) return Reception::kRefused;
    const value::JsonFields fields(value_.view(), 0);
    uint64_t number, at;
    if (!fields.number("n", number) || number != record_count_ || !fields.number("at", at))
        return Reception::kRefused;
    replaying_ = true;
    now_ = at;
    const Reception reception = !number                       ? replay_start(fields)
                                : ended_                      ? Reception::kRefused
                                : fields.boolean("cancelled") ? replay_cancel()
                                                              : replay_attempt(fields);
    replaying_ = false;
    if (reception == Reception::kAccepted) ++record_count_;
    return reception;
}

Reception Run::replay_cancel() {
    stop_all();
    return Reception::kAccepted;
}

Reception Run::replay_start(const value::JsonFields &fields) {
    uint64_t version;
    std::string_view id, library, policy;
    const uint32_t message = fields.find("message", ACCP_MAP);
    if (!fields.number("sacp", version) || version != kVersion || !message ||
        !fields.text("id", id) || !fields.text("library", library) ||
        !fields.text("policy", policy) || fields.boolean("strict") != progress_.program.strict())
        return Reception::kRefused;
    scratch_.clear();
    value::write_json(fields.tree(), message, scratch_);
    if (scratch_.view() != progress_.program.text() ||
        library != digest_of(progress_.program.library().document(), false, error_).view() ||
        policy != digest_of(policy_.tree(), policy_.empty(), error_).view())
        return Reception::kRefused;
    set_id(id);
    schedule(kScopeBit);
    start_scheduled();
    return Reception::kAccepted;
}

Reception Run::replay_attempt(const value::JsonFields &fields) {
    uint64_t part, tries;
    std::string_view word, text;
    Outcome outcome;
    if (!fields.number("part", part) || part >= progress_.parts.size() ||
        !fields.number("try", tries) || !fields.text("outcome", word) ||
        !find_outcome(word, outcome))
        return Reception::kRefused;
    const auto number = static_cast<uint32_t>(part);
    const PartProgress &run = progress_.parts[number];
    if (!progress_.program.is_step(number) || run.state != State::kInProgress ||
        run.attempt == kNoAttempt || run.count != tries)
        return Reception::kRefused;
    if (outcome == Outcome::kOk) {
        const uint32_t output = fields.tree().find(0, "output");
        if (!output) return Reception::kRefused;
        scratch_.clear();
        value::write_json(fields.tree(), output, scratch_);
        text = scratch_.view();
    } else if (!fields.text("reason", text)) {
        return Reception::kRefused;
    }
    settle(run.attempt, outcome, text);
    start_scheduled();
    return Reception::kAccepted;
}

}  // namespace accp::sacp
