// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/stream.h"

#include <cstdlib>

namespace accp_nats {

namespace {

constexpr std::string_view kShards = "accp shards=";
constexpr jsErrCode kNoSpace[] = {JSInsufficientResourcesErr, JSStorageResourcesExceededErr,
                                  JSMemoryResourcesExceededErr};

struct EndInfo {
    void operator()(jsStreamInfo *info) const { jsStreamInfo_Destroy(info); }
};
using Info = std::unique_ptr<jsStreamInfo, EndInfo>;

[[noreturn]] void refuse(natsStatus status, jsErrCode number) {
    if (status == NATS_NO_MEMORY) throw std::bad_alloc();
    if (status == NATS_NO_RESPONDERS || number == JSNotEnabledForAccountErr ||
        number == JSNotEnabledErr)
        throw Failure{ACCP_ERR_IO, "the NATS server has no JetStream: start it with -js"};
    if (number == JSClusterNoPeersErr || number == JSStreamReplicasNotSupportedErr)
        throw Failure{
            ACCP_ERR_ARG,
            "fewer nodes of the cluster can be reached than the place has replicas: check "
            "replicas="};
    for (const jsErrCode one : kNoSpace)
        if (number == one) throw Failure{ACCP_ERR_IO, "JetStream has no space for a stream"};
    if (status == NATS_TIMEOUT || number == JSClusterNotAvailErr)
        throw Failure{ACCP_ERR_IO, "JetStream does not answer: it has no quorum, or no leader yet"};
    thread_local std::string said;  // valid until the host has read it
    said = std::string("JetStream refuses the stream: ") + nats_GetLastError(nullptr);
    throw Failure{ACCP_ERR_IO, said.c_str()};
}

// Returns NULL if the stream does not exist.
Info find_stream(Link &link, const std::string &name) {
    jsStreamInfo *info = nullptr;
    jsErrCode number = static_cast<jsErrCode>(0);
    const natsStatus status =
        js_GetStreamInfo(&info, link.open()->jetstream, name.c_str(), nullptr, &number);
    if (status == NATS_NOT_FOUND) return nullptr;
    if (status != NATS_OK) refuse(status, number);
    return Info(info);
}

// Returns NULL if another client has just created it with a different configuration.
Info make_stream(Link &link, const std::string &name, const std::string &prefix, int replicas,
                 int shards) {
    const std::string subjects = prefix + ".>",
                      says = std::string(kShards) + std::to_string(shards);
    const char *all[] = {subjects.c_str()};
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = name.c_str();
    config.Description = says.c_str();
    config.Subjects = all;
    config.SubjectsLen = 1;
    config.Storage = js_FileStorage;
    config.Discard = js_DiscardNew;
    config.Replicas = replicas;
    config.AllowDirect = true;
    jsStreamInfo *info = nullptr;
    jsErrCode number = static_cast<jsErrCode>(0);
    const natsStatus status =
        js_AddStream(&info, link.open()->jetstream, &config, nullptr, &number);
    if (number == JSStreamNameExistErr || number == JSStreamSubjectOverlapErr) return nullptr;
    if (status != NATS_OK) refuse(status, number);
    return Info(info);
}

int shards_of(const jsStreamInfo &info) {
    const std::string_view says =
        info.Config && info.Config->Description ? info.Config->Description : "";
    return says.starts_with(kShards) ? std::atoi(says.data() + kShards.size()) : 0;
}

std::unique_ptr<Stream> stream_of(Link &link, const std::string &name, const std::string &prefix,
                                  const Info &info, Watching watching) {
    if (!info->Config || !info->Config->AllowDirect)
        throw Failure{ACCP_ERR_ARG, "a stream of the place must have allow_direct"};
    return std::make_unique<Stream>(link, name, prefix, info->Config->Replicas > 1, watching);
}

// Returns the number of shards of the place; 0 if it does not exist.
int find_shards(Link &link, const std::string &name) {
    if (find_stream(link, name)) return 1;
    const Info first = find_stream(link, name + "-0");
    if (!first) return 0;
    const int shards = shards_of(*first);
    if (shards < 2 || shards > kMaxShards)
        throw Failure{ACCP_ERR_ARG,
                      "the description of stream ACCP-PREFIX-0 must be \"accp shards=N\""};
    return shards;
}

}  // namespace

std::vector<std::unique_ptr<Stream>> open_streams(Link &link, const Place &place, bool makes) {
    const std::string name = "ACCP-" + place.prefix;
    const int found = find_shards(link, name);
    if (!found && !makes) throw Failure{ACCP_ERR_ARG, "the store does not exist"};
    if (found && place.shards && found != place.shards)
        throw Failure{ACCP_ERR_ARG, "the store has another number of shards: check shards="};
    const int shards = found ? found : place.shards ? place.shards : 1;
    std::vector<std::unique_ptr<Stream>> out;
    for (int i = 0; i < shards; ++i) {
        const std::string number = std::to_string(i);
        const std::string of = shards == 1 ? name : name + "-" + number;
        const std::string prefix = shards == 1 ? place.prefix : place.prefix + "." + number;
        Info info = found ? find_stream(link, of) : nullptr;
        if (!info && !makes) throw Failure{ACCP_ERR_ARG, "a stream of the place is missing"};
        if (!info) info = make_stream(link, of, prefix, place.replicas, shards);
        if (!info) info = find_stream(link, of);
        if (!info || (shards > 1 && shards_of(*info) != shards))
            throw Failure{ACCP_ERR_ARG, "the store has another number of shards: check shards="};
        out.push_back(stream_of(link, of, prefix, info, place.watching));
    }
    return out;
}

size_t shard_of(std::string_view id, size_t shards) {
    uint64_t hash = 14695981039346656037ull;
    for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return hash % shards;
}

}  // namespace accp_nats
