// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A2A over a store that fails for a while, and over one that several gateways share.
#include "a2a_place.h"
#include "peer_net.h"

namespace a2a_store_test {
namespace {

using a2a_test::A2aPlace;
using a2a_test::Json;
using a2a_test::text_to;
using hub_test::answer;
using hub_test::mid_of;

const std::string kAtOnce = R"(,"configuration":{"returnImmediately":true})";

bool is_down = false;
const accp_store_backend *backend = nullptr;

accp_status records_if_up(accp_text session, uint64_t first, uint64_t last, int32_t newest_first,
                          accp_store_entry_function give, void *context, accp_error *err,
                          void *user) {
    return is_down ? ACCP_ERR_IO
                   : backend->records(session, first, last, newest_first, give, context, err, user);
}

accp_status head_if_up(accp_text session, accp_store_entry_function give, void *context,
                       accp_error *err, void *user) {
    return is_down ? ACCP_ERR_IO : backend->head(session, give, context, err, user);
}

std::string id_param(const std::string &id) { return R"({"id":")" + id + "\"}"; }

class A2aOutage : public testing::Test {
protected:
    ~A2aOutage() override { is_down = false; }

    // A 503 that suggests another try.
    static void expect_unavailable(A2aPlace &place, const char *method, const std::string &params) {
        const Json refused = place.answer(place.ask(method, params), 503);
        EXPECT_EQ(refused.at("/error/code"), "-32603") << method;
    }
};

TEST_F(A2aOutage, RecordsThatCouldNotBeReadAreReadLater) {
    const hub_test::OtherTable table("a2a-records", backend, &accp_store_backend::records,
                                     &records_if_up);
    A2aPlace place(table.store());
    place.join(1, "dev");
    place.ask("SendMessage", text_to("dev", "hi", kAtOnce));
    const std::string frame = place.take(1), get = id_param(mid_of(frame));
    EXPECT_EQ(place.call("GetTask", get).at("/result/status/state"), "TASK_STATE_SUBMITTED");
    place.say(1, answer("@dev>done:execute{text:ok}", 1, frame));
    is_down = true;
    for (const char *method : {"GetTask", "CancelTask", "SubscribeToTask"})
        expect_unavailable(place, method, get);
    expect_unavailable(place, "ListTasks", "{}");
    is_down = false;
    const Json task = place.call("GetTask", get);
    EXPECT_EQ(task.at("/result/status/state"), "TASK_STATE_COMPLETED");
    EXPECT_EQ(task.at("/result/artifacts/0/parts/0/text"), "ok");
    EXPECT_EQ(
        place.call("ListTasks", R"({"status":"TASK_STATE_COMPLETED"})").at("/result/totalSize"),
        "1");
}

TEST_F(A2aOutage, WhoWaitsGetsAnErrorAndTheTaskLater) {
    const hub_test::OtherTable table("a2a-waits", backend, &accp_store_backend::records,
                                     &records_if_up);
    A2aPlace place(table.store());
    place.join(1, "dev");
    const uint64_t asked = place.ask("SendMessage", text_to("dev", "hi"));
    const std::string frame = place.take(1), get = id_param(mid_of(frame));
    const uint64_t stream = place.ask("SubscribeToTask", get);
    place.events(stream);
    is_down = true;
    place.now += place.hub->rules().wait_ms - 1;  // a stream survives an outage without events
    place.turn();
    place.say(1, answer("@dev>done:execute{text:ok}", 1, frame));
    EXPECT_EQ(place.answer(asked, 503).at("/error/code"), "-32603");
    bool has_ended = false;
    EXPECT_EQ(place.events(stream, &has_ended).size(), 0u);
    EXPECT_TRUE(has_ended);
    is_down = false;
    EXPECT_EQ(place.call("GetTask", get).at("/result/status/state"), "TASK_STATE_COMPLETED");
}

TEST_F(A2aOutage, AListThatCouldNotBeReadIsReadLater) {
    const hub_test::OtherTable table("a2a-list", backend, &accp_store_backend::head, &head_if_up);
    A2aPlace first(table.store());
    first.join(1, "dev");
    first.ask("SendMessage", text_to("dev", "hi", kAtOnce));
    const std::string get = id_param(mid_of(first.take(1)));
    A2aPlace second(first.store());
    is_down = true;
    expect_unavailable(second, "GetTask", get);
    expect_unavailable(second, "ListTasks", "{}");
    expect_unavailable(second, "SendMessage", text_to("dev", "more", kAtOnce));
    is_down = false;
    EXPECT_EQ(second.call("GetTask", get).at("/result/status/state"), "TASK_STATE_SUBMITTED");
    EXPECT_EQ(second.call("ListTasks", "{}").at("/result/totalSize"), "1");
}

// Two gateways over one store.
class TwoGateways {
public:
    A2aPlace &operator[](size_t number) { return number ? second_.place : first_.place; }
    void pass(int64_t ms) {
        first_.place.now = second_.place.now = now_ += ms;
        for (int round = 0; round < 4; ++round)
            for (Gateway *one : {&first_, &second_}) one->place.turn();
    }
    // Begins a task in session `s` at a gateway and returns its id.
    std::string begin(size_t number, int64_t ms = 600) {
        const std::string id =
            (*this)[number].call("SendMessage", text_to("dev", "x", kAtOnce)).at("/result/task/id");
        pass(ms);
        return id;
    }

private:
    struct Gateway {
        Gateway(hub_test::PeerNet &net, const std::string &name, accp_store *store)
            : bus(net, name), place(store) {
            place.hub->join_gateways(bus);
        }
        hub_test::NetBus bus;
        A2aPlace place;
    };

