// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checks of the back end by itself.
#include "cli/store/backend_checks.h"

#include <atomic>
#include <thread>

namespace cli {
namespace {

constexpr size_t kLargeText = 3 << 20;  // more than one message of most networks

std::string all_bytes() {
    std::string out;
    for (int i = 0; i < 256; ++i) out += static_cast<char>(i);
    return out;
}

void new_session(CheckBench &bench) {
    expect(bench.probe.head(bench.session).status == ACCP_E2001,
           "a session exists that was never created");
    expect(bench.probe.try_write({bench.session, 7}) == ACCP_ERR_BUSY,
           "a write after number 7 created a session");
    expect(bench.probe.head(bench.session).status == ACCP_E2001,
           "a refused write created the session");
    const uint64_t number = bench.probe.write_one({bench.session, 0, all_bytes()});
    const ProbeResult head = bench.probe.head(bench.session);
    expect(number != 0, "a write returned the number 0");
    expect(head.status == ACCP_OK && head.number == number && head.text == all_bytes(),
           "the head is not the last write");
}

void record_order(CheckBench &bench) {
    uint64_t at = bench.probe.write_one({bench.session, 0, "1", 1, {"a", "", "c"}});
    at = bench.probe.write_one({bench.session, at, "2", 4, {}});
    at = bench.probe.write_one({bench.session, at, "3", 4, {"d"}});
    bench.probe.write_one({bench.session, at, "4", 5, {"e", "f"}});
    const struct {
        uint64_t first, last;
        bool back;
        size_t max;
        const char *expected;
    } cases[] = {{1, 6, false, 99, "1=a 2= 3=c 4=d 5=e 6=f"},
                 {1, 6, true, 99, "6=f 5=e 4=d 3=c 2= 1=a"},
                 {3, 5, false, 99, "3=c 4=d 5=e"},
                 {2, 5, true, 99, "5=e 4=d 3=c 2="},
                 {4, 4, false, 99, "4=d"},
                 {1, 6, false, 2, "1=a 2="},
                 {1, 6, true, 3, "6=f 5=e 4=d"}};
    for (const auto &one : cases) {
        const ProbeResult found =
            bench.probe.records(bench.session, one.first, one.last, one.back, one.max);
        expect(found.status == ACCP_OK && found.joined() == one.expected,
               "records " + std::to_string(one.first) + " to " + std::to_string(one.last) +
                   (one.back ? " backwards" : "") + " are " + found.joined());
    }
}

void many_records(CheckBench &bench) {
    uint64_t at = 0, next = 1;
    for (int turn = 0; turn < 60; ++turn) {
        ProbeWrite write = {bench.session, at, "row", next, {}};
        for (int i = 0; i < 1 + turn * 7 % 40; ++i) write.records.push_back(std::to_string(next++));
        at = bench.probe.write_one(write);
    }
    for (const uint64_t first : {uint64_t{1}, next / 3, next / 2, next - 1}) {
        for (const bool back : {false, true}) {
            const ProbeResult found = bench.probe.records(bench.session, first, next - 1, back);
            expect(found.all.size() == next - first, "records are missing");
            for (size_t i = 0; i < found.all.size(); ++i) {
                const std::string seq = std::to_string(back ? next - 1 - i : first + i);
                expect(found.all[i] == seq + "=" + seq, "a record has the wrong content");
            }
        }
    }
}

void atomic_write(CheckBench &bench) {
    const uint64_t at = bench.probe.write_one(
        {bench.session, 0, "one", 1, {"a"}, {{ACCP_STORE_PUT, "k", "n", "v"}}});
    for (const uint64_t after : {uint64_t{0}, at - 1, at + 1}) {
        expect(bench.probe.try_write({bench.session,
                                      after,
                                      "two",
                                      2,
                                      {"b"},
                                      {{ACCP_STORE_PUT, "k", "m", "w"},
                                       {ACCP_STORE_PUT, "l", "", ""}}}) == ACCP_ERR_BUSY,
               "a write after an older write was not refused with ACCP_ERR_BUSY");
        const ProbeResult head = bench.probe.head(bench.session);
        expect(head.number == at && head.text == "one", "a refused write changed the row");
        expect(bench.probe.keys(bench.session, "").joined() == "k=n/1",
               "a refused write changed keys");
        expect(bench.probe.records(bench.session, 1, 1).joined() == "1=a",
               "a refused write changed records");
    }
}

void change_order(CheckBench &bench) {
    const uint64_t at = bench.probe.write_one({bench.session,
                                               0,
                                               "r",
                                               1,
                                               {},
                                               {{ACCP_STORE_PUT, "a", "1", "one"},
                                                {ACCP_STORE_PUT, "a", "2", "three"},
                                                {ACCP_STORE_PUT, "b", "", "x"},
                                                {ACCP_STORE_ERASE, "b", "", ""},
                                                {ACCP_STORE_ERASE, "c", "", ""},
                                                {ACCP_STORE_PUT, "c", "", "back"}}});
    expect(bench.probe.keys(bench.session, "").joined() == "a=2/5 c=/4",
           "changes of one write were not applied in order");
    bench.probe.write_one({bench.session, at, "r", 1, {}, {{ACCP_STORE_ERASE, "a", "", ""}}});
    expect(bench.probe.value(bench.session, "a").status == ACCP_E2001,
           "an erased key still exists");
    expect(bench.probe.value(bench.session, "c").text == "back", "a value has changed");
}

void exact_values(CheckBench &bench) {
    const std::string bytes = all_bytes(), large(kLargeText, 'x'), key = bytes + bytes + bytes;
    uint64_t at = bench.probe.write_one({bench.session,
                                         0,
                                         "r",
                                         1,
                                         {bytes, large},
                                         {{ACCP_STORE_PUT, key, std::string(32, '\0'), bytes},
                                          {ACCP_STORE_PUT, "empty", "", ""},
                                          {ACCP_STORE_PUT, "large", "n", large}}});
    expect(bench.probe.value(bench.session, key).text == bytes,
           "a value with all 256 bytes has changed");
    expect(bench.probe.value(bench.session, key).note == std::string(32, '\0'),
           "a note has changed");
    const ProbeResult empty = bench.probe.value(bench.session, "empty");
    expect(empty.status == ACCP_OK && empty.all.size() == 1, "an empty value is missing");
    expect(bench.probe.value(bench.session, "large").text == large, "a value of 3 MiB has changed");
    expect(bench.probe.records(bench.session, 1, 1).text == bytes,
           "a record with all 256 bytes has changed");
    expect(bench.probe.records(bench.session, 2, 2).text == large, "a record of 3 MiB has changed");
    bench.probe.write_one(
        {bench.session, at, "r", 3, {}, {{ACCP_STORE_PUT, "large", "m", "small"}}});
    expect(bench.probe.value(bench.session, "large").text == "small",
           "a replaced value is still returned");
}

void key_order(CheckBench &bench) {
    const std::string zero("a\0b", 3);
    bench.probe.write_one({bench.session,
                           0,
                           "r",
                           1,
                           {},
                           {{ACCP_STORE_PUT, "b", "", "1"},
                            {ACCP_STORE_PUT, "a\xFF", "", "22"},
                            {ACCP_STORE_PUT, "ab", "", ""},
                            {ACCP_STORE_PUT, zero, "", "333"},
                            {ACCP_STORE_PUT, "a", "", "4444"}}});
    const std::string all = "a=/4 " + zero + "=/3 ab=/0 a\xFF=/2";
    expect(bench.probe.keys(bench.session, "").joined() == all + " b=/1",
           "keys are not in byte order");
    expect(bench.probe.keys(bench.session, "a").joined() == all,
           "the keys with a prefix are wrong");
    expect(bench.probe.keys(bench.session, "a", 2).all.size() == 2,
           "keys were returned after the callback asked to stop");
    expect(bench.probe.keys(bench.session, "c").all.empty(),
           "keys with another prefix were returned");
}

void grouped_writes(CheckBench &bench) {
    std::vector<ProbeWrite> all;
    for (const char *name : {"/1", "/2", "/3"})
        all.push_back({bench.other(name), 0, name, 1, {name}});
    all[1].after = 5;
    bench.probe.write(all);
    expect(all[0].status == ACCP_OK && all[2].status == ACCP_OK,
           "a refused write prevented the write of another session");
    expect(all[1].status == ACCP_ERR_BUSY,
           "a write that must be refused was done, in a group of writes");
    expect(bench.probe.records(all[2].session, 1, 1).joined() == "1=/3",
           "a write is missing, in a group of writes");
    expect(bench.probe.head(all[1].session).status == ACCP_E2001,
           "a refused write was done, in a group of writes");
}

void growing_numbers(CheckBench &bench) {
    uint64_t at = 0, last = 0;
    for (int i = 0; i < 20; ++i, last = at) {
        at = bench.probe.write_one({bench.session, at, "r"});
        expect(at > last, "the number of a write is not larger than the number before it");
    }
    expect(bench.probe.erase(bench.session) == ACCP_OK, "a session cannot be erased");
    at = bench.probe.write_one({bench.session, 0, "r"});
    expect(at > last, "a session that was erased and created again reuses its numbers");
}

void session_order(CheckBench &bench) {
    std::vector<std::string> made;
    for (const char *name : {"/b", "/a", "/c", "/d"}) made.push_back(bench.other(name));
    for (const std::string &id : made) bench.probe.write_one({id, 0, "r"});
    const auto listed = [&](uint64_t after) {
        std::string out;
        for (const std::string &one : bench.probe.sessions(after).all) {
            const size_t at = one.find('=') + 1;
            if (one.compare(at, bench.session.size(), bench.session) == 0)
                out += one.substr(at + bench.session.size());
        }
        return out;
    };
    expect(listed(0) == "/b/a/c/d", "sessions are not listed in the order of their creation");
    bench.probe.write_one({made[0], bench.probe.head(made[0]).number, "r"});
    expect(listed(0) == "/b/a/c/d", "a write moved a session in the list");
    uint64_t after = 0;
    std::string one_by_one;
    for (;;) {
        const ProbeResult next = bench.probe.sessions(after, 1);
        if (next.all.empty()) break;
        expect(next.number > after, "the number of a listed session does not grow");
        after = next.number;
        if (next.text.compare(0, bench.session.size(), bench.session) == 0)
            one_by_one += next.text.substr(bench.session.size());
    }
    expect(one_by_one == "/b/a/c/d", "sessions listed one by one differ from the whole list");
    expect(bench.probe.erase(made[1]) == ACCP_OK && listed(0) == "/b/c/d",
           "an erased session is still listed");
}

void erase_session(CheckBench &bench) {
    bench.probe.write_one({bench.session, 0, "r", 1, {"old"}, {{ACCP_STORE_PUT, "k", "", "old"}}});
    expect(bench.probe.erase(bench.session) == ACCP_OK, "a session cannot be erased");
    expect(bench.probe.erase(bench.session) == ACCP_E2001, "an erased session can be erased again");
    expect(bench.probe.head(bench.session).status == ACCP_E2001,
           "an erased session still has a head");
    expect(bench.probe.value(bench.session, "k").status == ACCP_E2001,
           "an erased session still has values");
    bench.probe.write_one({bench.session, 0, "r", 1, {"new"}});
    expect(bench.probe.keys(bench.session, "").all.empty(),
           "a session that was created again has old keys");
    expect(bench.probe.records(bench.session, 1, 1).joined() == "1=new",
           "a session that was created again has old records");
}

void two_connections(CheckBench &bench) {
    BackendProbe other(bench.open, bench.place);
    const uint64_t first = bench.probe.write_one({bench.session, 0, "1", 1, {"a"}});
    expect(other.head(bench.session).number == first, "a second connection does not see a write");
    const uint64_t second =
        other.write_one({bench.session, first, "2", 2, {"b"}, {{ACCP_STORE_PUT, "k", "", "v"}}});
    expect(bench.probe.try_write({bench.session, first, "3", 2, {"c"}}) == ACCP_ERR_BUSY,
           "a write based on an outdated number was not refused");
    expect(bench.probe.head(bench.session).number == second &&
               bench.probe.value(bench.session, "k").text == "v",
           "a write of the second connection is not visible");
    expect(bench.probe.records(bench.session, 1, 2).joined() == "1=a 2=b",
           "records of two writers are wrong");
}

// Four writers compete for each write; exactly one succeeds.
void write_race(CheckBench &bench) {
    constexpr int kWriters = 4, kRounds = 100;
    std::atomic<int> won{0}, wrong{0};
    std::atomic<bool> dead{false};
    bench.probe.write_one({bench.session, 0, "r"});
    std::vector<std::thread> threads;
    for (int t = 0; t < kWriters; ++t)
        threads.emplace_back([&] {
            try {
                BackendProbe mine(bench.open, bench.place);
                for (int i = 0; i < kRounds; ++i) {
                    const ProbeResult head = mine.head(bench.session);
                    const uint64_t had = head.text == "r" ? 0 : std::stoull(head.text);
                    const accp_status status = mine.try_write({bench.session,
                                                               head.number,
                                                               std::to_string(had + 1),
                                                               had + 1,
                                                               {std::to_string(had + 1)}});
                    won += status == ACCP_OK;
                    wrong += status != ACCP_OK && status != ACCP_ERR_BUSY;
                }
            } catch (const std::exception &) {
                dead = true;
            }
        });
    for (std::thread &thread : threads) thread.join();
    expect(!dead && wrong == 0, "a write in a race returned neither ACCP_OK nor ACCP_ERR_BUSY");
    const ProbeResult head = bench.probe.head(bench.session);
    expect(won > 0 && head.text == std::to_string(won.load()),
           "two writers in a race got the same number");
    const ProbeResult all =
        bench.probe.records(bench.session, 1, static_cast<uint64_t>(won.load()));
    expect(all.all.size() == static_cast<size_t>(won.load()), "records of a race are missing");
    for (size_t i = 0; i < all.all.size(); ++i)
        expect(all.all[i] == std::to_string(i + 1) + "=" + std::to_string(i + 1),
               "records of a race are out of order");
}

void reopen(CheckBench &bench) {
    const uint64_t at = bench.probe.write_one(
        {bench.session, 0, "row", 1, {"a", "b"}, {{ACCP_STORE_PUT, "k", "n", "v"}}});
    BackendProbe again(bench.open, bench.place, ACCP_STORE_EXISTING);
    const ProbeResult head = again.head(bench.session);
    expect(head.status == ACCP_OK && head.number == at && head.text == "row",
           "the head differs after the place is opened again");
    expect(again.records(bench.session, 1, 2).joined() == "1=a 2=b" &&
               again.keys(bench.session, "").joined() == "k=n/1" &&
               again.value(bench.session, "k").text == "v",
           "the content differs after the place is opened again");
    again.write_one({bench.session, at, "row", 3, {"c"}});
}

}  // namespace

std::vector<BackendCheck> table_checks() {
    return {{"a new session", new_session},
            {"records in their order", record_order},
            {"many records", many_records},
            {"a write whole or absent", atomic_write},
            {"changes in their order", change_order},
            {"values byte for byte", exact_values},
            {"keys in their order", key_order},
            {"several writes at once", grouped_writes},
            {"numbers that rise", growing_numbers},
            {"sessions in their order", session_order},
            {"erasing", erase_session},
            {"two that write", two_connections},
            {"one winner of a race", write_race},
            {"opening again", reopen}};
}

}  // namespace cli
