// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sends frames again if the newest answer to them allows it, and expires requests.
#include "session/outflow.h"

#include "base/text.h"
#include "codec/error_message.h"
#include "codec/retry.h"
#include "session/checkpoint_form.h"
#include "session/ref_lookup.h"

namespace accp::session {

namespace {

constexpr uint64_t kScanBytes = uint64_t{1} << 18;
constexpr const char *kDone =
    "it was answered: only a message without an answer, or with a retryable error, can be sent "
    "again";
constexpr const char *kFinal =
    "it was answered by an error that is not retryable: send another message";

enum class ReplyKind : uint8_t { kNone, kDone, kError };

ReplyKind reply_kind(const Record &record, std::string_view chain, Scratch &scratch) {
    if (record.kind != RecordKind::kReceived) return ReplyKind::kNone;
    const std::string_view header = record.text.substr(record.text.find('>') + 1);
    const bool is_error = header.starts_with("fail:error");
    if (!is_error && !header.starts_with("done:")) return ReplyKind::kNone;
    accp_envelope envelope;
    if (!read_envelope(record.text, scratch, envelope) || to_view(envelope.cid) != chain)
        return ReplyKind::kNone;
    return is_error ? ReplyKind::kError : ReplyKind::kDone;
}

// Fails if the message of this record is a protocol error that is not retryable.
Status check_error(const RefSource &from, uint64_t number, Scratch &scratch) {
    Buffer<char> &json = scratch.refs.resolved;
    char ref[kRefBytes];
    json.clear();
    Status status = resolve(from, message_ref(number, ref).substr(1), 0, scratch, json);
    if (status.ok())
        status = scratch.refs.reader.read(json.data(), json.size(), {kMaxTextBytes, kMaxJsonDepth},
                                          scratch.refs.value);
    accp_failure failure = {};
    if (status.failed() || !codec::read_error_message(scratch.refs.value.view(), failure) ||
        failure.retry)
        return status;
    return fail(ACCP_ERR_ARG, 0, kFinal);
}

}  // namespace

Status Outflow::check_may_retry(uint64_t number, std::string_view chain, Scratch &scratch) {
    store::StoreRecords found(scratch.memory);
    for (uint64_t last = driver_.last_record(); last > number;
         last = found[found.size() - 1].seq - 1) {
        Status status = driver_.store().scan(number + 1, last, true, kScanBytes, found);
        if (status.ok() && !found.size())
            status = fail(ACCP_ERR_CORRUPT, 0, "records of the session are missing in the store");
        if (status.failed()) return status;
        for (size_t i = 0; i < found.size(); ++i) {
            Record record;
            if (!read_record(found[i].bytes, record))
                return fail(ACCP_ERR_CORRUPT, 0, "a record in the log is damaged");
            const ReplyKind answer = reply_kind(record, chain, scratch);
            if (answer == ReplyKind::kDone) return fail(ACCP_ERR_ARG, 0, kDone);
            if (answer == ReplyKind::kError)
                return check_error(driver_.ref_source(), found[i].seq, scratch);
        }
    }
    return {};
}

Status Outflow::retry(uint64_t number, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Status status = driver_.prepare_write(scratch);
    Buffer<char> copies(scratch.memory);
    if (status.ok()) status = release_waiting_first(now_ms, scratch, {}, copies);
    const size_t start = out.size();
    if (status.ok()) status = retry_frames(number, now_ms, scratch, out);
    if (status.failed()) out.resize_down(start);
    return driver_.finish(status);
}

// Writes the frame of the record again; for parts, the frames of all parts.
Status Outflow::retry_frames(uint64_t number, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Record record;
    Status status = read_record(driver_.store(), number, scratch.log.records, scratch.text, record);
    if (status.failed()) return status;
    if (!record.is_sent())
        return fail(ACCP_ERR_ARG, 0,
                    "the record is not a sent frame: retry a sent frame, or the last part of a "
                    "message in parts");
    Frame last;
    status = read_sent_frame(record.text, now_ms, record.untrusted, scratch, last);
    if (status.ok()) {
        Buffer<char> chain(scratch.memory);
        chain.append(delivery::chain_of(last.arrival.envelope));
        status = check_may_retry(number, chain.view(), scratch);
    }
    uint64_t first = number;
    if (status.ok() && last.is_part) status = find_first_part(first, scratch);
    const RegistryMarks::Mark mark = driver_.registry_marks.mark_of(number);
    if (status.ok() && !mark.hash.empty() && mark != RegistryMarks::Mark::of(scratch.codec.setup))
        return resend_message(number, now_ms, scratch, out);
    const size_t start = out.size();
    for (uint64_t at = first; status.ok() && at <= number; ++at) {
        if (at > first) out.push('\n');
        status = retry_frame(at, static_cast<int64_t>(at - first), now_ms, scratch, out);
    }
    if (status.failed()) return status;
    return record_sent({{out.data() + start, out.size() - start},
                        driver_.core().next_key,
                        0,
                        record.untrusted,
                        now_ms},
                       scratch);
}

// Moves from the record of a sent frame to the first part of its message. Fields of a part alone
// do not make it one: without parts they can be the message's own.
Status Outflow::find_first_part(uint64_t &number, Scratch &scratch) {
    for (; number > 1; --number) {
        Record before;
        Status status =
            read_record(driver_.store(), number - 1, scratch.log.records, scratch.text, before);
        if (status.failed() || before.kind != RecordKind::kPartSent) return status;
    }
    return {};
}

// The peer would read the frame with another registry than it was written under, so its message is
// encoded again with the current registry.
Status Outflow::resend_message(uint64_t number, int64_t now_ms, Scratch &scratch,
                               Buffer<char> &out) {
    char ref[kRefBytes];
    scratch.text.clear();
    Status status = resolve(driver_.ref_source(), message_ref(number, ref).substr(1), now_ms,
                            scratch, scratch.text);
    return status.ok() ? move_to(send_now(scratch.text.view(), {}, now_ms, scratch, out), 0)
                       : status;
}

// Writes the frame of one record again. `ahead`: its position after the next frame.
Status Outflow::retry_frame(uint64_t number, int64_t ahead, int64_t now_ms, Scratch &scratch,
                            Buffer<char> &out) {
    Record record;
    Frame sent;
    Address fresh;
    Status status = read_record(driver_.store(), number, scratch.log.records, scratch.text, record);
    if (status.ok()) status = read_frame(record.text, now_ms, record.untrusted, scratch, sent);
    if (status.ok()) status = next_address(sent.arrival.agent, now_ms, fresh);
    if (status.ok()) status = driver_.inbox.may_send(sent.arrival.agent, ahead + 1);
    if (status.failed()) return status;
    driver_.inbox.prepare();
    fresh.envelope.seq += ahead;
    const value::TreeView tree = {scratch.codec.tree().nodes, record.text.data()};
    return codec::write_retry(tree, scratch.codec.node_count(), record.text.size(), fresh.envelope,
                              scratch.settings.limit(ACCP_LIMIT_KEY_BYTES), scratch.memory, out);
}

Status Outflow::expire(int64_t now_ms, Scratch &scratch) {
    Status status = driver_.prepare_write(scratch);
    const delivery::Deadlines &requests = driver_.core().pending.requests;
    if (status.failed() || requests.next() >= now_ms) return status;
    size_t bytes = 0;
    for (uint32_t i = 0; i < requests.waiting(); ++i) bytes += requests[i].cid.len;
    deliveries_.reserve(requests.waiting(), bytes);
    Buffer<char> &expired = scratch.log.expired;
    expired.clear();
    status = driver_.append_record(driver_.core().new_record(RecordKind::kTimeout, now_ms), nullptr,
                                   scratch);
    if (status.failed()) return status;
    for (Unpacker left(expired.view()); !left.rest().empty();) {
        const auto request = static_cast<int64_t>(left.number());
        deliveries_.add(
            {ACCP_E3001, request, {}, {}, left.text(), "no answer arrived before the deadline"});
    }
    return driver_.finish({});
}

}  // namespace accp::session
