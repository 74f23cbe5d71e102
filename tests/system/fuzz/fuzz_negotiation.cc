// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads lines of bytes as events of two sides. `>` and `<` deliver the oldest frame to one or the
// other side, `x` and `y` lose it, `t` is a timeout of both, `d` repeats a frame, `r` reverses the
// order. Anything else is a frame from a stranger to both sides, with its checksum c corrected
// after `=`. Never may one side regard as agreed what the other side does not.
#include <deque>

#include "base/sha256.h"
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

struct Side {
    accp_negotiation *it = nullptr;
    std::deque<std::string> coming;
};

void say(Side &from, Side &to) {
    for (;;) {
        const Answer frame =
            ask(0, [&](auto... out) { return accp_negotiation_next_frame(from.it, out...); });
        REQUIRE(frame.ok());
        if (frame.text.empty()) return;
        if (to.coming.size() < 300) to.coming.push_back(frame.text);
    }
}

void hear(Side &side, std::string_view text, accp_frame *frame) {
    const Exact exact(text);
    if (accp_frame_parse(frame, exact.data(), exact.size(), nullptr) != ACCP_OK) return;
    accp_error error = untouched_error();
    const accp_status status = accp_negotiation_receive(side.it, frame, &error);
    check_error(status, error, UINT32_MAX);
    REQUIRE(status != ACCP_ERR_NOMEM);
}

// Returns a frame with the correct checksum.
std::string summed(std::string_view body) {
    const std::string text = "@m>sync:registry{" + std::string(body);
    return text + "|c:" + std::string(accp::sha256(body).first(8)) + "}";
}

void event(std::string_view line, Side &a, Side &b, accp_frame *frame, bool &strange) {
    const bool to_b = !line.empty() && (line[0] == '>' || line[0] == 'x');
    Side &to = to_b ? b : a;
    if (line == ">" || line == "<" || line == "d" || line == "x" || line == "y") {
        if (to.coming.empty()) return;
        if (line[0] != 'x' && line[0] != 'y') hear(to, to.coming.front(), frame);
        if (line != "d") to.coming.pop_front();
    } else if (line == "t") {
        accp_negotiation_timeout(a.it, nullptr);
        accp_negotiation_timeout(b.it, nullptr);
    } else if (line == "r") {
        if (!a.coming.empty()) a.coming.push_back(a.coming.front()), a.coming.pop_front();
        if (!b.coming.empty()) b.coming.push_back(b.coming.front()), b.coming.pop_front();
    } else {
        strange = strange || line.substr(0, 1) == "=";
        const std::string text =
            line.substr(0, 1) == "=" ? summed(line.substr(1)) : std::string(line);
        hear(a, text, frame);
        hear(b, text, frame);
    }
}

void check_end(const Side &a, const Side &b) {
    accp_agreement left = {}, right = {};
    REQUIRE(accp_negotiation_agreement(a.it, &left, nullptr) == ACCP_OK &&
            accp_negotiation_agreement(b.it, &right, nullptr) == ACCP_OK);
    REQUIRE(!(left.state == ACCP_NEGOTIATION_AGREED && right.state == ACCP_NEGOTIATION_BARE));
    REQUIRE(!(left.state == ACCP_NEGOTIATION_BARE && right.state == ACCP_NEGOTIATION_AGREED));
    if (left.state != ACCP_NEGOTIATION_AGREED || right.state != ACCP_NEGOTIATION_AGREED) return;
    REQUIRE(info_of(left.registry).hash == info_of(right.registry).hash);
    REQUIRE(left.extensions == right.extensions);
}

accp_registry *registry(std::string_view text, uint32_t profiles) {
    accp_registry *made = nullptr;
    REQUIRE(accp_registry_new(text.data(), text.size(), profiles, nullptr, &made, nullptr) ==
            ACCP_OK);
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    std::string_view rest = text_of(data, size);
    const unsigned first = rest.empty() ? 0 : static_cast<unsigned char>(rest[0]) - unsigned{'0'};
    accp_registry *left =
        registry(R"({"schemas":{"s":{"code":"S","version":2,"fields":["a"]}}})", ACCP_PROFILE_NONE);
    const char *others[] = {R"({"schemas":{"s":{"code":"S","version":1,"fields":[]}}})",
                            R"({"schemas":{"s":{"code":"T","fields":[]}}})", "",
                            R"({"schemas":{"s":{"code":"S","version":2,"fields":["a"]}}})"};
    accp_registry *right =
        registry(others[first & 3], first & 4 ? ACCP_PROFILE_ALL : ACCP_PROFILE_NONE);
    accp_frame *frame = nullptr;
    Side a, b;
    REQUIRE(accp_frame_new(nullptr, &frame, nullptr) == ACCP_OK);
    Config config;
    config.registry(left).rule(ACCP_RULE_EXTENSIONS, ACCP_EXT_P1);
    REQUIRE(accp_negotiation_new("a", 1, config.get(), &a.it, nullptr) == ACCP_OK);
    config.registry(right).rule(ACCP_RULE_EXTENSIONS, ACCP_EXT_T1 | ACCP_EXT_P1);
    REQUIRE(accp_negotiation_new("b", 1, config.get(), &b.it, nullptr) == ACCP_OK);
    bool strange = false;
    for (int events = 0; events < 300 && !rest.empty(); ++events) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        say(a, b);
        say(b, a);
        event(rest.substr(0, end), a, b, frame, strange);
        // the transport must stop a stranger who sends frames with a correct checksum
        if (!strange) check_end(a, b);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    accp_negotiation_free(a.it);
    accp_negotiation_free(b.it);
    accp_registry_free(left);
    accp_registry_free(right);
    accp_frame_free(frame);
    return 0;
}
