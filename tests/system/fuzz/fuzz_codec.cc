// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a registry's document, a newline, and a message or a frame. What is accepted once must be
// accepted again with the same bytes. A message that became a frame must come back as one that
// becomes the same frame, and a frame must become a message with the same content. Each message
// must also survive a state that stores its strings, and the splitting into parts. The state
// resolves any other ref to the input itself.
#include <charconv>
#include <deque>

#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

// Returns false if it was refused.
bool take(const Answer &answer, std::string &to) {
    if (answer.ok()) to = answer.text;
    return answer.ok();
}

void check(Codec &codec, std::string_view text) {
    std::string frame, message, again;
    if (take(codec.encode(text), frame)) {
        REQUIRE(take(codec.decode(frame), message));
        REQUIRE(take(codec.encode(message), again) && again == frame);
    }
    // A frame that this codec would not have written can be too long or too deep to be written
    // again. Otherwise its content must not change.
    if (take(codec.decode(text), message) && take(codec.encode(message), frame)) {
        REQUIRE(take(codec.decode(frame), message));
        REQUIRE(take(codec.encode(message), again) && again == frame);
    }
}

// Keeps each stored value under its number in the list.
struct State {
    std::deque<std::string> values;
    std::string_view input;  // the value of any other ref

    static accp_status keep(const char *json, size_t json_len, accp_text *ref, void *user) {
        static thread_local std::string name;
        auto &state = *static_cast<State *>(user);
        state.values.emplace_back(json, json_len);
        name = "warm.t" + std::to_string(state.values.size());
        *ref = {name.data(), name.size()};
        return ACCP_OK;
    }
    static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
        auto &state = *static_cast<State *>(user);
        const std::string_view name(ref, ref_len);
        size_t place = 0;
        if (name.substr(0, 6) == "warm.t") (void)std::from_chars(ref + 6, ref + ref_len, place);
        const bool kept = place && place <= state.values.size();
        const std::string_view found =
            kept ? std::string_view(state.values[place - 1]) : state.input;
        *json = {found.data(), found.size()};
        return ACCP_OK;
    }
    static accp_status next(accp_envelope *envelope, void *) {
        ++envelope->seq;
        return ACCP_OK;
    }
};

const accp_tokenizer *approx() {
    static accp_tokenizer *tokenizer = [] {
        accp_tokenizer *made = nullptr;
        REQUIRE(accp_tokenizer_new("approx", 6, nullptr, &made, nullptr) == ACCP_OK);
        return made;
    }();
    return tokenizer;
}

constexpr char kMid[] = "a00000000001";

// Encodes a message with a state, so that no string stays inline.
void check_state(Config &config, std::string_view text) {
    State state;
    state.input = text;
    Codec plain(config);
    accp_hooks hooks = {};
    hooks.user = &state;
    hooks.keep = State::keep;
    hooks.resolve = State::resolve;
    Codec codec(config.hooks(hooks).rule(ACCP_RULE_INLINE_CHARACTERS, 3));
    std::string frame, message, whole, expected;
    if (take(codec.encode(text), frame)) {
        REQUIRE(take(codec.decode(frame), message));
        if (take(plain.encode(text), whole)) {
            REQUIRE(take(plain.decode(whole), expected));
            REQUIRE(message == expected);
        }
    }
    (void)codec.decode(text);
}

// Encodes a message in parts, and decodes the last part first. Then decodes the input as a part.
void check_parts(Config &config, std::string_view text) {
    accp_hooks hooks = {};
    hooks.next_envelope = State::next;
    config.hooks(hooks).tokenizer(approx()).rule(ACCP_RULE_PARTS, 1);
    Codec plain(config), codec(config.rule(ACCP_RULE_MAX_TOKENS, 70));
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
    envelope.mid = {kMid, 12};
    for (Codec *one : {&plain, &codec})
        REQUIRE(accp_codec_set_envelope(one->get(), &envelope, nullptr) == ACCP_OK);
    std::string frame, whole, message, expected;
    if (take(plain.encode(text), whole) && take(codec.decode(whole), expected) &&
        take(codec.encode(text), frame)) {
        for (size_t end = frame.size(), at; end != std::string::npos; end = at) {
            at = frame.rfind('\n', end - 1);
            const size_t from = at == std::string::npos ? 0 : at + 1;
            const std::string_view part = std::string_view(frame).substr(from, end - from);
            REQUIRE(take(codec.decode(part), message) == !from);
        }
        REQUIRE(message == expected);
    }
    for (int i = 0; i < 2; ++i) (void)codec.decode(text);
}

// An accepted message must also be accepted in the cheapest spelling, which can be decoded and
// encoded again.
void check_spelling(Config &config, std::string_view text) {
    Codec plain(config), codec(config.tokenizer(approx()).rule(ACCP_RULE_SPELL, 1));
    std::string frame, spelled, message, again;
    const bool taken = take(plain.encode(text), frame);
    REQUIRE(take(codec.encode(text), spelled) == taken);
    if (!taken) return;
    REQUIRE(take(plain.decode(spelled), message));
    REQUIRE(take(codec.encode(message), again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *newline =
        size ? static_cast<const uint8_t *>(std::memchr(data, '\n', size)) : nullptr;
    if (!newline) return 0;
    const std::string_view document = text_of(data, static_cast<size_t>(newline - data));
    const std::string_view text = text_of(newline + 1, size - document.size() - 1);
    accp_registry *registry = nullptr;
    if (accp_registry_new(document.data(), document.size(), ACCP_PROFILE_ALL, nullptr, &registry,
                          nullptr) != ACCP_OK)
        return 0;
    for (uint32_t extensions :
         {uint32_t{ACCP_EXT_NONE}, uint32_t{ACCP_EXT_Q1}, uint32_t{ACCP_EXT_W1},
          uint32_t{ACCP_EXT_P1 | ACCP_EXT_T1 | ACCP_EXT_U8}}) {
        Config marking, state, parts, spelling;
        for (Config *config : {&marking, &state, &parts, &spelling})
            config->registry(registry).rule(ACCP_RULE_EXTENSIONS, extensions);
        Codec codec(marking.rule(ACCP_RULE_MARK_DEFAULTS, 1));
        check(codec, text);
        check_state(state, text);
        if (extensions) check_parts(parts, text);
        check_spelling(spelling, text);
    }
    accp_registry_free(registry);
    return 0;
}
