// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_link.h.
#include "nats/nats_link.h"

#include <chrono>
#include <cstdlib>
#include <memory>

namespace accp_nats {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kWaitMs = 5000;
// Followers wait for 4 s at least before they elect another leader, which sends to them each
// second.
constexpr int64_t kHeardNs = 2'000'000'000;
constexpr auto kTrust = std::chrono::seconds(1);
constexpr int64_t kHeardWaitMs = 50;
constexpr int kHeardTries = 20;
constexpr int kLeaderTries = 3;
constexpr const char *kCutOff = "the leader of the stream is cut off from the others";
constexpr int64_t kSliceMs = 50;  // after which the connection is looked at
constexpr int64_t kBehindMs = 10;
constexpr int kBehindTries = 300;
constexpr const char *kNoServer = "no NATS server answers, or JetStream has no quorum";
constexpr const char *kExpected = "Nats-Expected-Last-Subject-Sequence";
constexpr const char *kPlaceInBatch = "Accp-Batch";  // "batch.index"
constexpr std::string_view kNoMessage = R"("err_code":10037)";
constexpr int kWrongLastSequence = 10071;

void must(natsStatus status, const char *message = kNoServer) {
    if (status == NATS_NO_MEMORY) throw std::bad_alloc();
    if (status != NATS_OK) throw Failure{ACCP_ERR_IO, message};
}

struct EndMessage {
    void operator()(natsMsg *msg) const { natsMsg_Destroy(msg); }
};
using HeldMessage = std::unique_ptr<natsMsg, EndMessage>;

void read_message(natsMsg *msg, uint64_t seq, Message &out) {
    out.seq = seq;
    out.data.assign(natsMsg_GetData(msg), static_cast<size_t>(natsMsg_GetDataLength(msg)));
}

}  // namespace

Link::Link(const Place &place, bool makes) : name_("ACCP-" + place.prefix) {
    nats_Open(-1);
    struct Undo {
        Link *link;
        ~Undo() {
            if (!link) return;
            jsCtx_Destroy(link->stream_);
            natsConnection_Destroy(link->connection_);
            natsOptions_Destroy(link->options_);
        }
    } undo = {this};
    connect(place);
    find_stream(place, makes);
    undo.link = nullptr;
}

Link::~Link() {
    {
        std::lock_guard<std::mutex> held(lock_);
        waiting_ = nullptr;
    }
    natsConnection_Close(connection_);  // so that nothing arrives any more
    jsCtx_Destroy(stream_);
    natsConnection_Destroy(connection_);
    natsOptions_Destroy(options_);
}

void Link::connect(const Place &place) {
    std::vector<const char *> servers;
    for (const std::string &server : place.servers) servers.push_back(server.c_str());
    must(natsOptions_Create(&options_));
    must(natsOptions_SetServers(options_, servers.data(), static_cast<int>(servers.size())),
         "a host's name is none");
    must(natsOptions_SetName(options_, "libaccp"));
    must(natsOptions_SetMaxReconnect(options_, -1));
    must(natsOptions_SetReconnectWait(options_, 100));
    must(natsOptions_SetFailRequestsOnDisconnect(options_, true));
    if (place.tls) must(natsOptions_SetSecure(options_, true));
    const char *bad_file = "a file of the place's options cannot be read";
    if (!place.ca.empty())
        must(natsOptions_LoadCATrustedCertificates(options_, place.ca.c_str()), bad_file);
    if (!place.cert.empty())
        must(natsOptions_LoadCertificatesChain(options_, place.cert.c_str(), place.key.c_str()),
             bad_file);
    if (!place.creds.empty())
        must(natsOptions_SetUserCredentialsFromFiles(options_, place.creds.c_str(), nullptr),
             bad_file);
    must(natsConnection_Connect(&connection_, options_));
    max_payload_ = static_cast<size_t>(natsConnection_GetMaxPayload(connection_));
    jsOptions js;
    jsOptions_Init(&js);
    js.Wait = kWaitMs;
    js.PublishAsync.AckHandler = note_answer;
    js.PublishAsync.AckHandlerClosure = this;
    js.PublishAsync.MaxPending = 65536;
    must(natsConnection_JetStream(&stream_, connection_, &js));
}

void Link::find_stream(const Place &place, bool makes) {
    jsStreamInfo *info = nullptr;
    natsStatus status = js_GetStreamInfo(&info, stream_, name_.c_str(), nullptr, nullptr);
    if (status == NATS_NOT_FOUND && !makes) throw Failure{ACCP_ERR_ARG, "no such store"};
    if (status == NATS_NOT_FOUND) {
        const std::string all = place.prefix + ".>";
        const char *subjects[] = {all.c_str()};
        jsStreamConfig config;
        jsStreamConfig_Init(&config);
        config.Name = name_.c_str();
        config.Subjects = subjects;
        config.SubjectsLen = 1;
        config.Storage = js_FileStorage;
        config.Discard = js_DiscardNew;
        config.Replicas = place.replicas;
        config.AllowDirect = true;
        status = js_AddStream(&info, stream_, &config, nullptr, nullptr);
    }
    replicated_ = !info || !info->Config || info->Config->Replicas > 1;
    const bool is_direct = info && info->Config && info->Config->AllowDirect;
    jsStreamInfo_Destroy(info);
    must(status);
    if (!is_direct) throw Failure{ACCP_ERR_ARG, "the stream must have allow_direct"};
}