    int64_t now_ = 1'794'000'000'000;
    hub_test::PeerNet net_;
    Gateway first_{net_, "gw0", nullptr}, second_{net_, "gw1", first_.place.store()};
};

TEST(A2aGateways, ATaskOfOneGatewayIsKnownToTheOther) {
    TwoGateways all;
    EXPECT_EQ(all[1].call("GetTask", id_param("none")).at("/error/code"), "-32001");
    EXPECT_EQ(all[1].call("ListTasks", "{}").at("/result/totalSize"), "0");
    all.pass(600);
    const std::string id = all.begin(0);
    const Json task = all[1].call("GetTask", id_param(id));
    EXPECT_EQ(task.at("/result/status/state"), "TASK_STATE_SUBMITTED");
    EXPECT_EQ(task.at("/result/history/0/messageId"), "m1");
    all.begin(0);
    EXPECT_EQ(all[1].call("ListTasks", "{}").at("/result/totalSize"), "2");
    const std::string theirs = all.begin(1);
    EXPECT_EQ(all[0].call("ListTasks", "{}").at("/result/totalSize"), "3");
    all.begin(0);
    EXPECT_EQ(all[1].call("ListTasks", "{}").at("/result/totalSize"), "4");
    EXPECT_EQ(all[0].call("GetTask", id_param(theirs)).at("/result/id"), theirs);
}

// The log of a session can be read before the list of tasks contains a task in it.
TEST(A2aGateways, ATaskWhoseFramesWereReadEarlyIsComplete) {
    TwoGateways all;
    const std::string first = all.begin(0);
    EXPECT_EQ(all[1].call("GetTask", id_param(first)).at("/result/id"), first);
    all.pass(600);
    EXPECT_EQ(all[1].call("GetTask", id_param("none")).at("/error/code"), "-32001");
    const std::string second = all.begin(0, 300);  // not in this view of the list
    EXPECT_EQ(all[1].call("GetTask", id_param(first)).at("/result/id"), first);
    all.pass(600);
    const Json task = all[1].call("GetTask", id_param(second));
    EXPECT_EQ(task.at("/result/history/0/messageId"), "m1");
    EXPECT_EQ(task.at("/result/history/1"), "");
    const Json before = all[1].call("GetTask", id_param(first));
    EXPECT_EQ(before.at("/result/history/1"), "");
}

}  // namespace
}  // namespace a2a_store_test
