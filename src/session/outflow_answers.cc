// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See outflow.h: may a frame that went out be sent again, by the newest answer that came to it?
#include "base/text.h"
#include "codec/error_report.h"
#include "session/checkpoint_json.h"
#include "session/outflow.h"
#include "session/reading.h"

namespace accp::session {

namespace {

constexpr uint64_t kScanBytes = uint64_t{1} << 18;
constexpr const char *kDone =
    "it was answered: only what failed with a retryable code, or was not "
    "answered, is sent again";
constexpr const char *kFinal =
    "it was answered by an error that is not retryable: send another message";

enum class Answer : uint8_t { kNone, kDone, kError };

Answer answer_of(const Record &record, std::string_view chain, Scratch &scratch) {
    if (record.kind != RecordKind::kReceived) return Answer::kNone;
    const std::string_view header = record.text.substr(record.text.find('>') + 1);
    const bool is_error = header.starts_with("fail:error");
    if (!is_error && !header.starts_with("done:")) return Answer::kNone;
    accp_envelope envelope;
    if (!read_envelope(record.text, scratch, envelope) || to_view(envelope.cid) != chain)
        return Answer::kNone;
    return is_error ? Answer::kError : Answer::kDone;
}

// Is the message of this record an error of the protocol that no retry can mend?
Status check_error(const Reading &from, uint64_t place, Scratch &scratch) {
    Buffer<char> &json = scratch.refs.resolved;
    char ref[kRefBytes];
    json.clear();
    Status status = resolve(from, message_ref(place, ref).substr(1), 0, scratch, json);
    if (status.ok())
        status = scratch.refs.reader.read(json.data(), json.size(), {kMaxTextBytes, kMaxJsonDepth},
                                          scratch.refs.value);
    accp_failure failure = {};
    if (status.failed() || !profile::read_error_message(scratch.refs.value.view(), failure) ||
        failure.retry)
        return status;
    return fail(ACCP_ERR_ARG, 0, kFinal);
}

}  // namespace

Status Outflow::check_answer(uint64_t place, std::string_view chain, Scratch &scratch) {
    store::StoreRecords found(scratch.memory);
    for (uint64_t last = driver_.last(); last > place; last = found[found.size() - 1].seq - 1) {
        Status status = driver_.store().scan(place + 1, last, true, kScanBytes, found);
        if (status.ok() && !found.size()) status = fail(ACCP_ERR_CORRUPT, 0, "records are missing");
        if (status.failed()) return status;
        for (size_t i = 0; i < found.size(); ++i) {
            Record record;
            if (!read_record(found[i].bytes, record))
                return fail(ACCP_ERR_CORRUPT, 0, "a record that cannot be read");
            const Answer answer = answer_of(record, chain, scratch);
            if (answer == Answer::kDone) return fail(ACCP_ERR_ARG, 0, kDone);
            if (answer == Answer::kError)
                return check_error(driver_.reading(), found[i].seq, scratch);
        }
    }
    return {};
}

}  // namespace accp::session
