// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The steps of specification 7.2 and 7.3, one by one, named after their requirements. Also the
// token costs of the five sample messages of specification 3.2.
#include "codec/states.h"
#include "token/tokens.h"

namespace {

using namespace accp_codecs;

struct Both {
    explicit Both(const accp_hooks &hooks = hooks_for(nullptr))
        : registry(open_registry("", ACCP_PROFILE_ALL)),
          codec(open_codec(
              Config().registry(registry.get()).tokenizer(counting.tokenizer.get()).hooks(hooks))) {
    }
    std::string send(const std::string &operation, const std::string &payload) {
        return encode(codec.get(), R"({"agent":"a","intent":"req","operation":")" + operation +
                                       R"(","payload":)" + payload + "}")
            .text;
    }
    std::string read(const std::string &frame) { return decode(codec.get(), frame).text; }

    accp_tokens::Counting counting{"o200k_base"};
    Handle<accp_registry> registry;
    Handle<accp_codec> codec;
};

TEST(CodecSteps, ACCP_7_2_01_SchemaResolution) {
    Both both;
    EXPECT_EQ(both.send("schedule", R"({"assignee":"dev"})"), "@a>req:schedule{asgn:dev}")
        << "bound";
    EXPECT_EQ(both.send("go", R"({"assignee":"dev","schema":"TA"})"),
              "@a>req:go{asgn:dev|schema:TA}")
        << "named";
    EXPECT_EQ(both.send("go", R"({"assignee":"dev"})"), "@a>req:go{assignee:dev}") << "none";
}

TEST(CodecSteps, ACCP_7_2_02_KeyAbbreviation) {
    Both both;
    EXPECT_EQ(both.send("go", R"({"source":1,"when":{"source":2},"d":3})"),
              "@a>req:go{src:1|__when:{source:2}|__d:3}");
}

TEST(CodecSteps, ACCP_7_2_03_ValueCompression) {
    State state;
    Both both(state.hooks());
    EXPECT_EQ(both.send("go", "{\"k\":\"" + std::string(51, 'x') + "\"}"), "@a>req:go{k:$warm.t1}");
}

TEST(CodecSteps, ACCP_7_2_04_DefaultOmission) {
    Both both;
    EXPECT_EQ(both.send("transaction", R"({"transaction_id":"t","amount":1,"currency":"USD"})"),
              "@a>req:transaction{txn:t|amt:1}");
    EXPECT_EQ(both.send("transaction", R"({"transaction_id":"t","amount":1,"currency":"EUR"})"),
              "@a>req:transaction{txn:t|amt:1|currency:EUR}");
}

TEST(CodecSteps, ACCP_3_3_05_DefaultsAreNotEncoded) {
    Both both;
    const std::string frame =
        both.send("transaction", R"({"transaction_id":"t","amount":1,"currency":"USD"})");
    EXPECT_NE(both.read(frame).find(R"("currency":"USD")"), std::string::npos)
        << "decoding restores it";
    EXPECT_EQ(both.send("transaction", R"({"transaction_id":"t","amount":1,"currency":null})"),
              "@a>req:transaction{txn:t|amt:1|currency:~}");
}

TEST(CodecSteps, ACCP_7_2_05_TokenEstimation) {
    Both both;
    const std::string frame = both.send("go", R"({"text":"some words","n":42})");
    const accp_frame_budget budget = budget_of(both.codec.get());
    EXPECT_EQ(budget.total.tokens, both.counting.count(frame));
    EXPECT_EQ(budget.body.tokens, both.counting.count(frame.substr(frame.find(':'))));
}

TEST(CodecSteps, ACCP_7_2_07_Emit) {
    Both both;
    const std::string frame = both.send("go", R"({"b":[1,"x y"],"a":{"z":null,"y":true}})");
    EXPECT_EQ(frame, R"(@a>req:go{b:[1,"x_y"]|a:{y:true,z:~}})");
    for (char c : frame) EXPECT_TRUE(c > 0x20 && c < 0x7F);
}

// ACCP-3.4-01 to 04
TEST(CodecSteps, ACCP_3_4_04_Budget) {
    accp_frame_budget budget = budget_of(nullptr);
    const uint64_t limits[][2] = {{budget.header.soft, budget.header.hard},
                                  {budget.body.soft, budget.body.hard},
                                  {budget.metadata.soft, budget.metadata.hard},
                                  {budget.total.soft, budget.total.hard}};
    const uint64_t expected[][2] = {{5, 10}, {50, 200}, {10, 30}, {65, 240}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) EXPECT_EQ(limits[i][j], expected[i][j]);
    Both both;
    const std::string frame = both.send("go", R"({"text":"some words"})");
    budget = budget_of(both.codec.get());
    EXPECT_EQ(budget.header.tokens, both.counting.count("@a>req"));
    EXPECT_EQ(budget.total.tokens, both.counting.count(frame));
    (void)encode(both.codec.get(), "{");
    EXPECT_EQ(budget_of(both.codec.get()).total.tokens, 0u) << "what was refused costs nothing";
}

