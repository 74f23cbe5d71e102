// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Context packets, beside reading the same text with simdjson.
#include <stdexcept>

#include "rows.h"

namespace accp_bench {

namespace {

struct FreePacket {
    void operator()(accp_packet *packet) const { accp_packet_free(packet); }
};

// One packet of all the messages; i is always 0.
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
    std::unique_ptr<accp_packet, FreePacket> packet;
};

}  // namespace

void add_packet_rows(const Corpus &corpus) {
    add_row(kGenerate, 1, corpus.talk.size(), corpus.talk.all().size(),
            [&corpus]() { return Generate(corpus.talk); });
}

}  // namespace accp_bench
