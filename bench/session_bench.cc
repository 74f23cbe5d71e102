// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The costs of sessions through the C face: each call is timed by itself, so that calls with a
// checkpoint are separate. Also the memory of an open session, a hundred thousand sessions at once,
// a context after a million messages, and sessions over a SQLite file.
//   accp_session_bench [--quick] [--messages=1000000] [--sessions=100000] [DIRECTORY]
// DIRECTORY: for the SQLite files, on the disk to measure; the default is the system's directory
// for temporary files. README.md explains the tables.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "corpus.h"
#include "heap_calls.h"
#include "session_handles.h"
#include "token_counts.h"

#if ACCP_SQLITE
#include <sqlite3.h>
#endif

using namespace accp_bench;

namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point began) {
    return std::chrono::duration<double, std::micro>(Clock::now() - began).count();
}

// Processor time of this thread in microseconds, which does not include other work of the machine.
double cpu_us() {
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double median(std::vector<double> of) {
    std::sort(of.begin(), of.end());
    return of[of.size() / 2];
}

// The cost of reading that clock, which is subtracted from each call.
double clock_us() {
    static const double cost = [] {
        std::vector<double> costs(2001);
        for (double &one : costs) {
            const double began = cpu_us();
            one = cpu_us() - began;
        }
        return median(costs);
    }();
    return cost;
}

struct Plan {
    int passes = 7;
    size_t lines = 2000;  // per set and pass
    size_t messages = 1000000, sessions = 100000, records = 200000;
    std::string directory = std::filesystem::temp_directory_path().string();
};

// The calls of one pass.
struct Times {
    // microseconds, for calls without and with a checkpoint
    double plain = 0, closing = 0, longest = 0;
    size_t plain_count = 0, closing_count = 0;

    void add(double us, bool closed) {
        (closed ? closing : plain) += us;
        ++(closed ? closing_count : plain_count);
        longest = std::max(longest, us);
    }
    double mean() const {
        return (plain + closing) /
               static_cast<double>(std::max<size_t>(plain_count + closing_count, 1));
    }
    double plain_mean() const {
        return plain / static_cast<double>(std::max<size_t>(plain_count, 1));
    }
    double closing_mean() const {
        return closing / static_cast<double>(std::max<size_t>(closing_count, 1));
    }
};

template <class Call>
void timed(Session &session, Times &times, Call call) {
    const uint32_t before = session.checkpoints();
    const double began = cpu_us();
    call();
    times.add(cpu_us() - began - clock_us(), session.checkpoints() != before);
}

double parse_us(const Lines &frames) {
    Frame frame = make_frame();
    std::vector<double> passes;
    for (int pass = 0; pass < 15; ++pass) {
        const double began = cpu_us();
        for (size_t i = 0; i < frames.size(); ++i)
            accp_frame_parse(frame.get(), frames[i].data(), frames[i].size(), nullptr);
        passes.push_back((cpu_us() - began) / static_cast<double>(frames.size()));
    }
    return median(passes);
}

// Prints a row: the medians of the passes. `max`: microseconds that a call may take, including
// checkpoints; 0: no limit.
template <class Pass>
void print_row(const char *name, const Plan &plan, double peer, double max, Pass pass) {
    std::vector<double> all, plain, closing, longest;
    Times times;
    for (int i = 0; i < plan.passes; ++i) {
        times = pass(i);
        if (!i && plan.passes > 1) continue;  // warms up what calls share
        all.push_back(times.mean()), plain.push_back(times.plain_mean()),
            closing.push_back(times.closing_mean()), longest.push_back(times.longest);
    }
    const double share = 100.0 * static_cast<double>(times.closing_count) /
                         static_cast<double>(times.plain_count + times.closing_count);
    const double us = median(all);
    std::printf("  %-28s %8.2f %9.2f %9.2f %6.0f %% %9.0f %8.1f", name, us, median(plain),
                median(closing), share, median(longest), us / peer);
    if (max > 0) std::printf("  %5.1f  %s", max, us <= max ? "met" : "NOT met");
    std::printf("\n");
    std::fflush(stdout);
}

void print_times(const Plan &plan, const Sets &sets) {
    const double peer = parse_us(sets.frames);
    std::printf(
        "\nIn memory, not durable, o200k_base: microseconds of the processor a call; parsing a "
        "frame of the corpus takes %.3f\n",
        peer);
    std::printf("  %-28s %8s %9s %9s %8s %9s %8s  %5s\n", "row", "all", "no ckpt", "with one",
                "of all", "longest", "x parse", "must");
    Engine engine("memory:");
    auto append = [&](const Lines &lines) {
        return [&](int pass) {
            Times times;
            Session session = engine.session("append " + std::to_string(lines.size()) + " " +
                                             std::to_string(pass));
            for (size_t i = 0; i < plan.lines; ++i)
                timed(session, times, [&] { session.append(lines[i % lines.size()]); });
            return times;
        };
    };
    auto receive = [&](const Lines &frames) {
        return [&](int pass) {
            Times times;
            Session session = engine.session("receive " + std::to_string(frames.size()) + " " +
                                             std::to_string(pass));
            for (size_t i = 0; i < std::min(plan.lines, frames.size()); ++i)
                timed(session, times, [&] { session.receive(frames[i]); });
            return times;
        };
    };
    auto send = [&](int pass) {
        Times times;
        Session session = engine.session("send " + std::to_string(pass));
        for (size_t i = 0; i < std::min(plan.lines, sets.sendable.size()); ++i)
            timed(session, times, [&] { session.send(sets.sendable[i]); });
        return times;
    };
    auto checkpoint = [&](int pass) {
        Times times;
        Session session = engine.session("checkpoint " + std::to_string(pass));
        for (size_t i = 0; i < plan.lines; ++i) {
            session.append(sets.small[i % sets.small.size()]);
            if (i % 4 == 3) timed(session, times, [&] { session.checkpoint(); });
        }
        return times;
    };
    print_row("append, small", plan, peer, 5, append(sets.small));
    print_row("append, structured", plan, peer, 5, append(sets.structured));
    print_row("append, an agent's", plan, peer, 0, append(sets.agents));
    print_row("receive, small", plan, peer, 5, receive(sets.small_frames));
    print_row("receive, structured", plan, peer, 5, receive(sets.frames));
    print_row("send, structured", plan, peer, 0, send);
    print_row("checkpoint that is asked for", plan, peer, 1000, checkpoint);
}

double context_us(Session &session) {
    std::vector<double> times;
    for (int i = 0; i < 101; ++i) {
        const double began = cpu_us();
        session.context();
        times.push_back(cpu_us() - began - clock_us());
    }
    return median(times);
}

// The context of a short session, and the same after very many messages.
void print_contexts(const Plan &plan, const Sets &sets) {
    std::printf("\nThe context, microseconds (must be at most 1,000 behind a million messages)\n");
    for (size_t messages : {size_t{100}, plan.messages}) {
        Engine engine("memory:");
        Session session = engine.session("long");
        const double began = cpu_us();
        session.run(sets.structured, messages);
        const double built = cpu_us() - began;
        const double us = context_us(session);
        std::printf("  behind %7zu messages: %6.1f, %llu tokens, %s; appending them took %.2f s\n",
                    messages, us, static_cast<unsigned long long>(session.context()),
                    us <= 1000 ? "met" : "NOT met", built / 1e6);
    }
}

// Program text: that of the library itself.
std::string program_text(const std::string &source) {
    std::vector<std::filesystem::path> paths;
    for (const auto &file : std::filesystem::recursive_directory_iterator(source + "/src"))
        if (file.path().extension() == ".cc") paths.push_back(file.path());
    std::sort(paths.begin(), paths.end());
    std::string text;
    for (const auto &path : paths) {
        std::ifstream file(path);
        text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
}

// Returns this part of the text, in whole characters.
std::string_view whole_characters(std::string_view text, size_t begin, size_t size) {
    size_t end = begin + size;
    while (begin < text.size() && (text[begin] & 0xC0) == 0x80) ++begin;
    while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
    return text.substr(begin, end - begin);
}

std::string json_text(std::string_view text) {
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') json += '\\';
        if (c == '\n') json += "\\n";
        else json += c;
    }
    return json + '"';
}

// A call of a tool and its result, which is other program text in each turn. The peer parses both
// and counts their tokens once.
void print_results(const Plan &plan, const std::string &source) {
    std::printf(
        "\nAppending a turn with a tool result, and the context after it: microseconds\n"
        "  %-28s %9s %9s %8s  %5s %10s\n",
        "result", "append", "peer", "x peer", "must", "context");
    const std::string text = program_text(source);
    Engine engine("memory:");
    const Counter counter = make_counter();
    const Value value = make_value();
    for (size_t kb : {1, 10, 100}) {
        const size_t bytes = kb * 1000, turns = std::min<size_t>(plan.passes * 20, 100);
        Session session = engine.session("results " + std::to_string(kb));
        std::vector<double> appends, peers, contexts;
        for (size_t turn = 0; turn < turns; ++turn) {
            const std::string file = "src/f" + std::to_string(turn) + ".cc";
            const std::string call = R"({"agent":"coder","intent":"req","operation":"tool",)"
                                     R"("payload":{"tool_name":"read","arguments":{"path":")" +
                                     file + R"("}}})";
            std::string result =
                R"({"agent":"tools","intent":"done","operation":"tool","payload":{"tool_name":)"
                R"("read","result":)";
            result +=
                json_text(whole_characters(text, turn * bytes % (text.size() - bytes), bytes)) +
                "}}";
            double began = cpu_us();
            for (const std::string &one : {call, result}) {
                uint64_t tokens = 0;
                if (accp_value_parse_json(value.get(), one.data(), one.size(), nullptr) !=
                        ACCP_OK ||
                    accp_counter_count(counter.get(), one.data(), one.size(), UINT64_MAX, &tokens,
                                       nullptr) != ACCP_OK)
                    throw std::runtime_error("the peer failed");
            }
            peers.push_back(cpu_us() - began);
            began = cpu_us();
            session.append(call);
            session.append(result);
            appends.push_back(cpu_us() - began);
            began = cpu_us();
            session.context();
            contexts.push_back(cpu_us() - began);
        }
        const double ratio = median(appends) / median(peers);
        std::printf("  %4zu KB %20s %9.1f %9.1f %8.2f  %5.1f %10.1f  %s\n", kb, "", median(appends),
                    median(peers), ratio, 5.0, median(contexts), ratio <= 5 ? "met" : "NOT met");
    }
}

