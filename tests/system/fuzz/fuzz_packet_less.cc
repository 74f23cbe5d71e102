// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a packet's file. Each way to make it smaller, and its next version, must give a
// packet that is sealed and can be read again, or fail and change nothing. Layers must add up. The
// bytes are also a question to the packets, with and without a first packet.
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

constexpr size_t kMaxQuestion = 200;

accp_packet *read_packet(std::string_view text) {
    accp_packet *made = nullptr;
    REQUIRE(accp_packet_new(nullptr, &made, nullptr) == ACCP_OK);
    if (accp_packet_parse(made, text.data(), text.size(), ACCP_PACKET_UNVERIFIED, nullptr) !=
        ACCP_OK) {
        accp_packet_free(made);
        return nullptr;
    }
    return made;
}

std::string checksum_of(const accp_packet *packet) {
    const accp_text sum = accp_packet_checksum(packet);
    return {sum.text, sum.len};
}

// After a successful change the packet must be sealed, and its printed form must be the same
// packet. A failed change must have changed nothing.
template <class Change>
void check_change(accp_packet *packet, Change change) {
    const std::string before = checksum_of(packet);
    accp_error error = untouched_error();
    const accp_status status = change(&error);
    if (status != ACCP_OK) {
        // a packet may be too deep or too large in another form
        REQUIRE(status == ACCP_E1001 || status == ACCP_E1004);
        REQUIRE(checksum_of(packet) == before);
        return;
    }
    REQUIRE(accp_packet_warnings(packet) == 0);
    accp_text json = {};
    REQUIRE(accp_packet_print_json(packet, &json, nullptr) == ACCP_OK);
    accp_packet *again = read_packet({json.text, json.len});
    if (!again) REQUIRE(json.len > 262144);
    else REQUIRE(checksum_of(again) == checksum_of(packet) && !accp_packet_warnings(again));
    accp_packet_free(again);
}

void check_layers(accp_packet *packet) {
    std::string all;
    for (uint32_t layer = 1; layer <= ACCP_PACKET_HISTORY; layer <<= 1) {
        accp_text out = {};
        REQUIRE(accp_packet_print_layers(packet, layer, &out, nullptr) == ACCP_OK);
        if (out.len) all.append(all.empty() ? "" : "\n").append(out.text, out.len);
    }
    accp_text whole = {};
    REQUIRE(accp_packet_print_prompt(packet, &whole, nullptr) == ACCP_OK);
    REQUIRE(all == std::string(whole.text, whole.len));
}

void check_asked(accp_packet *old, accp_packet *packet, const Exact &text) {
    accp_packet_index *index = nullptr;
    REQUIRE(accp_packet_index_new(nullptr, &index, nullptr) == ACCP_OK);
    REQUIRE(accp_packet_index_add(index, old, nullptr) == ACCP_OK);
    REQUIRE(accp_packet_index_add(index, packet, nullptr) == ACCP_OK);
    const size_t size = std::min(text.size(), kMaxQuestion);
    for (std::string from : {std::string(), checksum_of(packet)}) {
        for (const Exact &question :
             {Exact(std::string(text.data(), size)), Exact(std::string("What was decided?"))}) {
            accp_text out = {};
            accp_error error = untouched_error();
            const accp_status status = accp_packet_index_query(
                index, question.data(), question.size(), from.data(), from.size(), &out, &error);
            REQUIRE(status == ACCP_OK || status == ACCP_E1004 || status == ACCP_E2001 ||
                    status == ACCP_ERR_ARG);
            if (status == ACCP_OK) REQUIRE(out.len > 20 && out.text[out.len - 1] == '}');
        }
    }
    accp_packet_index_free(index);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Exact text(text_of(data, size));
    accp_packet *old = read_packet({text.data(), text.size()}),
                *packet = read_packet({text.data(), text.size()});
    if (packet) {
        check_layers(packet);
        check_change(packet,
                     [&](accp_error *err) { return accp_packet_merge_decisions(packet, err); });
        check_change(packet,
                     [&](accp_error *err) { return accp_packet_extract_patterns(packet, 2, err); });
        check_change(packet, [&](accp_error *err) {
            return accp_packet_fade(packet, static_cast<uint32_t>(size % 3), 1, err);
        });
        check_change(packet, [&](accp_error *err) {
            return accp_packet_filter(packet, "", 0, static_cast<double>(size % 5) / 50, nullptr,
                                      nullptr, err);
        });
        check_asked(old, packet, text);
        check_change(packet, [&](accp_error *err) {
            const accp_status status = accp_packet_revise(packet, old, "next", 4, err);
            return status == ACCP_ERR_ARG ? ACCP_E1001 : status;  // no version is left
        });
        accp_text out = {};
        REQUIRE(accp_packet_print_diff(packet, old, &out, nullptr) == ACCP_OK);
    }
    accp_packet_free(old);
    accp_packet_free(packet);
    return 0;
}
