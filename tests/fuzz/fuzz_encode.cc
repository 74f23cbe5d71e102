// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Bytes as a message in JSON; the first byte chooses the settings. What is encoded is a frame, its own canonical form, the same when encoded again, and it
// decodes to an equal message. The direct way from JSON to the frame (frame/direct.h) must agree with the general one.
#include "frame/coder.h"
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

// The wire has no empty metadata: a message whose meta is {} or null comes back without one. In the hash form it stands behind the intent, a name that
// holds no quote.
std::string without_empty_meta(std::string hash) {
    const std::string_view intent = ",\"intent\":\"";
    const size_t name = hash.find(intent);
    const size_t at = name == std::string::npos ? name : hash.find('"', name + intent.size()) + 1;
    for (std::string_view empty : {",\"meta\":{}", ",\"meta\":null"})
        if (at != std::string::npos && hash.compare(at, empty.size(), empty) == 0) hash.erase(at, empty.size());
    return hash;
}

// Under the settings that let the direct way be taken at all.
void require_one_text_both_ways(uint8_t choice, std::string_view json) {
    accp::Settings settings;
    settings.extensions = choice & 3   ? ACCP_EXT_Q1 | (choice & 1 ? ACCP_EXT_T1 : 0) | (choice & 2 ? ACCP_EXT_U8 : 0)
                          : choice & 4 ? ACCP_EXT_Q1
                                       : 0;
    settings.abbreviate = (choice & 8) != 0;
    accp::Memory memory(settings.allocator, uint64_t{1} << 30);
    accp::Coder direct(memory, settings), general(memory, settings);
    general.direct = false;
    accp::Buffer<char> one(memory), other(memory);
    const accp::Status first = direct.encode(json.data(), json.size(), one), second = general.encode(json.data(), json.size(), other);
    REQUIRE(first.code == second.code && first.offset == second.offset);
    REQUIRE(one.size() == other.size() && !std::memcmp(one.data() ? one.data() : "", other.data() ? other.data() : "", one.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const Settings settings = settings_from(data[0]);
    const Exact json(text_of(data + 1, size - 1));
    require_one_text_both_ways(data[0], json.view());
    Frame frame(settings);
    const Answer wire = frame.encode(json);
    REQUIRE(wire.ok() || wire.status == ACCP_E1001 || wire.status == ACCP_E1004);
    const Answer again = frame.encode(json);
    REQUIRE(again.status == wire.status && again.text == wire.text && again.offset == wire.offset);
    if (!wire.ok()) return 0;

    const Exact text(wire.text);
    REQUIRE(frame.parse(text).ok());
    REQUIRE(frame.print(text.size()).text == wire.text);
    const Answer back = frame.decode(text);
    REQUIRE(back.ok());
    const Answer sent = hash_form(json.view()), received = hash_form(back.text);
    REQUIRE(sent.status == received.status);
    REQUIRE(without_empty_meta(sent.text) == received.text);
    return 0;
}
