// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/kept_connection.h"

#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

namespace accp_nats {

namespace {

constexpr std::chrono::milliseconds kLook{500};  // interval of checks whether it was given up
constexpr const char *kUnreadable = "a file of the place's options cannot be read";

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

}  // namespace

Connected::~Connected() {
    if (connection) natsConnection_Close(connection);
    for (natsSubscription *one : subscriptions_) natsSubscription_Destroy(one);
    jsCtx_Destroy(jetstream);
    natsConnection_Destroy(connection);
}

bool Connected::is_up() const {
    return natsConnection_Status(connection) == NATS_CONN_STATUS_CONNECTED;
}

natsSubscription *Connected::subscribe(const std::string &subject, const Callback &take) {
    subscriptions_.reserve(subscriptions_.size() + 1);
    natsSubscription *made = nullptr;
    check_nats(natsConnection_Subscribe(&made, connection, subject.c_str(), Callback::on_message,
                                        take.closure()),
               kNoServer);
    subscriptions_.push_back(made);
    return made;
}

// The options reconnect without end.
KeptConnection::Options KeptConnection::new_options(const Place &place) {
    natsOptions *made = nullptr;
    check_nats(natsOptions_Create(&made), "NATS options cannot be created");
    Options options(made);
    std::vector<const char *> servers;
    for (const std::string &server : place.servers) servers.push_back(server.c_str());
    check_nats(natsOptions_SetServers(made, servers.data(), static_cast<int>(servers.size())),
               "the name of a host is malformed");
    const auto set = [](natsStatus status) { check_nats(status, kRefused); };
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

KeptConnection::KeptConnection(const Place &place, Prepare prepare, std::function<void()> on_again)
    : place_(place), prepare_(std::move(prepare)), on_again_(std::move(on_again)) {
    nats_Open(-1);
    options_ = new_options(place_);
    if (on_again_) {
        reconnected_.emplace([this](natsMsg *) { on_again_(); });
        check_nats(natsOptions_SetReconnectedCB(options_.get(), Callback::on_event,
                                                reconnected_->closure()),
                   kRefused);
    }
    newest_ = open();
    keeper_ = std::thread([this] { keep(); });
}

KeptConnection::~KeptConnection() {
    {
        std::lock_guard<std::mutex> guard(lock_);
        ends_ = true;
    }
    ends_changed_.notify_one();
    keeper_.join();
}

std::shared_ptr<const Connected> KeptConnection::get() const {
    std::lock_guard<std::mutex> guard(lock_);
    return newest_;
}

std::shared_ptr<const Connected> KeptConnection::open() const {
    const auto made = std::make_shared<Connected>();
    const natsStatus status = connect(made->connection, options_.get(), place_);
    if (status != NATS_OK) check_nats(status, why_not(status, place_));
    prepare_(*made);
    return made;
}

bool KeptConnection::ends_within(std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> guard(lock_);
    return ends_changed_.wait_for(guard, time, [this] { return ends_; });
}

void KeptConnection::keep() {
    while (!ends_within(kLook)) {
        if (!natsConnection_IsClosed(get()->connection)) continue;
        try {
            std::shared_ptr<const Connected> other = open();
            std::lock_guard<std::mutex> guard(lock_);
            newest_.swap(other);
        } catch (...) {  // still refused: the next check tries again
            continue;
        }
        if (on_again_) on_again_();
    }
}

}  // namespace accp_nats
