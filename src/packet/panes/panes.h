// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The packets in a project's files: they are written for a worker, read by it, rated by its
// feedback, archived and counted. Also the section `context` of the project's configuration.
#pragma once

#include "packet/file/read.h"
#include "packet/panes/feedback.h"
#include "packet/panes/files.h"
#include "packet/panes/merge.h"
#include "packet/panes/refresh.h"
#include "packet/panes/statistics.h"
#include "value/yaml_reader.h"

namespace accp::packet {

struct PaneSettings {
    int32_t depth = 1;  // accp_packet_depth
    uint64_t budgets[3] = {100, 400, 800};
    bool auto_generate = true;
    bool track_efficiency = true;
    bool auto_cleanup = true;
    uint32_t lock_seconds = 10;  // how long a writer waits for the lock
    int64_t pane = -1;           // of this worker; -1: not set
};

constexpr size_t kMaxConfigBytes = 64 << 10;  // enough for a file written by hand

// Accepts minimal, standard, deep, simple and complex. -1: unknown.
int32_t find_depth(std::string_view name);

// Overwrites the settings that the YAML text has under `context`. Other top-level members are
// ignored. Fails without a change: ACCP_E1001 for malformed YAML; ACCP_E1004 for an unknown setting
// or value, with its byte offset and its name in the message.
Status read_settings(std::string_view text, Memory &memory, PaneSettings &out);

// The contents of a reading's receipt.
struct PacketReading {
    bool merged = false;  // merged with the shared packet, which removes the seal
    Packet *pane = nullptr, *shared = nullptr;
};

class Panes {
public:
    Panes(store::Store &store, Memory &memory)
        : memory_(memory),
          journal_(store, memory),
          reader_(memory),
          pane_(memory),
          shared_(memory),
          file_(memory),
          feedback_file_(memory),
          feedback_(memory) {}

    Status open(std::string_view directory) { return files_.open(directory, memory_); }
    // Opens the same project with the same settings.
    Status open_like(const Panes &other) {
        settings_ = other.settings_;
        return files_.open_like(other.files_);
    }
    Status configure(std::string_view text) { return read_settings(text, memory_, settings_); }
    const PaneSettings &settings() const { return settings_; }

    // Writes the text of a sealed packet. `revision` is the checksum that the packet in the file
    // must have. If it is empty, the shared packet must not exist, and a pane's packet is replaced.
    // Fails with ACCP_ERR_BUSY if somebody else has written.
    // `made`: the text of the packet as it was made, for the next refresh. kEdited: that of the
    // last write stays. kReplaced: the packet has another origin.
    enum class Origin { kReplaced, kEdited, kMade };
    Status write(int64_t pane, std::string_view revision, std::string_view text,
                 Origin origin = Origin::kReplaced, std::string_view made = {});
    // Sets `out` to `made` with the hand edits of the pane's packet (refresh.h), and `revision` to
    // the checksum of that packet, valid until the next call.
    Status merge_edits(int64_t pane, value::TreeView made, std::string_view note, Packet &out,
                       std::string_view &revision);
    // Sets `out` to a text for Reader; `merge_shared`: merged with the shared packet.
    Status read(int64_t pane, bool merge_shared, Buffer<char> &out, PacketReading &how);
    // Returns the text of the file without checking its seal.
    Status read_text(int64_t pane, Buffer<char> &out);
    Status record_receipt(int64_t pane, const PacketReading &read, uint64_t tokens,
                          uint64_t now_ms);
    Status record_edit(int64_t pane, std::string_view checksum, uint64_t now_ms);
    // Removes the pane's packet. With auto_cleanup, the packet and its feedback are archived first.
    Status remove(int64_t pane, uint64_t now_ms);

    // Writes the pane's packet that was archived last, and its feedback. Fails with ACCP_E2001 if
    // there is none, and with ACCP_ERR_BUSY if the pane has a packet.
    Status restore(int64_t pane);

    // Replaces the pane's feedback. Both texts have one item per line.
    Status write_feedback(int64_t pane, std::string_view gaps, std::string_view unused);
    // Fails with ACCP_E2001 if the pane has no feedback.
    Status read_feedback(int64_t pane, Feedback &out);

    // Records a task that is over, with or without a pane, and cleans up after it. Unless
    // `has_feedback`, gaps and unused parts are taken from the pane's feedback file if it belongs
    // to this task. A missing token count is taken from the packet.
    Status record(TaskOutcome task, bool has_feedback);
    // Counts all events. If `early` and `late` are given, also counts each half of the tasks.
    Status count(TaskStatistics &all, TaskStatistics *early, TaskStatistics *late);

private:
    Status read_packet(int64_t pane, Packet &out);
    Status check_revision(int64_t pane, std::string_view revision);
    Status read_feedback_file(int64_t pane, Buffer<char> &out);
    bool is_feedback_new(int64_t pane) const;
    Status complete(TaskOutcome &task, bool has_feedback);
    Status archive(int64_t pane, uint64_t now_ms);
    Status remove_files(int64_t pane);
    Status find_archive(int64_t pane, Buffer<char> &packet, Buffer<char> &feedback);

    Memory &memory_;
    PaneSettings settings_;
    ProjectFiles files_;
    Journal journal_;
    Reader reader_;
    Packet pane_, shared_;
    Buffer<char> file_, feedback_file_;
    Feedback feedback_;
};

}  // namespace accp::packet