// The memory of handles, without the contents of the store.
void print_idle(const Plan &, const Sets &sets) {
    constexpr size_t kSessions = 64, kMax = 8192;
    std::printf("\nAn open session that idles, bytes (must be at most 8,192 beside its text)\n");
    std::printf("  %-28s %9s %9s %9s\n", "behind", "held", "its text", "beside");
    const std::pair<const char *, const Lines *> kinds[] = {
        {"small messages", &sets.small},
        {"structured messages", &sets.structured},
        {"agents' messages", &sets.agents}};
    auto row = [&](const std::string &name, const Lines &lines, size_t messages) {
        Engine engine("memory:");
        std::vector<Session> open;
        std::vector<double> each;  // except for a few, in which shared data grows
        size_t text = 0;
        for (size_t i = 0; i < kSessions; ++i) {
            const size_t before = engine.held();
            open.push_back(engine.session("idle " + std::to_string(i)));
            open.back().run(lines, messages);
            each.push_back(static_cast<double>(engine.held() - before));
            text += open.back().text_bytes();
        }
        const auto held = static_cast<size_t>(median(each));
        text /= kSessions;
        std::printf("  %-28s %9zu %9zu %9zu  %s\n", name.c_str(), held, text, held - text,
                    held - text <= kMax ? "met" : "NOT met");
    };
    row("nothing", sets.small, 0);
    for (const auto &[name, lines] : kinds)
        for (size_t messages : {20, 1000})
            row(std::to_string(messages) + " " + name, *lines, messages);
}

