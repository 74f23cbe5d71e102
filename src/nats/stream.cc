// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/stream.h"

#include <simdjson.h>

#include <chrono>

#include "server/json/base64.h"

namespace accp_nats {

namespace {

constexpr int64_t kBehindMs = 1;
constexpr int kBehindTries = 3000;
constexpr int kLostTries = 3;
constexpr size_t kWriteWindow = 4096, kLeaderWindow = 1024;
constexpr std::chrono::milliseconds kLookMs{250};
constexpr int64_t kLookWaitMs = 1000;
constexpr int64_t kHeardNs = 3'000'000'000;  // a replica that was heard within this time is up
// Followers wait at least 4 s before they elect another leader. The leader sends to them each
// second.
constexpr int64_t kLeaderHeardNs = 2'000'000'000, kTrustNs = 1'000'000'000, kLeaderWaitMs = 50;
constexpr int kHeardTries = 20, kLeaderTries = 3;
constexpr const char *kCutOff = "the leader of the stream is cut off from the others";
constexpr uint64_t kWrongLastSequence = 10071, kOnTheWay = 10164;
constexpr int kOnTheWayTries = 50;
constexpr const char *kNoQuorum =
    "the stream does not answer: JetStream has no quorum, or no leader yet";
constexpr const char *kLostConnection = "the connection to the NATS server was lost";

int64_t clock_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string next_query(const std::string &subject, uint64_t from) {
    return R"({"seq":)" + std::to_string(from) + R"(,"next_by_subj":")" + subject + "\"}";
}

std::string sequence_query(uint64_t seq) { return R"({"seq":)" + std::to_string(seq) + "}"; }

}  // namespace

// The error member of a server's reply.
struct ServerError {
    uint64_t code = 0;    // as in HTTP; 0: no error
    uint64_t number = 0;  // err_code
};

// Parses JSON replies of the server, one after the other, with the same memory.
class Reply {
public:
    // Returns false if the text is not JSON; all members are then missing.
    bool read(std::string_view json) {
        root_ = parser_.parse(json.data(), json.size());
        if (root_.error() == simdjson::MEMALLOC) throw std::bad_alloc();
        return root_.error() == simdjson::SUCCESS;
    }

    ServerError error() const { return {number("/error/code"), number("/error/err_code")}; }
    // Members by their paths (RFC 6901). If the member is missing or has another type, these return
    // 0 or an empty text. A text is valid until the next read().
    uint64_t number(std::string_view path) const {
        uint64_t out = 0;
        return root_.at_pointer(path).get(out) == simdjson::SUCCESS ? out : 0;
    }
    std::string_view text(std::string_view path) const {
        std::string_view out;
        return root_.at_pointer(path).get(out) == simdjson::SUCCESS ? out : std::string_view();
    }
    bool has(std::string_view path) const {
        return root_.at_pointer(path).error() == simdjson::SUCCESS;
    }

private:
    simdjson::dom::parser parser_;
    simdjson::simdjson_result<simdjson::dom::element> root_ = simdjson::UNINITIALIZED;
};

Stream::~Stream() {
    {
        std::lock_guard<std::mutex> guard(lock_);
        ends_ = true;
    }
    ends_changed_.notify_all();
    if (watcher_.joinable()) watcher_.join();
}

void Stream::throw_down() const {
    const char *why = why_;
    throw Failure{ACCP_ERR_IO, why ? why : kNoServer};
}

// The watching thread ends when the stream is healthy. A new one starts after the old one has
// ended.
void Stream::mark_down(const char *why) {
    std::lock_guard<std::mutex> guard(lock_);
    why_ = why;
    if (down_ || ends_) return;
    if (watcher_.joinable()) watcher_.join();
    down_ = true;
    try {
        watcher_ = std::thread([this] { watch_until_healthy(); });
    } catch (...) {
        down_ = false;  // without a thread, each call waits until its own timeout
    }
}

void Stream::watch_until_healthy() {
    for (;;) {
        {
            std::unique_lock<std::mutex> guard(lock_);
            if (ends_changed_.wait_for(guard, kLookMs, [this] { return ends_; })) return;
        }
        if (health(kHeardNs) != Health::kWell) continue;
        down_ = false;
        return;
    }
}

Stream::Health Stream::health(int64_t heard_ns) const {
    if (!link_.is_connected()) return Health::kSilent;
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = kLookWaitMs;
    jsStreamInfo *info = nullptr;
    if (js_GetStreamInfo(&info, link_.open()->jetstream, name_.c_str(), &options, nullptr) !=
        NATS_OK)
        return Health::kSilent;
    bool is_well = true;
    if (const jsClusterInfo *cluster = info->Cluster; cluster && cluster->ReplicasLen) {
        int heard = 1;
        for (int i = 0; i < cluster->ReplicasLen; ++i) {
            const jsPeerInfo &one = *cluster->Replicas[i];
            heard += !one.Offline && one.Active >= 0 && one.Active <= heard_ns;
        }
        is_well = cluster->Leader && *cluster->Leader && 2 * heard > cluster->ReplicasLen + 1;
    }
    jsStreamInfo_Destroy(info);
    return is_well ? Health::kWell : Health::kAlone;
}

