// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The part `context` of a project's configuration, as the proposal has it.
//
// The life of packets in a project's files: written for a worker, read by it, judged by its
// feedback, archived, and counted.
#pragma once

#include "packet/file/read.h"
#include "packet/panes/feedback.h"
#include "packet/panes/files.h"
#include "packet/panes/merge.h"
#include "packet/panes/statistics.h"
#include "value/yaml_reader.h"

namespace accp::packet {

struct PaneSettings {
    int32_t depth = 1;  // accp_packet_depth
    uint64_t budgets[3] = {100, 400, 800};
    bool auto_generate = true;
    bool track_efficiency = true;
    bool auto_cleanup = true;
    uint32_t lock_seconds = 10;  // how long a writer waits for another
    int64_t pane = -1;           // that of this worker; -1: not said
};

constexpr size_t kMaxConfigBytes = 64 << 10;  // people write it

// minimal, standard, deep, simple, complex; -1: none of them.
int32_t find_depth(std::string_view name);

// What the YAML text says under `context`, over `out`, which a failure leaves alone. Other members
// at the top belong to others. ACCP_E1001: no YAML; ACCP_E1004: no such setting, or no such value,
// at its byte, with its name in the message.
Status read_settings(std::string_view text, Memory &memory, PaneSettings &out);

// Of one reading: what a receipt says.
struct PacketReading {
    bool merged = false;  // with what is shared: it has no seal of its own
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
    // The same project and settings as another has now.
    Status open_like(const Panes &other) {
        settings_ = other.settings_;
        return files_.open_like(other.files_);
    }
    Status configure(std::string_view text) { return read_settings(text, memory_, settings_); }
    const PaneSettings &settings() const { return settings_; }

    // Writes a sealed packet's text. revision: the checksum that the file's packet must have;
    // empty: of what is shared, there must be none, and of a pane, whatever there is.
    // ACCP_ERR_BUSY: somebody else has written.
    Status write(int64_t pane, std::string_view revision, std::string_view text);
    // The packet, into `out`, as a text for a packet's reader; `merges`: with what is shared.
    Status read(int64_t pane, bool merge_shared, Buffer<char> &out, PacketReading &how);
    // The same without a look at its seal, as it stands.
    Status read_text(int64_t pane, Buffer<char> &out);
    Status record_receipt(int64_t pane, const PacketReading &read, uint64_t tokens,
                          uint64_t now_ms);
    Status record_edit(int64_t pane, std::string_view checksum, uint64_t now_ms);
    // Takes the pane's packet away; where auto_cleanup is on, once it and the feedback are
    // archived.
    Status remove(int64_t pane, uint64_t now_ms);

    // Replaces the pane's feedback. Texts of lines.
    Status write_feedback(int64_t pane, std::string_view gaps, std::string_view unused);
    // ACCP_E2001: there is none.
    Status read_feedback(int64_t pane, Feedback &out);

    // A task that is over, of a pane or of none. Its gaps and unused parts are those of the
    // pane's feedback, where that is of this task, unless they were `said`; its tokens, where it
    // has none, those of the packet. Counts it, and cleans up after it.
    Status record(TaskOutcome task, bool has_feedback);
    // Counts all events; the two halves where they are wanted.
    Status count(TaskStatistics &all, TaskStatistics *early, TaskStatistics *late);

private:
    Status read_packet(int64_t pane, Packet &out);
    Status check_revision(int64_t pane, std::string_view revision);
    Status read_feedback_file(int64_t pane, Buffer<char> &out);
    bool is_feedback_new(int64_t pane) const;
    Status complete(TaskOutcome &task, bool has_feedback);
    Status archive(int64_t pane, uint64_t now_ms);

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
