// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each allocation fails in turn: the call returns ACCP_ERR_NOMEM, nothing leaks, the files are the
// old or the new ones, and the handle remains usable.
#include "failing.h"
#include "packet/panes/project.h"

namespace {

using namespace accp_panes_test;
using accp_test::Failing;

class PanesMemory : public Project {
protected:
    PanesMemory() { open(); }

    // Repeats a call with each allocation failing in turn, until none fails.
    template <class Call>
    void starve(const char *name, Call call) {
        SCOPED_TRACE(name);
        int64_t at = 0;
        for (bool done = false; !done && at < 10000; ++at) {
            failing_.left = at;
            const accp_status status = call();
            done = failing_.left >= 0;
            failing_.left = -1;
            if (!done) {
                ASSERT_EQ(status, ACCP_ERR_NOMEM) << "allocation " << at;
            } else {
                EXPECT_EQ(status, ACCP_OK);
            }
        }
        EXPECT_GT(at, 1) << "it takes memory";
        EXPECT_LT(at, 10000);
    }

    Failing failing_;
};

TEST_F(PanesMemory, EachCall) {
    {
        const accp_test::Config config;
        const accp_allocator allocator = failing_.allocator();
        ASSERT_EQ(accp_config_set_allocator(config.get(), &allocator, nullptr), ACCP_OK);
        accp_panes *made = nullptr;
        starve("open", [&] {
            accp_panes_close(made);
            made = nullptr;
            return accp_panes_open(directory_.data(), directory_.size(), store_.get(), config.get(),
                                   &made, nullptr);
        });
        panes_.reset(made);
        Handle<accp_packet> packet;
        starve("packet", [&] {
            packet = nullptr;
            accp_packet *fresh = nullptr;
            const accp_status status = accp_packet_new(config.get(), &fresh, nullptr);
            packet.reset(fresh);
            return status;
        });
        const std::string text = context_of("  constraints: [a, b]\n");
        starve("configure", [&] {
            return accp_panes_configure(made, "context: {auto_cleanup: true}", 29, nullptr);
        });
        starve("read a packet", [&] {
            return accp_packet_parse(packet.get(), text.data(), text.size(), 0, nullptr);
        });
        starve("write", [&] {
            if (accp_packet_tokens(packet.get()) == 0 &&
                accp_packet_parse(packet.get(), text.data(), text.size(), 0, nullptr) != ACCP_OK)
                return accp_status{ACCP_ERR_NOMEM};
            return accp_panes_write(made, 1, packet.get(), nullptr, 0, kNow, 0, nullptr);
        });
        ASSERT_EQ(write(ACCP_PANES_SHARED, context_of("  constraints: [c]\n")), "");
        starve("read", [&] {
            return accp_panes_read(made, 1, kNow, ACCP_PANES_RECEIPT, packet.get(), nullptr);
        });
        starve("write feedback", [&] {
            return accp_panes_write_feedback(made, 1, "the tests\n", 10, "x\n", 2, nullptr);
        });
        accp_text gaps = {}, unused = {};
        starve("feedback",
               [&] { return accp_panes_read_feedback(made, 1, &gaps, &unused, nullptr); });
        accp_pane_task task = {};
        task.size = sizeof task;
        task.kind = {"auth", 4};
        task.pane = 1;
        starve("record", [&] { return accp_panes_record_task(made, &task, nullptr); });
        starve("stats", [&] { return accp_panes_print_stats_json(made, 1, &gaps, nullptr); });
        EXPECT_EQ(accp_test::string_of(gaps).substr(0, 11), R"({"tasks":1,)") << "recorded once";
        panes_.reset();
    }
    EXPECT_EQ(failing_.live, 0);
}

}  // namespace
