// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See backend_checks.h: the table alone.
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

void a_new_session(BackendBench &it) {
    expect(it.probe.head(it.session).status == ACCP_E2001,
           "a session that was never made is there");
    expect(it.probe.refused({it.session, 7}) == ACCP_ERR_BUSY,
           "a write after 7 made a session that was not there");
    expect(it.probe.head(it.session).status == ACCP_E2001, "a write that was refused made it");
    const uint64_t number = it.probe.wrote({it.session, 0, all_bytes()});
    const ProbeAnswer head = it.probe.head(it.session);
    expect(number != 0, "a write has the number 0");
    expect(head.status == ACCP_OK && head.number == number && head.text == all_bytes(),
           "the head is not the last write");
}

void append_order(BackendBench &it) {
    uint64_t at = it.probe.wrote({it.session, 0, "1", 1, {"a", "", "c"}});
    at = it.probe.wrote({it.session, at, "2", 4, {}});
    at = it.probe.wrote({it.session, at, "3", 4, {"d"}});
    it.probe.wrote({it.session, at, "4", 5, {"e", "f"}});
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
        const ProbeAnswer found =
            it.probe.records(it.session, one.first, one.last, one.back, one.max);
        expect(found.status == ACCP_OK && found.joined() == one.expected,
               "records " + std::to_string(one.first) + " to " + std::to_string(one.last) +
                   (one.back ? " backwards" : "") + " are " + found.joined());
    }
}

void many_records(BackendBench &it) {
    uint64_t at = 0, next = 1;
    for (int turn = 0; turn < 60; ++turn) {
        ProbeWrite write = {it.session, at, "row", next, {}};
        for (int i = 0; i < 1 + turn * 7 % 40; ++i) write.records.push_back(std::to_string(next++));
        at = it.probe.wrote(write);
    }
    for (const uint64_t first : {uint64_t{1}, next / 3, next / 2, next - 1}) {
        for (const bool back : {false, true}) {
            const ProbeAnswer found = it.probe.records(it.session, first, next - 1, back);
            expect(found.all.size() == next - first, "some of many records are missing");
            for (size_t i = 0; i < found.all.size(); ++i) {
                const std::string seq = std::to_string(back ? next - 1 - i : first + i);
                expect(found.all[i] == seq + "=" + seq, "one of many records is another");
            }
        }
    }
}

void whole_or_absent(BackendBench &it) {
    const uint64_t at =
        it.probe.wrote({it.session, 0, "one", 1, {"a"}, {{ACCP_STORE_PUT, "k", "n", "v"}}});
    for (const uint64_t after : {uint64_t{0}, at - 1, at + 1}) {
        expect(it.probe.refused({it.session,
                                 after,
                                 "two",
                                 2,
                                 {"b"},
                                 {{ACCP_STORE_PUT, "k", "m", "w"},
                                  {ACCP_STORE_PUT, "l", "", ""}}}) == ACCP_ERR_BUSY,
               "a write after another than the last was not refused with ACCP_ERR_BUSY");
        const ProbeAnswer head = it.probe.head(it.session);
        expect(head.number == at && head.text == "one", "a write that was refused changed the row");
        expect(it.probe.keys(it.session, "").joined() == "k=n/1",
               "a write that was refused changed keys");
        expect(it.probe.records(it.session, 1, 1).joined() == "1=a",
               "a write that was refused changed records");
    }
}

