// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SQLite with the memory of our allocator.
#include <sqlite3.h>

#include <cstring>

#include "base/memory.h"
#include "store/sqlite_file.h"
#include "store/sqlite_setup.h"

namespace accp::store {

namespace {

constexpr size_t kHeader = 16;  // each block begins with its size, which release() needs

void *take(int size) {
    accp_allocator from = private_allocator();
    char *block = static_cast<char *>(from.alloc(static_cast<size_t>(size) + kHeader, from.user));
    if (!block) return nullptr;
    std::memcpy(block, &size, sizeof size);
    return block + kHeader;
}

int size_of(void *memory) {
    int size = 0;
    if (memory) std::memcpy(&size, static_cast<char *>(memory) - kHeader, sizeof size);
    return size;
}

void give(void *memory) {
    accp_allocator to = private_allocator();
    if (memory)
        to.release(static_cast<char *>(memory) - kHeader,
                   static_cast<size_t>(size_of(memory)) + kHeader, to.user);
}

void *retake(void *memory, int size) {
    int old = size_of(memory);
    void *taken = take(size);
    if (!taken || !memory) return taken;
    std::memcpy(taken, memory, static_cast<size_t>(old < size ? old : size));
    give(memory);
    return taken;
}

int round_up(int size) { return (size + 7) & ~7; }
int begin(void *) { return SQLITE_OK; }
void end(void *) {}

int set_up() {
    static sqlite3_mem_methods methods = {take,     give,  retake, size_of,
                                          round_up, begin, end,    nullptr};
    int code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_URI, 0);
    // SQLite's statistics would take a global lock
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    // A program that shares its SQLite with us is already using it, with settings of its own.
    return code == SQLITE_MISUSE ? SQLITE_OK : code;
}

}  // namespace

int set_up_sqlite() {
    static const int code = set_up();  // once, by the first thread
    return code == SQLITE_OK ? sqlite3_initialize() : code;
}

}  // namespace accp::store
