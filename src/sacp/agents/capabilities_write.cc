// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See capabilities_write.h.
#include "sacp/agents/capabilities_write.h"

#include <charconv>

#include "value/json_writer.h"

namespace accp::plan {

namespace {

constexpr std::string_view kMatches[] = {"exact", "lexical", "similar"};
constexpr int kPlaces = 6;

// To kPlaces places, of which zeros at the end but the first are left out: 0.707107, 1.0.
void write_score(double score, Buffer<char> &out) {
    if (score > -0.5e-6 && score < 0.5e-6) score = 0;  // without a sign
    char *const to = out.reserve(32);
    char *end = std::to_chars(to, to + 32, score, std::chars_format::fixed, kPlaces).ptr;
    while (end[-1] == '0' && end[-2] != '.') --end;
    out.set_end(end);
}

}  // namespace

std::string_view match_name(Match match) { return kMatches[static_cast<size_t>(match)]; }

void write_answer(const Buffer<Found> &found, Buffer<char> &out) {
    out.push('[');
    for (const Found &each : found) {
        if (&each != found.begin()) out.push(',');
        out.append(R"({"agent_name":)");
        value::write_json_string(each.agent->name(), out);
        out.append(R"(,"match":")");
        out.append(match_name(each.match));
        out.push('"');
        if (each.match != Match::kExact) {
            out.append(R"(,"score":)");
            write_score(each.score, out);
        }
        out.push('}');
    }
    out.push(']');
}

void write_document(const Capabilities &agents, Memory &memory, Buffer<char> &out) {
    Buffer<const Capability *> all(memory);
    agents.list(all);
    out.push('[');
    for (const Capability *const &agent : all) {
        if (&agent != all.begin()) out.push(',');
        agent->write(out);
    }
    out.push(']');
}

}  // namespace accp::plan
