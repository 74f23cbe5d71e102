// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/listen_fault.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace server {
namespace {

struct EndAddresses {
    void operator()(addrinfo *all) const { freeaddrinfo(all); }
};

// Empty: it can be bound.
std::string bind_fault(const WebOptions &options) {
    addrinfo hints = {};
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    const int status =
        getaddrinfo(options.address.c_str(), std::to_string(options.port).c_str(), &hints, &found);
    if (status == EAI_NONAME) return "not a number, such as 127.0.0.1";
    if (status != 0) return gai_strerror(status);
    const std::unique_ptr<addrinfo, EndAddresses> all(found);
    const int socket = ::socket(found->ai_family, found->ai_socktype, 0);
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const bool is_bound =
        bind(socket, found->ai_addr, found->ai_addrlen) == 0 && listen(socket, 1) == 0;
    const std::string fault = is_bound ? "" : std::strerror(errno);
    close(socket);
    return fault;
}

}  // namespace

std::string listen_fault(const WebOptions &options) {
    for (const std::string &file : {options.certificate, options.key})
        if (!file.empty() && access(file.c_str(), R_OK) != 0)
            return "the certificate: " + file + ": " + std::strerror(errno);
    const std::string fault = bind_fault(options);
    const std::string where = options.address + ", port " + std::to_string(options.port);
    if (!fault.empty()) return "cannot listen to " + where + ": " + fault;
    if (!options.certificate.empty())
        return "the certificate " + options.certificate + " and the key " + options.key +
               " are no pair of PEM files";
    return "cannot listen to " + where;
}

}  // namespace server