// Allows a busy machine one more second.
void Stream::confirm_leader() {
    for (int tries = 0; replicated_; ++tries, nats_Sleep(kLeaderWaitMs)) {
        const int64_t asked_ns = clock_ns();
        if (asked_ns <= trusted_until_ns_) return;
        if (down_) throw_down();
        if (tries == kHeardTries) throw Failure{ACCP_ERR_IO, kCutOff};
        const Health now = health(kLeaderHeardNs);
        if (now == Health::kAlone) continue;
        if (now == Health::kSilent) {
            mark_down(link_.is_connected() ? kNoQuorum : kNoServer);
            throw_down();
        }
        trusted_until_ns_ = asked_ns + kTrustNs;
        return;
    }
}

// Sends requests that change nothing. If the connection was lost, sends them again.
void Stream::send_requests(std::vector<Request> &all, size_t window) {
    for (int tries = 0; tries < kLostTries; ++tries) {
        const RequestResult asked = link_.request(all, window, down_);
        if (asked == RequestResult::kAnswered) return;
        if (asked == RequestResult::kStopped) throw_down();
        if (asked != RequestResult::kLost) {
            mark_down(asked == RequestResult::kTimedOut ? kNoQuorum : kNoServer);
            throw_down();
        }
        for (Request &one : all) one.answered = false;
    }
    throw Failure{ACCP_ERR_IO, kLostConnection};
}

Request Stream::request_one(Request one) {
    std::vector<Request> all(1);
    all[0] = std::move(one);
    send_requests(all, 1);
    return std::move(all[0]);
}

Request Stream::leader_request(std::string data) const {
    Request one;
    one.subject = "$JS.API.STREAM.MSG.GET." + name_;
    one.data = std::move(data);
    return one;
}

bool Stream::read_leaders(const Request &answer, Reply &reply, Message &out) {
    reply.read(answer.reply);
    const ServerError error = reply.error();
    if (error.code == 404) return false;
    if (error.code || answer.code) throw Failure{ACCP_ERR_IO, kNoQuorum};
    out.seq = reply.number("/message/seq");
    if (!out.seq || !host::read_base64(reply.text("/message/data"), out.data))
        throw Failure{ACCP_ERR_CORRUPT, "an answer of the server is damaged"};
    return true;
}

void Stream::request_from_leader(std::vector<Request> &all) {
    for (int tries = 0; tries < kLeaderTries; ++tries) {
        confirm_leader();
        for (Request &one : all) one.answered = false;
        send_requests(all, kLeaderWindow);
        if (!replicated_ || clock_ns() <= trusted_until_ns_) return;
    }
    throw Failure{ACCP_ERR_IO, kCutOff};
}

bool Stream::request_from_leader(const std::string &what, Message &out) {
    std::vector<Request> one = {leader_request(what)};
    request_from_leader(one);
    Reply reply;
    return read_leaders(one[0], reply, out);
}

Request Stream::direct_request(std::string data) const {
    Request one;
    one.subject = "$JS.API.DIRECT.GET." + name_;
    one.data = std::move(data);
    return one;
}

bool Stream::read_direct(Request &answer, Message &out) {
    if (answer.code == 404) return false;
    if (answer.code) throw Failure{ACCP_ERR_IO, kNoQuorum};
    out.seq = answer.seq;
    out.data = std::move(answer.reply);
    return true;
}

bool Stream::request_direct(std::string data, Message &out) {
    Request answer = request_one(direct_request(std::move(data)));
    return read_direct(answer, out);
}

uint64_t Stream::first_from(const std::string &subject, uint64_t from) {
    Message first;
    return request_from_leader(next_query(subject, from), first) ? first.seq : 0;
}

void Stream::check_first(std::vector<FirstCheck> &all) {
    if (all.empty()) return;
    if (!leader_only_) watch_.check(all);
    std::vector<Request> asked;
    std::vector<FirstCheck *> open;
    for (FirstCheck &one : all) {
        if (one.is_first) continue;
        open.push_back(&one);
        asked.push_back(leader_request(next_query(*one.subject, one.previous + 1)));
    }
    if (!asked.empty()) request_from_leader(asked);
    Message first;
    Reply reply;
    for (size_t i = 0; i < open.size(); ++i)
        open[i]->is_first = read_leaders(asked[i], reply, first) && first.seq == open[i]->seq;
}

