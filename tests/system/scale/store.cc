// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/store.h"

#include <map>
#include <utility>

namespace scale {

namespace {

constexpr size_t kHeadBytes = 8;

struct StoreUser {
    Cluster &cluster;
    std::shared_ptr<const Caller> caller;

    // Sends a request to one shard. `serve` gets the session at the shard, which must exist, and
    // returns the number of bytes that it copied.
    template <class Serve>
    accp_status ask(Asked kind, accp_text session, size_t bytes, Serve serve) {
        if (caller->is_dead) return ACCP_ERR_IO;
        ++cluster.traffic().calls[static_cast<size_t>(kind)];
        Job job;
        job.shard = cluster.shard_of(view_of(session));
        job.service = cluster.rules().read;
        job.bytes = session.len + bytes;
        const auto status = std::make_shared<accp_status>(ACCP_E2001);
        job.serve = [this_cluster = &cluster, id = std::string(view_of(session)), status, serve] {
            const Kept *kept = this_cluster->place().find(id);
            if (kept) *status = ACCP_OK;
            return kept ? serve(*kept, *status) : 0;
        };
        std::vector<Job> jobs;
        jobs.push_back(std::move(job));
        const bool answered = cluster.ask(caller->number, std::move(jobs))[0];
        return answered && !caller->is_dead ? *status : ACCP_ERR_IO;
    }
};

StoreUser &of(void *user) { return *static_cast<StoreUser *>(user); }

accp_status told(accp_status status, accp_error *err) {
    if (status == ACCP_ERR_IO) err->message = "no answer";
    return status;
}

void store_close(void *user) { delete &of(user); }

accp_status store_head(accp_text id, accp_store_entry_function give, void *context, accp_error *err,
                       void *user) {
    struct Head {
        uint64_t number = 0;
        std::string row;
    };
    const auto head = std::make_shared<Head>();
    Cluster &cluster = of(user).cluster;
    const accp_status status =
        of(user).ask(Asked::kHead, id, 0, [head, &cluster](const Kept &kept, accp_status &) {
            const bool is_stale = cluster.rules().mutant == Mutant::kStaleHead &&
                                  kept.head_before && cluster.simulation().random().happens(0.2);
            *head = is_stale ? Head{kept.head_before, kept.row_before} : Head{kept.head, kept.row};
            return kHeadBytes + kept.row.size();
        });
    if (status == ACCP_OK) (void)give(head->number, text_of(head->row), context);
    return told(status, err);
}

// The result of one message, set when the shard has served it.
struct WriteResult {
    accp_status status = ACCP_ERR_IO;
    uint64_t number = 0;
};

// The part of a group for one shard.
struct Group {
    struct Item {
        Parcel parcel;
        std::shared_ptr<WriteResult> result;
    };
    std::vector<Item> items;

