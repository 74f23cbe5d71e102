/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A whole back end for stores in plain C, against the public header alone: sessions in sorted
 * arrays. A place is there until the program ends, so that it can be opened again. Built as a
 * library of its own it is what `accp store conformance --plugin` opens.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "accp/store_backend.h"

typedef struct entry { /* of a map: key and note lie before the value */
    char *bytes;
    size_t key_len, note_len, value_len;
} entry;

typedef struct session {
    char *id;
    size_t id_len;
    uint64_t made, last; /* numbers of its first and its last write */
    char row[256];
    size_t row_len;
    accp_text *records;
    size_t record_count;
    entry *entries; /* by their keys */
    size_t entry_count;
} session;

typedef struct place {
    struct place *next;
    char *name;
    size_t name_len;
    session **sessions; /* as they were made */
    size_t session_count;
    uint64_t writes; /* in all: no number is given twice */
    pthread_mutex_t lock;
} place;

static place *places;
static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER;

static char *copy(const char *text, size_t len) {
    char *made = malloc(len ? len : 1);
    if (made && len) memcpy(made, text, len);
    return made;
}

static int compare(const char *a, size_t a_len, const char *b, size_t b_len) {
    const size_t common = a_len < b_len ? a_len : b_len;
    const int order = common ? memcmp(a, b, common) : 0;
    return order ? order : a_len < b_len ? -1 : a_len > b_len;
}

static session *find(place *from, accp_text id) {
    for (size_t i = 0; i < from->session_count; ++i) {
        session *it = from->sessions[i];
        if (!compare(it->id, it->id_len, id.text, id.len)) return it;
    }
    return NULL;
}

