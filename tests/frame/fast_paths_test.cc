// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The fast paths handle what they are for. both_ways_test.cc cannot show this: if a fast path
// gives up without need, the general path writes the same, more slowly.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "frame/block.h"
#include "frame/coder.h"
#include "frame/encode.h"
#include "frame/parse.h"
#include "unit.h"
#include "value/json_reader.h"

namespace {

using namespace accp;

const std::string kNames = R"({"agent":"planner-1","intent":"req","operation":"plan_it",)";

// What encode_direct() writes for a message, or "" if it gives up.
std::string directly(const std::string &json, const Settings &settings = {}) {
    accp_unit::Room room;
    value::JsonReader reader(room.memory);
    const accp_unit::Padded text(json);
    EXPECT_TRUE(reader.make_index(text.view().data(), json.size(), {1 << 20, 1024}).ok()) << json;
    Buffer<char> out(room.memory);
    out.append("before", 6);
    const bool done = frame::encode_direct(settings, text.view().data(), json.size(),
                                           reader.index(), reader.index_count(), out);
    const std::string written = accp_unit::text_of(out);
    EXPECT_EQ(written.substr(0, 6), "before");
    EXPECT_TRUE(done || written.size() == 6) << json;
    return written.substr(6);
}

TEST(FastPaths, MessagesOfPrograms) {
    const struct {
        const char *payload, *wire;
    } cases[] = {
        {"{}", "{}"},
        {R"({"task":"impl_auth"})", "{task:impl_auth}"},
        {R"({"s":"a b","t":"Größe","u":"007","v":"true"})",
         R"({s:"a_b"|t:"Gr%F6%DFe"|u:"007"|v:"true"})"},
        {R"({"a":1,"b":-2.5,"c":0,"d":12345678901234567890})",
         "{a:1|b:-2.5|c:0|d:12345678901234567890}"},
        {R"({"a":true,"b":false,"c":null})", "{a:true|b:false|c:~}"},
        {R"({"a":[1,"x",[],{}],"b":{"c":{"d":[true]}}})", "{a:[1,x,[],{}]|b:{c:{d:[true]}}}"},
        {R"({"a":{"x":1,"y":2,"z":[{"k":1}]}})", "{a:{x:1,y:2,z:[{k:1}]}}"},
    };
    for (const auto &one : cases) {
        EXPECT_EQ(directly(kNames + "\"payload\":" + one.payload + "}"),
                  std::string("@planner-1>req:plan_it") + one.wire);
        std::string meta = one.wire;
        if (meta == "{}" || meta.find('"') != meta.npos) continue;  // may be texts of the envelope
        meta.front() = '[', meta.back() = ']';
        for (char &c : meta) c = c == '|' ? ',' : c;
        EXPECT_EQ(directly(kNames + R"("payload":{},"meta":)" + one.payload + "}"),
                  "@planner-1>req:plan_it{}" + meta);
    }
}

TEST(FastPaths, OthersAreLeftToTheGeneralPath) {
    for (const char *rest : {
             R"("payload":{"a":1e5}})",            // a number with another spelling
             R"("payload":{"a":"x\ny"}})",         // an escape
             R"("payload":{"a":{"z":1,"b":2}}})",  // keys to sort
             R"("payload":{"a":1,"a":2}})",        // a key twice
             R"("payload": {"a":1}})",             // white space
             R"("meta":{"a":1},"payload":{}})",    // members in another order
             R"("payload":{},"more":1})",          // an unknown member
             R"("payload":{"a":tru}})",            // no JSON
             R"("payload":[1]})",                  // no object
         })
        EXPECT_EQ(directly(kNames + rest), "");
}

// The payload of a frame as JSON, or "" if BlockJsonWriter gives up.
std::string as_json(const std::string &payload, const Settings &settings = {}) {
    accp_unit::Room room;
    const std::string frame = "@a>req:x" + payload;
    const accp_unit::Padded text(frame);
    frame::Parser parser(room.memory, settings);
    Buffer<value::Node> nodes(room.memory);
    EXPECT_TRUE(parser.parse(text.view().data(), frame.size(), nodes).ok()) << frame;
    Buffer<char> out(room.memory);
    const bool done =
        frame::BlockJsonWriter(settings).write({nodes.data(), text.view().data()}, frame::kPayload,
                                               frame::BlockKind::kFreshPayload, room.arena, out);
    return done ? accp_unit::text_of(out) : "";
}

// A JSON object as a payload, or "" if BlockWriter gives up.
std::string as_wire(const std::string &json, const Settings &settings = {}) {
    accp_unit::Room room;
    value::JsonReader reader(room.memory);
    value::Value value(room.memory);
    EXPECT_TRUE(reader.read(json.data(), json.size(), {1 << 20, 1024}, value).ok()) << json;
    Buffer<char> out(room.memory);
    const bool done =
        frame::BlockWriter(settings).write(value.view(), 0, frame::kPayloadStyle, out);
    return done ? accp_unit::text_of(out) : "";
}

TEST(FastPaths, Blocks) {
    const struct {
        const char *json, *wire;
    } cases[] = {
        {"{}", "{}"},
        {R"({"a":1,"b":-2.5,"c":true,"d":null})", "{a:1|b:-2.5|c:true|d:~}"},
        {R"({"a":"x","b":"a b","c":"007","d":"Größe"})", R"({a:x|b:"a_b"|c:"007"|d:"Gr%F6%DFe"})"},
        {R"({"a":"x@y","b":"~"})", R"({a:x\@y|b:\~})"},
        {R"({"a":[1,[],{}],"b":{"c":{"d":1,"e":2}}})", "{a:[1,[],{}]|b:{c:{d:1,e:2}}}"},
        {R"({"a b":1,"c":2})", "{__a_20b:1|c:2}"},
    };
    for (const auto &one : cases) {
        EXPECT_EQ(as_wire(one.json), one.wire);
        EXPECT_EQ(as_json(one.wire), one.json);
    }
}

TEST(FastPaths, OtherBlocks) {
    EXPECT_EQ(as_wire(R"({"m":{"b":1,"a":2}})"), "");  // keys to sort
    EXPECT_EQ(as_json("{a:$warm.k}"), "");             // no session resolves it
    Settings tables;
    tables.extensions |= ACCP_EXT_T1;
    EXPECT_EQ(as_wire(R"({"a":[{"k":1},{"k":2}]})", tables), "");
    EXPECT_EQ(as_json("{a:{__cols:[k],__rows:[[1],[2]]}}", tables), "");
}

// Memory in which a block is before those that were allocated earlier. A write after the end of a
// block shows.
class DescendingMemory {
public:
    ~DescendingMemory() { EXPECT_TRUE(is_whole()); }
    bool is_whole() const {
        for (const char *guard : guards_)
            if (std::count(guard, guard + kGuard, kMark) != kGuard) return false;
        return true;
    }

