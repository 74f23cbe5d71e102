// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/store.h, include/accp/store_backend.h
#include "accp/store_backend.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "session/export_form.h"
#include "store/handle.h"
#include "store/sqlite_setup.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr uint32_t kStoreFlags =
    ACCP_STORE_READ_ONLY | ACCP_STORE_EXISTING | ACCP_STORE_NO_WAIT | ACCP_STORE_VACUUM;
constexpr store::SqliteSetup kVacuums = {.vacuums = true};
constexpr const char *kNoFunction = "a function is NULL";

// Keeps a store alive until the end of a call: a callback may close it.
class StoreUse {
public:
    explicit StoreUse(accp_store *store) : store_(store::share_store(store)) {}
    ~StoreUse() { store::drop_store(store_); }
    StoreUse(const StoreUse &) = delete;
    StoreUse &operator=(const StoreUse &) = delete;

private:
    accp_store *store_;
};

// Collects the texts that a store reports while it is locked. The callback receives them after
// that, because it may use the store.
class ReportedTexts {
public:
    explicit ReportedTexts(Memory &memory) : texts_(memory), ends_(memory) {}

    void add(std::string_view text) {
        texts_.append(text);
        ends_.push(texts_.size());
    }
    size_t count() const { return ends_.size(); }
    accp_text operator[](size_t number) const {
        const size_t begin = number ? ends_[number - 1] : 0;
        return to_text(texts_.view().substr(begin, ends_[number] - begin));
    }

private:
    Buffer<char> texts_;
    Buffer<size_t> ends_;
};

struct StatusReport {
    explicit StatusReport(Memory &memory) : texts(memory) {}

    static int add(accp_text part, accp_text name, accp_text value, void *user) noexcept {
        StatusReport &to = *static_cast<StatusReport *>(user);
        to.kept = capi::guard(nullptr, [&] {
            for (const accp_text &text : {part, name, value}) to.texts.add(to_view(text));
            return Status{};
        });
        return to.kept != ACCP_OK;
    }

    ReportedTexts texts;  // part, name and value of each property
    accp_status kept = ACCP_OK;
};

struct DamageReport {
    explicit DamageReport(Memory &memory) : texts(memory), damages(memory) {}

    static void add(const store::Damage &damage, void *user) {
        DamageReport &to = *static_cast<DamageReport *>(user);
        to.texts.add(damage.session);
        to.texts.add(damage.name);
        to.damages.push({{}, damage.what, damage.seq, {}});
    }
    void report_to(accp_damage_function report, void *user) {
        for (size_t i = 0; report && i < damages.size(); ++i) {
            damages[i].session = texts[2 * i];
            damages[i].name = texts[2 * i + 1];
            report(&damages[i], user);
        }
    }

    ReportedTexts texts;  // session and name of each damage
    Buffer<accp_damage> damages;
};

bool is_whole(const accp_store_backend &table) {
    return table.close && table.head && table.write && table.records && table.value && table.keys &&
           table.sessions && table.erase;
}

// Opens a store in a NATS cluster with the library libaccp-nats.
Status open_in_nats(std::string_view name, uint32_t flags, const accp_config *config,
                    accp_store **out) {
    accp_store_opener open = nullptr;
    Status status = store::load_nats(open);
    if (status.failed()) return status;
    const accp_store_backend *table = nullptr;
    void *user = nullptr;
    accp_error err = {};
    const uint32_t known = flags & ~uint32_t{ACCP_STORE_VACUUM};
    accp_status code = open(name.data(), name.size(), known, &table, &user, &err);
    if (code == ACCP_OK)
        code =
            accp_store_open_backend(table, user, flags & ACCP_STORE_READ_ONLY, config, out, &err);
    if (code == ACCP_OK) return {};
    return fail(code, 0, err.message ? err.message : accp_status_meaning(code));
}

// Closes the back end of a host, unless a store has taken it over.
struct BackendUser {
    const accp_store_backend *table;
    void *user;
    ~BackendUser() {
        if (table) table->close(user);
    }
};

}  // namespace

extern "C" {

accp_status accp_store_open(const char *name, size_t name_len, uint32_t flags,
                            const accp_config *config, accp_store **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(name, name_len)) return capi::refuse(err, capi::kNoText);
    if (flags & ~kStoreFlags) return capi::refuse(err, "no such flag");
    return capi::guard(err, [&] {
        if (store::is_in_nats({name, name_len}))
            return open_in_nats({name, name_len}, flags, config, out);
        Held<accp_store, store::drop_store> made(
            make_handle<accp_store>(capi::settings_of(config)));
        store::StorePlace place;
        place.name = {name, name_len};
        place.writes = !(flags & ACCP_STORE_READ_ONLY);
        place.create = !(flags & ACCP_STORE_EXISTING);
        place.durability =
            flags & ACCP_STORE_NO_WAIT ? store::Durability::kNormal : store::Durability::kFull;
        if (flags & ACCP_STORE_VACUUM) place.sqlite = &kVacuums;
        Status status = made->store.open(place);
        if (status.ok()) *out = made.release();
        return status;
    });
}

