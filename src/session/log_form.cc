// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See log_form.h: records.
#include "session/log_form.h"

#include <algorithm>

#include "base/text.h"
#include "frame/envelope.h"
#include "frame/parse.h"

namespace accp::session {

namespace {

struct KindName {
    RecordKind kind;
    std::string_view name, direction;
};
constexpr KindName kKindNames[] = {
    {RecordKind::kReceived, "received", "in"},
    {RecordKind::kSent, "sent", "out"},
    {RecordKind::kPartReceived, "part_received", "in"},
    {RecordKind::kPartSent, "part_sent", "out"},
    {RecordKind::kAbandoned, "abandoned", {}},
    {RecordKind::kRequest, "request", "out"},
    {RecordKind::kTimeout, "timeout", {}},
    {RecordKind::kMessage, "message", {}},
    {RecordKind::kUsedUp, "used_up", "in"},
    {RecordKind::kPhase, "phase", {}},
    {RecordKind::kClosed, "closed", {}},
};

// What the text of a record is.
constexpr std::string_view text_name(RecordKind kind) {
    return kind == RecordKind::kAbandoned ? "chain" : "frame";
}

// However long a frame is, and in whatever dialect: what was taken once is shown.
Settings settings_of_frames() {
    Settings settings;
    settings.dialect = ACCP_U8;
    settings.limits[ACCP_LIMIT_FRAME_BYTES] = kMaxTextBytes;
    return settings;
}

}  // namespace

LogForm::LogForm(Memory &memory)
    : settings_(settings_of_frames()),
      coder_(memory, settings_),
      nodes_(memory),
      packed_(memory),
      text_(memory) {}

bool LogForm::write_record(std::string_view bytes, value::JsonLine &line) {
    Record record;
    if (!session::read_record(bytes, record)) return false;
    packed_.clear();
    session::write_record(record, packed_);
    const KindName *kind = std::find_if(std::begin(kKindNames), std::end(kKindNames),
                                        [&](auto &one) { return one.kind == record.kind; });
    if (kind == std::end(kKindNames) || !comes_back(bytes)) return false;
    line.text("kind", kind->name);
    if (!kind->direction.empty()) line.text("direction", kind->direction);
    line.number("time_ms", record.time_ms);
    line.number("next_key", record.next_key);
    if (record.untrusted) line.boolean("untrusted", true);
    if (record.kind == RecordKind::kUsedUp) {
        line.number("seq", static_cast<uint64_t>(record.seq));
        line.text("agent", record.agent);
    }
    if (record.kind == RecordKind::kRequest) line.number("timeout_ms", record.timeout_ms);
    if (record.is_frame()) write_envelope(record.text, line);
    if (!record.json.empty()) line.document("message", record.json);
    if (record.kind == RecordKind::kMessage) line.document("message", record.text);
    else if (!record.text.empty()) line.text(text_name(record.kind), record.text);
    return true;
}

void LogForm::write_envelope(std::string_view frame, value::JsonLine &line) {
    accp_envelope envelope = {};
    text_.assign(frame);
    text_.reserve(1);
    nodes_.clear();
    if (coder_.parse(text_.data(), text_.size(), nodes_).failed()) return;
    const uint32_t meta = frame::metadata_of(nodes_.data(), nodes_.size());
    if (frame::read_envelope({nodes_.data(), text_.data()}, meta, envelope).failed()) return;
    if (envelope.mid.len) line.text("mid", to_view(envelope.mid));
    if (envelope.cid.len) line.text("cid", to_view(envelope.cid));
    if (envelope.aid.len) line.text("aid", to_view(envelope.aid));
}

bool LogForm::read_record(const value::JsonFields &line, Buffer<char> &out) {
    std::string_view name;
    Record record;
    if (!line.text("kind", name)) return false;
    const KindName *kind = std::find_if(std::begin(kKindNames), std::end(kKindNames),
                                        [&](auto &one) { return one.name == name; });
    if (kind == std::end(kKindNames)) return false;
    record.kind = kind->kind;
    record.untrusted = line.boolean("untrusted");
    uint64_t seq = 0;
    if (!line.number("time_ms", record.time_ms) || !line.number("next_key", record.next_key))
        return false;
    if (record.kind == RecordKind::kUsedUp &&
        (!line.number("seq", seq) || !line.text("agent", record.agent)))
        return false;
    record.seq = static_cast<int64_t>(seq);
    if (record.kind == RecordKind::kRequest && !line.number("timeout_ms", record.timeout_ms))
        return false;
    const bool has_message = line.document("message", text_);
    if (record.kind == RecordKind::kMessage) record.text = text_.view();
    else (void)line.text(text_name(record.kind), record.text);
    if (has_message && record.has_json()) record.json = text_.view();
    out.clear();
    session::write_record(record, out);
    return true;
}

}  // namespace accp::session
