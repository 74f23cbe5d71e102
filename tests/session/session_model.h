// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A slow and simple model of a session: maps, sets and lists in the order of checks of
// docs/wire.md. Tests compare the engine with it.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "accp/accp.h"

namespace accp_session_model {

// A frame in parts, from which its text is built.
struct Frame {
    std::string text, agent, intent, operation, mid, cid, aid, sid;
    int64_t seq = 0, ts = 0, ttl = 0;
    accp_status fault = ACCP_OK;     // the status of decoding the payload (schema, types)
    std::string ref;                 // "warm.k" in the payload, or empty
    int64_t version = 0;             // of a sync:state
    bool whole = false;              // it contains the whole state
    std::map<std::string, int> set;  // members of state or delta
    std::set<std::string> removed;
    std::string cancels;       // of a cancel
    int part = -1, parts = 0;  // of a message in parts
};

class Model {
public:
    struct Value {
        std::string json;
        int64_t expires_ms;
    };
    struct Delivered {
        accp_status status;
        int64_t seq;
        bool operator==(const Delivered &other) const {
            return status == other.status && seq == other.seq;
        }
    };

    accp_status receive(const Frame &frame, int64_t now_ms) {
        const accp_status status = receive_now(frame, now_ms);
        for (auto &one : counts) release(one.second, now_ms);
        close_overdue(now_ms);
        return status;
    }

