// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>

#include "nats/link.h"

namespace accp_nats {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{50};  // interval of checks of the connection
constexpr int64_t kConnectSliceMs = 10;
constexpr const char *kExpected = "Nats-Expected-Last-Subject-Sequence";
constexpr const char *kRefused = "libnats refused an option";

struct EndMessage {
    void operator()(natsMsg *msg) const { natsMsg_Destroy(msg); }
};
using HeldMessage = std::unique_ptr<natsMsg, EndMessage>;

uint64_t header_number(natsMsg *msg, const char *name) {
    const char *value = nullptr;
    return natsMsgHeader_Get(msg, name, &value) == NATS_OK ? std::strtoull(value, nullptr, 10) : 0;
}

bool is_known(const std::string &server) {
    std::string_view host = server;
    host.remove_prefix(host.find("://") + 3);
    if (const size_t user = host.rfind('@'); user != host.npos) host.remove_prefix(user + 1);
    if (host.starts_with('[')) return true;  // an IPv6 address
    const std::string name(host.substr(0, host.find(':')));
    addrinfo *found = nullptr;
    const bool known = getaddrinfo(name.c_str(), nullptr, nullptr, &found) == 0;
    if (found) freeaddrinfo(found);
    return known;
}

// Explains why the connection failed, and what to do.
const char *why_not(natsStatus status, const Place &place) {
    switch (status) {
        case NATS_CONNECTION_AUTH_FAILED:
        case NATS_NOT_PERMITTED:
            return "the NATS server refused the user or password: check USER:PASSWORD@ and creds=";
        case NATS_SSL_ERROR:
        case NATS_SECURE_CONNECTION_WANTED:
        case NATS_SECURE_CONNECTION_REQUIRED:
            return "TLS with the NATS server failed: check tls://, ca=, cert= and key=";
        case NATS_TIMEOUT: return "the server does not answer like a NATS server: check the port";
        default: break;
    }
    if (std::none_of(place.servers.begin(), place.servers.end(), is_known))
        return "the name of a NATS host cannot be resolved: check the place's hosts";
    return "no NATS server listens at any of the place's ports: start nats-server -js";
}

}  // namespace

static constexpr const char *kUnreadable = "a file of the place's options cannot be read";

Options new_options(const Place &place) {
    natsOptions *made = nullptr;
    check_nats(natsOptions_Create(&made), "NATS options cannot be created");
    Options options(made);
    std::vector<const char *> servers;
    for (const std::string &server : place.servers) servers.push_back(server.c_str());
    check_nats(natsOptions_SetServers(made, servers.data(), static_cast<int>(servers.size())),
               "the name of a host is malformed");
    const auto set = [](natsStatus status) { check_nats(status, "libnats refused an option"); };
    set(natsOptions_SetName(made, "libaccp"));
    set(natsOptions_SetMaxReconnect(made, -1));
    set(natsOptions_SetReconnectWait(made, 100));
    set(natsOptions_SetFailRequestsOnDisconnect(made, true));
    set(natsOptions_SetSendAsap(made, true));  // otherwise libnats waits up to a millisecond
    if (place.tls) set(natsOptions_SetSecure(made, true));
    const auto read = [](natsStatus status) { check_nats(status, kUnreadable); };
    if (!place.ca.empty()) read(natsOptions_LoadCATrustedCertificates(made, place.ca.c_str()));
    if (!place.cert.empty())
        read(natsOptions_LoadCertificatesChain(made, place.cert.c_str(), place.key.c_str()));
    if (!place.creds.empty()) {
        // libnats reads the file only when it connects, and its error does not name the file
        if (access(place.creds.c_str(), R_OK) != 0) throw Failure{ACCP_ERR_IO, kUnreadable};
        set(natsOptions_SetUserCredentialsFromFiles(made, place.creds.c_str(), nullptr));
    }
    return options;
}