    Memory memory{{[](size_t size, void *user) -> void * {
                       return static_cast<DescendingMemory *>(user)->allocate(size);
                   },
                   [](void *, size_t, void *) {}, this},
                  UINT64_MAX};

private:
    static constexpr ptrdiff_t kGuard = 256;
    static constexpr char kMark = 0x5A;

    void *allocate(size_t size) {
        at_ = (at_ - size - kGuard) / 16 * 16;
        guards_.push_back(space_.get() + at_ + size);
        std::memset(space_.get() + at_ + size, kMark, kGuard);
        return space_.get() + at_;
    }

    size_t at_ = 1 << 20;
    std::unique_ptr<char[]> space_ = std::make_unique<char[]>(at_);
    std::vector<const char *> guards_;
};

// A text in quotes can be so long that it replaces the buffer. What follows has space in the new
// one.
TEST(FastPaths, ABufferIsReplacedWithinABlock) {
    const std::string longest(500, 'x');
    for (size_t letters = 1; letters < 300; ++letters) {
        std::string quoted;
        while (quoted.size() < letters) quoted += "a\U0001F600";
        const std::string json =
            R"({"k":["1e5",")" + quoted + "\",\"" + longest + R"("],"l":")" + longest + "\"}";
        accp_unit::Room room;
        value::JsonReader reader(room.memory);
        value::Value value(room.memory);
        ASSERT_TRUE(reader.read(json.data(), json.size(), {1 << 20, 1024}, value).ok());
        DescendingMemory descending;
        Buffer<char> out(descending.memory);
        ASSERT_TRUE(frame::BlockWriter({}).write(value.view(), 0, frame::kPayloadStyle, out));
        ASSERT_TRUE(descending.is_whole()) << letters;
        ASSERT_EQ(accp_unit::text_of(out), as_wire(json));
    }
}

TEST(FastPaths, MemoryIsUsedAgain) {
    const Settings settings;
    Memory memory(private_allocator(), 256 << 10);
    frame::Coder coder(memory, settings);
    const std::string frame = R"(@a>req:x{__a_20b:1|c:x\@y|d:"Gr%F6%DFe"}[e:"a_b"])";
    for (int i = 0; i < 20000; ++i) {
        Buffer<char> out(memory);
        Buffer<value::Node> nodes(memory);
        ASSERT_TRUE(coder.decode(frame.data(), frame.size(), nodes, out).ok()) << i;
    }
}

}  // namespace