void changes_in_order(BackendBench &it) {
    uint64_t at = it.probe.wrote({it.session,
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
    expect(it.probe.keys(it.session, "").joined() == "a=2/5 c=/4",
           "changes of one write were not done in their order");
    it.probe.wrote({it.session, at, "r", 1, {}, {{ACCP_STORE_ERASE, "a", "", ""}}});
    expect(it.probe.value(it.session, "a").status == ACCP_E2001, "an erased key is there");
    expect(it.probe.value(it.session, "c").text == "back", "a value is another");
}

void values_byte_for_byte(BackendBench &it) {
    const std::string bytes = all_bytes(), large(kLargeText, 'x'), key = bytes + bytes + bytes;
    uint64_t at = it.probe.wrote({it.session,
                                  0,
                                  "r",
                                  1,
                                  {bytes, large},
                                  {{ACCP_STORE_PUT, key, std::string(32, '\0'), bytes},
                                   {ACCP_STORE_PUT, "empty", "", ""},
                                   {ACCP_STORE_PUT, "large", "n", large}}});
    expect(it.probe.value(it.session, key).text == bytes, "a value of all bytes is another");
    expect(it.probe.value(it.session, key).note == std::string(32, '\0'), "a note is another");
    const ProbeAnswer empty = it.probe.value(it.session, "empty");
    expect(empty.status == ACCP_OK && empty.all.size() == 1, "an empty value is not there");
    expect(it.probe.value(it.session, "large").text == large, "a value of 3 MiB is another");
    expect(it.probe.records(it.session, 1, 1).text == bytes, "a record of all bytes is another");
    expect(it.probe.records(it.session, 2, 2).text == large, "a record of 3 MiB is another");
    at = it.probe.wrote({it.session, at, "r", 3, {}, {{ACCP_STORE_PUT, "large", "m", "small"}}});
    expect(it.probe.value(it.session, "large").text == "small",
           "a value that was replaced is there");
}

void keys_in_order(BackendBench &it) {
    const std::string zero("a\0b", 3);
    it.probe.wrote({it.session,
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
    expect(it.probe.keys(it.session, "").joined() == all + " b=/1",
           "keys are not in the order of their bytes");
    expect(it.probe.keys(it.session, "a").joined() == all, "the keys with a prefix are others");
    expect(it.probe.keys(it.session, "a", 2).all.size() == 2, "keys came after it was enough");
    expect(it.probe.keys(it.session, "c").all.empty(), "keys with another prefix came");
}

void groups(BackendBench &it) {
    std::vector<ProbeWrite> all;
    for (const char *name : {"/1", "/2", "/3"}) all.push_back({it.other(name), 0, name, 1, {name}});
    all[1].after = 5;
    it.probe.write(all);
    expect(all[0].status == ACCP_OK && all[2].status == ACCP_OK,
           "one write that is refused held up another session's");
    expect(all[1].status == ACCP_ERR_BUSY, "of several writes one was not refused");
    expect(it.probe.records(all[2].session, 1, 1).joined() == "1=/3",
           "of several writes one is not there");
    expect(it.probe.head(all[1].session).status == ACCP_E2001,
           "of several writes the refused one was done");
}

void numbers_rise(BackendBench &it) {
    uint64_t at = 0, last = 0;
    for (int i = 0; i < 20; ++i, last = at) {
        at = it.probe.wrote({it.session, at, "r"});
        expect(at > last, "the number of a write is not larger than the one before");
    }
    expect(it.probe.erase(it.session) == ACCP_OK, "a session cannot be erased");
    at = it.probe.wrote({it.session, 0, "r"});
    expect(at > last, "a session made anew begins with numbers that it had");
}

void listing(BackendBench &it) {
    std::vector<std::string> made;
    for (const char *name : {"/b", "/a", "/c", "/d"}) made.push_back(it.other(name));
    for (const std::string &id : made) it.probe.wrote({id, 0, "r"});
    const auto listed = [&](uint64_t after) {
        std::string out;
        for (const std::string &one : it.probe.sessions(after).all) {
            const size_t at = one.find('=') + 1;
            if (one.compare(at, it.session.size(), it.session) == 0)
                out += one.substr(at + it.session.size());
        }
        return out;
    };
    expect(listed(0) == "/b/a/c/d", "sessions are not listed in the order in which they were made");
    it.probe.wrote({made[0], it.probe.head(made[0]).number, "r"});
    expect(listed(0) == "/b/a/c/d", "a session that was written to has another place in the list");
    uint64_t after = 0;
    std::string one_by_one;
    for (;;) {
        const ProbeAnswer next = it.probe.sessions(after, 1);
        if (next.all.empty()) break;
        expect(next.number > after, "a session's number is not larger than what it comes after");
        after = next.number;
        if (next.text.compare(0, it.session.size(), it.session) == 0)
            one_by_one += next.text.substr(it.session.size());
    }
    expect(one_by_one == "/b/a/c/d", "sessions are others when listed one by one");
    expect(it.probe.erase(made[1]) == ACCP_OK && listed(0) == "/b/c/d",
           "an erased session is listed");
}

void erasing(BackendBench &it) {
    it.probe.wrote({it.session, 0, "r", 1, {"old"}, {{ACCP_STORE_PUT, "k", "", "old"}}});
    expect(it.probe.erase(it.session) == ACCP_OK, "a session cannot be erased");
    expect(it.probe.erase(it.session) == ACCP_E2001, "a session is erased twice");
    expect(it.probe.head(it.session).status == ACCP_E2001, "an erased session has a head");
    expect(it.probe.value(it.session, "k").status == ACCP_E2001, "an erased session has values");
    it.probe.wrote({it.session, 0, "r", 1, {"new"}});
    expect(it.probe.keys(it.session, "").all.empty(), "a session made anew has old keys");
    expect(it.probe.records(it.session, 1, 1).joined() == "1=new",
           "a session made anew has old records");
}

void two_of_them(BackendBench &it) {
    BackendProbe other(it.open, it.place);
    const uint64_t first = it.probe.wrote({it.session, 0, "1", 1, {"a"}});
    expect(other.head(it.session).number == first, "another does not see what was written");
    const uint64_t second =
        other.wrote({it.session, first, "2", 2, {"b"}, {{ACCP_STORE_PUT, "k", "", "v"}}});
    expect(it.probe.refused({it.session, first, "3", 2, {"c"}}) == ACCP_ERR_BUSY,
           "who did not see another's write was not refused");
    expect(
        it.probe.head(it.session).number == second && it.probe.value(it.session, "k").text == "v",
        "what another wrote is not seen");
    expect(it.probe.records(it.session, 1, 2).joined() == "1=a 2=b",
           "records of two writers are others");
}

// Four race for each write; one a time has it.
void one_winner(BackendBench &it) {
    constexpr int kWriters = 4, kRounds = 100;
    std::atomic<int> won{0}, wrong{0};
    std::atomic<bool> dead{false};
    it.probe.wrote({it.session, 0, "r"});
    std::vector<std::thread> threads;
    for (int t = 0; t < kWriters; ++t)
        threads.emplace_back([&] {
            try {
                BackendProbe mine(it.open, it.place);
                for (int i = 0; i < kRounds; ++i) {
                    const ProbeAnswer head = mine.head(it.session);
                    const uint64_t had = head.text == "r" ? 0 : std::stoull(head.text);
                    const accp_status status = mine.refused({it.session,
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
    expect(!dead && wrong == 0, "a race of writers ended with neither a write nor ACCP_ERR_BUSY");
    const ProbeAnswer head = it.probe.head(it.session);
    expect(won > 0 && head.text == std::to_string(won.load()),
           "of writers that raced two had the same write");
    const ProbeAnswer all = it.probe.records(it.session, 1, static_cast<uint64_t>(won.load()));
    expect(all.all.size() == static_cast<size_t>(won.load()), "records of a race are missing");
    for (size_t i = 0; i < all.all.size(); ++i)
        expect(all.all[i] == std::to_string(i + 1) + "=" + std::to_string(i + 1),
               "records of a race are out of order");
}

void reopening(BackendBench &it) {
    const uint64_t at =
        it.probe.wrote({it.session, 0, "row", 1, {"a", "b"}, {{ACCP_STORE_PUT, "k", "n", "v"}}});
    BackendProbe again(it.open, it.place, ACCP_STORE_EXISTING);
    const ProbeAnswer head = again.head(it.session);
    expect(head.status == ACCP_OK && head.number == at && head.text == "row",
           "a place that is opened again has another head");
    expect(again.records(it.session, 1, 2).joined() == "1=a 2=b" &&
               again.keys(it.session, "").joined() == "k=n/1" &&
               again.value(it.session, "k").text == "v",
           "a place that is opened again has other contents");
    again.wrote({it.session, at, "row", 3, {"c"}});
}

}  // namespace

std::vector<BackendCheck> table_checks() {
    return {{"a new session", a_new_session},
            {"records in their order", append_order},
            {"many records", many_records},
            {"a write whole or absent", whole_or_absent},
            {"changes in their order", changes_in_order},
            {"values byte for byte", values_byte_for_byte},
            {"keys in their order", keys_in_order},
            {"several writes at once", groups},
            {"numbers that rise", numbers_rise},
            {"sessions in their order", listing},
            {"erasing", erasing},
            {"two that write", two_of_them},
            {"one winner of a race", one_winner},
            {"opening again", reopening}};
}

}  // namespace cli