TEST(CodecSteps, ACCP_7_3_01_Parse) {
    Both both;
    EXPECT_EQ(decode(both.codec.get(), "@a>req:go{k:}").status, ACCP_E1001);
    EXPECT_EQ(decode(both.codec.get(), "@a>req:go{k:}").offset, 12u);
}

TEST(CodecSteps, ACCP_7_3_03_KeysInFull) {
    Both both;
    EXPECT_EQ(both.read("@a>req:go{src:1|__when:{src:2}|__d:3}"),
              message_of(R"({"source":1,"when":{"src":2},"d":3})"));
}

TEST(CodecSteps, ACCP_7_3_04_DefaultsAreApplied) {
    Both both;
    EXPECT_NE(both.read("@a>req:transaction{txn:t|amt:1}")
                  .find(R"("currency":"USD","status":"pending","retryable":false)"),
              std::string::npos);
}

TEST(CodecSteps, ACCP_7_3_05_Reconstruct) {
    Both both;
    EXPECT_EQ(both.read(R"(@a>req:go{b:[1,"x_y"]|a:{y:true,z:~}}[seq:1])"),
              message_of(R"({"b":[1,"x y"],"a":{"y":true,"z":null}})", R"({"seq":1})"));
}

// A decoded message is ready to be rendered for a model.
TEST(CodecSteps, ACCP_7_3_06_ReturnForInjection) {
    Both both;
    const std::string message = both.read("@a>req:go{src:\"Q3_findings\"}[seq:1]");
    accp_render *render = nullptr;
    ASSERT_EQ(accp_render_new(nullptr, &render, nullptr), ACCP_OK);
    accp_text out = {};
    ASSERT_EQ(accp_render_json(render, message.data(), message.size(), 0, &out, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out.text, out.len), "@a req:go source: Q3 findings") << message;
    accp_render_free(render);
}

// The five sample messages of specification 3.2 with the escapes that the grammar requires: at most
// 162 tokens in all.
TEST(CodecSteps, TheSamplesOfTheSpecification) {
    const char *const samples[][2] = {
        {R"({"agent":"research","intent":"done","operation":"analyze","payload":{"data":"q3_sales","findings":["rev:-12%QoQ","ent_seg:decline","churn:+3.2%"],"next_action":"@strategy:plan"}})",
         R"(@research>done:analyze{d:q3_sales|f:[rev\:-12%QoQ,ent_seg\:decline,churn\:+3.2%]|nx:\@strategy\:plan})"},
        {R"({"agent":"planner","intent":"req","operation":"schedule","payload":{"target":"@dev_team","temporal_constraint":"sprint_14","task":"impl_auth_module","priority":"high"}})",
         R"(@planner>req:schedule{who:\@dev_team|when:sprint_14|task:impl_auth_module|pri:high})"},
        {R"({"agent":"analyst","intent":"qry","operation":"lookup","payload":{"source":{"$ref":"ctx.sales_db"},"query":"revenue_by_region","format":"summary"}})",
         R"(@analyst>qry:lookup{src:$ctx.sales_db|q:revenue_by_region|fmt:summary})"},
        {R"({"agent":"orchestrator","intent":"sync","operation":"state","payload":{"version":7,"delta":{"task_3":"done","task_4":"wip","budget":"$42.30"}}})",
         R"(@orchestrator>sync:state{v:7|delta:{budget:\$42.30,task_3:done,task_4:wip}})"},
        {R"({"agent":"data_agent","intent":"fail","operation":"fetch","payload":{"source":"api.crm","error":"timeout_30s","retry":3,"esc":"@supervisor"}})",
         R"(@data_agent>fail:fetch{src:api.crm|err:timeout_30s|retry:3|esc:\@supervisor})"},
    };
    const Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_NONE);
    accp_tokens::Counting counting{"o200k_base"};
    const Handle<accp_codec> codec = open_codec(Config()
                                                    .registry(registry.get())
                                                    .tokenizer(counting.tokenizer.get())
                                                    .rule(ACCP_RULE_KEEP_REFS, 1));
    uint64_t bodies = 0, frames = 0;
    for (const auto &sample : samples) {
        EXPECT_EQ(encode(codec.get(), sample[0]).text, sample[1]);
        const accp_frame_budget budget = budget_of(codec.get());
        const std::string frame = sample[1];
        bodies += counting.count(frame.substr(frame.find('{')));
        frames += budget.total.tokens;
    }
    std::printf("the samples: %d tokens as payloads, %d as frames without metadata\n",
                static_cast<int>(bodies), static_cast<int>(frames));
    EXPECT_LE(bodies, 127u);
    EXPECT_LE(frames, 162u);
}

}  // namespace