// libnats 3.4 leaves out a signature that begins with a zero byte, as one in 256 does, and the
// server refuses that. Each try signs another text of the server.
natsStatus connect(natsConnection *&out, natsOptions *options, const Place &place) {
    constexpr int kSignedTries = 3;
    natsStatus status = natsConnection_Connect(&out, options);
    for (int tries = 1;
         status == NATS_CONNECTION_AUTH_FAILED && !place.creds.empty() && tries < kSignedTries;
         ++tries)
        status = natsConnection_Connect(&out, options);
    return status;
}

struct Link::Batch {
    explicit Batch(std::vector<Request> &of) : all(of) {}
    std::vector<Request> &all;
    std::condition_variable changed;
    uint64_t number = 0;
    size_t sent = 0, answered = 0,
           wakes_at = 0;  // wakes_at: notify the owner at this number of replies
};

Link::Link(const Place &place) {
    nats_Open(-1);
    struct Undo {
        Link *link;
        ~Undo() {
            if (link) link->end();
        }
    } undo = {this};
    connect(place);
    undo.link = nullptr;
}

Link::~Link() { end(); }

// After the connection is closed, no callback runs.
void Link::end() {
    if (connection_) natsConnection_Close(connection_);
    natsSubscription_Destroy(answers_);
    natsSubscription_Destroy(deliveries_);
    jsCtx_Destroy(jetstream_);
    natsConnection_Destroy(connection_);
    natsOptions_Destroy(options_);
}

void Link::subscribe(const std::string &subject, natsSubscription *&out) {
    const auto take = [](natsConnection *, natsSubscription *from, natsMsg *msg, void *closure) {
        const HeldMessage held(msg);
        Link &it = *static_cast<Link *>(closure);
        try {
            if (from == it.deliveries_) it.note_delivery(msg);
            else it.note_answer(msg);
        } catch (const std::bad_alloc &) {  // as if the message had been lost
        }
    };
    check_nats(natsConnection_Subscribe(&out, connection_, subject.c_str(), take, this), kRefused);
    check_nats(natsSubscription_SetPendingLimits(out, -1, -1), kRefused);
}

void Link::connect(const Place &place) {
    options_ = new_options(place).release();
    const natsStatus status = accp_nats::connect(connection_, options_, place);
    if (status != NATS_OK) check_nats(status, why_not(status, place));
    max_payload_ = static_cast<size_t>(natsConnection_GetMaxPayload(connection_));
    natsInbox *inbox = nullptr;
    check_nats(natsInbox_Create(&inbox), kRefused);
    inbox_ = inbox;
    natsInbox_Destroy(inbox);
    subscribe(inbox_ + ".*.*", answers_);
    subscribe(delivery_subject(), deliveries_);
    jsOptions js;
    jsOptions_Init(&js);
    js.Wait = kWaitMs;
    check_nats(natsConnection_JetStream(&jetstream_, connection_, &js), kRefused);
}

bool Link::is_connected() const {
    return natsConnection_Status(connection_) == NATS_CONN_STATUS_CONNECTED;
}

// Returns the number of reconnects, or UINT64_MAX while disconnected. A reply comes over the same
// connection as its request, or never.
uint64_t Link::reconnects() const {
    if (!is_connected()) return UINT64_MAX;
    natsStatistics *counts = nullptr;
    uint64_t found = 0;
    if (natsStatistics_Create(&counts) == NATS_OK &&
        natsConnection_GetStats(connection_, counts) == NATS_OK)
        (void)natsStatistics_GetCounts(counts, nullptr, nullptr, nullptr, nullptr, &found);
    natsStatistics_Destroy(counts);
    return found;
}

bool Link::wait_for_connection(const std::atomic<bool> &stops) const {
    for (int64_t waited = 0; !is_connected(); waited += kConnectSliceMs) {
        if (waited >= kConnectMs || stops) return false;
        nats_Sleep(kConnectSliceMs);
    }
    return true;
}

void Link::listen(const std::string &subjects, Listener *listener) {
    std::lock_guard<std::mutex> guard(listeners_lock_);
    if (listener) listeners_[subjects] = listener;
    else listeners_.erase(subjects);
}

