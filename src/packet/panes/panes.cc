// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See panes.h.
#include "packet/panes/panes.h"

#include "base/status.h"
#include "value/yaml_plain.h"

namespace accp::panes {

namespace {

constexpr value::YamlLimits kPacketLimits = {kMaxPacketBytes, kMaxPacketDepth};

bool is_missing(const Status &status) { return status.code == ACCP_E2001; }

// Which file it is that is no packet.
Status in_shared(Status status) {
    if (status.failed() && status.message && !is_missing(status))
        status.message = interned_text({"shared.yaml: ", status.message}, status.message);
    return status;
}

Status no_packet(const Status &status) {
    return is_missing(status) ? fail(ACCP_E2001, 0, "there is no packet for this pane") : status;
}

uint64_t told_tokens(value::TreeView packet) {
    uint64_t tokens = 0;
    const uint32_t told = packet.find(0, "token_count");
    if (told) (void)value::parse_number(packet, told, tokens);
    return tokens;
}

}  // namespace

Status Panes::read_packet(int64_t pane, packet::Packet &out) {
    out.value.clear();
    Status status = files_.read(packet_file(pane), kMaxPacketBytes, file_);
    return status.ok() ? reader_.read(file_.view(), kPacketLimits, out) : status;
}

// A seal that is broken is a revision too: that of what stands there.
Status Panes::check_revision(int64_t pane, std::string_view revision) {
    if (revision.empty() && pane != kShared) return {};
    Status status = read_packet(pane, shared_);
    if (is_missing(status))
        return revision.empty() ? Status{} : fail(ACCP_ERR_BUSY, 0, "the packet has been removed");
    if (status.failed() && shared_.empty()) return pane == kShared ? in_shared(status) : status;
    if (shared_.checksum() == revision) return {};
    return fail(ACCP_ERR_BUSY, 0, "the packet has another revision: read it again");
}

Status Panes::write(int64_t pane, std::string_view revision, std::string_view text) {
    if (text.size() > kMaxPacketBytes)
        return fail_limit(ACCP_E1001, 0, "too large", text.size(), kMaxPacketBytes);
    ProjectFiles::Lock lock;
    Status status = lock.take(files_, settings_.lock_seconds);
    if (status.ok()) status = check_revision(pane, revision);
    return status.ok() ? files_.write(packet_file(pane), text) : status;
}

Status Panes::read_text(int64_t pane, Buffer<char> &out) {
    return no_packet(files_.read(packet_file(pane), kMaxPacketBytes, out));
}

Status Panes::read(int64_t pane, bool merges, Buffer<char> &out, ReadPacket &how) {
    how = {false, &pane_, &shared_};
    shared_.value.clear();
    Status status = read_packet(pane, pane_);
    if (status.failed()) return no_packet(status);
    out.clear();
    out.append(file_);
    if (!merges || pane == kShared) return {};
    status = read_packet(kShared, shared_);
    if (is_missing(status)) return {};
    if (status.failed()) return in_shared(status);
    how.merged = true;
    out.clear();
    merge_packets(pane_.view(), shared_.view(), memory_, out);
    return {};
}

Status Panes::note_receipt(int64_t pane, const ReadPacket &read, uint64_t tokens, uint64_t now_ms) {
    if (!settings_.track_efficiency) return {};
    ProjectFiles::Lock lock;
    Status status = lock.take(files_, settings_.lock_seconds);
    if (status.failed()) return status;
    journal_.begin();
    journal_.add_receipt(pane, read.pane->checksum(),
                         read.merged ? read.shared->checksum() : std::string_view(), tokens,
                         now_ms);
    return journal_.commit();
}

Status Panes::note_edit(int64_t pane, std::string_view checksum, uint64_t now_ms) {
    if (!settings_.track_efficiency) return {};
    ProjectFiles::Lock lock;
    Status status = lock.take(files_, settings_.lock_seconds);
    if (status.failed()) return status;
    journal_.begin();
    journal_.add_edit(pane, checksum, now_ms);
    return journal_.commit();
}

// After the journal's begin(): what goes away goes into it.
Status Panes::note_archive(int64_t pane, uint64_t now_ms) {
    Status status = files_.read(packet_file(pane), kMaxPacketBytes, file_);
    if (status.failed()) return status;
    status = read_feedback_file(pane, feedback_file_);
    if (status.failed() && !is_missing(status)) return status;
    journal_.add_archive(pane, file_.view(), feedback_file_.view(), now_ms);
    return {};
}

Status Panes::remove(int64_t pane, uint64_t now_ms) {
    ProjectFiles::Lock lock;
    Status status = lock.take(files_, settings_.lock_seconds);
    journal_.begin();
    if (status.ok() && settings_.auto_cleanup) status = note_archive(pane, now_ms);
    if (status.ok()) status = journal_.commit();
    if (status.ok()) status = files_.remove(packet_file(pane));
    return no_packet(status);
}

Status Panes::write_feedback(int64_t pane, std::string_view gaps, std::string_view unused) {
    feedback_.clear();
    Status status = take_items(gaps, feedback_.gaps);
    if (status.ok()) status = take_items(unused, feedback_.unused);
    file_.clear();
    if (status.ok()) status = panes::write_feedback(pane, feedback_, memory_, file_);
    if (status.failed()) return status;
    if (file_.size() > kMaxFeedbackBytes)
        return fail_limit(ACCP_E1001, 0, "too large", file_.size(), kMaxFeedbackBytes);
    ProjectFiles::Lock lock;
    status = lock.take(files_, settings_.lock_seconds);
    return status.ok() ? files_.write(feedback_file(pane), file_.view()) : status;
}

Status Panes::read_feedback_file(int64_t pane, Buffer<char> &out) {
    Status status = files_.read(feedback_file(pane), kMaxFeedbackBytes, out);
    if (is_missing(status)) status = files_.read(old_feedback_file(pane), kMaxFeedbackBytes, out);
    if (status.failed()) out.clear();
    return status;
}

Status Panes::read_feedback(int64_t pane, Feedback &out) {
    Status status = read_feedback_file(pane, feedback_file_);
    if (is_missing(status)) return fail(ACCP_E2001, 0, "there is no feedback of this pane");
    return status.ok() ? panes::read_feedback(feedback_file_.view(), memory_, out) : status;
}

// Feedback that is older than the pane's packet, or of a pane that has none, is of a task before.
bool Panes::is_feedback_new(int64_t pane) const {
    int64_t packet = 0, feedback = 0;
    if (files_.written_at(packet_file(pane), packet).failed()) return false;
    if (files_.written_at(feedback_file(pane), feedback).failed() &&
        files_.written_at(old_feedback_file(pane), feedback).failed())
        return false;
    return feedback >= packet;
}

Status Panes::fill(Task &task, bool said) {
    const int64_t pane = task.pane;
    if (pane < 0) return {};
    if (!said && is_feedback_new(pane)) {
        Status status = read_feedback(pane, feedback_);
        if (status.failed()) return status;
        task.gaps = feedback_.gaps.view();
        task.unused = feedback_.unused.view();
    }
    if (task.context_tokens) return {};
    (void)read_packet(pane, pane_);  // a seal that is broken does not make it another size
    if (!pane_.empty()) task.context_tokens = told_tokens(pane_.view());
    return {};
}

// The file goes once its archive is durable: killed between the two, it is archived again.
Status Panes::record(Task task, bool said) {
    const int64_t pane = task.pane;
    ProjectFiles::Lock lock;
    Status status = lock.take(files_, settings_.lock_seconds);
    journal_.begin();
    if (status.ok() && settings_.track_efficiency) {
        status = fill(task, said);
        if (status.ok()) journal_.add_task(task);
    }
    bool cleans = settings_.auto_cleanup && pane >= 0;
    if (status.ok() && cleans) {
        status = note_archive(pane, task.at_ms);
        cleans = !is_missing(status);
        if (!cleans) status = {};
    }
    if (status.ok()) status = journal_.commit();
    if (status.ok() && cleans) status = files_.remove(packet_file(pane));
    return status;
}

Status Panes::count(Statistics &all, Statistics *early, Statistics *late) {
    Status status = journal_.each([&](const Event &event) {
        if (event.kind == EventKind::kTask) all.add(event.task);
        if (event.kind == EventKind::kReceipt) all.add_receipt(event.pane);
        if (event.kind == EventKind::kEdit) all.add_edit();
    });
    if (status.failed() || !early || !late) return status;
    const uint64_t half = all.all().tasks() / 2;
    return journal_.each([&](const Event &event) {
        Statistics &of = early->all().tasks() < half ? *early : *late;
        if (event.kind == EventKind::kTask) of.add(event.task);
        if (event.kind == EventKind::kEdit) of.add_edit();
    });
}

}  // namespace accp::panes
