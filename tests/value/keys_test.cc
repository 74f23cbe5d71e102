// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Equal keys are found, and only equal ones, in maps of every size and with similar keys.
#include "value/keys.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "unit.h"
#include "value/value.h"

namespace {

using namespace accp;
using accp_unit::Random;
using accp_unit::Room;

void make_map(value::Value &value, const std::vector<std::string> &keys) {
    const uint32_t map = value.open(ACCP_MAP);
    for (const std::string &key : keys) {
        value.add_key(key);
        // the content repeats the key, which must not matter
        value.add_scalar(ACCP_STRING, 0, key);
    }
    value.close(map, static_cast<uint32_t>(keys.size()));
}

// Returns the node of the first key that equals an earlier one, or 0.
uint32_t expected_twin(const std::vector<std::string> &keys) {
    std::set<std::string> seen;
    for (size_t i = 0; i < keys.size(); ++i)
        if (!seen.insert(keys[i]).second) return static_cast<uint32_t>(i + 1);
    return 0;
}

TEST(Keys, TheFirstTwinIsFound) {
    Random random(5);
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::string> keys;
        const size_t count = random.below(60);
        for (size_t i = 0; i < count; ++i)
            keys.push_back("aaaaaaaa" + random.text("ab", random.below(9)));
        Room room;
        value::Value value(room.memory);
        make_map(value, keys);
        const uint32_t twin = expected_twin(keys);
        ASSERT_EQ(value::find_equal_key(value.view(), 0, room.arena, random.next()), twin);
        for (uint32_t i = 1; i <= count; ++i) {
            const bool before =
                std::find(keys.begin(), keys.begin() + i - 1, keys[i - 1]) != keys.begin() + i - 1;
            ASSERT_EQ(value::has_key(value.view(), 0, i, keys[i - 1].data(), keys[i - 1].size()),
                      before);
        }
    }
}

// Keys that differ only in their last byte or their length, or contain NULs, are different.
TEST(Keys, LookAlikesDiffer) {
    const std::vector<std::string> keys = {"",
                                           std::string(1, '\0'),
                                           std::string(2, '\0'),
                                           "a",
                                           std::string("a\0", 2),
                                           "abcdefgh",
                                           "abcdefgi",
                                           "abcdefgha",
                                           "abcdefghb",
                                           std::string(1000, 'x'),
                                           std::string(1000, 'x') + "y",
                                           std::string(999, 'x') + "y"};
    Room room;
    value::Value value(room.memory);
    make_map(value, keys);
    for (uint64_t seed = 0; seed < 50; ++seed)
        EXPECT_EQ(value::find_equal_key(value.view(), 0, room.arena, seed), 0u);
    for (const std::string &key : keys) {
        value::Value twice(room.memory);
        std::vector<std::string> more = keys;
        more.push_back(key);
        make_map(twice, more);
        EXPECT_EQ(value::find_equal_key(twice.view(), 0, room.arena, 1), more.size());
    }
}

TEST(KeyFilter, NeverSaysNewToAKeyItHas) {
    Random random(6);
    for (int round = 0; round < 500; ++round) {
        value::KeyFilter filter = {};
        std::set<std::string> seen;
        for (int i = 0; i < 40; ++i) {
            const accp_unit::Padded key(random.text("abc", random.below(12)));
            const bool known = filter.add(key.view().data(), key.view().size());
            ASSERT_TRUE(known || !seen.count(std::string(key.view())));
            seen.emplace(key.view());
        }
    }
}

TEST(SortChildren, SortsFewAndMany) {
    Random random(7);
    for (size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{15}, size_t{16}, size_t{17},
                         size_t{18}, size_t{300}}) {
        std::vector<std::string> keys;
        for (size_t i = 0; i < count; ++i) keys.push_back(random.text("ab", 1 + random.below(6)));
        Room room;
        value::Value value(room.memory);
        make_map(value, keys);
        value::TreeView tree = value.view();
        value::Children list = value::list_children(tree, 0, room.arena);
        ASSERT_EQ(list.count, count);
        value::sort_children(list,
                             [&](uint32_t a, uint32_t b) { return tree.key(a) < tree.key(b); });
        std::sort(keys.begin(), keys.end());
        for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(tree.key(list.nodes[i]), keys[i]);
    }
}

}  // namespace
