// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The errors for a place that cannot be opened, what comes back after a while, and how fast a store
// refuses calls if its nodes do not respond.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "accp/bus.h"
#include "nats/c_interface.h"
#include "nats/nats_node.h"
#include "nats/tcp.h"

using namespace store_tests;
using accp_nats::text_of;

// libaccp-nats exports it; a gateway finds it by its name.
extern "C" accp_status accp_bus_entry(accp_text place, accp_text self, accp_bus_hear_function hear,
                                      void *context, const accp_bus **out, void **user_out,
                                      accp_error *err);

namespace {

using Clock = std::chrono::steady_clock;

int64_t ms_since(Clock::time_point began) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began).count();
}

std::string said_of(const std::string &place) {
    const accp_store_backend *table = nullptr;
    void *user = nullptr;
    accp_error err = {};
    const accp_status code =
        accp_store_backend_entry(place.data(), place.size(), 0, &table, &user, &err);
    if (code != ACCP_OK) return std::string(accp_status_code_name(code)) + ": " + err.message;
    table->close(user);
    return "";
}

TEST(NatsFaults, EachSaysWhatIsWrong) {
    nats_tests::Node plain(std::vector<std::string>{}),
        with_password({"-js", "--user", "one", "--pass", "secret"}),
        &node = nats_tests::shared_node();
    const auto at = [](int port, const char *before, const char *behind) {
        return "nats://" + std::string(before) + "127.0.0.1:" + std::to_string(port) + "/texts" +
               behind;
    };
    int unused;
    {
        nats_tests::Node ended;
        unused = ended.port();
    }
    const struct {
        std::string place;
        const char *said;
    } cases[] = {
        {"nats://no-such-host.invalid:4222/texts", "the name of a NATS host cannot be resolved"},
        {at(unused, "", ""), "no NATS server listens"},
        {at(plain.port(), "", ""), "has no JetStream"},
        {at(node.port(), "", "?replicas=3"), "fewer nodes"},
        {at(with_password.port(), "", ""), "refused the user or password"},
        {at(with_password.port(), "one:wrong@", ""), "refused the user or password"},
        {at(node.port(), "", "?shards=0"), "shards= is 1 to 64"},
        {at(node.port(), "", "?shards=65"), "shards= is 1 to 64"},
        {at(node.port(), "", "?shard=2"), "options are"},
        {"nats://127.0.0.1/te.xts", "a prefix has"},
    };
    for (const auto &one : cases)
        EXPECT_NE(said_of(one.place).find(one.said), std::string::npos)
            << one.place << " says: " << said_of(one.place);
    EXPECT_EQ(said_of(at(with_password.port(), "one:secret@", "")), "");
}