    size_t serve(Cluster &cluster) const {
        for (const Item &one : items)
            one.result->status = cluster.place().write(one.parcel, one.result->number,
                                                       cluster.rules().mutant != Mutant::kRace);
        return items.size() * kHeadBytes;
    }
};

Job job_of(Cluster &cluster, size_t shard, std::shared_ptr<Group> group) {
    Job job;
    job.shard = shard;
    job.is_write = true;
    job.service = cluster.rules().write * static_cast<Nanos>(group->items.size());
    for (const Group::Item &one : group->items) {
        job.bytes += one.parcel.bytes();
        job.sessions.push_back(one.parcel.session);
    }
    job.serve = [&cluster, group] { return group->serve(cluster); };
    return job;
}

// Reads sessions with an acknowledged write once more. Returns false if a reply is missing.
bool look_again(StoreUser &user, const std::vector<std::string> &sessions) {
    Cluster &cluster = user.cluster;
    const bool at_once = cluster.rules().race_checks == RaceChecks::kAtOnce;
    std::vector<Job> jobs;
    bool answered = true;
    for (size_t i = 0; i < sessions.size() && answered; ++i) {
        jobs.emplace_back();
        jobs.back().shard = cluster.shard_of(sessions[i]);
        jobs.back().service = cluster.rules().read;
        jobs.back().bytes = sessions[i].size();
        jobs.back().serve = [] { return kHeadBytes; };
        if (at_once && i + 1 < sessions.size()) continue;
        if (user.caller->is_dead) return false;
        for (const bool one : cluster.ask(user.caller->number, std::exchange(jobs, {})))
            answered = answered && one;
    }
    return answered;
}

accp_status store_write(accp_store_write *writes, size_t count, accp_error *, void *user) {
    Cluster &cluster = of(user).cluster;
    std::map<size_t, std::shared_ptr<Group>> groups;  // by shard
    std::vector<std::shared_ptr<WriteResult>> results;
    for (size_t i = 0; i < count; ++i) {
        writes[i].status = ACCP_ERR_IO;
        writes[i].message = "no answer";
        results.push_back(std::make_shared<WriteResult>());
        std::shared_ptr<Group> &group = groups[cluster.shard_of(view_of(writes[i].session))];
        if (!group) group = std::make_shared<Group>();
        group->items.push_back({Parcel(writes[i]), results[i]});
    }
    if (of(user).caller->is_dead) return ACCP_OK;
    ++cluster.traffic().calls[static_cast<size_t>(Asked::kWrite)];
    cluster.traffic().writes += count;
    std::vector<Job> jobs;
    std::map<size_t, size_t> job_at;
    for (auto &[shard, group] : groups) {
        job_at[shard] = jobs.size();
        jobs.push_back(job_of(cluster, shard, group));
    }
    const std::vector<bool> answered = cluster.ask(of(user).caller->number, std::move(jobs));
    std::vector<std::string> done;
    for (size_t i = 0; i < count && cluster.rules().race_checks != RaceChecks::kNone; ++i)
        if (results[i]->status == ACCP_OK) done.emplace_back(view_of(writes[i].session));
    if (!look_again(of(user), done)) return ACCP_OK;
    for (size_t i = 0; i < count && !of(user).caller->is_dead; ++i) {
        if (!answered[job_at[cluster.shard_of(view_of(writes[i].session))]]) continue;
        writes[i].status = results[i]->status;
        writes[i].number = results[i]->number;
        writes[i].message = results[i]->status == ACCP_OK ? nullptr : "another write came between";
    }
    return ACCP_OK;
}

accp_status store_records(accp_text id, uint64_t first, uint64_t last, int32_t newest_first,
                          accp_store_entry_function give, void *context, accp_error *err,
                          void *user) {
    const uint64_t step = of(user).cluster.rules().walks ? 1 : last - first + 1;
    for (uint64_t done = 0; done <= last - first; done += step) {
        const uint64_t begin = newest_first ? last - done - step + 1 : first + done;
        const auto run = std::make_shared<std::vector<std::string>>();
        accp_status status = of(user).ask(
            Asked::kRecords, id, 2 * kHeadBytes,
            [run, begin, step](const Kept &kept, accp_status &out) {
                size_t bytes = 0;
                if (!begin || begin + step - 1 > kept.records.size()) out = ACCP_ERR_CORRUPT;
                else
                    run->assign(kept.records.begin() + static_cast<ptrdiff_t>(begin - 1),
                                kept.records.begin() + static_cast<ptrdiff_t>(begin + step - 1));
                for (const std::string &one : *run) bytes += one.size();
                return bytes;
            });
        if (status != ACCP_OK) return told(status, err);
        for (uint64_t i = 0; i < step; ++i) {
            const uint64_t at = newest_first ? step - 1 - i : i;
            if (give(begin + at, text_of((*run)[at]), context)) return ACCP_OK;
        }
    }
    return ACCP_OK;
}

accp_status store_value(accp_text id, accp_text key, accp_store_key_function give, void *context,
                        accp_error *err, void *user) {
    const auto found = std::make_shared<std::shared_ptr<const Kept::Entry>>();
    const accp_status status =
        of(user).ask(Asked::kValue, id, key.len,
                     [found, name = std::string(view_of(key))](const Kept &kept, accp_status &out) {
                         *found = kept.find(name);
                         if (!*found) out = ACCP_E2001;
                         return *found ? (*found)->note.size() + (*found)->value.size() : 0;
                     });
    if (status == ACCP_OK)
        (void)give(text_of((*found)->key), text_of((*found)->note), text_of((*found)->value),
                   context);
    return told(status, err);
}

accp_status store_keys(accp_text id, accp_text prefix, accp_store_key_function give, void *context,
                       accp_error *err, void *user) {
    struct Key {
        std::string key, note;
        size_t len;
    };
    const auto keys = std::make_shared<std::vector<Key>>();
    const accp_status status =
        of(user).ask(Asked::kKeys, id, prefix.len,
                     [keys, begin = std::string(view_of(prefix))](const Kept &kept, accp_status &) {
                         size_t bytes = 0;
                         for (const auto &one : kept.entries) {
                             if (one->key.compare(0, begin.size(), begin) != 0) continue;
                             keys->push_back({one->key, one->note, one->value.size()});
                             bytes += one->key.size() + one->note.size();
                         }
                         return bytes;
                     });
    for (size_t i = 0; status == ACCP_OK && i < keys->size(); ++i)
        if (give(text_of((*keys)[i].key), text_of((*keys)[i].note), {nullptr, (*keys)[i].len},
                 context))
            break;
    return told(status, err);
}

// These two are for maintenance, which no simulated gateway does. They take no time.
accp_status store_sessions(uint64_t after, accp_store_entry_function give, void *context,
                           accp_error *, void *user) {
    uint64_t made = 0;
    while (const std::string *id = of(user).cluster.place().next_after(after, made)) {
        if (give(made, text_of(*id), context)) break;
        after = made;
    }
    return ACCP_OK;
}

accp_status store_erase(accp_text id, accp_error *, void *user) {
    return of(user).cluster.place().erase(view_of(id)) ? ACCP_OK : ACCP_E2001;
}

}  // namespace

const accp_store_backend &store_table() {
    static const accp_store_backend table = [] {
        accp_store_backend made = {};
        made.size = sizeof made;
        made.version = ACCP_STORE_BACKEND_VERSION;
        made.close = store_close;
        made.head = store_head;
        made.write = store_write;
        made.records = store_records;
        made.value = store_value;
        made.keys = store_keys;
        made.sessions = store_sessions;
        made.erase = store_erase;
        return made;
    }();
    return table;
}

void *new_store_user(Cluster &cluster, std::shared_ptr<const Caller> caller) {
    return new StoreUser{cluster, std::move(caller)};
}

}  // namespace scale
