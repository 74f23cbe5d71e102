// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Memory and its cap, and the buffer and the arena that use it.
#include "base/memory.h"

#include <gtest/gtest.h>

#include "base/arena.h"
#include "base/random.h"
#include "unit.h"

namespace {

using accp::Arena;
using accp::Buffer;
using accp::kKeptBytes;
using accp::Memory;
using accp::OutOfMemory;

TEST(Memory, CapIsExact) {
    Memory memory(accp::private_allocator(), 100);
    void *max = memory.allocate(100);
    EXPECT_EQ(memory.used(), 100u);
    EXPECT_THROW(memory.allocate(1), OutOfMemory);
    memory.release(max, 100);
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_THROW(memory.allocate(101), OutOfMemory);
    EXPECT_THROW(memory.allocate(SIZE_MAX), OutOfMemory);
    EXPECT_EQ(memory.used(), 0u);
    memory.release(nullptr, 5);
    EXPECT_EQ(memory.used(), 0u);
}

TEST(Memory, AllocatorThatAnswersNullIsOutOfMemory) {
    accp_allocator none = {[](size_t, void *) -> void * { return nullptr; },
                           [](void *, size_t, void *) {}, nullptr};
    Memory memory(none, UINT64_MAX);
    EXPECT_THROW(memory.allocate(1), OutOfMemory);
    EXPECT_EQ(memory.used(), 0u);
}

TEST(Buffer, GrowsAndKeepsItsContent) {
    Memory memory(accp::private_allocator(), UINT64_MAX);
    {
        Buffer<uint32_t> buffer(memory);
        for (uint32_t i = 0; i < 10000; ++i) buffer.push(i);
        ASSERT_EQ(buffer.size(), 10000u);
        for (uint32_t i = 0; i < 10000; ++i) ASSERT_EQ(buffer[i], i);
        // the slack can be overwritten
        std::memset(buffer.reserve(0), 0, Buffer<uint32_t>::kSlack);
        EXPECT_GE(memory.used(), 40000u);
        EXPECT_LE(memory.used(), 60000u + 32) << "grows by halves";
    }
    EXPECT_EQ(memory.used(), 0u);
}

TEST(Buffer, RefusedGrowthChangesNothing) {
    Memory memory(accp::private_allocator(), 1000);
    Buffer<char> buffer(memory);
    buffer.append("abc", 3);
    const uint64_t used = memory.used();
    EXPECT_THROW(buffer.reserve(2000), OutOfMemory);
    EXPECT_THROW(buffer.reserve(SIZE_MAX - 100), OutOfMemory);
    EXPECT_EQ(memory.used(), used);
    EXPECT_EQ(accp_unit::text_of(buffer), "abc");
}

TEST(Buffer, ClearKeepsMemoryAndRecycleGivesBackWhatIsLarge) {
    Memory memory(accp::private_allocator(), UINT64_MAX);
    Buffer<char> buffer(memory);
    buffer.reserve(1000);
    const uint64_t small = memory.used();
    buffer.clear();
    buffer.recycle(kKeptBytes);
    EXPECT_EQ(memory.used(), small);
    buffer.reserve(kKeptBytes + 1);
    buffer.clear();
    EXPECT_GT(memory.used(), kKeptBytes);
    buffer.recycle(kKeptBytes);
    EXPECT_EQ(memory.used(), 0u);
    buffer.push('x');  // the buffer is still usable
    EXPECT_EQ(buffer.size(), 1u);
}

TEST(Buffer, AppendsNothingFromNowhere) {
    Memory memory(accp::private_allocator(), UINT64_MAX);
    Buffer<char> buffer(memory);
    buffer.append(nullptr, 0);
    EXPECT_TRUE(buffer.empty());
}

TEST(Arena, AlignsAndDoesNotOverlap) {
    accp_unit::Room room;
    accp_unit::Random random(1);
    char *last_end = nullptr;
    for (int i = 0; i < 2000; ++i) {
        const size_t size = random.below(200);
        char *memory = room.arena.allocate<char>(size);
        if (!size) continue;
        ASSERT_EQ(reinterpret_cast<uintptr_t>(memory) % 16, 0u);
        ASSERT_TRUE(memory >= last_end || memory + size <= last_end - 200 || i == 0 ||
                    memory < last_end - 200);
        std::memset(memory, i, size);
        last_end = memory + size;
    }
}

TEST(Arena, KeepsEveryByteUntilReset) {
    accp_unit::Room room;
    std::vector<std::pair<unsigned char *, size_t>> blocks;
    for (size_t i = 1; i < 500; ++i) {  // the allocator may return NULL for no bytes
        blocks.emplace_back(room.arena.allocate<unsigned char>(i), i);
        std::memset(blocks.back().first, static_cast<int>(i % 256), i);
    }
    for (const auto &[memory, size] : blocks)
        for (size_t i = 0; i < size; ++i) ASSERT_EQ(memory[i], size % 256);
}

TEST(Arena, ResetKeepsOneChunkUnlessItIsLarge) {
    Memory memory(accp::private_allocator(), UINT64_MAX);
    {
        Arena arena(memory);
        for (int i = 0; i < 100; ++i) arena.allocate<char>(5000);
        EXPECT_GE(memory.used(), 500000u);
        arena.reset();
        const uint64_t kept = memory.used();
        EXPECT_LE(kept, kKeptBytes + 64);
        EXPECT_GT(kept, 0u);
        arena.allocate<char>(5000);
        EXPECT_EQ(memory.used(), kept) << "warm";
        arena.allocate<char>(3 * kKeptBytes);
        arena.reset();
        EXPECT_EQ(memory.used(), 0u) << "too large to keep";
    }
    EXPECT_EQ(memory.used(), 0u);
}

TEST(Arena, CapRefusesAndTheArenaGoesOn) {
    Memory memory(accp::private_allocator(), 64 << 10);
    Arena arena(memory);
    arena.allocate<char>(1000);
    EXPECT_THROW(arena.allocate<char>(64 << 10), OutOfMemory);
    EXPECT_NE(arena.allocate<char>(1000), nullptr);
    arena.reset();
    EXPECT_NE(arena.allocate<char>(1000), nullptr);
}

#if defined(ACCP_POISONS)

bool is_poisoned(const char *at) { return __asan_address_is_poisoned(at) != 0; }

TEST(Poison, AnArenaOpensWhatItGivesOut) {
    accp_unit::Room room;
    const Arena::Mark before = room.arena.mark();
    char *first = room.arena.allocate<char>(20), *second = room.arena.allocate<char>(16);
    for (const char *at : {first, first + 19, second, second + 15}) EXPECT_FALSE(is_poisoned(at));
    for (const char *at : {first + 20, first + 32, second + 16}) EXPECT_TRUE(is_poisoned(at));
    const Arena::Mark mark = room.arena.mark();
    char *third = room.arena.allocate<char>(100);
    room.arena.rewind(mark);
    EXPECT_FALSE(is_poisoned(second));
    EXPECT_TRUE(is_poisoned(third));
    third = room.arena.allocate<char>(100000);  // in a chunk of its own
    EXPECT_FALSE(is_poisoned(third + 99999));
    room.arena.rewind(mark);
    EXPECT_TRUE(is_poisoned(third));
    room.arena.rewind(before);
    room.arena.reset();
    EXPECT_TRUE(is_poisoned(room.arena.allocate<char>(8) + 8));
}

TEST(Poison, ABufferOpensWhatWasReserved) {
    Memory memory(accp::private_allocator(), UINT64_MAX);
    Buffer<char> buffer(memory);
    constexpr size_t kSlack = Buffer<char>::kSlack;
    const char *at = buffer.reserve(80);
    const auto expect_open = [&](size_t size) {
        EXPECT_FALSE(is_poisoned(at + size + kSlack - 1));
        EXPECT_TRUE(is_poisoned(at + size + kSlack));
    };
    expect_open(80);
    EXPECT_TRUE(buffer.has_space(at + 80, 10));
    expect_open(90);
    EXPECT_FALSE(buffer.has_space(at + 80, 1000));
    buffer.advance(80);
    buffer.resize_down(24);
    expect_open(24);
    buffer.clear();
    expect_open(0);
}

#endif

}  // namespace