// Runs on a thread of libnats. A delivered message has the subject to which it was published.
void Link::note_delivery(natsMsg *msg) {
    const std::string_view subject = natsMsg_GetSubject(msg);
    std::lock_guard<std::mutex> guard(listeners_lock_);
    const auto found = listeners_.find(subject.substr(0, subject.rfind('.')));
    if (found != listeners_.end() && natsMsg_GetReply(msg))
        found->second->take(subject, natsMsg_GetReply(msg));
}

// Runs on a thread of libnats. A reply that comes too late has no batch any more.
void Link::note_answer(natsMsg *msg) {
    const char *place = natsMsg_GetSubject(msg) + inbox_.size() + 1;
    char *dot = nullptr;
    const uint64_t number = std::strtoull(place, &dot, 10);
    const size_t index = std::strtoull(dot + 1, nullptr, 10);
    std::lock_guard<std::mutex> guard(lock_);
    const auto found = batches_.find(number);
    if (found == batches_.end() || index >= found->second->all.size()) return;
    Batch &batch = *found->second;
    Request &one = batch.all[index];
    if (one.answered) return;
    one.reply.assign(natsMsg_GetData(msg), static_cast<size_t>(natsMsg_GetDataLength(msg)));
    one.code = static_cast<int>(header_number(msg, "Status"));
    one.seq = header_number(msg, "Nats-Sequence");
    one.answered = true;
    if (++batch.answered == batch.wakes_at) batch.changed.notify_one();
}

bool Link::send(const Request &one, uint64_t batch, size_t index) {
    const std::string to = inbox_ + "." + std::to_string(batch) + "." + std::to_string(index);
    natsMsg *msg = nullptr;
    if (natsMsg_Create(&msg, one.subject.c_str(), to.c_str(), one.data.data(),
                       static_cast<int>(one.data.size())) != NATS_OK)
        return false;
    const HeldMessage held(msg);
    if (!one.expected.empty() && natsMsgHeader_Set(msg, kExpected, one.expected.c_str()) != NATS_OK)
        return false;
    return natsConnection_PublishMsg(connection_, msg) == NATS_OK;
}

RequestResult Link::wait(Batch &batch, size_t window, const std::atomic<bool> &stops) {
    const uint64_t connections = reconnects();
    size_t known = 0;
    for (auto since = Clock::now();;) {
        for (; batch.sent < batch.all.size() && batch.sent < known + window; ++batch.sent)
            if (!send(batch.all[batch.sent], batch.number, batch.sent)) return RequestResult::kLost;
        std::unique_lock<std::mutex> guard(lock_);
        const size_t rest = batch.sent - known;
        batch.wakes_at = batch.sent == batch.all.size() ? batch.sent : known + (rest + 1) / 2;
        batch.changed.wait_for(guard, kSlice, [&] { return batch.answered >= batch.wakes_at; });
        if (batch.answered == batch.all.size()) return RequestResult::kAnswered;
        if (batch.answered != known) since = Clock::now();
        known = batch.answered;
        guard.unlock();
        if (reconnects() != connections) return RequestResult::kLost;
        if (stops) return RequestResult::kStopped;
        if (Clock::now() - since > std::chrono::milliseconds(kWaitMs))
            return RequestResult::kTimedOut;
    }
}

RequestResult Link::request(std::vector<Request> &all, size_t window,
                            const std::atomic<bool> &stops) {
    if (all.empty()) return RequestResult::kAnswered;
    if (stops) return RequestResult::kStopped;
    if (!wait_for_connection(stops))
        return stops ? RequestResult::kStopped : RequestResult::kNoServer;
    Batch batch(all);
    {
        std::lock_guard<std::mutex> guard(lock_);
        batch.number = ++newest_;
        batches_.emplace(batch.number, &batch);
    }
    struct Remove {
        Link &link;
        uint64_t number;
        ~Remove() {
            std::lock_guard<std::mutex> guard(link.lock_);
            link.batches_.erase(number);
        }
    } remove = {*this, batch.number};
    return wait(batch, window, stops);
}

void Link::post(const std::string &subject, const std::string &data) {
    (void)natsConnection_PublishRequest(connection_, subject.c_str(), "_INBOX.accp.nobody",
                                        data.data(), static_cast<int>(data.size()));
}

}  // namespace accp_nats
