// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of a project's panes, in its directory .agentwire. files.cc is for POSIX,
// files_windows.cc for Windows.
//
//   Writing   A temporary file next to the target is written, flushed to the device, and renamed.
//             After a crash the target has the old or the new text, never a part. Directories have
//             mode 0700, files 0600; on Windows both have the rights of their directory.
//   Links     Symbolic links below the project's directory are not followed. A FIFO, a device or
//             any other special file is neither read nor replaced. File names are made from a
//             number here, so none contains `..`.
//   Locking   A project has one lock, .agentwire/lock. The system releases it when the process
//             ends. The file contains the process id of the last holder.
#pragma once

#include <string_view>

#include "base/memory.h"
#include "base/status.h"

namespace accp::packet {

enum class Folder : uint8_t { kRoot, kContext, kFeedback, kMade };

struct FileName {
    Folder folder;
    char text[40];
};

constexpr int64_t kShared = -1;     // the pane number of the shared packet
constexpr int64_t kMaxPane = 9999;  // keeps file names short
// kShared: the packet of all panes.
FileName packet_file(int64_t pane);
FileName feedback_file(int64_t pane);
FileName made_file(int64_t pane);          // the packet as it was made, before people edited it
FileName old_feedback_file(int64_t pane);  // another spelling in the proposal

// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() { reset(-1); }
    int get() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    void reset(int number);

private:
    int number_;
};

class ProjectFiles {
public:
    // Opens the project's directory, which must exist.
    Status open(std::string_view path, Memory &memory);
    Status open_like(const ProjectFiles &other);

    // Holds the lock until it is destroyed. Waits for at most max_seconds, then fails with
    // ACCP_ERR_BUSY and the holder's process id. Fails with ACCP_ERR_IO if the file cannot be used.
    class Lock {
    public:
        Status acquire(const ProjectFiles &files, uint32_t max_seconds);

    private:
        Status wait(uint32_t max_seconds);
        void write_owner();

        Descriptor held_;
    };

    // Replaces `out`. Fails with ACCP_E2001 if the file does not exist, ACCP_E1001 "too large", or
    // ACCP_ERR_IO.
    Status read(const FileName &name, size_t max_bytes, Buffer<char> &out) const;
    // Call this with the lock held. After ACCP_ERR_IO nothing has changed, unless only the last
    // flush failed.
    Status write(const FileName &name, std::string_view text) const;
    // Sets the time of the last write, in nanoseconds. ACCP_E2001: no such file.
    Status written_at(const FileName &name, int64_t &out) const;
    // Call this with the lock held. ACCP_E2001: no such file.
    Status remove(const FileName &name) const;

private:
    // Opens a directory in an open one. Makes it first if `create` is set and it is missing.
    static Status open_directory(const Descriptor &parent, const char *name, bool create,
                                 Descriptor &out);
    Status open_folder(Folder folder, bool create, Descriptor &out) const;

    Descriptor project_;
};

}  // namespace accp::packet
