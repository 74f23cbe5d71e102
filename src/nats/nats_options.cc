// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_options.h.
#include "nats/nats_options.h"

#include <unistd.h>

namespace accp_nats {

static constexpr const char *kUnreadable = "a file of the place's options cannot be read";

Options new_options(const Place &place) {
    natsOptions *made = nullptr;
    must(natsOptions_Create(&made), "no options of NATS");
    Options options(made);
    std::vector<const char *> servers;
    for (const std::string &server : place.servers) servers.push_back(server.c_str());
    must(natsOptions_SetServers(made, servers.data(), static_cast<int>(servers.size())),
         "a host's name is none");
    const auto set = [](natsStatus status) { must(status, "an option of NATS is refused"); };
    set(natsOptions_SetName(made, "libaccp"));
    set(natsOptions_SetMaxReconnect(made, -1));
    set(natsOptions_SetReconnectWait(made, 100));
    set(natsOptions_SetFailRequestsOnDisconnect(made, true));
    set(natsOptions_SetSendAsap(made, true));  // else it waits a millisecond
    if (place.tls) set(natsOptions_SetSecure(made, true));
    const auto read = [](natsStatus status) { must(status, kUnreadable); };
    if (!place.ca.empty()) read(natsOptions_LoadCATrustedCertificates(made, place.ca.c_str()));
    if (!place.cert.empty())
        read(natsOptions_LoadCertificatesChain(made, place.cert.c_str(), place.key.c_str()));
    if (!place.creds.empty()) {
        // libnats reads the file when it connects, and names no file then
        if (access(place.creds.c_str(), R_OK) != 0) throw Failure{ACCP_ERR_IO, kUnreadable};
        set(natsOptions_SetUserCredentialsFromFiles(made, place.creds.c_str(), nullptr));
    }
    return options;
}

}  // namespace accp_nats
