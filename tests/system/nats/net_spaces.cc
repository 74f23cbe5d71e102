// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See net_spaces.h.
#include "nats/net_spaces.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace nats_tests {

namespace {

int run_command(const std::string &command) {
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

// Returns a new namespace; -1: not permitted.
int new_space() {
    int file = -1;
    std::thread maker([&] {
        if (unshare(CLONE_NEWNET) == 0)
            file = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    });
    maker.join();
    return file;
}

}  // namespace

std::string Spaces::obstacle() {
    const int file = new_space();
    if (file < 0) return "no network namespaces may be made here (it takes CAP_SYS_ADMIN)";
    int status = 0;
    std::thread inside([&] {
        status = setns(file, CLONE_NEWNET);
        if (!status) status = run_command("ip link add v0 type veth peer name p0 2>/dev/null");
    });
    inside.join();
    close(file);
    return status ? "ip (Debian: iproute2) makes no veth here" : "";
}

Spaces::Spaces(size_t count) {
    for (size_t i = 0; i <= count; ++i) spaces_.push_back(new_space());
    run(count, "ip link set lo up && ip link add br0 type bridge && ip link set br0 up");
    for (size_t i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        run(count, "ip link add v" + n + " type veth peer name p" + n + " && ip link set v" + n +
                       " master br0 up && ip link set p" + n + " netns " + file_of(i));
        run(i, "ip link set lo up && ip addr add " + address(i) + "/24 dev p" + n +
                   " && ip link set p" + n + " up");
    }
}

Spaces::~Spaces() {
    for (const int space : spaces_) close(space);
}

std::string Spaces::file_of(size_t space) const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(spaces_[space]);
}

void Spaces::enter(size_t space) const {
    if (setns(spaces_[space], CLONE_NEWNET)) std::abort();
}

void Spaces::within(size_t space, const std::function<void()> &work) const {
    std::thread inside([&] {
        enter(space);
        work();
    });
    inside.join();
}

void Spaces::run(size_t space, const std::string &command) const {
    within(space, [&] { EXPECT_EQ(run_command(command), 0) << command; });
}

void Spaces::cut(size_t space) const {
    run(spaces_.size() - 1, "ip link set v" + std::to_string(space) + " nomaster");
}

void Spaces::heal(size_t space) const {
    run(spaces_.size() - 1, "ip link set v" + std::to_string(space) + " master br0");
}

void Spaces::lose(size_t from, size_t to) const {
    run(from, "ip route add blackhole " + address(to) + "/32");
}

void Spaces::stop_losing(size_t from, size_t to) const {
    run(from, "ip route del blackhole " + address(to) + "/32");
}

void Spaces::slow_down(size_t space, const std::string &rate) const {
    run(space, "tc qdisc replace dev p" + std::to_string(space) + " root tbf rate " + rate +
                   " burst 4kb limit 256kb");
}

void Spaces::speed_up(size_t space) const {
    run(space, "tc qdisc del dev p" + std::to_string(space) + " root");
}

}  // namespace nats_tests