// A stream with one replica can reply directly, like its leader.
bool Stream::last(const std::string &subject, Message &out) {
    const std::string what = R"({"last_by_subj":")" + subject + "\"}";
    return replicated_ ? request_from_leader(what, out) : request_direct(what, out);
}

// Asks any replica. If it does not have a message, asks the leader.
bool Stream::get(const Sequences &all, size_t window, std::vector<Message> &out) {
    if (leader_only_ && replicated_) {
        out.resize(all.size());
        for (size_t i = 0; i < all.size(); ++i)
            if (!request_from_leader(sequence_query(all[i]), out[i])) return false;
        return true;
    }
    std::vector<Request> asked;
    for (const uint64_t seq : all) asked.push_back(direct_request(sequence_query(seq)));
    send_requests(asked, window);
    out.resize(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        if (read_direct(asked[i], out[i])) continue;
        if (!replicated_ || !request_from_leader(sequence_query(all[i]), out[i])) return false;
    }
    return true;
}

bool Stream::next(const std::string &subject, uint64_t from, Message &out) {
    const std::string what = next_query(subject, from);
    return leader_only_ && replicated_ ? request_from_leader(what, out) : request_direct(what, out);
}

// A replica may be behind the leader, so a missing message is requested again.
bool Stream::walk(const std::string &subject, uint64_t from, uint64_t last,
                  const std::function<bool(Message &)> &visit) {
    Message message;
    for (int tries = 0; from <= last;) {
        if (next(subject, from, message)) {
            if (message.seq > last) return false;
            if (!visit(message)) return true;
            from = message.seq + 1;
            tries = 0;
        } else {
            Message newest;  // check whether they were erased
            if (!this->last(subject, newest) || newest.seq < from) return false;
            if (++tries == kBehindTries)
                throw Failure{ACCP_ERR_IO, "a replica of the stream is far behind"};
            nats_Sleep(kBehindMs);
        }
    }
    return true;
}

void Stream::publish(std::vector<Publish> &all) {
    std::vector<Publish *> rest;
    for (Publish &one : all) rest.push_back(&one);
    for (int tries = 0; !rest.empty() && tries < kOnTheWayTries; ++tries) {
        if (tries) nats_Sleep(kBehindMs);
        publish_once(rest);
    }
}

// Returns false if the server refused the message without checking its expectation, because another
// message of the subject is on its way to the replicas or has just arrived (nats-server from 2.12
// on).
static bool read_acknowledgement(const Request &answer, Reply &reply, Publish &out) {
    if (!answer.answered || answer.code) return true;
    reply.read(answer.reply);
    const ServerError error = reply.error();
    if (error.number == kWrongLastSequence) out.status = ACCP_ERR_BUSY;
    if (error.code) return error.number != kOnTheWay;
    out.seq = reply.number("/seq");
    if (out.seq) out.status = ACCP_OK;
    return true;
}

// Leaves the messages to be published again in `all`.
void Stream::publish_once(std::vector<Publish *> &all) {
    std::vector<Request> asked(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        asked[i].subject = std::move(all[i]->subject);
        asked[i].data = std::move(all[i]->data);
        if (all[i]->expected != Publish::kAny) asked[i].expected = std::to_string(all[i]->expected);
    }
    const RequestResult outcome = link_.request(asked, kWriteWindow, down_);
    if (outcome == RequestResult::kTimedOut) mark_down(kNoQuorum);
    if (outcome == RequestResult::kNoServer) mark_down(kNoServer);
    std::vector<Publish *> again;
    Reply reply;
    for (size_t i = 0; i < all.size(); ++i) {
        all[i]->subject = std::move(asked[i].subject);
        all[i]->data = std::move(asked[i].data);
        if (!read_acknowledgement(asked[i], reply, *all[i])) again.push_back(all[i]);
    }
    all = std::move(again);
}

// Sends a command to the leader. Throws if the reply has an error.
void Stream::command(const char *what, std::string data, Reply &out) {
    Request one;
    one.subject = what + name_;
    one.data = std::move(data);
    one = request_one(std::move(one));
    if (one.code || !out.read(one.reply) || out.error().code) throw Failure{ACCP_ERR_IO, kNoQuorum};
}

// An old server does not report the compression of the stream.
bool Stream::is_led_by_old_server() {
    Reply info;
    command("$JS.API.STREAM.INFO.", {}, info);
    return !info.has("/config/compression");
}

void Stream::delete_message(uint64_t seq) {
    link_.post("$JS.API.STREAM.MSG.DELETE." + name_,
               R"({"seq":)" + std::to_string(seq) + R"(,"no_erase":true})");
}

void Stream::purge(const std::string &subject, uint64_t below) {
    Reply reply;
    command("$JS.API.STREAM.PURGE.",
            R"({"filter":")" + subject + R"(","seq":)" + std::to_string(below) + "}", reply);
}

}  // namespace accp_nats
