/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* The example's back end with one promise broken. The name of the place selects the promise. */
#define accp_store_backend_entry right_entry
#include "memory_backend.c"
#undef accp_store_backend_entry

static accp_status write_without_fence(accp_store_write *writes, size_t count, accp_error *err,
                                       void *user) {
    place *to = user;
    (void)err;
    pthread_mutex_lock(&to->lock);
    for (size_t i = 0; i < count; ++i) {
        const session *it = find(to, writes[i].session);
        writes[i].after = it ? it->last : 0;
        writes[i].status = write_one(to, &writes[i]);
    }
    pthread_mutex_unlock(&to->lock);
    return ACCP_OK;
}

static accp_status write_half(accp_store_write *writes, size_t count, accp_error *err, void *user) {
    for (size_t i = 0; i < count; ++i)
        if (writes[i].change_count > 1) --writes[i].change_count;
    return write_all(writes, count, err, user);
}

/* A refused write leaves its changes in the store. */
static accp_status write_before_looking(accp_store_write *writes, size_t count, accp_error *err,
                                        void *user) {
    place *to = user;
    (void)err;
    pthread_mutex_lock(&to->lock);
    for (size_t i = 0; i < count; ++i) {
        session *it = find(to, writes[i].session);
        writes[i].status = write_one(to, &writes[i]);
        for (size_t at = 0; it && writes[i].status == ACCP_ERR_BUSY && at < writes[i].change_count;
             ++at)
            (void)change(it, &writes[i].changes[at]);
    }
    pthread_mutex_unlock(&to->lock);
    return ACCP_OK;
}

static accp_status write_nothing(accp_store_write *writes, size_t count, accp_error *err,
                                 void *user) {
    (void)err;
    (void)user;
    for (size_t i = 0; i < count; ++i) {
        writes[i].number = writes[i].after + 1;
        writes[i].status = ACCP_OK;
    }
    return ACCP_OK;
}

/* After the first refused write the others are refused too. */
static accp_status write_until_refused(accp_store_write *writes, size_t count, accp_error *err,
                                       void *user) {
    for (size_t i = 0; i < count; ++i) writes[i].status = ACCP_ERR_BUSY;
    for (size_t i = 0; i < count; ++i) {
        (void)write_all(&writes[i], 1, err, user);
        if (writes[i].status != ACCP_OK) break;
    }
    return ACCP_OK;
}

static accp_status records_forwards(accp_text id, uint64_t first, uint64_t last,
                                    int32_t newest_first, accp_store_entry_function give,
                                    void *context, accp_error *err, void *user) {
    (void)newest_first;
    return records(id, first, last, 0, give, context, err, user);
}

static accp_status no_erase(accp_text id, accp_error *err, void *user) {
    place *from = user;
    (void)err;
    pthread_mutex_lock(&from->lock);
    const session *it = find(from, id);
    pthread_mutex_unlock(&from->lock);
    return it ? ACCP_OK : ACCP_E2001;
}

struct without_notes {
    accp_store_key_function give;
    void *context;
};

static int give_without_note(accp_text key, accp_text note, accp_text length, void *context) {
    const struct without_notes *to = context;
    note.len = 0;
    return to->give(key, note, length, to->context);
}

static accp_status keys_without_notes(accp_text id, accp_text prefix, accp_store_key_function give,
                                      void *context, accp_error *err, void *user) {
    struct without_notes to = {give, context};
    return keys(id, prefix, give_without_note, &to, err, user);
}

static accp_status sessions_of_all(uint64_t after, accp_store_entry_function give, void *context,
                                   accp_error *err, void *user) {
    (void)after;
    return sessions(0, give, context, err, user);
}

static const struct {
    const char *name;
    void (*function)(void);
    size_t at;
} ways[] = {
#define WAY(name, field, function) \
    { name, (void (*)(void))function, offsetof(accp_store_backend, field) }
    WAY("no fence", write, write_without_fence),
    WAY("half", write, write_half),
    WAY("before looking", write, write_before_looking),
    WAY("nothing", write, write_nothing),
    WAY("until refused", write, write_until_refused),
    WAY("forwards", records, records_forwards),
    WAY("no erase", erase, no_erase),
    WAY("no notes", keys, keys_without_notes),
    WAY("all sessions", sessions, sessions_of_all),
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static accp_store_backend broken[WAY_COUNT];
static pthread_once_t broken_once = PTHREAD_ONCE_INIT;

static void fill_broken(void) {
    for (size_t i = 0; i < WAY_COUNT; ++i) {
        broken[i] = table;
        memcpy((char *)&broken[i] + ways[i].at, &ways[i].function, sizeof ways[i].function);
    }
}

/* A place with any other name is correct. */
ACCP_API accp_status accp_store_backend_entry(const char *name, size_t name_len, uint32_t flags,
                                              const accp_store_backend **out, void **user_out,
                                              accp_error *err) {
    const accp_status status = right_entry(name, name_len, flags, out, user_out, err);
    pthread_once(&broken_once, fill_broken);
    for (size_t i = 0; status == ACCP_OK && i < WAY_COUNT; ++i)
        if (!compare(name, name_len, ways[i].name, strlen(ways[i].name))) *out = &broken[i];
    return status;
}
