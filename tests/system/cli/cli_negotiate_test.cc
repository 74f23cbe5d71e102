// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session negotiate: two sides, each with a store and a registry, run one command after the
// other. Then their sessions use the agreement.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "run_accp.h"

namespace {

class Negotiator {
public:
    Negotiator(const std::string &agent, const std::string &schema)
        : path_(testing::TempDir() + "accp_negotiate_" +
                testing::UnitTest::GetInstance()->current_test_info()->name() + "_" + agent),
          agent_(agent) {
        remove();
        std::ofstream(path_ + ".json")
            << R"({"version":1,"schemas":{")" << agent << R"(_job":{"code":")" << schema
            << R"(","version":1,"fields":["card","retries"],"defaults":{"retries":3},"bind":["req:)"
            << agent << "_bill\"]}}}";
    }
    ~Negotiator() { remove(); }

    Ran session(const std::string &action, const std::string &input, Args more = {}) const {
        Args args = {"session", action,          "--store", "sqlite:" + path_ + ".db",
                     "--now",   "1714000000000", "--agent", agent_};
        args.insert(args.end(), more.begin(), more.end());
        return run_accp(args, input);
    }
    Ran negotiate(const std::string &frames) const {
        return session("negotiate", frames, {"--registry", path_ + ".json"});
    }

private:
    void remove() const {
        for (const char *end : {".json", ".db", ".db-wal", ".db-shm"})
            std::remove((path_ + end).c_str());
    }
    const std::string path_, agent_;
};

// Runs both sides until neither has a frame to send. Loses every `lost`-th reply.
void talk(const Negotiator &a, const Negotiator &b, int lost, Ran &of_a, Ran &of_b) {
    of_a = a.negotiate("");
    EXPECT_EQ(of_a.status, 4) << of_a.err;
    of_b = of_a;
    for (int i = 1; i < 30 && (of_a.status == 4 || of_b.status == 4); ++i) {
        of_b = b.negotiate(lost && i % lost == 0 ? "" : of_a.out);
        of_a = a.negotiate(lost && i % lost == 1 ? "" : of_b.out);
    }
}

}  // namespace

TEST(CliNegotiate, BothComeToOneRegistry) {
    for (int lost : {0, 3}) {
        const Negotiator a("planner", "PJ"), b("worker", "WJ");
        Ran of_a, of_b;
        talk(a, b, lost, of_a, of_b);
        EXPECT_EQ(of_a.status, 0) << of_a.err;
        EXPECT_EQ(of_b.status, 0) << of_b.err;
        EXPECT_EQ(of_a.err, of_b.err);
        EXPECT_NE(of_a.err.find("agreed: registry "), std::string::npos) << of_a.err;
        EXPECT_NE(of_a.err.find("; extensions q1,p1; features m1,f1,n1"), std::string::npos);
    }
}

// The sessions use schemas of both sides, payloads by position, and a sequence for each sender.
TEST(CliNegotiate, SessionsGoByTheAgreement) {
    const Negotiator a("planner", "PJ"), b("worker", "WJ");
    const std::string bill =
        R"({"agent":"planner","intent":"req","operation":"worker_bill","payload":{"card":"4","retries":3}})";
    Ran run = a.session("send", bill, {"--rule", "require_registry=1"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("E1003"), std::string::npos) << run.err;
    Ran of_a, of_b;
    talk(a, b, 0, of_a, of_b);
    run = a.session("send", bill, {"--rule", "require_registry=1"});
    EXPECT_EQ(run.out.substr(0, 32), "@planner>req:worker_bill{WJ:[\"4\"") << run.out << run.err;
    const Ran other =
        b.session("send", R"({"agent":"worker","intent":"qry","operation":"x","payload":{"k":1}})");
    EXPECT_NE(other.out.find(",seq:1,"), std::string::npos) << other.out;
    run = b.session("receive", run.out);
    EXPECT_NE(run.out.find(R"("payload":{"card":"4","schema":"WJ","retries":3})"),
              std::string::npos)
        << run.out << run.err;
    EXPECT_EQ(a.session("receive", other.out).status, 0);
}

// A frame that is not of a negotiation is refused, and the negotiation continues.
TEST(CliNegotiate, OtherFramesAreRefused) {
    const Negotiator a("planner", "PJ");
    Ran run = a.negotiate("@b>req:x{k:1}\nrubbish\n");
    EXPECT_EQ(run.status, 4);
    EXPECT_NE(run.err.find("record 1: "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("record 2: E1001"), std::string::npos) << run.err;
    run = a.negotiate("@b>sync:registry{v:1|hash:abcdef}\n");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.err.find("accp: bare; extensions none"), std::string::npos) << run.err;
}