size_t resident() {
    std::ifstream file("/proc/self/statm");
    size_t all = 0, pages = 0;
    file >> all >> pages;
    return pages * 4096;
}

void print_many(const Plan &plan, const Sets &sets) {
    std::printf("\n%zu sessions open at once, each behind eight structured messages\n",
                plan.sessions);
    Engine engine("memory:");
    std::vector<Session> open;
    open.reserve(plan.sessions);
    engine.session("warm").run(sets.structured, 64);
    const size_t memory = resident(), held = engine.held();
    double opening = 0, appending = 0;
    for (size_t i = 0; i < plan.sessions; ++i) {
        double began = cpu_us();
        open.push_back(engine.session("session " + std::to_string(i)));
        opening += cpu_us() - began - clock_us();
        began = cpu_us();
        for (size_t j = 0; j < 8; ++j)
            open.back().append(sets.structured[(i * 7 + j) % sets.structured.size()]);
        appending += cpu_us() - began - clock_us();
    }
    const auto count = static_cast<double>(plan.sessions);
    std::printf(
        "  opening one %.2f us, an append %.2f us; of a session: resident %.0f bytes, of them %.0f "
        "its handle's, the rest the store's\n",
        opening / count, appending / count / 8, static_cast<double>(resident() - memory) / count,
        static_cast<double>(engine.held() - held) / count);
}

