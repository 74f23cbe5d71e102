// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Stores in NATS JetStream, beside bare publishes to a stream with as many replicas and a SQLite
// file. They alternate in one process. Each append is acknowledged before the next one of its
// session.
//   accp_nats_bench PLACE DIRECTORY [SECONDS [RECORDS [SESSIONS]]]
//     PLACE      nats://…: streams are created with its prefix and -bench, and are not removed
//     DIRECTORY  for the file
//     RECORDS    in the session that is opened (1,000,000)
//     SESSIONS   that one client opens (100,000)
#include <nats/nats.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "nats/kept_connection.h"
#include "store/store.h"

extern "C" accp_status accp_store_backend_entry(const char *place, size_t place_len, uint32_t flags,
                                                const accp_store_backend **out, void **user_out,
                                                accp_error *err);

using namespace accp;
using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t kRecordBytes = 256;
constexpr int kMaxThreads = 64;  // each appends in a batch for its share of the sessions

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

[[noreturn]] void give_up(const char *what) {
    std::fprintf(stderr, "nats_bench: %s\n", what);
    std::exit(1);
}

void check(const Status &status) {
    if (status.failed()) give_up(status.message);
}

int64_t resident_kib(const std::string &process) {
    std::ifstream status("/proc/" + process + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::strtoll(line.c_str() + 6, nullptr, 10);
    return 0;
}

struct Row {
    double rate = 0, p50 = 0, p99 = 0;  // per second; milliseconds
};

Row row_of(std::vector<std::vector<double>> &took, size_t each, double seconds) {
    std::vector<double> all;
    for (const auto &one : took) all.insert(all.end(), one.begin(), one.end());
    std::sort(all.begin(), all.end());
    if (all.empty()) give_up("nothing was measured");
    return {static_cast<double>(all.size() * each) / seconds, all[all.size() / 2] * 1000,
            all[all.size() * 99 / 100] * 1000};
}

double sum_of(const std::vector<double> &all) {
    double sum = 0;
    for (const double one : all) sum += one;
    return sum;
}

void print(const char *what, const Row &row) {
    std::printf("%-44s %9.0f /s   p50 %7.2f ms   p99 %7.2f ms\n", what, row.rate, row.p50, row.p99);
    std::fflush(stdout);
}

// Distributes `sessions` over at most kMaxThreads threads, and repeats round(thread, its sessions).
template <class Round>
Row measure(int sessions, double seconds, Round round) {
    const int threads = std::min(sessions, kMaxThreads), each = sessions / threads;
    std::vector<std::vector<double>> took(static_cast<size_t>(threads));
    std::vector<std::thread> running;
    const auto began = Clock::now();
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
            while (seconds_since(began) < seconds) {
                const auto one = Clock::now();
                round(t, each);
                took[static_cast<size_t>(t)].push_back(seconds_since(one));
            }
        });
    for (std::thread &thread : running) thread.join();
    return row_of(took, static_cast<size_t>(each), seconds_since(began));
}

// A store and its sessions. A round appends one durable record to each.
class Appends {
public:
    Appends(store::Store &store, const std::string &name, int sessions)
        : memory_(private_allocator(), UINT64_MAX) {
        for (int i = 0; i < sessions; ++i) {
            sessions_.push_back(nullptr);
            check(store.open_session(name + std::to_string(i), true, sessions_.back()));
        }
    }
    ~Appends() {
        for (store::StoreSession *session : sessions_) session->close();
    }
    void round(int thread, int each) {
        Memory memory(private_allocator(), UINT64_MAX);
        store::StoreBatch batch(memory);
        batch.append(std::string(kRecordBytes, 'x'));
        const auto first = static_cast<size_t>(thread * each);
        for (size_t i = first; i < first + static_cast<size_t>(each); ++i) {
            check(sessions_[i]->commit(batch));
            check(sessions_[i]->sync());
        }
    }

private:
    Memory memory_;
    std::vector<store::StoreSession *> sessions_;
};

class NatsStore {
public:
    explicit NatsStore(const std::string &place) : store(Settings()) {
        const accp_store_backend *table = nullptr;
        void *user = nullptr;
        accp_error err = {};
        if (accp_store_backend_entry(place.data(), place.size(), 0, &table, &user, &err) != ACCP_OK)
            give_up(err.message);
        check(store.open(*table, user, true));
    }
    store::Store store;
};

// Publishes that JetStream acknowledges, one at a time on each thread.
class Bare {
public:
    Bare(const std::string &name, const accp_nats::Place &place)
        : name_(name),
          connection_(place,
                      [](accp_nats::Connected &made) {
                          if (natsConnection_JetStream(&made.jetstream, made.connection, nullptr) !=
                              NATS_OK)
                              give_up("no NATS server answers");
                      }),
          js_(connection_.get()->jetstream) {
        const std::string subjects = name + ".>";
        const char *all[] = {subjects.c_str()};
        jsStreamConfig config;
        jsStreamConfig_Init(&config);
        config.Name = name.c_str();
        config.Subjects = all;
        config.SubjectsLen = 1;
        config.Storage = js_FileStorage;
        config.Replicas = place.replicas;
        if (js_AddStream(nullptr, js_, &config, nullptr, nullptr) != NATS_OK)
            give_up("the stream of bare publishes cannot be made");
    }
    ~Bare() { (void)js_DeleteStream(js_, name_.c_str(), nullptr, nullptr); }
    void round(int thread, int each) {
        const std::string text(kRecordBytes, 'x');
        for (int i = 0; i < each; ++i) {
            const std::string subject = name_ + ".s" + std::to_string(thread * each + i);
            jsPubAck *ack = nullptr;
            if (js_Publish(&ack, js_, subject.c_str(), text.data(), static_cast<int>(text.size()),
                           nullptr, nullptr) != NATS_OK)
                give_up("a bare publish is not acknowledged");
            jsPubAck_Destroy(ack);
        }
    }

private:
    std::string name_;
    accp_nats::KeptConnection connection_;
    jsCtx *js_;
};

