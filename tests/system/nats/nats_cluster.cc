// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_cluster.h.
#include "nats/nats_cluster.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "nats/server_file.h"
#include "nats/tcp.h"

namespace nats_tests {

namespace {

constexpr int kClientPort = 4222, kRoutePort = 6222;  // of nodes with a network namespace

}  // namespace

bool Cluster::keeps_replicas_alike() {
    const std::string command = std::string(server_file()) + " --version";
    int major = 0, minor = 0;
    FILE *const said = popen(command.c_str(), "r");
    const int read = said ? std::fscanf(said, "nats-server: v%d.%d", &major, &minor) : 0;
    if (said) pclose(said);
    EXPECT_EQ(read, 2) << command << " names no version";
    return major > 2 || (major == 2 && minor >= 10);
}

Cluster::Cluster(size_t nodes, const Spaces *spaces, const std::string &js)
    : js_(js.empty() ? directory_.file("js") : js), spaces_(spaces), nodes_(nodes) {
    const std::vector<int> ports = free_ports(2 * nodes);
    for (size_t i = 0; i < nodes; ++i) {
        nodes_[i].address = spaces ? Spaces::address(i) : "127.0.0.1";
        nodes_[i].port = spaces ? kClientPort : ports[2 * i];
        nodes_[i].route = spaces ? kRoutePort : ports[2 * i + 1];
    }
    for (size_t i = 0; i < nodes; ++i) start(i);
}

Cluster::~Cluster() {
    for (size_t i = 0; i < nodes_.size(); ++i) kill_now(i);
    if (testing::Test::HasFailure()) keep_logs();
}

void Cluster::keep_logs() const {
    const std::string to = (std::filesystem::temp_directory_path() /
                            ("accp-nats-logs-" + std::to_string(getpid()) + "-"))
                               .string();
    std::error_code ignored;
    for (size_t i = 0; i < nodes_.size(); ++i)
        std::filesystem::copy_file(log_of(i), to + std::to_string(i),
                                   std::filesystem::copy_options::overwrite_existing, ignored);
    std::printf("logs of the nodes are kept as %s0, …\n", to.c_str());
}

void Cluster::start(size_t node) {
    Node &it = nodes_[node];
    std::string routes;
    for (const Node &one : nodes_)
        routes += (routes.empty() ? "nats://" : ",nats://") + one.address + ":" +
                  std::to_string(one.route);
    const std::string number = std::to_string(node);
    std::vector<std::string> args = {
        "nats-server", "-n",  "node" + number,    "-a", it.address,  "-p", std::to_string(it.port),
        "-js",         "-sd", js_ + "/" + number, "-l", log_of(node)};
    if (nodes_.size() > 1)
        args.insert(args.end(),
                    {"--cluster_name", "accp", "--cluster",
                     "nats://" + it.address + ":" + std::to_string(it.route), "--routes", routes});
    std::vector<char *> all;
    for (std::string &arg : args) all.push_back(arg.data());
    all.push_back(nullptr);
    it.process = fork();
    if (it.process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // because the test itself may be killed
        if (spaces_) spaces_->enter(node);
        execv(server_file(), all.data());
        _exit(127);
    }
    for (int tries = 0; tries < 12000; ++tries, usleep(10000))
        if (answers(node)) return;
    ADD_FAILURE() << "nats-server does not begin";
}

bool Cluster::answers(size_t node) const {
    bool found = false;
    const auto look = [&] {
        const int client = connect_to(nodes_[node].address, nodes_[node].port);
        found = client >= 0;
        if (found) close(client);
    };
    if (spaces_) spaces_->within(node, look);
    else look();
    return found;
}

void Cluster::kill_now(size_t node) {
    Node &it = nodes_[node];
    if (!it.process) return;
    kill(it.process, SIGKILL);
    waitpid(it.process, nullptr, 0);
    it.process = 0;
}

void Cluster::signal(size_t node, int number) {
    if (nodes_[node].process) kill(nodes_[node].process, number);
}

void Cluster::make_stream(const std::string &prefix) {
    const std::string name = place(prefix);
    accp_status status = ACCP_ERR_IO;
    const auto work = [&] {
        const accp_store_backend *table = nullptr;
        void *user = nullptr;
        accp_error err = {};
        status = accp_store_backend_entry(name.data(), name.size(), 0, &table, &user, &err);
        if (status == ACCP_OK) table->close(user);
    };
    for (int tries = 0; status != ACCP_OK && tries < 1800; ++tries, usleep(100000))
        if (spaces_) spaces_->within(0, work);
        else work();
    EXPECT_EQ(status, ACCP_OK);
}

std::string Cluster::hosts_of(size_t first, size_t end) const {
    std::string out = "nats://";
    for (size_t i = first; i < end; ++i)
        out += (i > first ? "," : "") + nodes_[i].address + ":" + std::to_string(nodes_[i].port);
    return out;
}

std::string Cluster::place(const std::string &prefix) const {
    return hosts_of(0, size()) + "/" + prefix + options();
}

std::string Cluster::place_at(size_t node, const std::string &prefix) const {
    return hosts_of(node, node + 1) + "/" + prefix + options();
}

// Sends one request in the protocol of NATS; returns "" if no reply comes.
std::string Cluster::ask(size_t node, const std::string &subject) const {
    std::string found;
    const auto talk = [&] {
        const int client = connect_to(nodes_[node].address, nodes_[node].port);
        if (client < 0) return;
        const std::string said = "CONNECT {\"verbose\":false}\r\nSUB _INBOX.qa 1\r\nPUB " +
                                 subject + " _INBOX.qa 0\r\n\r\n";
        char piece[4096];
        if (send(client, said.data(), said.size(), MSG_NOSIGNAL) > 0)
            for (ssize_t got; found.find("\nMSG") == found.npos || !found.ends_with("}\r\n");) {
                if ((got = recv(client, piece, sizeof piece, 0)) <= 0) break;
                found.append(piece, static_cast<size_t>(got));
            }
        close(client);
    };
    if (spaces_) spaces_->within(node, talk);
    else talk();
    return found.substr(std::min(found.size(), found.find("\nMSG")));
}

size_t Cluster::leader(const std::string &prefix) const {
    if (size() == 1) return 0;
    constexpr std::string_view kLeader = "\"leader\":\"node";
    for (size_t node = 0; node < size(); ++node) {
        if (!runs(node)) continue;
        const std::string said = ask(node, "$JS.API.STREAM.INFO.ACCP-" + prefix);
        const size_t at = said.find(kLeader);
        if (at != said.npos) return static_cast<size_t>(said[at + kLeader.size()] - '0');
    }
    return size();
}

// Waits until every replica has everything. Returns the leader's reply if not, or "".
std::string Cluster::wait_a_minute(const std::string &prefix) const {
    constexpr std::string_view kCurrent = "\"current\":true";
    std::string said;
    for (int tries = 0; tries < 600; ++tries, usleep(100000)) {
        said = ask(0, "$JS.API.STREAM.INFO.ACCP-" + prefix);
        size_t current = 0;
        for (size_t at = said.find(kCurrent); at != said.npos; at = said.find(kCurrent, at + 1))
            ++current;
        if (current == size() - 1 && said.find("\"lag\"") == said.npos) return "";
    }
    return said;
}

void Cluster::wait_until_whole(const std::string &prefix) {
    if (size() == 1) return;
    std::string said = wait_a_minute(prefix);
    for (size_t node = 0; node < size() && !said.empty(); ++node) {
        const std::string name = "\"name\":\"node" + std::to_string(node) + "\",\"current\":false";
        if (said.find(name) == said.npos) continue;
        std::printf("node %zu does not follow for a minute, and is started anew\n", node);
        kill_now(node);
        start(node);
        said = wait_a_minute(prefix);
    }
    EXPECT_EQ(said, "") << "replicas do not catch up";
}

}  // namespace nats_tests
