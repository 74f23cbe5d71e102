// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Encodes bytes as a message in JSON; the first byte selects the settings. The result must be a
// frame in canonical form, the same when it is encoded again, and it must decode to an equal
// message. The fast paths to a frame must agree with the general one.
#include "fuzz/both_ways.h"

using namespace accp_fuzz;

namespace {

// The wire format has no empty metadata: a message whose meta is {} or null comes back without it.
// In the hash form, meta follows the intent, whose name contains no quote.
std::string without_empty_meta(std::string hash) {
    const std::string_view intent = ",\"intent\":\"";
    const size_t name = hash.find(intent);
    const size_t at = name == std::string::npos ? name : hash.find('"', name + intent.size()) + 1;
    for (std::string_view empty : {",\"meta\":{}", ",\"meta\":null"})
        if (at != std::string::npos && hash.compare(at, empty.size(), empty) == 0)
            hash.erase(at, empty.size());
    return hash;
}

// Returns whether the message has a member "untrusted", which a codec ignores.
bool is_marked(const Exact &json) {
    accp_value *value = nullptr;
    REQUIRE(accp_value_new(nullptr, &value, nullptr) == ACCP_OK);
    REQUIRE(accp_value_parse_json(value, json.data(), json.size(), nullptr) == ACCP_OK);
    const bool found = accp_value_find(value, 0, "untrusted", 9) != 0;
    accp_value_free(value);
    return found;
}

// Returns whether the metadata has a number or a boolean as mid, cid, aid or sid. It comes back as
// a string.
bool has_field_to_be_text(const Exact &json) {
    accp_value *value = nullptr;
    REQUIRE(accp_value_new(nullptr, &value, nullptr) == ACCP_OK);
    REQUIRE(accp_value_parse_json(value, json.data(), json.size(), nullptr) == ACCP_OK);
    const accp_node *nodes = accp_value_nodes(value, nullptr);
    const uint32_t meta = accp_value_find(value, 0, "meta", 4);
    bool found = false;
    for (const char *key : {"mid", "cid", "aid", "sid"}) {
        const uint32_t node = meta ? accp_value_find(value, meta, key, 3) : 0;
        const int kind = node ? nodes[node].kind : static_cast<int>(ACCP_STRING);
        found |= kind == ACCP_INT || kind == ACCP_DEC || kind == ACCP_BOOL;
    }
    accp_value_free(value);
    return found;
}

// Returns whether `received` only lacks the mark, which is the last member in a hash form.
bool is_but_for_mark(std::string_view sent, std::string_view received) {
    received.remove_suffix(1);
    const std::string_view mark = ",\"untrusted\":";
    return sent.substr(0, received.size()) == received &&
           sent.substr(received.size(), mark.size()) == mark;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const Settings settings = settings_from(data[0]);
    const Exact json(text_of(data + 1, size - 1));
    require_one_text_both_ways(
        fast_settings(data[0]), [&json](accp::frame::Coder &coder, accp::Buffer<char> &out) {
            return coder.encode(json.view().data(), json.view().size(), nullptr, out);
        });
    const Config config(settings);
    Frame frame(config);
    Codec codec(config);
    const Answer wire = codec.encode(json.view());
    REQUIRE(wire.ok() || wire.status == ACCP_E1001 || wire.status == ACCP_E1004);
    const Answer again = codec.encode(json.view());
    REQUIRE(again.status == wire.status && again.text == wire.text && again.offset == wire.offset);
    if (!wire.ok()) return 0;

    const Exact text(wire.text);
    REQUIRE(frame.parse(text).ok());
    REQUIRE(frame.print(text.size()).text == wire.text);
    const Answer back = codec.decode(wire.text);
    REQUIRE(back.ok());
    if (has_field_to_be_text(json)) return 0;
    const Answer sent = hash_form(json.view()), received = hash_form(back.text);
    if (is_marked(json)) {  // some numbers have no hash form
        if (sent.ok()) REQUIRE(is_but_for_mark(without_empty_meta(sent.text), received.text));
        return 0;
    }
    REQUIRE(sent.status == received.status);
    REQUIRE(without_empty_meta(sent.text) == received.text);
    return 0;
}
