// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks every limit after each message of random sessions. A model that keeps all messages, and
// only counts, checks the text itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "context/sample.h"
#include "context/session.h"
#include "value/json_writer.h"

namespace {

using namespace accp_context;
using accp::context::Block;
using accp::context::BlockKind;
using accp::context::CheckpointCause;
using accp::context::ContextOptions;

uint64_t compact_tokens(const std::string &json) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::value::JsonReader reader(memory);
    accp::value::Value value(memory);
    (void)reader.read(json.data(), json.size(), {UINT64_MAX, accp::kMaxJsonDepth}, value).ok();
    accp::Buffer<char> out(memory);
    accp::value::write_json(value.view(), 0, out);
    return counting().count(out.view());
}

struct Model {
    explicit Model(const ContextOptions &options)
        : options(options),
          session(counting(), options, {.checkpointed = on_checkpoint, .user = this}) {}

    void append(const std::string &json) {
        const uint32_t before = session.context.checkpoints();
        const uint64_t evictions = session.context.evictions();
        history += compact_tokens(json);
        std::string text;
        size_t stable = 0;
        for (const Block &block : session.blocks(0, text))
            if (block.is_stable) stable = block.end;
        text.resize(stable);
        causes.clear();
        const bool may_be_full =
            session.context.all_tokens() + options.newest_max > options.hot_max;
        ASSERT_TRUE(session.append(json).ok());
        folded =
            session.context.checkpoints() != before || session.context.evictions() != evictions;
        // What the next message needs room for cannot be foreseen.
        if (causes.empty() && !may_be_full) {
            EXPECT_TRUE(session.render().starts_with(text)) << "what is stable stays";
        }
    }
    static void on_checkpoint(const accp::context::CheckpointView &checkpoint, void *user) {
        static_cast<Model *>(user)->causes.push_back(checkpoint.cause);
    }
    std::string pinned() const {
        const auto &state = session.context.state();
        return std::string(state.text_of(0, state.pinned));
    }

    ContextOptions options;
    Session session;
    std::string last, front;
    uint64_t history = 0;
    bool folded = false;
    std::vector<CheckpointCause> causes;  // of the checkpoints of the last append
};

void check_bounds(Model &model) {
    const ContextOptions &options = model.options;
    accp::context::Context &context = model.session.context;
    const accp::context::TokenUse use = context.use();
    EXPECT_EQ(counting().count(context.hot()), use.hot_used) << "hot is counted exactly";
    EXPECT_LE(use.hot_used, options.hot_max);
    uint64_t retained = 0;
    for (uint32_t id = 1; id <= context.checkpoints(); ++id) {
        const std::string_view text = context.warm(id);
        retained += text.data() != nullptr;
        if (!options.price_write) {
            EXPECT_LE(counting().count(text), options.checkpoint_max) << "ACCP-5.1-05";
        }
    }
    EXPECT_LE(retained, options.retained);
    EXPECT_EQ(use.total_used, use.warm_used + use.hot_used);
}

// Between folds a context only grows at its end, and the pinned part never changes.
void check_context(Model &model) {
    const std::string text = model.session.render();
    EXPECT_EQ(counting().count(text), model.session.last_tokens);
    EXPECT_EQ(text, model.session.render()) << "asking changes nothing";
    EXPECT_TRUE(text.ends_with(model.session.context.hot())) << "hot in full, newest last";
    if (!model.folded) {
        EXPECT_TRUE(text.starts_with(model.last)) << "between checkpoints it only grows";
    }
    EXPECT_TRUE(text.starts_with(model.front)) << "what is pinned never goes";
    model.front = model.pinned();
    model.last = text;
    // a little longer than the history: it has names of checkpoints, and lines of texts begin with
    // a space
    EXPECT_LE(model.session.last_tokens,
              model.history + model.history / 8 + 64 + 8 * model.session.context.checkpoints());
}

// The blocks are the same text, divided at the places where it may change.
void check_blocks(Model &model, uint64_t budget) {
    std::string text;
    const std::vector<Block> blocks = model.session.blocks(budget, text);
    EXPECT_EQ(text, model.session.render(budget));
    size_t end = 0;
    uint64_t tokens = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
        const Block &block = blocks[i];
        EXPECT_EQ(block.begin, end) << "they lie side by side";
        EXPECT_LT(block.begin, block.end);
        end = block.end;
        EXPECT_EQ(block.tokens, counting().count(text.substr(block.begin, end - block.begin)));
        tokens += block.tokens;
        if (!i) continue;
        if (block.kind != BlockKind::kGap && blocks[i - 1].kind != BlockKind::kGap) {
            EXPECT_LE(blocks[i - 1].kind, block.kind);
        }
        EXPECT_LE(block.is_stable, blocks[i - 1].is_stable) << "none after one that is not";
    }
    EXPECT_EQ(end, text.size());
    EXPECT_EQ(tokens, model.session.last_tokens);
}

