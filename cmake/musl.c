/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The function of glibc that the unwinder of Debian 12 (libgcc_eh.a of gcc 12) calls and musl lacks. The preset musl links it into each program and library.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* The result of _dl_find_object() in glibc 2.35 and later, on x86-64. */
struct found_object {
    unsigned long long flags;
    void *start, *end;
    struct link_map *map;
    void *eh_frame; /* the table of the segment PT_GNU_EH_FRAME */
    unsigned long long reserved[7];
};

struct lookup {
    uintptr_t address;
    struct found_object *out;
};

static int visit(struct dl_phdr_info *info, size_t size, void *user) {
    struct lookup *lookup = user;
    int holds_address = 0;
    (void)size;
    lookup->out->eh_frame = NULL;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && lookup->address - start < segment->p_memsz) {
            holds_address = 1;
            lookup->out->start = (void *)start;
            lookup->out->end = (void *)(start + segment->p_memsz);
        } else if (segment->p_type == PT_GNU_EH_FRAME) {
            lookup->out->eh_frame = (void *)start;
        }
    }
    return holds_address && lookup->out->eh_frame;
}

/* Finds the loaded object that holds an address. Returns 0, or -1 if there is none with tables for exceptions. */
__attribute__((visibility("hidden"))) int _dl_find_object(void *address, struct found_object *out) {
    struct lookup lookup = {(uintptr_t)address, out};
    out->flags = 0;
    out->map = NULL;
    return dl_iterate_phdr(visit, &lookup) ? 0 : -1;
}