void print_kept(const Plan &plan, const Sets &sets) {
    std::printf(
        "\nA message in a store in memory, bytes, of %zu in one session (must be at most 330)\n",
        plan.records);
    for (const auto &[name, lines] :
         {std::pair("small", &sets.small), std::pair("structured", &sets.structured)}) {
        Engine engine("memory:");
        Session session = engine.session("kept");
        const size_t before = engine.kept();
        session.run(*lines, plan.records);
        const double bytes =
            static_cast<double>(engine.kept() - before) / static_cast<double>(plan.records);
        std::printf("  %-28s %9.1f  %s\n", name, bytes, bytes <= 330 ? "met" : "NOT met");
    }
}

#if ACCP_SQLITE
constexpr size_t kGroup = 256;

double synced_writes(const std::string &path) {
    FILE *file = std::fopen(path.c_str(), "wb");
    const std::string block(512, 'x');
    const Clock::time_point began = Clock::now();
    constexpr int kWrites = 500;
    for (int i = 0; file && i < kWrites; ++i)
        if (std::fwrite(block.data(), 1, block.size(), file) != block.size() || std::fflush(file) ||
            sync_file(file))
            return 0;
    if (file) std::fclose(file);
    return kWrites / us_since(began) * 1e6;
}

// Measures SQLite alone with the same lines, one row each. Returns appends per second.
double bare_rate(const std::string &path, const Lines &lines, size_t records) {
    sqlite3 *db = nullptr;
    sqlite3_stmt *row = nullptr;
    auto run = [&](const char *sql) {
        if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(db));
    };
    if (sqlite3_open(path.c_str(), &db) != SQLITE_OK) throw std::runtime_error("no file");
    run("PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "PRAGMA wal_autocheckpoint = 8000; CREATE TABLE log (place INTEGER PRIMARY KEY, bytes)");
    sqlite3_prepare_v2(db, "INSERT INTO log VALUES (?, ?)", -1, &row, nullptr);
    const Clock::time_point began = Clock::now();
    for (size_t i = 0; i < records; ++i) {
        if (i % kGroup == 0) run("BEGIN IMMEDIATE");
        const std::string_view line = lines[i % lines.size()];
        sqlite3_bind_int64(row, 1, static_cast<int64_t>(i + 1));
        sqlite3_bind_blob64(row, 2, line.data(), line.size(), SQLITE_STATIC);
        if (sqlite3_step(row) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(db));
        sqlite3_reset(row);
        if (i % kGroup == kGroup - 1 || i + 1 == records) run("COMMIT");
    }
    const double rate = static_cast<double>(records) / us_since(began) * 1e6;
    sqlite3_finalize(row);
    sqlite3_close(db);
    return rate;
}