void check_budgets(Model &model) {
    const uint64_t pinned = counting().count(model.pinned());
    for (uint64_t budget : {uint64_t{1}, pinned, pinned + 40, uint64_t{700}, uint64_t{5000}}) {
        if (!budget) continue;
        const std::string text = model.session.render(budget);
        if (model.session.last_status.ok()) {
            EXPECT_LE(model.session.last_tokens, budget);
            EXPECT_EQ(counting().count(text), model.session.last_tokens);
            EXPECT_TRUE(text.starts_with(model.pinned())) << "the newest is cut before that";
            check_blocks(model, budget);
        } else {
            EXPECT_EQ(model.session.last_status.code, ACCP_E2003);
            EXPECT_TRUE(text.empty());
            EXPECT_LT(budget, pinned);
            EXPECT_EQ(model.session.last_status.had, pinned);
        }
    }
}

// A saved state restores the same engine, which also behaves the same afterwards.
void check_restore(Model &model, const std::string &next) {
    Session other(counting(), model.options);
    const std::string blob = model.session.save();
    ASSERT_TRUE(other.context.restore(blob.data(), blob.size()).ok());
    EXPECT_EQ(other.context.messages(), model.session.context.messages());
    EXPECT_EQ(other.render(), model.last);
    EXPECT_EQ(other.save(), blob);
    ASSERT_TRUE(other.append(next).ok());
    ASSERT_TRUE(model.session.append(next).ok());
    EXPECT_EQ(other.render(), model.session.render());
    ASSERT_TRUE(model.session.context.restore(blob.data(), blob.size()).ok());
}

void run(uint64_t seed, int messages, const ContextOptions &options) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMessages random(seed);
    Model model(options);
    Session twin(counting(), options);
    for (int i = 0; i < messages && !testing::Test::HasFailure(); ++i) {
        const std::string json = random.next();
        model.append(json);
        ASSERT_TRUE(twin.append(json).ok());
        check_bounds(model);
        check_context(model);
        check_blocks(model, 0);
        if (i % 8 == 0) check_budgets(model);
        if (i % 16 == 0) check_restore(model, random.next());
        EXPECT_EQ(twin.render(), model.last) << "the same messages make the same bytes";
    }
}

ContextOptions without_cache() {
    ContextOptions options;
    options.price_cached = options.price_write;
    options.whole_max = 500;
    return options;
}

TEST(ContextBounds, RandomSessions) {
    for (uint64_t seed = 0; seed < (ACCP_SANITIZED ? 3 : 12); ++seed) run(seed, 120, {});
}

TEST(ContextBounds, WithoutACache) {
    for (uint64_t seed = 100; seed < (ACCP_SANITIZED ? 103 : 112); ++seed)
        run(seed, 120, without_cache());
}

// ACCP-5.1-03, -05: the numbers of the specification.
TEST(ContextBounds, OfTheSpecification) {
    for (uint64_t seed = 200; seed < (ACCP_SANITIZED ? 204 : 220); ++seed)
        run(seed, 120, kSpecification);
}

TEST(ContextBounds, OtherOptions) {
    ContextOptions small = kSpecification, least = kSpecification, priced;
    small.hot_max = 300, small.hot_due = 250, small.newest_max = 210;
    small.checkpoint_max = 60, small.summary_max = 30, small.retained = 3;
    least.hot_max = least.hot_due = 216, least.newest_max = 200;
    least.checkpoint_max = 20, least.summary_max = 1, least.retained = 1;
    priced.hot_max = 4000, priced.hot_due = 3000, priced.checkpoint_max = 1000;
    priced.summary_max = 500, priced.retained = 4, priced.newest_max = 300;
    priced.pinned_max = 100, priced.whole_max = 600;
    run(1000, 150, small);
    run(1001, 150, least);
    run(1002, 150, priced);
}

// No code keeps the whole history, so the memory does not grow with it.
TEST(ContextBounds, MemoryDoesNotGrow) {
    for (const ContextOptions &options : {kSpecification, without_cache(), ContextOptions()}) {
        RandomMessages random(7);
        Session session(counting(), options);
        uint64_t max = 0;
        for (int i = 0; i < (ACCP_SANITIZED ? 1000 : 3000); ++i) {
            ASSERT_TRUE(session.append(random.next()).ok());
            if (i < 600) max = std::max(max, session.memory.used());
        }
        EXPECT_LE(session.memory.used(), max * 2);
    }
}

}  // namespace
