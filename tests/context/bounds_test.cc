// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Over random sessions, after every message: each bound, checked on the text itself by a model that
// keeps everything and knows nothing but counting.
#include <gtest/gtest.h>

#include "context/sample.h"
#include "context/session.h"
#include "value/json_writer.h"

namespace {

using namespace accp_context;

struct Model {
    explicit Model(const accp::context::ContextOptions &options = {})
        : options(options), session(counting(), options) {}

    void append(const std::string &json) {
        const uint32_t before = session.context.checkpoints();
        if (!blob_messages) since.clear();
        since.push_back(json);
        history += compact_tokens(json);
        ASSERT_TRUE(session.append(json).ok());
        checkpointed = session.context.checkpoints() != before;
        if (checkpointed) {
            blob = session.save();
            blob_messages = session.context.saved_messages();
            since.erase(since.begin(),
                        since.end() - static_cast<std::ptrdiff_t>(session.context.messages() -
                                                                  blob_messages));
        }
    }
    static uint64_t compact_tokens(const std::string &json) {
        accp::Memory memory(accp::private_allocator(), UINT64_MAX);
        accp::value::JsonReader reader(memory);
        accp::value::Value value(memory);
        (void)reader.read(json.data(), json.size(), {UINT64_MAX, accp::kMaxJsonDepth}, value).ok();
        accp::Buffer<char> out(memory);
        accp::value::write_json(value.view(), 0, out);
        return counting().count({out.data(), out.size()});
    }

    accp::context::ContextOptions options;
    Session session;
    std::string blob, last;
    std::vector<std::string> since;  // the messages after the blob
    uint64_t blob_messages = 0, history = 0;
    bool checkpointed = false;
};

void check_bounds(Model &model) {
    const accp::context::ContextOptions &options = model.options;
    accp::context::Context &context = model.session.context;
    accp::context::TokenUse use;
    ASSERT_TRUE(context.use(use).ok());
    EXPECT_EQ(counting().count(context.hot()), use.hot_used) << "hot is counted exactly";
    EXPECT_LE(use.hot_used, options.hot_max);
    uint64_t warm = 0;
    for (uint32_t id = 1; id <= context.checkpoints(); ++id) {
        std::string_view text = context.warm(id);
        warm += counting().count(text);
        EXPECT_LE(counting().count(text), options.checkpoint_max) << "ACCP-5.1-05";
        if (id + options.retained <= context.checkpoints()) {
            EXPECT_EQ(text.data(), nullptr) << "a checkpoint that is not retained any more";
        }
    }
    EXPECT_LE(warm, options.warm_max());
    EXPECT_EQ(use.warm_used, warm);
    EXPECT_EQ(use.total_used, warm + use.hot_used);
    EXPECT_EQ(use.total_max, options.hot_max + options.warm_max());
}

void check_context(Model &model) {
    std::string text = model.session.render();
    const uint64_t tokens = model.session.last_tokens;
    EXPECT_EQ(counting().count(text), tokens);
    EXPECT_LE(tokens, model.options.total_max());
    EXPECT_LE(tokens, model.history) << "never longer than the history";
    EXPECT_EQ(text, model.session.render()) << "asking changes nothing";
    EXPECT_TRUE(text.ends_with(model.session.context.hot())) << "hot in full, newest last";
    if (!model.checkpointed) {
        EXPECT_TRUE(text.starts_with(model.last)) << "between checkpoints it only grows";
    }
    model.last = text;
}

void check_budgets(Model &model) {
    for (uint64_t budget :
         {uint64_t{1}, model.session.context.hot_tokens(), uint64_t{700}, uint64_t{5000}}) {
        std::string text = model.session.render(budget);
        if (model.session.last_status.ok()) {
            EXPECT_LE(model.session.last_tokens, budget);
        } else {
            EXPECT_TRUE(model.session.last_status.code == ACCP_E2003 && text.empty() &&
                        budget < model.session.context.hot_tokens());
        }
    }
}

// What was saved, and the messages since, make the same engine.
void check_restore(Model &model) {
    Session other(counting(), model.options);
    if (model.blob_messages) {
        ASSERT_TRUE(other.context.restore(model.blob.data(), model.blob.size()).ok());
    }
    for (const std::string &json : model.since) ASSERT_TRUE(other.append(json).ok());
    EXPECT_EQ(other.context.messages(), model.session.context.messages());
    EXPECT_EQ(other.render(), model.last);
    EXPECT_EQ(other.save(), model.session.save());
    EXPECT_LE(model.blob.size(), accp::kMaxContextState);
}

void run(uint64_t seed, int messages, const accp::context::ContextOptions &options = {}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMessages random(seed);
    Model model(options);
    Session twin(counting(), options);
    for (int i = 0; i < messages && !testing::Test::HasFailure(); ++i) {
        std::string json = random.next();
        model.append(json);
        ASSERT_TRUE(twin.append(json).ok());
        check_bounds(model);
        check_context(model);
        if (i % 8 == 0) check_budgets(model);
        if (i % 16 == 0) check_restore(model);
        EXPECT_EQ(twin.render(), model.last) << "the same messages make the same bytes";
    }
}

TEST(ContextBounds, RandomSessions) {
    for (uint64_t seed = 0; seed < (ACCP_SANITIZED ? 8 : 40); ++seed) run(seed, 120);
}

TEST(ContextBounds, OtherOptions) {
    run(1000, 150,
        {.hot_max = 300, .hot_due = 150, .checkpoint_max = 60, .summary_max = 30, .retained = 3});
    run(1001, 150,
        {.hot_max = 100, .hot_due = 100, .checkpoint_max = 20, .summary_max = 1, .retained = 1});
    run(1002, 150,
        {.hot_max = 4000,
         .hot_due = 3000,
         .checkpoint_max = 1000,
         .summary_max = 500,
         .retained = 64});
}

// Nothing looks at the whole history: what is held does not grow with it.
TEST(ContextBounds, MemoryDoesNotGrow) {
    RandomMessages random(7);
    Session session(counting());
    uint64_t max = 0;
    for (int i = 0; i < (ACCP_SANITIZED ? 2500 : 5000); ++i) {
        ASSERT_TRUE(session.append(random.next()).ok());
        if (i == 1000) max = session.memory.used();
    }
    EXPECT_LE(session.memory.used(), max * 2);
    EXPECT_LE(session.memory.used() - session.context.text_bytes(), 8u << 10);
}

}  // namespace