void bench_appends(const std::string &place, const std::string &directory, double seconds) {
    for (const int sessions : {1, 10, 1000}) {
        const std::string count =
            std::to_string(sessions) + (sessions == 1 ? " session" : " sessions");
        double bare_rate = 0;
        {
            Bare bare("ACCP-bare-bench", accp_nats::read_place(place));
            const Row row =
                measure(sessions, seconds, [&](int t, int each) { bare.round(t, each); });
            bare_rate = row.rate;
            print(("bare publishes, " + count).c_str(), row);
        }
        {
            NatsStore nats(place);
            Appends appends(nats.store, "appends", sessions);
            const Row row =
                measure(sessions, seconds, [&](int t, int each) { appends.round(t, each); });
            print(("durable appends, NATS, " + count).c_str(), row);
            std::printf("%-44s %9.0f %%\n", "  of bare publishes", 100 * row.rate / bare_rate);
        }
        store::Store file{Settings()};
        store::StorePlace where;
        const std::string name = "sqlite:" + directory + "/store" + std::to_string(sessions);
        where.name = name;
        check(file.open(where));
        Appends appends(file, "appends", sessions);
        print(("durable appends, SQLite, " + count).c_str(),
              measure(sessions, seconds, [&](int t, int each) { appends.round(t, each); }));
    }
}

void bench_open(const std::string &place, uint64_t records) {
    const std::string id = "long " + std::to_string(records);
    {
        NatsStore nats(place);
        store::StoreSession *session = nullptr;
        check(nats.store.open_session(id, true, session));
        Memory memory(private_allocator(), UINT64_MAX);
        store::StoreBatch batch(memory);
        while (session->row().last < records) {
            batch.clear();
            for (int i = 0; i < 8 && session->row().last + batch.appends() < records; ++i)
                batch.append(std::string(kRecordBytes, 'x'));
            check(session->commit(batch));
            check(session->sync());
        }
        session->close();
    }
    std::vector<std::vector<double>> opens(1), scans(1);
    for (int i = 0; i < 20; ++i) {
        NatsStore nats(place);  // without any cached state
        store::StoreSession *session = nullptr;
        auto began = Clock::now();
        check(nats.store.open_session(id, true, session));
        opens[0].push_back(seconds_since(began));
        Memory memory(private_allocator(), UINT64_MAX);
        store::StoreRecords found(memory);
        const uint64_t last = session->row().last, wanted = std::min<uint64_t>(last, 16384);
        began = Clock::now();
        check(session->scan(last - wanted + 1, last, false, SIZE_MAX, found));
        scans[0].push_back(seconds_since(began));
        session->close();
    }
    print(("a session of " + std::to_string(records) + " records is opened").c_str(),
          row_of(opens, 1, sum_of(opens[0])));
    print("  its last 16,384 records are read", row_of(scans, 1, sum_of(scans[0])));
}

void bench_sessions(const std::string &place, int sessions) {
    NatsStore nats(place);
    const int64_t before = resident_kib("self");
    const auto began = Clock::now();
    const int threads = 16;
    std::vector<std::vector<store::StoreSession *>> open(threads);
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
            for (int i = t; i < sessions; i += threads) {
                store::StoreSession *session = nullptr;
                check(nats.store.open_session("many" + std::to_string(i), true, session));
                open[static_cast<size_t>(t)].push_back(session);
            }
        });
    for (std::thread &thread : running) thread.join();
    std::printf("%d sessions are made and open: %.1f s, client %.1f KiB each", sessions,
                seconds_since(began),
                static_cast<double>(resident_kib("self") - before) / sessions);
    if (const char *nodes = std::getenv("ACCP_NATS_PIDS"))
        std::printf(", node of process %s %lld MiB", nodes,
                    static_cast<long long>(resident_kib(nodes) >> 10));
    std::printf("\n");
    for (const auto &some : open)
        for (store::StoreSession *session : some) session->close();
}

}  // namespace

int main(int count, char **arguments) {
    if (count < 3) give_up("PLACE DIRECTORY [SECONDS [RECORDS [SESSIONS]]]");
    const std::string name = arguments[1], directory = arguments[2];
    const size_t options = std::min(name.find('?'), name.size());
    const std::string place = name.substr(0, options) + "-bench" + name.substr(options);
    const double seconds = count > 3 ? std::atof(arguments[3]) : 5;
    const auto records = static_cast<uint64_t>(count > 4 ? std::atoll(arguments[4]) : 1000000);
    const int sessions = count > 5 ? std::atoi(arguments[5]) : 100000;
    std::string made = directory + "/accp-nats-bench-XXXXXX";
    if (!mkdtemp(made.data())) give_up("the directory cannot be written");
    nats_Open(-1);
    bench_sessions(place, sessions);  // first, while this process is small
    bench_appends(place, made, seconds);
    bench_open(place, records);
    std::filesystem::remove_all(made);
}
