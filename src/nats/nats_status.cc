// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_backend.h: what there is to say of a place.
#include "nats/nats_backend.h"

namespace accp_nats {

namespace {

constexpr int64_t kAskMs = 2000;
constexpr double kNsOfSecond = 1e9;

struct Sayer {
    accp_store_status_function give;
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

void say_stream(const jsStreamInfo &info, const std::string &part, Sayer &say) {
    const jsClusterInfo *cluster = info.Cluster;
    const bool is_cluster = cluster && cluster->Leader;
    say(part, "replicas", std::to_string(info.Config ? info.Config->Replicas : 1));
    if (is_cluster) say(part, "leader", *cluster->Leader ? cluster->Leader : "none");
    for (int i = 0; is_cluster && i < cluster->ReplicasLen; ++i)
        say(part, std::string("replica ") + cluster->Replicas[i]->Name,
            state_of(*cluster->Replicas[i]));
    say(part, "messages", std::to_string(info.State.Msgs));
    say(part, "bytes", std::to_string(info.State.Bytes));
    say(part, "last", std::to_string(info.State.LastSeq));
}

}  // namespace

void Backend::status(accp_store_status_function give, void *context) {
    Sayer say{give, context};
    const std::string store;
    char url[256] = "";
    say(store, "kind", "nats");
    const bool is_there =
        natsConnection_GetConnectedUrl(link_.connection(), url, sizeof url) == NATS_OK && *url;
    say(store, "server", is_there ? url : "none");
    say(store, "shards", std::to_string(streams_.size()));
    const char *failed = nullptr;
    int failures = 0;  // each may have taken its time
    for (size_t i = 0; i < streams_.size() && say.goes_on && failures < 2; ++i) {
        Stream &stream = *streams_[i];
        const std::string part = "stream " + stream.name();
        jsOptions options;
        jsOptions_Init(&options);
        options.Wait = kAskMs;
        jsStreamInfo *info = nullptr;
        try {
            const bool is_old = stream.is_led_by_old_server();
            if (!i) say(store, "acknowledged", acknowledged(is_old, stream.is_replicated()));
            if (js_GetStreamInfo(&info, link_.jetstream(), stream.name().c_str(), &options,
                                 nullptr) != NATS_OK)
                throw Failure{ACCP_ERR_IO, "the stream does not answer"};
            say_stream(*info, part, say);
        } catch (const Failure &failure) {
            failed = failure.message;
            ++failures;
            say(part, "fails", failed);
        }
        jsStreamInfo_Destroy(info);
    }
    if (failed) throw Failure{ACCP_ERR_IO, failed};
}

}  // namespace accp_nats
