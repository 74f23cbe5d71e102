// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A gateway: a process that receives frames in real sessions over the simulated store, as the hub
// of `accp serve` does (src/server/hub/hub_turn.cc). In a turn all waiting frames are received,
// made durable by one write, and then acknowledged. A gateway may have several lanes, each with a
// store of its own. A lane waits for its store; all lanes share the cores of the processor.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scale/frames.h"
#include "scale/histogram.h"
#include "scale/library.h"
#include "scale/store.h"

namespace scale {

struct GatewayRules {
    size_t lanes = 1;
    bool lanes_by_shard = false;  // else by the session
    size_t cores = 1;
    size_t max_open = 4096;      // sessions that a lane keeps open (SessionPool)
    uint64_t restored = 16'384;  // records that are read when a session is opened (HubSession)
    bool reads_back = false;     // what was written is read again to be passed on, as it was once
    size_t joins_a_turn = 1 << 20;        // agents that come back and are looked after in a turn
    Nanos frame_cpu = 45 * kMicrosecond;  // the session's 10, and HTTP's 35 (docs/server.md)
    Nanos open_cpu = 15 * kMicrosecond;
    Nanos turn_cpu = 10 * kMicrosecond;
    Nanos retry = 200 * kMillisecond;  // between two tries of a store that failed
};

enum class Verdict {
    kTaken,
    kUnavailable,  // 503: say it again
    kClock,        // its time is refused: the gateway's clock is far off
    kWrong         // anything else: it must not happen
};

// A frame, or an agent that comes back and has the session opened.
struct Request {
    static constexpr uint64_t kJoin = UINT64_MAX;
    uint32_t session = 0;
    uint64_t frame = kJoin;
    std::string text;
    std::function<void(Verdict, accp_status)> answer;
};

struct GatewayCounts {
    uint64_t turns = 0, frames = 0, opens = 0, takeovers = 0, records_read = 0, refused = 0;
    Nanos opening = 0, committing = 0, reading_back = 0, idle = 0;  // time of lanes
    Nanos processor = 0;
    Histogram open_took;
};

class Gateway {
public:
    Gateway(Cluster &cluster, const GatewayRules &rules, size_t number, Nanos skew,
            GatewayCounts &counts);

    void take(Request request);
    // Receives a frame without using time; its session has been requested before.
    void take_before(uint32_t session, const std::string &text);
    // Kills the process. Returns its open sessions.
    std::vector<uint32_t> kill();
    size_t queued() const;

private:
    struct Open {
        uint32_t session;
        Handle<accp_session> handle;
        uint64_t routed = 0;
    };
    struct Process {  // shared by the lanes of one process
        Process(Cluster &to, const GatewayRules &by, size_t number, Nanos skewed,
                GatewayCounts &counted)
            : cluster(to), rules(by), skew(skewed), counts(counted), cores(by.cores) {
            caller->number = number;
        }
        void work(Nanos time);  // uses the processor

        Cluster &cluster;
        GatewayRules rules;
        Nanos skew;
        GatewayCounts &counts;
        std::shared_ptr<Caller> caller = std::make_shared<Caller>();
        std::vector<Nanos> cores;  // time until which each one is busy
    };
    class Lane {
    public:
        explicit Lane(std::shared_ptr<Process> process);
        void run();
        void take(Request request);
        void wake();
        void take_before(uint32_t session, const std::string &text);
        std::vector<uint32_t> open_sessions() const;
        size_t queued() const { return frames_.size() + joins_.size(); }

    private:
        void turn();
        Open *open(uint32_t session);
        void receive(Request &request);
        bool commit();
        void settle();
        void read_back();
        void close(uint32_t session);
        void answer(Request &request, Verdict verdict, accp_status status);
        bool is_dead() const { return process_->caller->is_dead; }
        Nanos now() const { return process_->cluster.simulation().now(); }
        int64_t clock() const { return clock_ms(now(), process_->skew); }

        std::shared_ptr<Process> process_;
        Engine engine_;
        std::deque<Request> frames_, joins_;
        std::list<Open> open_;  // most recently used first
        std::unordered_map<uint32_t, std::list<Open>::iterator> by_session_;
        std::vector<Request> promised_;
        std::vector<uint32_t> taken_;
        std::unordered_set<uint32_t> lost_;  // lost to another gateway in this turn
        Nanos work_ = 0;
        Fiber *sleeper_ = nullptr;
        bool fails_ = false;
    };

    Lane &lane_of(uint32_t session);

    std::shared_ptr<Process> process_;
    std::vector<std::shared_ptr<Lane>> lanes_;
};

}  // namespace scale
