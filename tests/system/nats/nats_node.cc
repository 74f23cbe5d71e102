// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_node.h.
#include "nats/nats_node.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "nats/server_file.h"
#include "nats/tcp.h"

namespace nats_tests {

Node::Node(std::vector<std::string> options)
    : options_(std::move(options)), port_(free_ports(1).front()) {
    start();
}

bool Node::answers() const {
    const int client = connect_to("127.0.0.1", port_);
    if (client >= 0) close(client);
    return client >= 0;
}

void Node::start() {
    const std::string port = std::to_string(port_), directory = directory_.file("js"),
                      log = directory_.file("log");
    process_ = fork();
    if (process_ == 0) {
        std::vector<std::string> all = {"nats-server", "-a",      "127.0.0.1", "-p", port,
                                        "-sd",         directory, "-l",        log};
        all.insert(all.end(), options_.begin(), options_.end());
        std::vector<char *> arguments;
        for (std::string &one : all) arguments.push_back(one.data());
        arguments.push_back(nullptr);
        execv(server_file(), arguments.data());
        _exit(127);
    }
    for (int tries = 0; tries < 12000; ++tries, usleep(10000))
        if (answers()) return;
    ADD_FAILURE() << "nats-server does not begin";
}

void Node::kill_now() {
    if (!process_) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
}

void Node::freeze() {
    kill(process_, SIGSTOP);
    waitpid(process_, nullptr, WUNTRACED);
}
void Node::thaw() { kill(process_, SIGCONT); }

Node &shared_node() {
    static Node node;
    return node;
}

}  // namespace nats_tests

// Each file name gets a prefix of its own. ACCP_NATS_OPTIONS is appended.
std::string store_tests::backend_place(const std::string &file) {
    std::string prefix;
    for (const char c : file) prefix += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    const char *options = std::getenv("ACCP_NATS_OPTIONS");
    return nats_tests::shared_node().place(
               prefix.substr(prefix.size() > 60 ? prefix.size() - 60 : 0)) +
           (options ? std::string("?") + options : "");
}
