// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A checkpoint is read back as it was stored, whichever of its parts are in its text.
#include "session/checkpoint_form.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

using namespace accp;

namespace {

struct Fact {
    std::string entity, relationship, value;
};

struct Made {
    uint32_t id = 1;
    uint64_t first = 1, last = 2;
    std::string summary, text;
    std::vector<Fact> facts;
};

class KeptCheckpoint : public testing::Test {
protected:
    std::string keep(const Made &made) {
        std::vector<context::ContextFact> facts;
        for (const Fact &it : made.facts) facts.push_back({it.entity, it.value, it.relationship});
        context::CheckpointView view;
        view.id = made.id, view.first = made.first, view.last = made.last;
        view.summary = made.summary, view.text = made.text;
        view.facts = facts.data(), view.fact_count = static_cast<uint32_t>(facts.size());
        Buffer<char> out(memory_);
        keep_checkpoint(view, out);
        return std::string(out.view());
    }
    bool read(const std::string &kept, Made &out) {
        Buffer<context::ContextFact> facts(memory_);
        context::CheckpointView view;
        if (!session::read_checkpoint(kept, facts, view)) return false;
        out = {view.id, view.first, view.last, std::string(view.summary), std::string(view.text),
               {}};
        for (uint32_t i = 0; i < view.fact_count; ++i)
            out.facts.push_back({std::string(view.facts[i].entity),
                                 std::string(view.facts[i].relationship),
                                 std::string(view.facts[i].value)});
        return true;
    }
    static void keep_checkpoint(const context::CheckpointView &view, Buffer<char> &out) {
        session::keep_checkpoint(view, out);
    }
    std::string word() {
        std::string all;
        for (size_t i = random_() % 9; i; --i) all += static_cast<char>('a' + random_() % 3);
        return random_() % 40 ? all : all + std::string(random_() % 400, 'x');
    }
    Made random_one() {
        Made made;
        made.id = random_();
        made.first = random_();
        made.last = random_();
        std::string facts;
        for (size_t i = random_() % 20; i; --i) {
            const bool same = random_() % 2 && !made.facts.empty();
            const Fact fact = {same ? made.facts.back().entity : word(), word(), word()};
            if (random_() % 4)
                facts +=
                    (same ? " " : "\n" + fact.entity + " ") + fact.relationship + ":" + fact.value;
            made.facts.push_back(fact);
        }
        const std::string said = word() + "\n" + word();
        made.text = random_() % 2 ? said + facts : facts + said;
        made.summary = random_() % 4 ? said : word();
        return made;
    }

    Memory memory_{private_allocator(), UINT64_MAX};
    std::mt19937 random_{3};
};

void expect_same(const Made &found, const Made &made) {
    EXPECT_EQ(found.id, made.id);
    EXPECT_EQ(found.first, made.first);
    EXPECT_EQ(found.last, made.last);
    EXPECT_EQ(found.summary, made.summary);
    EXPECT_EQ(found.text, made.text);
    ASSERT_EQ(found.facts.size(), made.facts.size());
    for (size_t i = 0; i < made.facts.size(); ++i) {
        EXPECT_EQ(found.facts[i].entity, made.facts[i].entity);
        EXPECT_EQ(found.facts[i].relationship, made.facts[i].relationship);
        EXPECT_EQ(found.facts[i].value, made.facts[i].value);
    }
}

TEST_F(KeptCheckpoint, ComesBack) {
    for (int i = 0; i < 5000 && !HasFailure(); ++i) {
        const Made made = random_one();
        Made found;
        ASSERT_TRUE(read(keep(made), found));
        expect_same(found, made);
    }
}

TEST_F(KeptCheckpoint, WhatStandsInTheTextIsNotWrittenAgain) {
    const std::string line = "@a done:plan task:parser stat:blocked prog:70\n";
    const Made made = {
        1, 1, 2, line, line, {{"task:parser", "stat", "blocked"}, {"task:parser", "prog", "70"}}};
    EXPECT_LT(keep(made).size(), line.size() + 20);
}

// Changed or truncated bytes are refused, or read as another checkpoint, without reading too far.
TEST_F(KeptCheckpoint, DamageIsRefusedOrAnotherCheckpoint) {
    int told = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string kept = keep(random_one());
        if (random_() % 2) kept.resize(random_() % kept.size());
        else kept[random_() % kept.size()] = static_cast<char>(random_());
        Made found;
        told += !read(kept, found);
    }
    EXPECT_GT(told, 5000);
    Made found;
    EXPECT_FALSE(read("", found));
    EXPECT_FALSE(read(R"({"id":1})", found));
}

}  // namespace