accp_status accp_store_open_backend(const accp_store_backend *backend, void *user, uint32_t flags,
                                    const accp_config *config, accp_store **out,
                                    accp_error *err) noexcept {
    if (!out || !backend) return capi::refuse(err, capi::kNoHandle);
    if (backend->version != ACCP_STORE_BACKEND_VERSION || backend->size < sizeof *backend)
        return capi::refuse(err, "the back end has another version");
    if (!is_whole(*backend)) return capi::refuse(err, kNoFunction);
    BackendUser held = {backend, user};
    if (flags & ~uint32_t{ACCP_STORE_READ_ONLY}) return capi::refuse(err, "no such flag");
    return capi::guard(err, [&] {
        Held<accp_store, store::drop_store> made(
            make_handle<accp_store>(capi::settings_of(config)));
        held.table = nullptr;
        Status status = made->store.open(*backend, user, !(flags & ACCP_STORE_READ_ONLY));
        if (status.ok()) *out = made.release();
        return status;
    });
}

accp_status accp_store_close(accp_store *store, accp_error *err) noexcept {
    if (!store) return ACCP_OK;
    accp_status code = capi::guard(err, [&] { return store->store.close(); });
    store::drop_store(store);
    return code;
}

accp_status accp_store_sync(accp_store *store, accp_error *err) noexcept {
    if (!store) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] { return store->store.sync(); });
}

accp_status accp_store_counts(accp_store *store, accp_counts *out, accp_error *err) noexcept {
    if (!store || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        store::StoreStats s;
        Status status = store->store.stats(s);
        if (status.ok())
            *out = {s.sessions, s.records, s.record_bytes, s.blobs, s.blob_bytes, s.mids, s.grants};
        return status;
    });
}

accp_status accp_store_each_property(accp_store *store, accp_store_property_function each,
                                     void *user, accp_error *err) noexcept {
    if (!store) return capi::refuse(err, capi::kNoHandle);
    if (!each) return capi::refuse(err, kNoFunction);
    const StoreUse use(store);
    return capi::guard(err, [&] {
        Memory memory(store->settings.allocator, store->settings.limit(ACCP_LIMIT_MEMORY_BYTES));
        StatusReport found(memory);
        const Status status = store->store.status({StatusReport::add, &found});
        if (found.kept != ACCP_OK)
            return fail(found.kept, 0, "out of memory for the status of the store");
        for (size_t i = 0; i + 2 < found.texts.count(); i += 3)
            if (each(found.texts[i], found.texts[i + 1], found.texts[i + 2], user)) break;
        return status;
    });
}

accp_status accp_store_each_session(accp_store *store, accp_text_function each, void *user,
                                    accp_error *err) noexcept {
    if (!store) return capi::refuse(err, capi::kNoHandle);
    if (!each) return capi::refuse(err, kNoFunction);
    const StoreUse use(store);
    return capi::guard(err, [&] {
        Memory memory(store->settings.allocator, store->settings.limit(ACCP_LIMIT_MEMORY_BYTES));
        Buffer<char> id(memory);
        for (uint64_t number = 0;;) {
            Status status = store->store.next_session(number, id);
            if (status.code == ACCP_E2001) return Status{};
            if (status.failed() || each(id.data(), id.size(), user)) return status;
        }
    });
}

accp_status accp_store_export(accp_store *store, const char *id, size_t id_len,
                              accp_text_function write, void *user, accp_error *err) noexcept {
    if (!store) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(id, id_len)) return capi::refuse(err, capi::kNoText);
    if (!write) return capi::refuse(err, kNoFunction);
    const StoreUse use(store);
    return capi::guard(err, [&] {
        Memory memory(store->settings.allocator, store->settings.limit(ACCP_LIMIT_MEMORY_BYTES));
        Buffer<char> out(memory);
        session::ExportForm form(memory);
        Status status = store->store.export_session({id, id_len}, out, &form);
        if (status.ok()) (void)write(out.data(), out.size(), user);
        return status;
    });
}

accp_status accp_store_import(accp_store *store, const char *text, size_t text_len,
                              accp_error *err) noexcept {
    if (!store) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Memory memory(store->settings.allocator, store->settings.limit(ACCP_LIMIT_MEMORY_BYTES));
        session::ExportForm form(memory);
        return store->store.import({text, text_len}, &form);
    });
}

accp_status accp_store_remove_session(accp_store *store, const char *id, size_t id_len,
                                      accp_error *err) noexcept {
    if (!store) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(id, id_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] { return store->store.erase_session({id, id_len}); });
}

accp_status accp_store_prune(accp_store *store, int64_t now_ms, uint64_t keep_checkpoints,
                             uint64_t *out, accp_error *err) noexcept {
    if (!store || !out) return capi::refuse(err, capi::kNoHandle);
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return capi::guard(err, [&] {
        return store->store.prune({static_cast<uint64_t>(now_ms), keep_checkpoints}, *out);
    });
}

accp_status accp_store_verify(accp_store *store, accp_damage_function report, void *user,
                              accp_error *err) noexcept {
    if (!store) return capi::refuse(err, capi::kNoHandle);
    const StoreUse use(store);
    return capi::guard(err, [&] {
        Memory memory(store->settings.allocator, store->settings.limit(ACCP_LIMIT_MEMORY_BYTES));
        DamageReport found(memory);
        const Status status = store->store.verify(DamageReport::add, &found);
        found.report_to(report, user);
        return status;
    });
}

}  // extern "C"
