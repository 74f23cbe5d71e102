// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Records as JSON members, and back.
#include "session/export_form.h"

#include <algorithm>

#include "base/text.h"
#include "frame/envelope.h"
#include "frame/parse.h"
#include "session/snapshot.h"

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

// The name of the member for the text of a record.
constexpr std::string_view text_name(RecordKind kind) {
    return kind == RecordKind::kAbandoned ? "chain" : "frame";
}

// Accepts frames of any length and dialect: a frame that was accepted once must be shown.
Settings settings_of_frames() {
    Settings settings;
    settings.dialect = ACCP_U8;
    settings.limits[ACCP_LIMIT_FRAME_BYTES] = kMaxTextBytes;
    return settings;
}

}  // namespace

ExportForm::ExportForm(Memory &memory)
    : settings_(settings_of_frames()),
      coder_(memory, settings_),
      nodes_(memory),
      packed_(memory),
      text_(memory) {}

bool ExportForm::write_record(std::string_view bytes, value::JsonLine &line) {
    Record record;
    if (!session::read_record(bytes, record)) return false;
    packed_.clear();
    session::write_record(record, packed_);
    const KindName *kind = std::find_if(std::begin(kKindNames), std::end(kKindNames),
                                        [&](auto &one) { return one.kind == record.kind; });
    if (kind == std::end(kKindNames) || !is_lossless(bytes)) return false;
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

void ExportForm::write_envelope(std::string_view frame, value::JsonLine &line) {
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

bool ExportForm::read_record(const value::JsonFields &line, Buffer<char> &out) {
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

// The snapshot as JSON members, by the grammar in snapshot.h. The context in it stays bytes.

namespace {

// The numbers after the rules, in their order.
constexpr std::string_view kHeadNames[] = {"record", "next_key", "state_version", "pending",
                                           "ended"};

// Reads a snapshot, writes its members, and packs them again. If the packed bytes differ, the
// snapshot was not written by write().
class SnapshotText {
public:
    SnapshotText(std::string_view bytes, value::JsonLine *line, Buffer<char> &packed)
        : from_(bytes), line_(line), packer_(packed), packed_(packed) {}

    bool write() {
        const uint64_t form = number("form");
        if (form != Snapshot::kForm && form != Snapshot::kOlderForm) return false;
        const size_t options =
            form == Snapshot::kForm ? context::ContextOptions::kCount : Snapshot::kOlderOptions;
        text("tokenizer");
        if (line_) line_->begin_array("options");
        for (size_t i = 0; i < options; ++i) item(from_.number());
        if (line_) line_->end_array();
        for (std::string_view name : kHeadNames) number(name);
        uint64_t left = from_.number();
        packer_.number(left);
        if (line_) line_->begin_array("agents");
        for (; left && from_.ok(); --left) sender();
        if (line_) line_->end_array();
        packed_.append(from_.rest());
        if (line_) line_->text("context", from_.rest());
        return from_.ok();
    }

private:
    void sender() {
        if (line_) line_->begin();
        text("agent");
        number("awaited");
        number("own");
        uint64_t left = from_.number();
        packer_.number(left);
        if (line_) line_->begin_array("ahead");
        for (; left && from_.ok(); --left) item(from_.number());
        if (line_) line_->end_array();
        if (line_) line_->end();
    }
    uint64_t number(std::string_view name) {
        const uint64_t value = from_.number();
        packer_.number(value);
        if (line_) line_->number(name, value);
        return value;
    }
    void item(uint64_t value) {
        packer_.number(value);
        if (line_) line_->item(value);
    }
    void text(std::string_view name) {
        const std::string_view value = from_.text();
        packer_.text(value);
        if (line_) line_->text(name, value);
    }

    Unpacker from_;
    value::JsonLine *line_;
    Packer packer_;
    Buffer<char> &packed_;
};

// Packs the members of a snapshot, in the same order.
class SnapshotFields {
public:
    SnapshotFields(const value::JsonFields &from, Buffer<char> &out)
        : from_(from), packer_(out), out_(out) {}

    bool read() {
        std::string_view context;
        number(from_, "form");
        text(from_, "tokenizer");
        items(from_, "options", false);
        for (std::string_view name : kHeadNames) number(from_, name);
        agents();
        ok_ = ok_ && from_.text("context", context);
        out_.append(context);
        return ok_;
    }

private:
    void agents() {
        const value::TreeView tree = from_.tree();
        const uint32_t array = from_.find("agents", ACCP_ARRAY);
        if (!(ok_ = ok_ && array)) return;
        packer_.number(tree[array].len);
        for (uint32_t i = array + 1; ok_ && i < tree[array].next; i = tree[i].next) {
            const value::JsonFields agent(tree, i);
            if (!(ok_ = tree[i].kind == ACCP_MAP)) return;
            text(agent, "agent");
            number(agent, "awaited");
            number(agent, "own");
            items(agent, "ahead", true);
        }
    }
    void items(const value::JsonFields &from, std::string_view name, bool counted) {
        const value::TreeView tree = from.tree();
        const uint32_t array = from.find(name, ACCP_ARRAY);
        if (!(ok_ = ok_ && array)) return;
        if (counted) packer_.number(tree[array].len);
        for (uint32_t i = array + 1; ok_ && i < tree[array].next; i = tree[i].next) {
            uint64_t value = 0;
            ok_ = value::parse_number(tree, i, value);
            packer_.number(value);
        }
    }
    void number(const value::JsonFields &from, std::string_view name) {
        uint64_t value = 0;
        ok_ = ok_ && from.number(name, value);
        packer_.number(value);
    }
    void text(const value::JsonFields &from, std::string_view name) {
        std::string_view value;
        ok_ = ok_ && from.text(name, value);
        packer_.text(value);
    }

    const value::JsonFields &from_;
    Packer packer_;
    Buffer<char> &out_;
    bool ok_ = true;
};

}  // namespace

bool ExportForm::write_state(std::string_view bytes, value::JsonLine &line) {
    packed_.clear();
    if (!SnapshotText(bytes, nullptr, packed_).write() || !is_lossless(bytes)) return false;
    line.begin_object("state");
    packed_.clear();
    (void)SnapshotText(bytes, &line, packed_).write();
    line.end();
    return true;
}

bool ExportForm::read_state(const value::JsonFields &line, Buffer<char> &out) {
    out.clear();
    return SnapshotFields(line, out).read();
}

}  // namespace accp::session
