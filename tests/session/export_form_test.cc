// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Records and snapshots as JSON members: bytes are reproduced exactly or refused. Each allocation
// also fails in turn.
#include "session/export_form.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "failing.h"

using namespace accp;

namespace {

const std::string kRecords[] = {
    std::string("R\x01\x02\x00@a>done:x{k:v}[mid:a00000000001,cid:c1,aid:b,seq:1]", 55),
    std::string("Q\x01\x02\x88\x27\x02{}@a>req:x{k:v}", 21),
    std::string("U\x01\x02\x07\x01a", 6),
    std::string("M\x01\x02{\"agent\":\"a\"}", 16),
    std::string("\xCD\x01\x02no json", 10),
    std::string("A\x01\x02", 3) + "c1",
    std::string("Z\x01\x02", 3),
    std::string("P\x01\x02rest", 7),
    std::string("R\x01\x02\x00@\xFF", 6),
};
const std::string kState = std::string("\x04\x01t", 3) + std::string(12, '\x05') +
                           std::string("\x09\x02\x03\x01\x00\x02", 6) +
                           std::string(
                               "\x01"
                               "a\x07\x01\x02\x01\x03\x00\x01\x00\x00",
                               11) +
                           "context";

class Form {
public:
    explicit Form(const accp_allocator &allocator = private_allocator())
        : memory_(allocator, UINT64_MAX), form_(memory_), json_(memory_), bytes_(memory_) {}

    // The members, or "" if the bytes are refused; the bytes that are read back go into back().
    std::string members(const std::string &bytes, bool state) {
        value::JsonLine line(memory_, json_);
        json_.clear();
        line.begin();
        const bool taken = state ? form_.write_state(bytes, line) : form_.write_record(bytes, line);
        line.end();
        if (!taken) return json_.view() == "{}" ? "" : "something was written";
        read(state);
        return std::string(json_.view());
    }
    std::string back() const { return std::string(bytes_.view()); }

private:
    void read(bool state) {
        value::JsonReader reader(memory_);
        value::Value value(memory_);
        EXPECT_TRUE(reader.read(json_.data(), json_.size(), {1 << 20, 64}, value).ok());
        const uint32_t map = state ? value.view().find(0, "state") : 0;
        const value::JsonFields fields(value.view(), map);
        EXPECT_TRUE(state ? form_.read_state(fields, bytes_) : form_.read_record(fields, bytes_));
    }

    Memory memory_;
    session::ExportForm form_;
    Buffer<char> json_, bytes_;
};

TEST(ExportForm, ShowsWhatARecordSays) {
    Form form;
    EXPECT_EQ(form.members(kRecords[0], false),
              R"({"kind":"received","direction":"in","time_ms":1,"next_key":2,)"
              R"("mid":"a00000000001","cid":"c1","aid":"b",)"
              R"("frame":"@a>done:x{k:v}[mid:a00000000001,cid:c1,aid:b,seq:1]"})");
    EXPECT_EQ(form.members(kRecords[1], false),
              R"({"kind":"request","direction":"out","time_ms":1,"next_key":2,"timeout_ms":5000,)"
              R"("message":{},"frame":"@a>req:x{k:v}"})");
    EXPECT_EQ(form.members(kRecords[4], false),
              R"({"kind":"message","time_ms":1,"next_key":2,"untrusted":true,)"
              R"("message_text":"no json"})");
    EXPECT_EQ(form.members(kState, true),
              R"({"state":{"form":4,"tokenizer":"t","options":[5,5,5,5,5,5,5,5,5,5,5,5],)"
              R"("record":9,"next_key":2,"state_version":3,"pending":1,"ended":0,"agents":[)"
              R"({"agent":"a","awaited":7,"own":1,"ahead":[1,3]},)"
              R"({"agent":"","awaited":1,"own":0,"ahead":[]}],"context":"context"}})");
}

// Changed, truncated and extended bytes, and numbers that are longer than necessary.
TEST(ExportForm, BytesComeBackOrAreNotTaken) {
    Form form;
    std::mt19937 random(5);
    size_t taken = 0, left = 0;
    for (int i = 0; i < 40000; ++i) {
        const bool state = i % 4 == 0;
        std::string bytes = state ? kState : kRecords[random() % std::size(kRecords)];
        for (uint32_t changes = random() % 3; changes && !bytes.empty(); --changes) {
            const size_t at = random() % bytes.size();
            if (random() % 3 == 0) bytes.erase(at, 1);
            else if (random() % 2) bytes.insert(at, 1, static_cast<char>(random()));
            else bytes[at] = static_cast<char>(random() % 2 ? random() : 0x80);
        }
        const std::string json = form.members(bytes, state);
        ASSERT_NE(json, "something was written");
        ++(json.empty() ? left : taken);
        if (json.empty()) continue;
        ASSERT_EQ(form.back(), bytes) << json;
    }
    EXPECT_GT(taken, 5000u);
    EXPECT_GT(left, 1000u);
    EXPECT_EQ(form.members(std::string("Z\x81\x00\x02", 4), false), "") << "a longer 1";
}

TEST(ExportForm, EveryAllocationFails) {
    for (const std::string &bytes : {kRecords[0], kRecords[1], kState}) {
        accp_test::Failing failing;
        const std::string expected = Form().members(bytes, bytes == kState);
        int64_t at = 0;
        while (accp_test::fails(failing, at, [&] {
            EXPECT_EQ(Form(failing.allocator()).members(bytes, bytes == kState), expected);
        }))
            ++at;
        EXPECT_GT(at, 4);
        EXPECT_EQ(failing.live, 0);
    }
}

}  // namespace