bool Link::has_majority() {
    jsStreamInfo *info = nullptr;
    must(js_GetStreamInfo(&info, stream_, name_.c_str(), nullptr, nullptr));
    const std::unique_ptr<jsStreamInfo, void (*)(jsStreamInfo *)> held(info, jsStreamInfo_Destroy);
    const jsClusterInfo *const cluster = info->Cluster;
    const int others = cluster ? cluster->ReplicasLen : 0;
    int heard = 0;
    for (int i = 0; i < others; ++i) {
        const jsPeerInfo &one = *cluster->Replicas[i];
        heard += !one.Offline && one.Active >= 0 && one.Active <= kHeardNs;
    }
    return 2 * (heard + 1) > others + 1;
}

// A machine that is busy is given another second.
void Link::confirm_leader() {
    for (int tries = 0; replicated_; ++tries, nats_Sleep(kHeardWaitMs)) {
        const auto asked = Clock::now();
        if (asked <= trusted_until_) return;
        if (tries == kHeardTries) throw Failure{ACCP_ERR_IO, kCutOff};
        if (has_majority()) trusted_until_ = asked + kTrust;
    }
}

bool Link::ask_leader(const std::function<natsStatus(natsMsg **)> &ask, uint64_t seq,
                      Message &out) {
    for (int tries = 0; tries < kLeaderTries; ++tries) {
        confirm_leader();
        natsMsg *msg = nullptr;
        const natsStatus status = ask(&msg);
        const HeldMessage held(msg);
        if (replicated_ && Clock::now() > trusted_until_) continue;
        if (status == NATS_NOT_FOUND) return false;
        must(status);
        read_message(msg, seq ? seq : natsMsg_GetSequence(msg), out);
        return true;
    }
    throw Failure{ACCP_ERR_IO, kCutOff};
}

bool Link::last(const std::string &subject, Message &out) {
    const auto ask = [&](natsMsg **msg) {
        return js_GetLastMsg(msg, stream_, name_.c_str(), subject.c_str(), nullptr, nullptr);
    };
    return ask_leader(ask, 0, out);
}

bool Link::get(uint64_t seq, Message &out) {
    const auto ask = [&](natsMsg **msg) {
        return js_GetMsg(msg, stream_, name_.c_str(), seq, nullptr, nullptr);
    };
    return ask_leader(ask, seq, out);
}

// libnats has no call for it.
uint64_t Link::first_from(const std::string &subject, uint64_t from) {
    const std::string api = "$JS.API.STREAM.MSG.GET." + name_;
    const std::string what =
        R"({"seq":)" + std::to_string(from) + R"(,"next_by_subj":")" + subject + R"("})";
    Message answer;
    const auto ask = [&](natsMsg **msg) {
        return natsConnection_Request(msg, connection_, api.c_str(), what.data(),
                                      static_cast<int>(what.size()), kWaitMs);
    };
    if (!ask_leader(ask, 1, answer)) return 0;
    constexpr std::string_view kMessage = R"("message":{)", kSeq = R"("seq":)";
    const size_t message = answer.data.find(kMessage);
    const size_t at = answer.data.find(kSeq, message);
    const bool is_there = message != answer.data.npos && at != answer.data.npos;
    if (!is_there && answer.data.find(kNoMessage) == answer.data.npos) must(NATS_ERR);
    return is_there ? std::strtoull(answer.data.c_str() + at + kSeq.size(), nullptr, 10) : 0;
}

// A replica answers, which may be behind the leader: what is not there yet is asked for again.
bool Link::next(const std::string &subject, uint64_t from, Message &out) {
    if (leader_alone_ && replicated_) {
        const uint64_t seq = first_from(subject, from);
        return seq && get(seq, out);
    }
    jsDirectGetMsgOptions wanted;
    jsDirectGetMsgOptions_Init(&wanted);
    wanted.Sequence = from;
    wanted.NextBySubject = subject.c_str();
    natsMsg *msg = nullptr;
    const natsStatus status = js_DirectGetMsg(&msg, stream_, name_.c_str(), nullptr, &wanted);
    const HeldMessage held(msg);
    if (status == NATS_NOT_FOUND) return false;
    must(status);
    read_message(msg, natsMsg_GetSequence(msg), out);
    return true;
}

