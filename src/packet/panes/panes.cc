// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/panes.h"

#include "accp/packet.h"
#include "base/status.h"
#include "packet/panes/files.h"
#include "value/yaml_plain.h"

namespace accp::packet {

namespace {

constexpr uint32_t kConfigDepth = 32;
constexpr uint64_t kMaxLockSeconds = 3600;

struct DepthName {
    std::string_view name;
    int32_t depth;
};
constexpr DepthName kDepths[] = {{"minimal", ACCP_PACKET_MINIMAL},
                                 {"standard", ACCP_PACKET_STANDARD},
                                 {"deep", ACCP_PACKET_DEEP},
                                 {"simple", ACCP_PACKET_MINIMAL},
                                 {"complex", ACCP_PACKET_DEEP}};

class SettingsReader {
public:
    SettingsReader(Memory &memory, PaneSettings &out)
        : yaml_(memory), value_(memory), scratch_(memory), out_(out) {}

    Status read(std::string_view text) {
        Status status = yaml_.read(text, {kMaxConfigBytes, kConfigDepth}, value_);
        if (status.failed()) return std::string_view(status.message) == "empty" ? Status{} : status;
        if (tree()[0].kind != ACCP_MAP) return refuse(0, "not a mapping");
        const uint32_t context = tree().find(0, "context");
        if (!context || is_null(context)) return {};
        return read_map(context, "context", &SettingsReader::read_member);
    }

private:
    using Take = Status (SettingsReader::*)(uint32_t node);

    Status read_map(uint32_t map, std::string_view name, Take take) {
        if (tree()[map].kind != ACCP_MAP)
            return refuse(map, interned_text({name, ": not a mapping"}, "not a mapping"));
        for (uint32_t i = map + 1; i < tree()[map].next; i = tree()[i].next) {
            Status status = (this->*take)(i);
            if (status.failed()) return status;
        }
        return {};
    }

    Status read_member(uint32_t node) {
        const std::string_view key = tree().key(node);
        if (key == "default_depth") {
            const int32_t depth = tree()[node].kind == ACCP_STRING ? find_depth(text(node)) : -1;
            if (depth < 0) return no_value(node, "minimal, standard or deep");
            out_.depth = depth;
            return {};
        }
        if (key == "budgets")
            return read_map(node, "context.budgets", &SettingsReader::read_budget);
        if (key == "pane") {
            uint64_t pane;
            if (!read_count(node, pane) || pane > static_cast<uint64_t>(kMaxPane))
                return no_value(node, "a number from 0 to 9999");
            out_.pane = static_cast<int64_t>(pane);
            return {};
        }
        if (key == "lock_seconds") {
            uint64_t seconds;
            if (!read_count(node, seconds) || seconds > kMaxLockSeconds)
                return no_value(node, "a number from 0 to 3600");
            out_.lock_seconds = static_cast<uint32_t>(seconds);
            return {};
        }
        if (key == "auto_generate") return read_switch(node, out_.auto_generate);
        if (key == "track_efficiency") return read_switch(node, out_.track_efficiency);
        if (key == "auto_cleanup") return read_switch(node, out_.auto_cleanup);
        return no_setting(node,
                          ": not one of default_depth, budgets, auto_generate, track_efficiency, "
                          "auto_cleanup, lock_seconds, pane");
    }

    Status read_budget(uint32_t node) {
        const std::string_view key = tree().key(node);
        const int32_t depth = find_depth(key);
        if (depth < 0) return no_setting(node, ": not one of minimal, standard, deep");
        uint64_t tokens;
        if (!read_count(node, tokens) || !tokens)
            return no_value(node, "a number of tokens from 1");
        out_.budgets[depth] = tokens;
        return {};
    }

    Status read_switch(uint32_t node, bool &out) {
        scratch_.clear();
        if (!is_plain(node)) return no_value(node, "true or false");
        const value::PlainScalar plain = value::resolve_plain(text(node), scratch_);
        if (plain.kind != ACCP_BOOL) return no_value(node, "true or false");
        out = plain.is_true;
        return {};
    }
    bool read_count(uint32_t node, uint64_t &out) {
        return is_plain(node) && value::read_plain_count(text(node), out);
    }

