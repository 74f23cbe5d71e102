// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One nats-server, or a cluster of three: on the loopback interface, or each in its own network
// namespace (net_spaces.h).
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nats/net_spaces.h"
#include "store/stores.h"

namespace nats_tests {

class Cluster {
public:
    // spaces: borrowed; NULL: the loopback interface. js: the directory of the nodes' data; "": a
    // temporary one.
    explicit Cluster(size_t nodes, const Spaces *spaces = nullptr, const std::string &js = "");
    ~Cluster();
    Cluster(const Cluster &) = delete;
    Cluster &operator=(const Cluster &) = delete;

    size_t size() const { return nodes_.size(); }
    void start(size_t node);
    void kill_now(size_t node);
    void signal(size_t node, int number);
    bool runs(size_t node) const { return nodes_[node].process != 0; }
    int port(size_t node) const { return nodes_[node].port; }
    // nats-server before 2.10 may keep in a replica a message that the leader of the stream had not
    // replicated when it was cut off or stopped (docs/store.md).
    static bool keeps_replicas_alike();
    // Creates the stream. Retries for at most a minute.
    void make_stream(const std::string &prefix);

    // The name of a store, with all nodes or one of them.
    std::string place(const std::string &prefix) const;
    std::string place_at(size_t node, const std::string &prefix) const;
    // Returns the leader of the stream as any node reports it; size() if none does.
    size_t leader(const std::string &prefix) const;
    // Waits until every replica has everything, as the leader reports. A node that does not catch
    // up within a minute is restarted, as an operator would do; some nodes of nats-server 2.10.27
    // need this.
    void wait_until_whole(const std::string &prefix);

private:
    struct Node {
        std::string address;
        int port = 0, route = 0;
        pid_t process = 0;
    };

    std::string hosts_of(size_t first, size_t end) const;
    // Without `watch` a client that writes so rarely would only contact the leader.
    std::string options() const { return nodes_.size() > 1 ? "?replicas=3&watch=always" : ""; }
    std::string wait_a_minute(const std::string &prefix) const;
    std::string ask(size_t node, const std::string &subject) const;
    bool answers(size_t node) const;
    std::string log_of(size_t node) const { return directory_.file("log" + std::to_string(node)); }
    void keep_logs() const;  // of a failed test

    store_tests::Directory directory_;
    std::string js_;
    const Spaces *spaces_;
    std::vector<Node> nodes_;
};

}  // namespace nats_tests