/* Where the key is, or would be. */
static size_t place_of(const session *from, accp_text key) {
    size_t low = 0, high = from->entry_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const entry *it = &from->entries[middle];
        if (compare(it->bytes, it->key_len, key.text, key.len) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int is_at(const session *from, size_t at, accp_text key) {
    return at < from->entry_count &&
           !compare(from->entries[at].bytes, from->entries[at].key_len, key.text, key.len);
}

static void free_session(session *it) {
    for (size_t i = 0; i < it->record_count; ++i) free((char *)it->records[i].text);
    for (size_t i = 0; i < it->entry_count; ++i) free(it->entries[i].bytes);
    free(it->records);
    free(it->entries);
    free(it->id);
    free(it);
}

static session *copy_session(const session *from) {
    session *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    *made = *from;
    made->record_count = made->entry_count = 0;
    made->id = copy(from->id, from->id_len);
    made->records = malloc((from->record_count + 1) * sizeof *made->records);
    made->entries = malloc((from->entry_count + 1) * sizeof *made->entries);
    int whole = made->id && made->records && made->entries;
    for (size_t i = 0; whole && i < from->record_count; ++i) {
        made->records[i] = from->records[i];
        made->records[i].text = copy(from->records[i].text, from->records[i].len);
        whole = made->records[i].text != NULL;
        made->record_count += whole;
    }
    for (size_t i = 0; whole && i < from->entry_count; ++i) {
        const entry *it = &from->entries[i];
        made->entries[i] = *it;
        made->entries[i].bytes = copy(it->bytes, it->key_len + it->note_len + it->value_len);
        whole = made->entries[i].bytes != NULL;
        made->entry_count += whole;
    }
    if (whole) return made;
    free_session(made);
    return NULL;
}

static int append(session *to, accp_text record) {
    accp_text *grown = realloc(to->records, (to->record_count + 1) * sizeof *grown);
    if (!grown) return 0;
    to->records = grown;
    char *kept = copy(record.text, record.len);
    if (!kept) return 0;
    grown[to->record_count].text = kept;
    grown[to->record_count++].len = record.len;
    return 1;
}

static int change(session *to, const accp_store_change *by) {
    const size_t at = place_of(to, by->key);
    const int there = is_at(to, at, by->key);
    entry *grown = realloc(to->entries, (to->entry_count + 1) * sizeof *grown);
    if (!grown) return 0;
    to->entries = grown;
    entry made = {NULL, by->key.len, by->note.len, by->value.len};
    if (by->kind == ACCP_STORE_PUT) {
        made.bytes = malloc(by->key.len + by->note.len + by->value.len);
        if (!made.bytes) return 0;
        memcpy(made.bytes, by->key.text, by->key.len);
        if (by->note.len) memcpy(made.bytes + by->key.len, by->note.text, by->note.len);
        if (by->value.len)
            memcpy(made.bytes + by->key.len + by->note.len, by->value.text, by->value.len);
    }
    if (there) free(grown[at].bytes);
    if (there && made.bytes) {
        grown[at] = made;
    } else if (there) {
        memmove(grown + at, grown + at + 1, (--to->entry_count - at) * sizeof *grown);
    } else if (made.bytes) {
        memmove(grown + at + 1, grown + at, (to->entry_count++ - at) * sizeof *grown);
        grown[at] = made;
    }
    return 1;
}

/* A copy is changed, and takes the session's place when all of it went well. That is simple, and
 * slow. */
static accp_status write_one(place *to, accp_store_write *write) {
    session *had = find(to, write->session), fresh = {0};
    if ((had ? had->last : 0) != write->after) return ACCP_ERR_BUSY;
    if (write->row.len > sizeof fresh.row) return ACCP_ERR_ARG;
    fresh.id = (char *)write->session.text;
    fresh.id_len = write->session.len;
    session **grown = realloc(to->sessions, (to->session_count + 1) * sizeof *grown);
    if (!grown) return ACCP_ERR_NOMEM;
    to->sessions = grown;
    session *made = copy_session(had ? had : &fresh);
    int whole = made != NULL;
    for (size_t i = 0; whole && i < write->record_count; ++i)
        whole = append(made, write->records[i]);
    for (size_t i = 0; whole && i < write->change_count; ++i)
        whole = change(made, &write->changes[i]);
    if (!whole) {
        if (made) free_session(made);
        return ACCP_ERR_NOMEM;
    }
    memcpy(made->row, write->row.text, write->row.len);
    made->row_len = write->row.len;
    made->last = write->number = ++to->writes;
    if (!had) made->made = made->last;
    for (size_t i = 0; had && i < to->session_count; ++i)
        if (grown[i] == had) grown[i] = made;
    if (had) free_session(had);
    else grown[to->session_count++] = made;
    return ACCP_OK;
}

static accp_status write_all(accp_store_write *writes, size_t count, accp_error *err, void *user) {
    place *to = user;
    (void)err;
    pthread_mutex_lock(&to->lock);
    for (size_t i = 0; i < count; ++i) writes[i].status = write_one(to, &writes[i]);
    pthread_mutex_unlock(&to->lock);
    return ACCP_OK;
}

static accp_status head(accp_text id, accp_store_entry_function give, void *context,
                        accp_error *err, void *user) {
    place *from = user;
    (void)err;
    pthread_mutex_lock(&from->lock);
    const session *it = find(from, id);
    if (it) {
        const accp_text row = {it->row, it->row_len};
        (void)give(it->last, row, context);
    }
    pthread_mutex_unlock(&from->lock);
    return it ? ACCP_OK : ACCP_E2001;
}

static accp_status records(accp_text id, uint64_t first, uint64_t last, int32_t newest_first,
                           accp_store_entry_function give, void *context, accp_error *err,
                           void *user) {
    place *from = user;
    (void)err;
    pthread_mutex_lock(&from->lock);
    const session *it = find(from, id);
    const int there = it && first && last <= it->record_count;
    for (uint64_t i = 0; there && i <= last - first; ++i) {
        const uint64_t seq = newest_first ? last - i : first + i;
        if (give(seq, it->records[seq - 1], context)) break;
    }
    pthread_mutex_unlock(&from->lock);
    return !it ? ACCP_E2001 : there ? ACCP_OK : ACCP_ERR_CORRUPT;
}

static accp_status value(accp_text id, accp_text key, accp_store_key_function give, void *context,
                         accp_error *err, void *user) {
    place *from = user;
    (void)err;
    pthread_mutex_lock(&from->lock);
    const session *it = find(from, id);
    const size_t at = it ? place_of(it, key) : 0;
    const int there = it && is_at(it, at, key);
    if (there) {
        const entry *found = &it->entries[at];
        const accp_text note = {found->bytes + found->key_len, found->note_len};
        const accp_text bytes = {note.text + note.len, found->value_len};
        (void)give(key, note, bytes, context);
    }
    pthread_mutex_unlock(&from->lock);
    return there ? ACCP_OK : ACCP_E2001;
}

static accp_status keys(accp_text id, accp_text prefix, accp_store_key_function give, void *context,
                        accp_error *err, void *user) {
    place *from = user;
    (void)err;
    pthread_mutex_lock(&from->lock);
    const session *it = find(from, id);
    for (size_t i = it ? place_of(it, prefix) : 0; it && i < it->entry_count; ++i) {
        const entry *found = &it->entries[i];
        if (found->key_len < prefix.len || memcmp(found->bytes, prefix.text, prefix.len)) break;
        const accp_text key = {found->bytes, found->key_len};
        const accp_text note = {found->bytes + found->key_len, found->note_len};
        const accp_text length = {NULL, found->value_len};
        if (give(key, note, length, context)) break;
    }
    pthread_mutex_unlock(&from->lock);
    return it ? ACCP_OK : ACCP_E2001;
}

static accp_status sessions(uint64_t after, accp_store_entry_function give, void *context,
                            accp_error *err, void *user) {
    place *from = user;
    (void)err;
    pthread_mutex_lock(&from->lock);
    for (size_t i = 0; i < from->session_count; ++i) {
        const session *it = from->sessions[i];
        const accp_text id = {it->id, it->id_len};
        if (it->made > after && give(it->made, id, context)) break;
    }
    pthread_mutex_unlock(&from->lock);
    return ACCP_OK;
}

static accp_status erase(accp_text id, accp_error *err, void *user) {
    place *from = user;
    size_t at = 0;
    (void)err;
    pthread_mutex_lock(&from->lock);
    session *it = find(from, id);
    while (it && from->sessions[at] != it) ++at;
    if (it) {
        memmove(from->sessions + at, from->sessions + at + 1,
                (--from->session_count - at) * sizeof *from->sessions);
        free_session(it);
    }
    pthread_mutex_unlock(&from->lock);
    return it ? ACCP_OK : ACCP_E2001;
}

static accp_text text_of(const char *text) {
    accp_text out = {text, strlen(text)};
    return out;
}

static accp_status say_status(accp_store_property_function give, void *context, accp_error *err,
                              void *user) {
    (void)err, (void)user;
    if (!give(text_of(""), text_of("kind"), text_of("an example in memory"), context))
        give(text_of(""), text_of("acknowledged"), text_of("gone with the process"), context);
    return ACCP_OK;
}

static void close_place(void *user) { (void)user; }

static const accp_store_backend table = {sizeof(accp_store_backend),
                                         ACCP_STORE_BACKEND_VERSION,
                                         ACCP_STORE_BACKEND_THREADS,
                                         0,
                                         close_place,
                                         head,
                                         write_all,
                                         records,
                                         value,
                                         keys,
                                         sessions,
                                         erase,
                                         say_status};

/* The place of this name, made where it is missing. */
ACCP_API accp_status accp_store_backend_entry(const char *name, size_t name_len, uint32_t flags,
                                              const accp_store_backend **out, void **user_out,
                                              accp_error *err) {
    pthread_mutex_lock(&places_lock);
    place *it = places;
    while (it && compare(it->name, it->name_len, name, name_len)) it = it->next;
    const int missing = !it && (flags & ACCP_STORE_EXISTING);
    if (!it && !missing && (it = calloc(1, sizeof *it))) {
        it->name = copy(name, name_len);
        it->name_len = name_len;
        it->next = places;
        pthread_mutex_init(&it->lock, NULL);
        if (it->name) places = it;
    }
    pthread_mutex_unlock(&places_lock);
    if (missing) err->message = "no such place";
    if (missing) return ACCP_ERR_ARG;
    if (!it || !it->name) return ACCP_ERR_NOMEM;
    *out = &table;
    *user_out = it;
    return ACCP_OK;
}
