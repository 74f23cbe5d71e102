// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Context packets of a conversation, beside parsing the same text with simdjson. And questions to
// 10,000 packets of 13 items: one with a word that most items have, one that few items match, and
// one that no item matches.
#include <memory>
#include <stdexcept>

#include "rows.h"

namespace accp_bench {

namespace {

constexpr size_t kPackets = 10'000;

struct FreePackets {
    void operator()(accp_packet *packet) const { accp_packet_free(packet); }
    void operator()(accp_packet_index *index) const { accp_packet_index_free(index); }
};
using Packet = std::unique_ptr<accp_packet, FreePackets>;

// Makes one packet of all messages; i is always 0.
struct Generate : Result {
    explicit Generate(const Lines &talk) : talk(talk) {
        accp_packet *made = nullptr;
        if (accp_packet_new(nullptr, &made, &error) != ACCP_OK)
            throw std::runtime_error(error.message);
        packet.reset(made);
    }
    bool operator()(size_t) {
        constexpr std::string_view kTask = "Mend the provider's export of sessions";
        accp_packet_request request = {};
        request.size = sizeof request;
        request.task = {kTask.data(), kTask.size()};
        request.conversation = {talk.all().data(), talk.all().size()};
        request.depth = ACCP_PACKET_DEEP;
        return accp_packet_generate(packet.get(), &request, &error) == ACCP_OK &&
               accp_packet_tokens(packet.get()) > 0;
    }

    const Lines &talk;
    Packet packet;
};

std::string number(size_t i) { return std::to_string(i); }

std::string make_packet(size_t i) {
    constexpr const char *kTasks[] = {"Add JWT authentication", "Cache listings",
                                      "Move tables to the database", "Publish events by a queue",
                                      "Charge payments"};
    constexpr const char *kChoices[] = {"JWT over session tokens", "Use Redis for listings",
                                        "PostgreSQL with alembic", "Kafka for events",
                                        "Stripe for cards"};
    std::string json = R"({"version":1,"created":"2024-01-15T10:30:00Z","creator":"a",)"
                       R"("target_task":")";
    json += kTasks[i % 5] + std::string(" ") + number(i);
    json += R"(","context":{"goal":"Make service)" + number(i) + R"( work","decisions":[)";
    for (size_t k = 0; k < 6; ++k)
        json += std::string(k ? "," : "") + R"({"choice":")" + kChoices[(i + k * k) % 5] +
                " in module" + number(i * 7 % 991) + R"(","reason":"because part)" +
                number(k + i % 37) + R"( is slow","made_by":"user"})";
    json += R"(],"constraints":[)";
    for (size_t k = 0; k < 6; ++k)
        json += std::string(k ? "," : "") + R"("Must keep the interface of module)" +
                number((i + k) % 991) + R"( stable for authentication")";
    return json + R"(],"failed_attempts":[{"approach":"Threads in worker)" + number(i) +
           R"(","reason_failed":"deadlock"}]}})";
}

std::shared_ptr<accp_packet_index> make_index() {
    accp_packet *packet = nullptr;
    accp_packet_index *index = nullptr;
    if (accp_packet_new(nullptr, &packet, nullptr) != ACCP_OK) throw std::runtime_error("packet");
    const Packet held(packet);
    if (accp_packet_index_new(nullptr, &index, nullptr) != ACCP_OK)
        throw std::runtime_error("index");
    std::shared_ptr<accp_packet_index> made(index, FreePackets());
    for (size_t i = 0; i < kPackets; ++i) {
        const std::string json = make_packet(i);
        if (accp_packet_parse(packet, json.data(), json.size(), 0, nullptr) != ACCP_OK ||
            accp_packet_index_add(index, packet, nullptr) != ACCP_OK)
            throw std::runtime_error("a packet was refused");
    }
    return made;
}

struct Ask : Result {
    Ask(std::shared_ptr<accp_packet_index> index, std::string question, accp_status wanted)
        : index(std::move(index)), question(std::move(question)), wanted(wanted) {}
    bool operator()(size_t) {
        return accp_packet_index_query(index.get(), question.data(), question.size(), nullptr, 0,
                                       &out, &error) == wanted;
    }

    std::shared_ptr<accp_packet_index> index;
    std::string question;
    accp_status wanted;
};

}  // namespace

void add_packet_rows(const Corpus &corpus) {
    add_row(kGenerate, 1, corpus.talk.size(), corpus.talk.all().size(),
            [&corpus]() { return Generate(corpus.talk); });
    const struct {
        const char *name, *question;
        accp_status status;
    } rows[] = {
        {"packets: a word of most items", "What authentication approach was decided?", ACCP_OK},
        {"packets: a few items", "Why Redis in module77?", ACCP_OK},
        {"packets: no item", "What color has the moon?", ACCP_E2001},
    };
    // created by the first row that runs
    auto shared = std::make_shared<std::shared_ptr<accp_packet_index>>();
    for (const auto &row : rows)
        add_row(row.name, 1, 1, 0, [=] {
            if (!*shared) *shared = make_index();
            return Ask(*shared, row.question, row.status);
        });
}

}  // namespace accp_bench