    accp_status receive_now(const Frame &frame, int64_t now_ms) {
        for (auto &one : counts)
            release(one.second, now_ms);  // frames that sent frames made the next
        if (!is_hex(frame.mid) || frame.seq < 1 || frame.ts * 1000 > now_ms + 300'000)
            return ACCP_E1001;
        if (!intents.count(frame.intent)) return ACCP_E1002;
        Count &count = count_of(frame.agent);
        const bool ours = frame.sid.empty() || frame.sid == id;
        if (is_expired(frame, now_ms)) {
            if (ours && frame.seq == count.next)
                use(count, frame.seq), ++records, release(count, now_ms);
            return ACCP_DROPPED;
        }
        if (!ours) return ACCP_E5002;
        if (mids.count({frame.agent, frame.mid})) return ACCP_E3002;
        for (auto &one : count.held)
            if (one.frame.agent == frame.agent && one.frame.mid == frame.mid) return ACCP_E3002;
        if (frame.seq < count.next || count.ahead.count(frame.seq)) return ACCP_E3003;
        if (frame.seq > count.next) return wait(count, frame, now_ms);
        accp_status status = take(frame, now_ms);
        release(count, now_ms);
        return status;
    }

    // Drops the parts of a chain. This is a record in the log if there were any.
    bool abandon(const std::string &cid) {
        const size_t before = open.size();
        for (auto at = open.begin(); at != open.end();)
            at = at->first.first == cid ? open.erase(at) : std::next(at);
        return open.size() < before;
    }

    // Sends a request, or again that of record `again`. Fails if its chain was cancelled, or it was
    // answered since.
    accp_status ask(const std::string &agent, const std::string &mid, const std::string &cid,
                    int64_t again, int64_t now_ms) {
        Count &count = count_of(agent);
        release(count, now_ms);
        if (again && answered.count(cid) && answered[cid] > again) return ACCP_ERR_ARG;
        if (cancelled.count(cid)) return ACCP_DROPPED;
        ++records;
        mids.insert({agent, mid});
        origins[mid].push_back({cid, "", records});
        use(count, count.next);
        requests[cid.empty() ? mid : cid] = {now_ms + timeout_ms, records};
        return ACCP_OK;
    }

    void expire(int64_t now_ms) {
        for (auto &one : counts) release(one.second, now_ms);
        close_overdue(now_ms);
        std::vector<std::pair<int64_t, int64_t>> expired;  // deadline, record
        for (auto at = requests.begin(); at != requests.end();) {
            const bool over = at->second.deadline < now_ms;
            if (over) expired.emplace_back(at->second.deadline, at->second.record);
            at = over ? requests.erase(at) : std::next(at);
        }
        std::sort(expired.begin(), expired.end());
        for (auto &one : expired) delivered.push_back({ACCP_E3001, one.second});
        records += !expired.empty();
    }

    int64_t next_deadline() const {
        int64_t min = INT64_MAX;
        for (auto &one : requests) min = std::min(min, one.second.deadline);
        for (auto &one : counts)
            if (has_state(one.second)) min = std::min(min, since(one.second) + kGapMs - 1);
        return min;
    }

    accp_status resolve(const std::string &ref, int64_t now_ms, std::string *json) const {
        auto at = values.find(ref);
        if (at == values.end()) return ACCP_E2001;
        if (at->second.expires_ms && now_ms >= at->second.expires_ms) return ACCP_E2002;
        if (json) *json = at->second.json;
        return ACCP_OK;
    }

    std::string state_json() const {
        std::string out = "{";
        for (auto &one : state)
            out += (out.size() > 1 ? ",\"" : "\"") + one.first + "\":" + std::to_string(one.second);
        return out + "}";
    }

    // Reopens the session. Waiting frames must then be sent again.
    void reopen() {
        for (auto &one : counts) one.second.held.clear();
    }

    int64_t next(const std::string &agent) { return count_of(agent).next; }

    std::string id;
    bool by_sender = true;
    std::set<std::pair<std::string, std::string>> mids;  // by agent
    std::set<std::string> cancelled;
    struct Origin {
        std::string cid, aid;
        int64_t record;
    };
    std::map<std::string, std::vector<Origin>>
        origins;          // by mid: several agents may use the same one
    int64_t records = 0;  // in the log
    std::map<std::string, int> state;
    int64_t version = 0;
    std::map<std::string, Value> values;
    struct Parts {
        int count = 0;
        std::map<int, accp_status> faults;  // of the received messages
    };
    std::map<std::pair<std::string, std::string>, Parts> open;  // by cid, and by agent and sid
    struct Request {
        int64_t deadline, record;
    };
    std::map<std::string, Request> requests;  // by cid
    std::map<std::string, int64_t> answered;  // by cid: the record of the newest `done`
    int64_t timeout_ms = 10'000;
    std::vector<Delivered> delivered;

private:
    static constexpr int64_t kGapMs = 5000;
    static constexpr int64_t kLookback = 1024;  // how many records are searched for a cause

    struct Waiting {
        Frame frame;
        int64_t since_ms;
    };
    // A count of sequence numbers: of one sender, or of all.
    struct Count {
        int64_t next = 1;
        std::set<int64_t> ahead;    // used ahead of a gap
        std::vector<Waiting> held;  // by seq; for one seq in the order of arrival
    };
    std::map<std::string, Count> counts;
    Count &count_of(const std::string &agent) { return counts[by_sender ? agent : ""]; }

    static void use(Count &count, int64_t seq) {
        if (seq > count.next && count.ahead.size() < 64) count.ahead.insert(seq);
        else if (seq >= count.next) jump(count, seq);
    }
    static void jump(Count &count, int64_t seq) {
        count.next = std::max(count.next, seq + 1);
        while (count.ahead.count(count.next)) ++count.next;
        count.ahead.erase(count.ahead.begin(), count.ahead.upper_bound(count.next));
    }
    static bool is_used(const Count &count, int64_t seq) {
        return seq < count.next || count.ahead.count(seq);
    }
    static bool is_expired(const Frame &frame, int64_t now_ms) {
        return frame.ttl > 0 && now_ms > (frame.ts + frame.ttl) * 1000;
    }

    static bool is_hex(const std::string &mid) {
        if (mid.size() != 12) return false;
        return mid.find_first_not_of("0123456789abcdef") == std::string::npos;
    }

    accp_status wait(Count &count, const Frame &frame, int64_t now_ms) {
        size_t own = 0;
        for (auto &one : count.held) {
            own += one.frame.agent == frame.agent;
            if (one.frame.agent == frame.agent && one.frame.seq == frame.seq) return ACCP_E3003;
        }
        if (!count.held.empty() && now_ms - since(count) >= kGapMs && is_state(frame)) {
            if (frame.seq - count.next > 65536) return ACCP_E3003;
            while (!count.held.empty() && count.held.front().frame.seq < frame.seq)
                take_first(count, now_ms);
            accp_status status = take(frame, now_ms);
            release(count, now_ms);
            return status;
        }
        if (frame.seq - count.next > 64) return ACCP_E3003;
        if (frame.intent == "cancel" && count.ahead.size() < 64) return take(frame, now_ms);
        if (own >= 64 || 2 * own >= 256 - std::min<size_t>(256, count.held.size() - own))
            return ACCP_E3003;
        if (count.held.empty()) delivered.push_back({ACCP_E3003, frame.seq});
        auto at = count.held.begin();
        while (at != count.held.end() && at->frame.seq <= frame.seq) ++at;
        count.held.insert(at, {frame, now_ms});
        return ACCP_HELD;
    }

    bool is_cancelled(const Frame &frame) {
        if (frame.intent == "cancel" || frame.intent == "ack") return false;
        if (cancelled.count(frame.cid.empty() ? frame.mid : frame.cid)) return true;
        std::string cause = frame.aid;
        for (int hops = 0; hops < kLookback && !cause.empty(); ++hops) {
            if (cancelled.count(cause)) return true;
            // the first one in the searched range: a later repetition of the mid changes nothing
            const Origin *origin = nullptr;
            for (auto &one : origins[cause])
                if (!origin && one.record > records - 1 - kLookback) origin = &one;
            if (!origin) return false;
            if (!origin->cid.empty() && cancelled.count(origin->cid)) return true;
            cause = origin->aid;
        }
        return false;
    }

    static std::pair<std::string, std::string> key_of(const Frame &frame) {
        return {frame.cid, frame.agent + ">" + frame.sid};
    }
    bool completes(const Frame &frame) const {
        auto at = open.find(key_of(frame));
        if (!frame.parts || at == open.end()) return false;
        const Parts &held = at->second;
        return held.count == frame.parts && !held.faults.count(frame.part) &&
               static_cast<int>(held.faults.size()) + 1 == held.count;
    }

    accp_status take(const Frame &frame, int64_t now_ms) {
        Count &count = count_of(frame.agent);
        mids.insert({frame.agent, frame.mid});
        origins[frame.mid].push_back({frame.cid, frame.aid, ++records});
        const accp_status status = apply(frame, now_ms);
        if (status == ACCP_OK && frame.intent == "sync") jump(count, frame.seq);
        else use(count, frame.seq);
        return status;
    }

    accp_status apply(const Frame &frame, int64_t now_ms) {
        if (is_cancelled(frame)) {
            if (completes(frame)) open.erase(key_of(frame));
            return ACCP_DROPPED;
        }
        accp_status fault = frame.fault;
        if (frame.parts) {
            Parts &held = open[key_of(frame)];
            if (held.count && held.count != frame.parts) return ACCP_E1004;
            if (held.faults.count(frame.part)) return ACCP_E1004;
            const bool whole = completes(frame);
            held.count = frame.parts;
            held.faults[frame.part] = frame.fault;
            if (!whole) return ACCP_OK;
            fault = ACCP_OK;
            for (auto &one : held.faults)
                // two parts name a schema, which is a repeated key
                if (one.second) fault = fault ? accp_status{ACCP_E1001} : one.second;
            open.erase(key_of(frame));
        }
        if (fault != ACCP_OK) return fault;
        if (!frame.ref.empty())
            if (accp_status status = resolve(frame.ref, now_ms, nullptr)) return status;
        if (frame.version) {
            if (frame.whole ? frame.version < version : frame.version != version + 1)
                return ACCP_E3003;
            if (frame.version - version > 65536) return ACCP_E3003;
            if (frame.whole) state.clear();
            for (auto &one : frame.set) state[one.first] = one.second;
            for (auto &key : frame.removed) state.erase(key);
            version = frame.version;
        }
        if (frame.intent == "cancel")
            cancelled.insert(frame.cancels), requests.erase(frame.cancels), abandon(frame.cancels);
        if (frame.intent == "done" || frame.intent == "fail" || frame.intent == "ack")
            requests.erase(frame.cid);
        if (frame.intent == "done") answered[frame.cid] = records;
        if (frame.intent == "wait" && requests.count(frame.cid))
            requests[frame.cid].deadline = now_ms + timeout_ms;
        delivered.push_back({ACCP_OK, frame.seq});
        return ACCP_OK;
    }

    void take_first(Count &count, int64_t now_ms) {
        Frame frame = count.held.front().frame;
        count.held.erase(count.held.begin());
        if (is_used(count, frame.seq)) {
            delivered.push_back({ACCP_E3003, frame.seq});
        } else if (is_expired(frame, now_ms)) {
            use(count, frame.seq), ++records;
        } else {
            accp_status status = take(frame, now_ms);
            if (status > ACCP_HELD) delivered.push_back({status, frame.seq});
        }
    }

    // A readable whole state. A delta may depend on a missing frame.
    static bool is_state(const Frame &frame) { return frame.whole && frame.fault == ACCP_OK; }
    static bool has_state(const Count &count) {
        return std::any_of(count.held.begin(), count.held.end(),
                           [](auto &one) { return is_state(one.frame); });
    }
    static int64_t since(const Count &count) {
        int64_t min = INT64_MAX;
        for (auto &one : count.held) min = std::min(min, one.since_ms);
        return min;
    }
    // Closes overdue gaps that have a waiting state behind them, oldest first.
    void close_overdue(int64_t now_ms) {
        for (;;) {
            Count *oldest = nullptr;
            for (auto &one : counts)
                if (has_state(one.second) && (!oldest || since(one.second) < since(*oldest)))
                    oldest = &one.second;
            if (!oldest || now_ms - since(*oldest) < kGapMs) return;
            for (bool was_state = false; !was_state;) {
                was_state = is_state(oldest->held.front().frame);
                take_first(*oldest, now_ms);
            }
            release(*oldest, now_ms);
        }
    }

    void release(Count &count, int64_t now_ms) {
        while (!count.held.empty() && count.held.front().frame.seq <= count.next)
            take_first(count, now_ms);
    }

    const std::set<std::string> intents = {"req",  "done", "fail", "wait",   "esc",    "comp",
                                           "sync", "qry",  "ack",  "cancel", "stream", "end"};
};

}  // namespace accp_session_model