    Status no_setting(uint32_t node, std::string_view why) {
        return fail(
            ACCP_E1004, yaml_.origin(node).key,
            interned_text({"context: ", tree().key(node), why}, "context: no such setting"));
    }
    Status no_value(uint32_t node, std::string_view what) {
        return refuse(node, interned_text({"context: ", tree().key(node), " must be ", what},
                                          "context: no such value"));
    }
    Status refuse(uint32_t node, const char *message) {
        return fail(ACCP_E1004, yaml_.origin(node).value, message);
    }
    bool is_plain(uint32_t node) const {
        return tree()[node].kind == ACCP_STRING && (tree()[node].flags & value::kPlainScalar);
    }
    bool is_null(uint32_t node) const { return is_plain(node) && value::is_plain_null(text(node)); }
    std::string_view text(uint32_t node) const { return tree().string(node); }
    value::TreeView tree() const { return value_.view(); }

    value::YamlReader yaml_;
    value::Value value_;
    Buffer<char> scratch_;
    PaneSettings &out_;
};

constexpr value::YamlLimits kPacketLimits = {kMaxPacketBytes, kMaxPacketDepth};

bool is_missing(const Status &status) { return status.code == ACCP_E2001; }

// Adds the file name to the message.
Status with_shared_name(Status status) {
    if (status.failed() && status.message && !is_missing(status))
        status.message = interned_text({"shared.yaml: ", status.message}, status.message);
    return status;
}

Status missing_packet(const Status &status) {
    return is_missing(status) ? fail(ACCP_E2001, 0, "there is no packet for this pane") : status;
}

uint64_t stored_tokens(value::TreeView packet) {
    uint64_t tokens = 0;
    const uint32_t node = packet.find(0, "token_count");
    if (node) (void)value::parse_number(packet, node, tokens);
    return tokens;
}

}  // namespace

int32_t find_depth(std::string_view name) {
    for (const DepthName &each : kDepths)
        if (each.name == name) return each.depth;
    return -1;
}

Status read_settings(std::string_view text, Memory &memory, PaneSettings &out) {
    PaneSettings read = out;
    Status status = SettingsReader(memory, read).read(text);
    if (status.ok()) out = read;
    return status;
}

Status Panes::read_packet(int64_t pane, Packet &out) {
    out.value.clear();
    Status status = files_.read(packet_file(pane), kMaxPacketBytes, file_);
    return status.ok() ? reader_.read(file_.view(), kPacketLimits, out) : status;
}

// A packet with a broken seal has a revision too: the checksum of its content.
Status Panes::check_revision(int64_t pane, std::string_view revision) {
    if (revision.empty() && pane != kShared) return {};
    Status status = read_packet(pane, shared_);
    if (is_missing(status))
        return revision.empty() ? Status{} : fail(ACCP_ERR_BUSY, 0, "the packet has been removed");
    if (status.failed() && shared_.empty())
        return pane == kShared ? with_shared_name(status) : status;
    if (shared_.checksum() == revision) return {};
    return fail(ACCP_ERR_BUSY, 0, "the packet has another revision: read it again");
}

// A write that is killed leaves no made file, rather than one of another packet.
Status Panes::write(int64_t pane, std::string_view revision, std::string_view text, Origin origin,
                    std::string_view made) {
    if (text.size() > kMaxPacketBytes)
        return fail_limit(ACCP_E1001, 0, "too large", text.size(), kMaxPacketBytes);
    ProjectFiles::Lock lock;
    Status status = lock.acquire(files_, settings_.lock_seconds);
    if (status.ok()) status = check_revision(pane, revision);
    if (status.ok() && origin != Origin::kEdited && pane != kShared) {
        status = files_.remove(made_file(pane));
        if (is_missing(status)) status = {};
    }
    if (status.ok()) status = files_.write(packet_file(pane), text);
    if (status.ok() && origin == Origin::kMade && pane != kShared)
        status = files_.write(made_file(pane), made);
    return status;
}

Status Panes::merge_edits(int64_t pane, value::TreeView made, std::string_view note, Packet &out,
                          std::string_view &revision) {
    Status status = read_packet(pane, pane_);
    // a packet that people changed without sealing it has their edits too
    if (status.failed() && pane_.empty()) return missing_packet(status);
    shared_.value.clear();
    status = files_.read(made_file(pane), kMaxPacketBytes, file_);
    if (status.ok()) (void)reader_.read(file_.view(), kPacketLimits, shared_);
    else if (!is_missing(status)) return status;
    revision = pane_.checksum();
    const value::TreeView base = shared_.view();
    return PacketRefresher(memory_).merge(made, pane_.view(), shared_.empty() ? nullptr : &base,
                                          note, out);
}

Status Panes::read_text(int64_t pane, Buffer<char> &out) {
    return missing_packet(files_.read(packet_file(pane), kMaxPacketBytes, out));
}

Status Panes::read(int64_t pane, bool merge_shared, Buffer<char> &out, PacketReading &how) {
    how = {false, &pane_, &shared_};
    shared_.value.clear();
    Status status = read_packet(pane, pane_);
    if (status.failed()) return missing_packet(status);
    out.clear();
    out.append(file_);
    if (!merge_shared || pane == kShared) return {};
    status = read_packet(kShared, shared_);
    if (is_missing(status)) return {};
    if (status.failed()) return with_shared_name(status);
    how.merged = true;
    out.clear();
    merge_packets(pane_.view(), shared_.view(), memory_, out);
    return {};
}

Status Panes::record_receipt(int64_t pane, const PacketReading &read, uint64_t tokens,
                             uint64_t now_ms) {
    if (!settings_.track_efficiency) return {};
    ProjectFiles::Lock lock;
    Status status = lock.acquire(files_, settings_.lock_seconds);
    if (status.failed()) return status;
    journal_.begin();
    journal_.add_receipt(pane, read.pane->checksum(),
                         read.merged ? read.shared->checksum() : std::string_view(), tokens,
                         now_ms);
    return journal_.commit();
}

Status Panes::record_edit(int64_t pane, std::string_view checksum, uint64_t now_ms) {
    if (!settings_.track_efficiency) return {};
    ProjectFiles::Lock lock;
    Status status = lock.acquire(files_, settings_.lock_seconds);
    if (status.failed()) return status;
    journal_.begin();
    journal_.add_edit(pane, checksum, now_ms);
    return journal_.commit();
}

// Adds the packet and its feedback to the current batch of the journal.
Status Panes::archive(int64_t pane, uint64_t now_ms) {
    Status status = files_.read(packet_file(pane), kMaxPacketBytes, file_);
    if (status.failed()) return status;
    status = read_feedback_file(pane, feedback_file_);
    if (status.failed() && !is_missing(status)) return status;
    journal_.add_archive(pane, file_.view(), feedback_file_.view(), now_ms);
    return {};
}

Status Panes::remove(int64_t pane, uint64_t now_ms) {
    ProjectFiles::Lock lock;
    Status status = lock.acquire(files_, settings_.lock_seconds);
    journal_.begin();
    if (status.ok() && settings_.auto_cleanup) status = archive(pane, now_ms);
    if (status.ok()) status = journal_.commit();
    if (status.ok()) status = remove_files(pane);
    return missing_packet(status);
}

Status Panes::remove_files(int64_t pane) {
    Status status = files_.remove(packet_file(pane));
    if (status.failed()) return status;
    status = files_.remove(made_file(pane));
    return is_missing(status) ? Status{} : status;
}

// Finds the last archive of the pane in the journal.
Status Panes::find_archive(int64_t pane, Buffer<char> &packet, Buffer<char> &feedback) {
    Buffer<char> packet_name(memory_), feedback_name(memory_);
    Status status = journal_.each([&](const Event &event) {
        if (event.kind != EventKind::kArchive || event.pane != pane) return;
        packet_name.assign(event.packet_file);
        feedback_name.assign(event.feedback_file);
    });
    if (status.failed()) return status;
    if (packet_name.empty())
        return fail(ACCP_E2001, 0, "no packet of this pane was archived in this store");
    status = journal_.read_content(packet_name.view(), packet);
    if (status.ok() && !feedback_name.empty())
        status = journal_.read_content(feedback_name.view(), feedback);
    return status;
}

// The feedback is written last: feedback that is older than the packet belongs to another task.
Status Panes::restore(int64_t pane) {
    ProjectFiles::Lock lock;
    Status status = lock.acquire(files_, settings_.lock_seconds);
    if (status.failed()) return status;
    int64_t written = 0;
    status = files_.written_at(packet_file(pane), written);
    if (status.ok())
        return fail(ACCP_ERR_BUSY, 0, "the pane has a packet: remove it first, which archives it");
    if (!is_missing(status)) return status;
    file_.clear();
    feedback_file_.clear();
    status = find_archive(pane, file_, feedback_file_);
    if (status.ok()) status = files_.write(packet_file(pane), file_.view());
    if (status.ok() && !feedback_file_.empty())
        status = files_.write(feedback_file(pane), feedback_file_.view());
    return status;
}

Status Panes::write_feedback(int64_t pane, std::string_view gaps, std::string_view unused) {
    feedback_.clear();
    Status status = append_feedback_items(gaps, feedback_.gaps);
    if (status.ok()) status = append_feedback_items(unused, feedback_.unused);
    file_.clear();
    if (status.ok()) status = packet::write_feedback(pane, feedback_, memory_, file_);
    if (status.failed()) return status;
    if (file_.size() > kMaxFeedbackBytes)
        return fail_limit(ACCP_E1001, 0, "too large", file_.size(), kMaxFeedbackBytes);
    ProjectFiles::Lock lock;
    status = lock.acquire(files_, settings_.lock_seconds);
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
    if (is_missing(status)) return fail(ACCP_E2001, 0, "there is no feedback for this pane");
    return status.ok() ? packet::read_feedback(feedback_file_.view(), memory_, out) : status;
}

// Feedback older than the pane's packet, or without a packet, belongs to an earlier task.
bool Panes::is_feedback_new(int64_t pane) const {
    int64_t packet = 0, feedback = 0;
    if (files_.written_at(packet_file(pane), packet).failed()) return false;
    if (files_.written_at(feedback_file(pane), feedback).failed() &&
        files_.written_at(old_feedback_file(pane), feedback).failed())
        return false;
    return feedback >= packet;
}

Status Panes::complete(TaskOutcome &task, bool has_feedback) {
    const int64_t pane = task.pane;
    if (pane < 0) return {};
    if (!has_feedback && is_feedback_new(pane)) {
        Status status = read_feedback(pane, feedback_);
        if (status.failed()) return status;
        task.gaps = feedback_.gaps.view();
        task.unused = feedback_.unused.view();
    }
    if (task.context_tokens) return {};
    (void)read_packet(pane, pane_);  // a broken seal does not change the token count
    if (!pane_.empty()) task.context_tokens = stored_tokens(pane_.view());
    return {};
}

// Removes the file only after its archive is durable. After a crash between the two, it is archived
// again.
Status Panes::record(TaskOutcome task, bool has_feedback) {
    const int64_t pane = task.pane;
    ProjectFiles::Lock lock;
    Status status = lock.acquire(files_, settings_.lock_seconds);
    journal_.begin();
    if (status.ok() && settings_.track_efficiency) {
        status = complete(task, has_feedback);
        if (status.ok()) journal_.add_task(task);
    }
    bool cleans = settings_.auto_cleanup && pane >= 0;
    if (status.ok() && cleans) {
        status = archive(pane, task.at_ms);
        cleans = !is_missing(status);
        if (!cleans) status = {};
    }
    if (status.ok()) status = journal_.commit();
    if (status.ok() && cleans) status = remove_files(pane);
    return status;
}

Status Panes::count(TaskStatistics &all, TaskStatistics *early, TaskStatistics *late) {
    Status status = journal_.each([&](const Event &event) {
        if (event.kind == EventKind::kTask) all.add(event.task);
        if (event.kind == EventKind::kReceipt) all.add_receipt(event.pane);
        if (event.kind == EventKind::kEdit) all.add_edit();
    });
    if (status.failed() || !early || !late) return status;
    const uint64_t half = all.all().tasks() / 2;
    return journal_.each([&](const Event &event) {
        TaskStatistics &of = early->all().tasks() < half ? *early : *late;
        if (event.kind == EventKind::kTask) of.add(event.task);
        if (event.kind == EventKind::kEdit) of.add_edit();
    });
}

}  // namespace accp::packet