// Creates a self-signed certificate for the loopback interface: NAME.pem and NAME.key in a
// directory.
void make_certificate(const Directory &directory, const std::string &name) {
    const std::string at = directory.file(name),
                      command =
                          "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=" + name +
                          " -addext subjectAltName=IP:127.0.0.1 -keyout " + at + ".key -out " + at +
                          ".pem 2>" + at + ".log";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(NatsFaults, TlsIsAskedForAndChecked) {
    Directory directory;
    for (const char *name : {"server", "client", "other"}) make_certificate(directory, name);
    const std::string ca = "ca=" + directory.file("server.pem"),
                      client = "&cert=" + directory.file("client.pem") +
                               "&key=" + directory.file("client.key"),
                      other = "&cert=" + directory.file("other.pem") +
                              "&key=" + directory.file("other.key");
    std::vector<std::string> options = {"-js",       "--tls",
                                        "--tlscert", directory.file("server.pem"),
                                        "--tlskey",  directory.file("server.key")};
    nats_tests::Node node(options);
    options.insert(options.end(), {"--tlsverify", "--tlscacert", directory.file("client.pem")});
    nats_tests::Node strict(options);
    const auto at = [](const nats_tests::Node &of, const char *scheme, const std::string &options) {
        return scheme + ("://127.0.0.1:" + std::to_string(of.port())) + "/tls?" + options;
    };
    const char *fails = "ERR_IO: TLS with the NATS server failed";
    EXPECT_EQ(said_of(at(node, "tls", ca)), "");
    EXPECT_EQ(said_of(at(strict, "tls", ca + client)), "");
    const std::string refused[] = {at(node, "nats", ""), at(node, "tls", ""),
                                   at(node, "tls", "ca=" + directory.file("other.pem"))};
    for (const std::string &place : refused)
        EXPECT_EQ(said_of(place).substr(0, std::strlen(fails)), fails) << place;
    EXPECT_NE(said_of(at(strict, "tls", ca)), "");
    EXPECT_NE(said_of(at(strict, "tls", ca + other)), "");
    EXPECT_EQ(said_of(at(node, "tls", "ca=" + directory.file("none.pem"))),
              "ERR_IO: a file of the place's options cannot be read");
    Opened store("plugin:" + at(node, "tls", ca));
    Open session(store, "s");
    EXPECT_EQ(session.append("over TLS"), ACCP_OK);
    EXPECT_TRUE(session->sync().ok());
    EXPECT_EQ(session.records(), "1:over TLS");
}

// make_accounts.py writes a node's settings, with the credentials of an accepted user and of
// another one.
TEST(NatsFaults, CredentialsAreAskedForAndChecked) {
    Directory directory;
    const std::string make = ACCP_NATS_ACCOUNTS " " + directory.file("");
    ASSERT_EQ(std::system(make.c_str()), 0) << make;
    nats_tests::Node node({"-c", directory.file("server.conf")});
    const std::string place = node.place("creds"), file = place + "?creds=" + directory.file("");
    const char *refused = "ERR_IO: the NATS server refused the user or password";
    EXPECT_EQ(said_of(file + "user.creds"), "");
    for (const std::string &one : {file + "other.creds", place})
        EXPECT_EQ(said_of(one).substr(0, std::strlen(refused)), refused) << one;
    EXPECT_EQ(said_of(file + "none.creds"), "ERR_IO: a file of the place's options cannot be read");
    ASSERT_EQ(said_of(file + "user.creds"), "") << "who was let in is let in again";
    Opened store("plugin:" + file + "user.creds");
    ASSERT_EQ(store.status, ACCP_OK);
    Open session(store, "s");
    EXPECT_EQ(session.append("by a user"), ACCP_OK);
    EXPECT_TRUE(session->sync().ok());
    EXPECT_EQ(session.records(), "1:by a user");
}

// Waits until a session that had the record 1 has written what was appended during the fault.
void expect_back(Open &session) {
    const auto began = Clock::now();
    while (session->sync().code == ACCP_ERR_IO && ms_since(began) < 120'000) usleep(10000);
    EXPECT_EQ(session->sync().code, ACCP_OK);
    EXPECT_EQ(session.records(), "1:1 2:more");
}

// Accounts that are wrong for a while, for example until a server has read them again: libnats
// gives a connection up that was refused twice.
class NatsFaultsAccounts : public testing::Test {
protected:
    NatsFaultsAccounts() {
        write_password("secret");
        node_.emplace(std::vector<std::string>{"-c", file_});
        place_ = node_->place("refused");
        place_.insert(place_.find("127."), "one:secret@");
    }
    void restart_with(const char *password) {
        node_->kill_now();
        write_password(password);
        node_->start();
    }
    void write_password(const char *password) const {
        std::ofstream(file_) << "jetstream {}\nauthorization { user: one, password: " << password
                             << " }\n";
    }

    Directory directory_;
    const std::string file_ = directory_.file("server.conf");
    std::optional<nats_tests::Node> node_;
    std::string place_;
};

TEST_F(NatsFaultsAccounts, AStoreComesBack) {
    Opened store("plugin:" + place_);
    Open session(store, "s");
    ASSERT_EQ(session.append("1"), ACCP_OK);
    ASSERT_TRUE(session->sync().ok());
    restart_with("another");
    EXPECT_EQ(session.append("more"), ACCP_OK);  // kept until it can be written
    for (int i = 0; i < 10; ++i, usleep(100'000)) EXPECT_EQ(session->sync().code, ACCP_ERR_IO);
    restart_with("secret");
    expect_back(session);
}

// One end of a bus, and what it heard; or another function hears.
class BusEnd {
public:
    BusEnd(const std::string &place, const char *name, accp_bus_hear_function hear = count,
           void *context = nullptr) {
        accp_error err = {};
        EXPECT_EQ(accp_bus_entry(text_of(place), text_of(name), hear, context ? context : this,
                                 &table_, &user_, &err),
                  ACCP_OK)
            << err.message;
    }
    ~BusEnd() { table_->close(user_); }
    BusEnd(const BusEnd &) = delete;
    BusEnd &operator=(const BusEnd &) = delete;

    accp_status send(const char *to, const std::string &message) {
        return table_->send(text_of(to), text_of(message), nullptr, user_);
    }

    std::atomic<int> messages{0}, breaks{0};

private:
    static void count(int32_t news, accp_text, void *context) {
        BusEnd &end = *static_cast<BusEnd *>(context);
        end.messages += news == ACCP_BUS_MESSAGE;
        end.breaks += news == ACCP_BUS_BROKEN;
    }

    const accp_bus *table_ = nullptr;
    void *user_ = nullptr;
};

TEST_F(NatsFaultsAccounts, ABusComesBackAndSaysThatItWasBroken) {
    BusEnd a(place_, "a"), b(place_, "b");
    restart_with("another");
    const auto refused = Clock::now();
    while (a.send("b", "lost") == ACCP_OK && ms_since(refused) < 120'000) usleep(10'000);
    EXPECT_EQ(a.send("b", "lost"), ACCP_ERR_IO) << "libnats has not given the connection up";
    restart_with("secret");
    const auto began = Clock::now();
    while ((!a.breaks || !b.breaks) && ms_since(began) < 120'000) usleep(10'000);
    EXPECT_EQ(a.breaks, 1);
    EXPECT_EQ(b.breaks, 1);
    b.messages = 0;
    EXPECT_EQ(a.send("b", "again"), ACCP_OK);
    while (!b.messages && ms_since(began) < 120'000) usleep(10'000);
    EXPECT_EQ(b.messages, 1);
}

// libnats may still call when its connection has ended.
TEST(NatsFaultsBus, NothingIsHeardAfterTheEnd) {
    const nats_tests::Node node;
    const std::string place = node.place("ended");
    struct Heard {
        std::atomic<int> begun{0}, ended{0};
    } heard;
    const auto hear_slowly = [](int32_t, accp_text, void *context) {
        Heard &all = *static_cast<Heard *>(context);
        ++all.begun;
        usleep(100'000);
        ++all.ended;
    };
    BusEnd sender(place, "a");
    {
        const BusEnd hearer(place, "b", hear_slowly, &heard);
        const auto began = Clock::now();
        for (int i = 0; i < 8; ++i) EXPECT_EQ(sender.send("b", "message"), ACCP_OK);
        while (!heard.begun && ms_since(began) < 120'000) usleep(1000);
    }
    const int begun = heard.begun;
    EXPECT_GT(begun, 0);
    EXPECT_EQ(heard.ended, begun);
    usleep(300'000);
    EXPECT_EQ(heard.begun, begun);
}

// A server that refuses every client. Counts the clients.
class RefusingServer {
public:
    RefusingServer() : listener_(nats_tests::listen_at_free_port(port)) {
        thread_ = std::thread([this] {
            for (int client; (client = accept(listener_, nullptr, nullptr)) >= 0; close(client)) {
                ++clients;
                answer(client);
            }
        });
    }
    ~RefusingServer() {
        shutdown(listener_, SHUT_RDWR);
        thread_.join();
        close(listener_);
    }
    RefusingServer(const RefusingServer &) = delete;
    RefusingServer &operator=(const RefusingServer &) = delete;

    int port = 0;
    std::atomic<int> clients{0};

private:
    static void answer(int client) {
        const std::string info = R"(INFO {"server_id":"x","version":"2.9.0","proto":1,)"
                                 R"("max_payload":1048576,"nonce":"abcdefghijklmn"})"
                                 "\r\n",
                          refusal = "-ERR 'Authorization Violation'\r\n";
        EXPECT_EQ(write(client, info.data(), info.size()), static_cast<ssize_t>(info.size()));
        std::string said;
        char bytes[4096];
        for (ssize_t n; said.find("PING") == said.npos; said.append(bytes, static_cast<size_t>(n)))
            if ((n = read(client, bytes, sizeof bytes)) <= 0) return;
        EXPECT_EQ(write(client, refusal.data(), refusal.size()),
                  static_cast<ssize_t>(refusal.size()));
    }

    int listener_;
    std::thread thread_;
};

// libnats leaves out one signature of 256, so a client that signs tries again.
TEST(NatsFaults, ClientsThatSignTryAgain) {
    Directory directory;
    const std::string make = ACCP_NATS_ACCOUNTS " " + directory.file("");
    ASSERT_EQ(std::system(make.c_str()), 0) << make;
    const std::string refused = "ERR_IO: the NATS server refused the user or password";
    const struct {
        std::string user, options;
        int clients;
    } cases[] = {{"", "?creds=" + directory.file("user.creds"), 3}, {"one:secret@", "", 1}};
    for (const auto &[user, options, clients] : cases) {
        RefusingServer server;
        const std::string said = said_of(
            "nats://" + user + "127.0.0.1:" + std::to_string(server.port) + "/signs" + options);
        EXPECT_EQ(said.substr(0, refused.size()), refused) << said;
        EXPECT_EQ(server.clients, clients) << options;
    }
}

TEST(NatsFaults, ShardsStayAsTheyWereMade) {
    const std::string place = nats_tests::shared_node().place("counted");
    EXPECT_EQ(said_of(place + "?shards=3"), "");
    EXPECT_EQ(said_of(place), "");
    EXPECT_EQ(said_of(place + "?shards=3"), "");
    const char *other = "ERR_ARG: the store has another number of shards: check shards=";
    EXPECT_EQ(said_of(place + "?shards=2"), other);
    EXPECT_EQ(said_of(place + "?shards=1"), other);
    const std::string one = nats_tests::shared_node().place("single");
    EXPECT_EQ(said_of(one), "");
    EXPECT_EQ(said_of(one + "?shards=1"), "");
    EXPECT_EQ(said_of(one + "?shards=2"), other);
}

// The call that detects the fault may wait. All others are refused at once, until the node is back.
class NatsFaultsRefusal : public testing::Test {
protected:
    NatsFaultsRefusal() : store_("plugin:" + node_.place("refusal")), session_(store_, "s") {
        EXPECT_EQ(session_.append("1"), ACCP_OK);
        EXPECT_TRUE(store_->sync().ok());
    }
    accp_status append() {
        const accp_status status = session_.append("more");
        return status == ACCP_OK ? session_->sync().code : status;
    }
    // After the call that detects the fault, a call that took long was held up by the machine: most
    // are fast.
    void expect_refused_fast() {
        EXPECT_EQ(append(), ACCP_ERR_IO);
        std::vector<int64_t> took;
        for (int i = 0; i < 21; ++i) {
            const auto began = Clock::now();
            EXPECT_EQ(session_->sync().code, ACCP_ERR_IO);
            EXPECT_EQ(session_.records(), "ERR_IO");
            EXPECT_EQ(Open(store_, "other").status, ACCP_ERR_IO);
            took.push_back(ms_since(began));
        }
        std::sort(took.begin(), took.end());
        EXPECT_LT(took[took.size() / 2], 200);
    }

    nats_tests::Node node_;
    Opened store_;
    Open session_;
};

TEST_F(NatsFaultsRefusal, OfANodeThatIsGone) {
    node_.kill_now();
    expect_refused_fast();
    node_.start();
    expect_back(session_);
}

TEST_F(NatsFaultsRefusal, OfANodeThatIsSilent) {
    node_.freeze();
    expect_refused_fast();
    node_.thaw();
    expect_back(session_);
}

// A call that waits for the silent node ends when the store is closed, and no other call waits.
TEST_F(NatsFaultsRefusal, AStoreOfASilentNodeIsClosedFast) {
    node_.freeze();
    EXPECT_EQ(append(), ACCP_ERR_IO);
    // A busy machine may hold it up; a call that waited for the node would do so each time.
    int64_t least = 1'000'000;
    for (int tries = 0; tries < 5 && least >= 2500; ++tries) {
        const auto began = Clock::now();
        { Open other(store_, "other", false); }
        least = std::min(least, ms_since(began));
    }
    EXPECT_LT(least, 2500);
    node_.thaw();
    expect_back(session_);
}

}  // namespace
