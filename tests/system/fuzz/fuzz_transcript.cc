// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a transcript in the format that the first byte selects. It must give the same messages each
// time, or name the item at fault. Then the messages become parts, with flags from the input's
// length. For any flags, the request must follow all rules of the provider and be readable.
#include "frame/message/json.h"
#include "fuzz/fuzz_input.h"
#include "transcript/parts.h"
#include "transcript/provider_rules.h"
#include "transcript/transcripts.h"

using namespace accp_transcript;

namespace {

constexpr size_t kMaxBytes = 1 << 20;

void check_status(const accp::Status &status, size_t size) {
    REQUIRE(status.ok() || status.code == ACCP_E1001 || status.code == ACCP_E1004);
    REQUIRE(status.ok() == !status.message);
    REQUIRE(status.offset <= size);
    REQUIRE(status.had >= status.limit);
}

// Returns the kind of source that a context assigns to a message of a transcript.
SourceKind source_of(const accp::message::Message &message) {
    if (message.operation == "notify") return SourceKind::kGuide;
    if (message.intent == "done") return SourceKind::kResult;
    return message.operation == "tool" ? SourceKind::kAct : SourceKind::kTask;
}

// `keeps`: includes the metadata of a provider's list, which is written back unchanged.
PartList parts_of(const std::vector<std::string> &lines, accp_unit::Random random, bool keeps) {
    PartList parts;
    for (const std::string &line : lines) {
        // the message must be valid under the strict rules of the common reader
        accp::Memory memory(accp::private_allocator(), UINT64_MAX);
        accp::value::JsonReader reader(memory);
        accp::value::Value value(memory);
        REQUIRE(reader.read(line.data(), line.size(), {4 * kMaxBytes, 1024}, value).ok());
        accp::message::Message message;
        accp::message::ReadRules rules;
        rules.max_name_bytes = 64;
        rules.allows_others = false;
        REQUIRE(accp::message::read_message(value.view(), 0, rules, message).status.ok());
        REQUIRE(line.find('\n') == std::string::npos);
        const auto kind = static_cast<PartKind>(random.below(8) ? 2 : random.below(2));
        Part &part = parts.add(kind, source_of(message), line, line);
        if (!keeps) const_cast<accp::message::Message *>(part.message)->has_meta = false;
        part.is_untrusted = random.below(8) == 0;
        part.is_whole = random.below(8) != 0;
        part.is_stable = random.below(2) != 0;
    }
    return parts;
}

accp_ref::Json parse(const std::string &request) {
    auto value = accp_ref::parse_json(request);
    REQUIRE(value.has_value());
    return *value;
}

void check_reads(accp::transcript::Format format, const std::string &request) {
    Transcript transcript({8 * kMaxBytes, accp::kMaxJsonDepth});
    Lines lines;
    const accp::Status status = transcript.read(format, request, lines);
    // a call in a request is nested a few brackets deeper than before
    const bool is_empty = status.code == ACCP_E1001 && lines.lines.empty() &&
                          std::string_view(status.message) == accp::transcript::kNoItems;
    REQUIRE(status.ok() || status.code == ACCP_E1004 || is_empty);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const unsigned first = size ? data[0] - unsigned{'0'} : 0;
    const auto format =
        static_cast<accp::transcript::Format>(first & 16 ? 7 + (first & 3) % 4 : (first & 7) % 7);
    const std::string_view text = accp_fuzz::text_of(data + (size ? 1 : 0), size ? size - 1 : 0);
    const accp::value::JsonLimits limits = {first & 4 ? 64 : kMaxBytes, first & 8 ? 4u : 1000u};
    Transcript transcript(limits);
    Lines lines, again;
    const accp::Status status = transcript.read(format, text, lines);
    check_status(status, text.size());
    const accp::Status second = transcript.read(format, text, again);
    REQUIRE(second.code == status.code && second.offset == status.offset);
    REQUIRE(again.lines == lines.lines);
    accp_unit::Random random(size);
    const PartList parts = parts_of(lines.lines, random, false),
                   kept = parts_of(lines.lines, random, true);
    const std::string openai = parts.write(Provider::kOpenAi),
                      anthropic = parts.write(Provider::kAnthropic);
    REQUIRE(broken_openai_rule(parse(openai)).empty());
    REQUIRE(broken_anthropic_rule(parse(anthropic)).empty());
    check_reads(accp::transcript::Format::kOpenAi, openai);
    check_reads(accp::transcript::Format::kAnthropic, anthropic);
    check_reads(accp::transcript::Format::kOpenAi, kept.write(Provider::kOpenAi));
    check_reads(accp::transcript::Format::kAnthropic, kept.write(Provider::kAnthropic));
    return 0;
}
