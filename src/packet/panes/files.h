// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of a project's panes, under its directory .agentwire. files.cc has every call of POSIX.
//
//   Writing   goes to a temporary file beside the target, is flushed to the device, and takes the
//             target's place at once: whoever reads, and whatever is killed, finds the old text or
//             the new one, whole. Directories are made with mode 0700, files with 0600.
//   Links     Below the project's directory no symbolic link is followed, and what is no regular
//             file (a FIFO, a device) is neither opened to the end nor replaced. Names are made
//             here, of a number, so there is no `..` in any.
//   Locking   One lock of the project, .agentwire/lock, which a process loses as it ends. Whoever
//             has it has written the number of its process there.
#pragma once

#include <string_view>

#include "base/memory.h"
#include "base/status.h"

namespace accp::packet {

enum class Folder : uint8_t { kRoot, kContext, kFeedback };

struct FileName {
    Folder folder;
    char text[40];
};

constexpr int64_t kShared = -1;     // the pane whose packet is for all
constexpr int64_t kMaxPane = 9999;  // no terminal has more, and a name stays short
// Of a pane; kShared: what all panes share.
FileName packet_file(int64_t pane);
FileName feedback_file(int64_t pane);
FileName old_feedback_file(int64_t pane);  // as the proposal's other spelling has it

// A descriptor that is closed.
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
    // The project's directory, which has to be there.
    Status open(std::string_view path, Memory &memory);
    Status open_like(const ProjectFiles &other);

    // Held while it lives; waits for whoever has it, so long at most. ACCP_ERR_BUSY: it is still
    // held, and the message says by which process; ACCP_ERR_IO.
    class Lock {
    public:
        Status acquire(const ProjectFiles &files, uint32_t max_seconds);

    private:
        Status wait(uint32_t max_seconds);
        void write_owner();

        Descriptor held_;
    };

    // Replaces `out`. ACCP_E2001: no such file; ACCP_E1001 "too large"; ACCP_ERR_IO.
    Status read(const FileName &name, size_t max_bytes, Buffer<char> &out) const;
    // To be called with the lock held. ACCP_ERR_IO: nothing has changed, but where only the last
    // flush failed.
    Status write(const FileName &name, std::string_view text) const;
    // When it was last written, in nanoseconds of the file system's clock. ACCP_E2001.
    Status written_at(const FileName &name, int64_t &out) const;
    // ACCP_E2001: no such file.
    Status remove(const FileName &name) const;

private:
    Status open_folder(Folder folder, bool create, Descriptor &out) const;

    Descriptor project_;
};

}  // namespace accp::packet
