// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the operating system says of the place of a store file: asked before SQLite touches it, and
// while it is open.
#pragma once

#include <sys/types.h>

#include "base/memory.h"
#include "base/status.h"

namespace accp::store {

// Refuses what is no file: of a device SQLite would make a journal beside it. Makes a file that is
// missing, its owner's alone (0600, whatever the umask); SQLite gives its log and its shared memory
// the same mode. To be called by one thread at a time, with what opens the file then.
Status claim_file(const char *path, bool create);

// The application that a file of SQLite names in its header; 0: it is none.
int64_t application_of(const char *path);

// Removes a file of SQLite, after what stands beside it.
void remove_files(const char *path);

// Is the file's directory one that cannot be written?
bool is_in_fixed_directory(const char *path);

// The path as SQLite opens it where nothing beside it can be written, and nobody writes: appended,
// with a NUL.
void write_immutable(const char *path, Buffer<char> &out);

// Which file a path leads to: none before look().
class FileIdentity {
public:
    void look(const char *path);
    bool is_there_still(const char *path) const;
    uint64_t size() const { return size_; }

private:
    bool known_ = false;
    dev_t device_ = 0;
    ino_t number_ = 0;
    uint64_t size_ = 0;
};

}  // namespace accp::store
