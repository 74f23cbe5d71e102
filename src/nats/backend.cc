// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The function table and the exported entry of libaccp-nats, and the status of a store.
#include "nats/backend.h"
#include "nats/c_interface.h"

namespace accp_nats {

namespace {

constexpr int64_t kAskMs = 2000;
constexpr double kNsOfSecond = 1e9;

struct StatusWriter {
    accp_store_property_function give;
    void *context;
    bool goes_on = true;

    void operator()(const std::string &part, std::string_view name, const std::string &value) {
        if (goes_on)
            goes_on = give({part.data(), part.size()}, {name.data(), name.size()},
                           {value.data(), value.size()}, context) == 0;
    }
};

std::string acknowledged(bool is_old, bool is_replicated) {
    const std::string lost = is_replicated ? "a power failure of a majority" : "a power failure";
    if (is_old)
        return "not yet synced, as this nats-server (before 2.10) syncs every two minutes: kill -9 "
               "loses nothing, " +
               lost + " may lose what came since";
    return "synced when sync_interval says so: with `sync_interval: always` nothing is lost, "
           "without it " +
           lost + " may lose the last two minutes";
}

std::string state_of(const jsPeerInfo &peer) {
    if (peer.Offline) return "offline";
    std::string out = peer.Current ? "current" : "behind";
    if (peer.Lag) out += ", " + std::to_string(peer.Lag) + " behind";
    char heard[64];
    std::snprintf(heard, sizeof heard, ", heard %.1f s ago",
                  static_cast<double>(peer.Active) / kNsOfSecond);
    return out + heard;
}

void write_stream_status(const jsStreamInfo &info, const std::string &part,
                         StatusWriter &write_property) {
    const jsClusterInfo *cluster = info.Cluster;
    const bool is_cluster = cluster && cluster->Leader;
    write_property(part, "replicas", std::to_string(info.Config ? info.Config->Replicas : 1));
    if (is_cluster) write_property(part, "leader", *cluster->Leader ? cluster->Leader : "none");
    for (int i = 0; is_cluster && i < cluster->ReplicasLen; ++i)
        write_property(part, std::string("replica ") + cluster->Replicas[i]->Name,
                       state_of(*cluster->Replicas[i]));
    write_property(part, "messages", std::to_string(info.State.Msgs));
    write_property(part, "bytes", std::to_string(info.State.Bytes));
    write_property(part, "last", std::to_string(info.State.LastSeq));
}

Backend &of(void *user) { return *static_cast<Backend *>(user); }

void close(void *user) { delete static_cast<Backend *>(user); }

accp_status head(accp_text id, accp_store_entry_function give, void *context, accp_error *err,
                 void *user) {
    return run_guarded(err, [&] { of(user).head(view_of(id), give, context); });
}

accp_status write(accp_store_write *writes, size_t count, accp_error *err, void *user) {
    return run_guarded(err, [&] { of(user).write(writes, count); });
}

accp_status records(accp_text id, uint64_t first, uint64_t last, int32_t newest_first,
                    accp_store_entry_function give, void *context, accp_error *err, void *user) {
    return run_guarded(
        err, [&] { of(user).records(view_of(id), first, last, newest_first, give, context); });
}

accp_status value(accp_text id, accp_text key, accp_store_key_function give, void *context,
                  accp_error *err, void *user) {
    return run_guarded(err, [&] { of(user).value(view_of(id), view_of(key), give, context); });
}

accp_status keys(accp_text id, accp_text prefix, accp_store_key_function give, void *context,
                 accp_error *err, void *user) {
    return run_guarded(err, [&] { of(user).keys(view_of(id), view_of(prefix), give, context); });
}

accp_status sessions(uint64_t after, accp_store_entry_function give, void *context, accp_error *err,
                     void *user) {
    return run_guarded(err, [&] { of(user).sessions(after, give, context); });
}

accp_status erase(accp_text id, accp_error *err, void *user) {
    return run_guarded(err, [&] { of(user).erase(view_of(id)); });
}

accp_status status(accp_store_property_function give, void *context, accp_error *err, void *user) {
    return run_guarded(err, [&] { of(user).status(give, context); });
}

const accp_store_backend kTable = {sizeof(accp_store_backend),
                                   ACCP_STORE_BACKEND_VERSION,
                                   ACCP_STORE_BACKEND_THREADS,
                                   0,
                                   close,
                                   head,
                                   write,
                                   records,
                                   value,
                                   keys,
                                   sessions,
                                   erase,
                                   status};

}  // namespace

void Backend::status(accp_store_property_function give, void *context) {
    StatusWriter write_property{give, context};
    const std::string store;
    char url[256] = "";
    write_property(store, "kind", "nats");
    const bool is_there =
        natsConnection_GetConnectedUrl(link_.open()->connection, url, sizeof url) == NATS_OK &&
        *url;
    write_property(store, "server", is_there ? url : "none");
    write_property(store, "shards", std::to_string(streams_.size()));
    const char *failed = nullptr;
    int failures = 0;  // each may have taken until its timeout
    for (size_t i = 0; i < streams_.size() && write_property.goes_on && failures < 2; ++i) {
        Stream &stream = *streams_[i];
        const std::string part = "stream " + stream.name();
        jsOptions options;
        jsOptions_Init(&options);
        options.Wait = kAskMs;
        jsStreamInfo *info = nullptr;
        try {
            const bool is_old = stream.is_led_by_old_server();
            if (!i)
                write_property(store, "acknowledged", acknowledged(is_old, stream.is_replicated()));
            if (js_GetStreamInfo(&info, link_.open()->jetstream, stream.name().c_str(), &options,
                                 nullptr) != NATS_OK)
                throw Failure{ACCP_ERR_IO, "the stream does not answer"};
            write_stream_status(*info, part, write_property);
        } catch (const Failure &failure) {
            failed = failure.message;
            ++failures;
            write_property(part, "fails", failed);
        }
        jsStreamInfo_Destroy(info);
    }
    if (failed) throw Failure{ACCP_ERR_IO, failed};
}

}  // namespace accp_nats

extern "C" ACCP_API accp_status accp_store_backend_entry(const char *place, size_t place_len,
                                                         uint32_t flags,
                                                         const accp_store_backend **out,
                                                         void **user_out, accp_error *err) {
    return accp_nats::run_guarded(err, [&] {
        const accp_nats::Place read = accp_nats::read_place({place_len ? place : "", place_len});
        const bool makes = !(flags & (ACCP_STORE_EXISTING | ACCP_STORE_READ_ONLY));
        *user_out = new accp_nats::Backend(read, makes);
        *out = &accp_nats::kTable;
    });
}
