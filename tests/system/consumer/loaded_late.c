/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A host that loads the library at run time with private symbols, as a language runtime does:
 * loaded_late LIBRARY. The host keeps its own malloc. A thread that used the library may end after
 * the library was closed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <accp/accp.h>
#include <accp/parts.h>

#define NEED(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

static void *library;
static pthread_barrier_t closed;

static void parse_frames(void) {
    static const char text[] = "@planner>req:plan{task:x|n:[1,2,3]}";
    accp_status (*frame_new)(const accp_config *, accp_frame **, accp_error *);
    accp_status (*frame_parse)(accp_frame *, const char *, size_t, accp_error *);
    const accp_node *(*frame_nodes)(const accp_frame *, size_t *);
    void (*frame_free)(accp_frame *);
    accp_frame *frame = NULL;
    size_t count = 0;

    *(void **)&frame_new = dlsym(library, "accp_frame_new");
    *(void **)&frame_parse = dlsym(library, "accp_frame_parse");
    *(void **)&frame_nodes = dlsym(library, "accp_frame_nodes");
    *(void **)&frame_free = dlsym(library, "accp_frame_free");
    NEED(frame_new && frame_parse && frame_nodes && frame_free);
    NEED(frame_new(NULL, &frame, NULL) == ACCP_OK);
    NEED(frame_parse(frame, text, strlen(text), NULL) == ACCP_OK);
    NEED(frame_nodes(frame, &count)[3].kind == ACCP_MAP && count == 9);
    frame_free(frame);
}

static void *thread(void *unused) {
    (void)unused;
    parse_frames();
    pthread_barrier_wait(&closed);
    pthread_barrier_wait(&closed);
    return NULL;
}

/* Returns the file that malloc or free of this process comes from. */
static const char *host_of(const char *name) {
    Dl_info info;
    NEED(dladdr(dlsym(RTLD_DEFAULT, name), &info) != 0);
    return info.dli_fname;
}

int main(int argc, char **argv) {
    pthread_t other;
    void *early;
    const char *before = host_of("malloc");

    NEED(argc == 2);
    early = malloc(100);
    NEED(early && dlsym(RTLD_DEFAULT, "accp_version") == NULL);
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror());
    NEED(library && dlsym(RTLD_DEFAULT, "accp_version") == NULL);
    NEED(strcmp(before, host_of("malloc")) == 0 && strstr(before, "libc.so") &&
         strstr(host_of("free"), "libc.so"));
    free(early);

    NEED(pthread_barrier_init(&closed, NULL, 2) == 0 &&
         pthread_create(&other, NULL, thread, NULL) == 0);
    parse_frames();
    pthread_barrier_wait(&closed);
    NEED(dlclose(library) == 0);
    pthread_barrier_wait(&closed);
    NEED(pthread_join(other, NULL) == 0);
    return 0;
}
