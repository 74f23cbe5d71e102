// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads lines of bytes as input of a registry of agents: a list is loaded; any other line is
// registered and used as a query. A refusal must have a verdict. The printed registry must be read
// as the same registry. A result must have each agent once: first those that match, then the most
// similar others.
#include <set>

#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

void check_json(accp_text text) {
    accp_value *value = nullptr;
    REQUIRE(accp_value_new(nullptr, &value, nullptr) == ACCP_OK);
    REQUIRE(accp_value_parse_json(value, text.text, text.len, nullptr) == ACCP_OK);
    accp_value_free(value);
}

struct Agents {
    Agents() { REQUIRE(accp_capabilities_open(nullptr, nullptr, &held, nullptr) == ACCP_OK); }
    ~Agents() { accp_capabilities_close(held); }

    std::string print() {
        accp_text out = {};
        REQUIRE(accp_capabilities_print(held, &out, nullptr) == ACCP_OK);
        return {out.text, out.len};
    }
    void check_verdict(accp_status status, const accp_error &error) {
        const accp_text verdict = accp_capabilities_verdict(held);
        check_json(verdict);
        const bool valid = std::string_view(verdict.text, verdict.len) == R"({"status":"VALID"})";
        REQUIRE(valid == (status == ACCP_OK));
        REQUIRE(status == ACCP_OK || status == ACCP_E1001 || status == ACCP_E1004 ||
                status == ACCP_E4001);
        REQUIRE(status == ACCP_OK || (error.code == status && error.message));
    }

    accp_capabilities *held = nullptr;
};

void check_answer(const Agents &agents, accp_text out) {
    check_json(out);
    std::set<std::string> names;
    accp_found_agent found = {}, before = {};
    for (size_t i = 0; accp_capabilities_found(agents.held, i, &found, nullptr) == ACCP_OK; ++i) {
        REQUIRE(names.insert({found.name.text, found.name.len}).second);
        REQUIRE(found.score >= -1 && found.score <= 1);
        if (i) REQUIRE(before.match <= found.match);
        if (i && before.match == found.match) REQUIRE(before.score >= found.score - 1e-11);
        before = found;
    }
    REQUIRE(names.size() == accp_capabilities_found_count(agents.held));
    REQUIRE(names.size() <= accp_capabilities_count(agents.held));
}

void check_line(Agents &agents, const Exact &line, uint32_t ranking) {
    accp_error error = {};
    const uint64_t before = accp_capabilities_count(agents.held);
    accp_status status =
        accp_capabilities_register_all(agents.held, line.data(), line.size(), &error);
    agents.check_verdict(status, error);
    status = accp_capabilities_register(agents.held, line.data(), line.size(), &error);
    agents.check_verdict(status, error);
    REQUIRE(accp_capabilities_count(agents.held) >= before);
    accp_text out = {};
    status = accp_capabilities_query(agents.held, line.data(), line.size(),
                                     ranking ? 5000 : ACCP_NO_CLOCK, ranking, &out, &error);
    agents.check_verdict(status, error);
    if (status == ACCP_OK) check_answer(agents, out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Agents agents, again;
    std::string_view rest = text_of(data, size);
    for (uint32_t line = 0; line < 16 && !rest.empty(); ++line) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        check_line(agents, Exact(rest.substr(0, end)), line % 2 ? ACCP_RANK_LEXICAL : 0);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const std::string printed = agents.print();
    REQUIRE(accp_capabilities_register_all(again.held, printed.data(), printed.size(), nullptr) ==
            ACCP_OK);
    REQUIRE(again.print() == printed);
    return 0;
}
