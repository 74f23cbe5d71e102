// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Network namespaces that have no names and go away with the test, each joined by a pair of veth
// to a bridge in one more: addresses 10.90.0.1, .2, … that are nowhere else.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nats_tests {

class Spaces {
public:
    // Is it allowed to make them here? What is in the way, or "".
    static std::string obstacle();

    explicit Spaces(size_t count);
    ~Spaces();
    Spaces(const Spaces &) = delete;
    Spaces &operator=(const Spaces &) = delete;

    static std::string address(size_t space) { return "10.90.0." + std::to_string(space + 1); }
    // The calling thread, and all that it makes, is in the space from here on.
    void enter(size_t space) const;
    // On a thread of its own, in the space.
    void within(size_t space, const std::function<void()> &work) const;

    void cut(size_t space) const;  // from all others, both ways
    void heal(size_t space) const;
    // What `from` sends to `to` is lost; the other way is open.
    void lose(size_t from, size_t to) const;
    void stop_losing(size_t from, size_t to) const;
    // All that a space sends waits in a queue, at so many bits a second.
    void slow_down(size_t space, const std::string &rate) const;
    void speed_up(size_t space) const;

private:
    void run(size_t space, const std::string &command) const;
    std::string file_of(size_t space) const;

    std::vector<int> spaces_;  // files of the namespaces; the last one is the bridge's
};

}  // namespace nats_tests