bool Link::walk(const std::string &subject, uint64_t from, uint64_t last,
                const std::function<bool(Message &)> &visit) {
    Message message;
    for (int tries = 0; from <= last;) {
        if (next(subject, from, message)) {
            if (message.seq > last) return false;
            if (!visit(message)) return true;
            from = message.seq + 1;
            tries = 0;
        } else {
            Message newest;  // or have they been erased?
            if (!this->last(subject, newest) || newest.seq < from) return false;
            if (++tries == kBehindTries)
                throw Failure{ACCP_ERR_IO, "a replica of the stream is far behind"};
            nats_Sleep(kBehindMs);
        }
    }
    return true;
}

// On a thread of libnats. An answer that comes too late is of another batch.
void Link::note_answer(jsCtx *, natsMsg *msg, jsPubAck *ack, jsPubAckErr *error, void *closure) {
    const HeldMessage held(msg);
    Link &link = *static_cast<Link *>(closure);
    const char *place = nullptr;
    if (natsMsgHeader_Get(msg, kPlaceInBatch, &place) != NATS_OK) return;
    char *dot = nullptr;
    const uint64_t batch = std::strtoull(place, &dot, 10);
    const size_t index = std::strtoull(dot + 1, nullptr, 10);
    std::lock_guard<std::mutex> guard(link.lock_);
    if (!link.waiting_ || batch != link.batch_) return;
    Publish &one = (*link.waiting_)[index];
    if (one.answered) return;
    one.answered = true;
    if (ack) one.seq = ack->Sequence;
    one.status = ack                                                               ? ACCP_OK
                 : error && static_cast<int>(error->ErrCode) == kWrongLastSequence ? ACCP_ERR_BUSY
                                                                                   : ACCP_ERR_IO;
    --link.left_;
    link.answered_.notify_one();
}

// How often the connection was made anew; another number while there is none. What was sent over
// one is answered over that one or never.
uint64_t Link::reconnects() const {
    if (natsConnection_Status(connection_) != NATS_CONN_STATUS_CONNECTED) return UINT64_MAX;
    natsStatistics *counts = nullptr;
    uint64_t found = 0;
    if (natsStatistics_Create(&counts) == NATS_OK &&
        natsConnection_GetStats(connection_, counts) == NATS_OK)
        (void)natsStatistics_GetCounts(counts, nullptr, nullptr, nullptr, nullptr, &found);
    natsStatistics_Destroy(counts);
    return found;
}

void Link::publish(std::vector<Publish> &all) {
    if (all.empty()) return;
    uint64_t batch = 0;
    {
        std::lock_guard<std::mutex> guard(lock_);
        waiting_ = &all;
        batch = ++batch_;
        left_ = all.size();
    }
    size_t unsent = 0;
    const uint64_t connections = reconnects();
    for (size_t i = 0; i < all.size(); ++i) {
        natsMsg *msg = nullptr;
        natsStatus status =
            natsMsg_Create(&msg, all[i].subject.c_str(), nullptr, all[i].data.data(),
                           static_cast<int>(all[i].data.size()));
        const std::string place = std::to_string(batch) + "." + std::to_string(i);
        if (status == NATS_OK) status = natsMsgHeader_Set(msg, kPlaceInBatch, place.c_str());
        if (status == NATS_OK && all[i].expected != Publish::kAny)
            status = natsMsgHeader_Set(msg, kExpected, std::to_string(all[i].expected).c_str());
        if (status == NATS_OK) status = js_PublishMsgAsync(stream_, &msg, nullptr);
        unsent += status != NATS_OK;
        if (msg) natsMsg_Destroy(msg);
    }
    std::unique_lock<std::mutex> guard(lock_);
    bool whole = false;
    for (int64_t waited = 0; !whole && waited < kWaitMs; waited += kSliceMs) {
        whole = answered_.wait_for(guard, std::chrono::milliseconds(kSliceMs),
                                   [&] { return left_ <= unsent; });
        if (!whole && reconnects() != connections) break;
    }
    waiting_ = nullptr;
    guard.unlock();
    if (whole && !unsent) return;
    natsMsgList pending = {};  // nobody waits for these any more
    if (js_PublishAsyncGetPendingList(&pending, stream_) == NATS_OK) natsMsgList_Destroy(&pending);
}

void Link::forget(uint64_t seq) {
    const std::string subject = "$JS.API.STREAM.MSG.DELETE." + name_;
    const std::string what = R"({"seq":)" + std::to_string(seq) + R"(,"no_erase":true})";
    (void)natsConnection_PublishRequest(connection_, subject.c_str(), "_INBOX.accp.nobody",
                                        what.data(), static_cast<int>(what.size()));
}

void Link::purge(const std::string &subject, uint64_t below) {
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = kWaitMs;
    options.Stream.Purge.Subject = subject.c_str();
    options.Stream.Purge.Sequence = below;
    must(js_PurgeStream(stream_, name_.c_str(), &options, nullptr));
}

}  // namespace accp_nats