double append_rate(const std::string &path, const Lines &lines, size_t count, size_t records) {
    Engine engine("sqlite:" + path);
    std::vector<Session> open;
    for (size_t i = 0; i < count; ++i) open.push_back(engine.session(std::to_string(i)));
    const Clock::time_point began = Clock::now();
    for (size_t i = 0; i < records; ++i) {
        open[i % count].append(lines[i / count % lines.size()]);
        if (i % kGroup == kGroup - 1) engine.sync();
    }
    engine.sync();
    return static_cast<double>(records) / us_since(began) * 1e6;
}

// Groups of 256 records, each durable before the next one.
void print_sqlite(const Plan &plan, const Sets &sets) {
    std::string directory = plan.directory + "/accp-session-bench-XXXXXX";
    if (!mkdtemp(directory.data())) throw std::runtime_error("no directory for a store");
    std::printf(
        "\nOver SQLite, synchronous=FULL, groups of %zu, checkpoints and all; the disk takes %.0f "
        "synced writes of 512 bytes a second\n",
        kGroup, synced_writes(directory + "/plain"));
    for (size_t count : {size_t{1}, size_t{1000}})
        for (const auto &[name, lines] :
             {std::pair("small", &sets.small), std::pair("structured", &sets.structured)}) {
            const std::string path = directory + "/" + name + std::to_string(count);
            const double rate = append_rate(path, *lines, count, plan.records);
            const double bytes = static_cast<double>(std::filesystem::file_size(path)) /
                                 static_cast<double>(plan.records);
            std::printf("  %4zu session%s %-10s %9.0f appends/s, %6.1f bytes a message", count,
                        count == 1 ? ", " : "s,", name, rate, bytes);
            if (count == 1) {  // after a store, which configures SQLite
                const double bare = bare_rate(path + "-bare", *lines, plan.records);
                std::printf("; bare rows %9.0f/s, %.1f x", bare, bare / rate);
            }
            std::printf("\n");
            std::fflush(stdout);
        }
    std::filesystem::remove_all(directory);
}
#endif

Plan read_plan(int count, char **arguments) {
    Plan plan;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        const size_t equals = argument.find('=');
        auto number = [&] {
            return static_cast<size_t>(std::strtoull(arguments[i] + equals + 1, nullptr, 10));
        };
        if (argument == "--quick") plan = {1, 200, 2000, 200, 2000, plan.directory};
        else if (argument.starts_with("--messages=")) plan.messages = number();
        else if (argument.starts_with("--sessions=")) plan.sessions = number();
        else plan.directory = argument;
    }
    return plan;
}

}  // namespace

int main(int count, char **arguments) {
    try {
        const Plan plan = read_plan(count, arguments);
        const Sets sets = read_sets(ACCP_SOURCE_DIR);
        print_times(plan, sets);
        print_contexts(plan, sets);
        print_results(plan, ACCP_SOURCE_DIR);
        print_idle(plan, sets);
        print_many(plan, sets);
        print_kept(plan, sets);
#if ACCP_SQLITE
        print_sqlite(plan, sets);
#endif
    } catch (const std::exception &error) {
        std::fprintf(stderr, "accp_session_bench: %s\n", error.what());
        return 1;
    }
}
