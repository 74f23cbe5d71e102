// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Network namespaces without names, which end with the test. A pair of veth joins each to a bridge
// in one more namespace. Their addresses 10.90.0.1, .2, … do not exist elsewhere.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nats_tests {

class Spaces {
public:
    // Returns why they cannot be created here, or "".
    static std::string obstacle();

    explicit Spaces(size_t count);
    ~Spaces();
    Spaces(const Spaces &) = delete;
    Spaces &operator=(const Spaces &) = delete;

    static std::string address(size_t space) { return "10.90.0." + std::to_string(space + 1); }
    // Moves the calling thread, and all threads and processes that it starts later, into the
    // namespace.
    void enter(size_t space) const;
    // Runs `work` in the namespace, on a thread of its own.
    void within(size_t space, const std::function<void()> &work) const;

    void cut(size_t space) const;  // from all others, in both directions
    void heal(size_t space) const;
    // Loses what `from` sends to `to`; the other direction still works.
    void lose(size_t from, size_t to) const;
    void stop_losing(size_t from, size_t to) const;
    // Queues everything that a namespace sends, with this rate in bits per second.
    void slow_down(size_t space, const std::string &rate) const;
    void speed_up(size_t space) const;

private:
    void run(size_t space, const std::string &command) const;
    std::string file_of(size_t space) const;

    std::vector<int> spaces_;  // files of the namespaces; the last is that of the bridge
};

}  // namespace nats_tests
