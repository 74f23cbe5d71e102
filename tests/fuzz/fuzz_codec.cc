// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry's document, a newline, and a message or a frame: what is taken is taken again, and as
// the same bytes. A message that became a frame comes back as one that becomes the same frame; a
// frame that became a message becomes one that says the same. With a state, every message comes
// back by way of it; in parts, it comes back as from one frame; and what the state answers is the
// input itself.
#include <charconv>
#include <deque>

#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

using Call = accp_status (*)(accp_codec *, const char *, size_t, const char **, size_t *,
                             accp_error *);

// False where it is refused.
bool call(Call function, accp_codec *codec, std::string_view from, std::string &to) {
    const Exact text(from);
    const char *out = nullptr;
    size_t len = 0;
    accp_error error = untouched_error();
    const accp_status status = function(codec, text.data(), text.size(), &out, &len, &error);
    check_error(status, error, text.size());
    REQUIRE((status == ACCP_OK) == (out != nullptr) && status != ACCP_E9999);
    if (status == ACCP_OK) to.assign(out, len);
    return status == ACCP_OK;
}

void check(accp_codec *codec, std::string_view text) {
    std::string frame, message, again;
    if (call(accp_codec_encode, codec, text, frame)) {
        REQUIRE(call(accp_codec_decode, codec, frame, message));
        REQUIRE(call(accp_codec_encode, codec, message, again) && again == frame);
    }
    // A frame that nobody here would have written may be too long, or too deep, to be written; what
    // it says does not change.
    if (call(accp_codec_decode, codec, text, message) &&
        call(accp_codec_encode, codec, message, frame)) {
        REQUIRE(call(accp_codec_decode, codec, frame, message));
        REQUIRE(call(accp_codec_encode, codec, message, again) && again == frame);
    }
}

// What is kept stays, under its place in the list.
struct State {
    std::deque<std::string> values;
    std::string_view input;  // what any other ref stands for

    static accp_status keep(const char *json, size_t json_len, const char **ref, size_t *ref_len,
                            void *user) {
        static thread_local std::string name;
        auto &state = *static_cast<State *>(user);
        state.values.emplace_back(json, json_len);
        name = "warm.t" + std::to_string(state.values.size());
        *ref = name.data();
        *ref_len = name.size();
        return ACCP_OK;
    }
    static accp_status resolve(const char *ref, size_t ref_len, const char **json, size_t *json_len,
                               void *user) {
        auto &state = *static_cast<State *>(user);
        const std::string_view name(ref, ref_len);
        size_t place = 0;
        if (name.substr(0, 6) == "warm.t") (void)std::from_chars(ref + 6, ref + ref_len, place);
        const bool kept = place && place <= state.values.size();
        const std::string_view found =
            kept ? std::string_view(state.values[place - 1]) : state.input;
        *json = found.data();
        *json_len = found.size();
        return ACCP_OK;
    }
    static accp_status next(accp_envelope *envelope, void *) {
        ++envelope->seq;
        return ACCP_OK;
    }
};

accp_counter *approx() {
    static accp_counter *counter = [] {
        accp_tokenizer *tokenizer = nullptr;
        accp_counter *made = nullptr;
        REQUIRE(accp_tokenizer_new("approx", 6, nullptr, &tokenizer, nullptr) == ACCP_OK);
        REQUIRE(accp_counter_new(tokenizer, nullptr, &made, nullptr) == ACCP_OK);
        return made;
    }();
    return counter;
}

constexpr char kMid[] = "a00000000001";

// A message by way of a state: no string of it stays inline.
void check_state(const accp_registry *registry, uint32_t extensions, std::string_view text) {
    accp_codec *codec = nullptr, *plain = nullptr;
    State state;
    state.input = text;
    REQUIRE(accp_codec_new(nullptr, registry, extensions, &codec, nullptr) == ACCP_OK);
    REQUIRE(accp_codec_new(nullptr, registry, extensions, &plain, nullptr) == ACCP_OK);
    REQUIRE(accp_codec_set_keeper(codec, State::keep, &state, nullptr) == ACCP_OK);
    REQUIRE(accp_codec_set_resolver(codec, State::resolve, &state, nullptr) == ACCP_OK);
    REQUIRE(accp_codec_set_inline_characters(codec, 3, nullptr) == ACCP_OK);
    std::string frame, message, whole, expected;
    if (call(accp_codec_encode, codec, text, frame)) {
        REQUIRE(call(accp_codec_decode, codec, frame, message));
        if (call(accp_codec_encode, plain, text, whole)) {
            REQUIRE(call(accp_codec_decode, plain, whole, expected));
            REQUIRE(message == expected);
        }
    }
    (void)call(accp_codec_decode, codec, text, message);
    accp_codec_free(codec);
    accp_codec_free(plain);
}

// A message in parts, the last of them first; and the input as a part.
void check_parts(const accp_registry *registry, uint32_t extensions, accp_counter *counter,
                 std::string_view text) {
    accp_codec *codec = nullptr;
    REQUIRE(accp_codec_new(nullptr, registry, extensions, &codec, nullptr) == ACCP_OK);
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
    envelope.mid = {kMid, 12};
    REQUIRE(accp_codec_set_envelope(codec, &envelope, nullptr) == ACCP_OK);
    REQUIRE(accp_codec_set_counter(codec, counter, nullptr) == ACCP_OK);
    REQUIRE(accp_codec_set_splitting(codec, State::next, nullptr, nullptr) == ACCP_OK);
    REQUIRE(accp_codec_set_reassembly(codec, 1, nullptr) == ACCP_OK);
    std::string frame, whole, message, expected;
    if (call(accp_codec_encode, codec, text, whole) &&
        call(accp_codec_decode, codec, whole, expected)) {
        accp_codec_set_max_tokens(codec, 70, nullptr);
        if (call(accp_codec_encode, codec, text, frame)) {
            for (size_t end = frame.size(), at; end != std::string::npos; end = at) {
                at = frame.rfind('\n', end - 1);
                const size_t from = at == std::string::npos ? 0 : at + 1;
                REQUIRE(call(accp_codec_decode, codec,
                             std::string_view(frame).substr(from, end - from), message) == !from);
            }
            REQUIRE(message == expected);
        }
    }
    for (int i = 0; i < 2; ++i) (void)call(accp_codec_decode, codec, text, message);
    accp_codec_free(codec);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *newline =
        size ? static_cast<const uint8_t *>(std::memchr(data, '\n', size)) : nullptr;
    if (!newline) return 0;
    const std::string_view document = text_of(data, static_cast<size_t>(newline - data));
    const std::string_view text = text_of(newline + 1, size - document.size() - 1);
    accp_registry *registry = nullptr;
    if (accp_registry_new(nullptr, ACCP_PROFILE_ALL, document.data(), document.size(), &registry,
                          nullptr) != ACCP_OK)
        return 0;
    for (uint32_t extensions : {uint32_t{ACCP_EXT_NONE}, uint32_t{ACCP_EXT_Q1},
                                uint32_t{ACCP_EXT_P1 | ACCP_EXT_T1 | ACCP_EXT_U8}}) {
        accp_codec *codec = nullptr;
        REQUIRE(accp_codec_new(nullptr, registry, extensions, &codec, nullptr) == ACCP_OK);
        REQUIRE(accp_codec_set_mark_defaults(codec, 1, nullptr) == ACCP_OK);
        check(codec, text);
        accp_codec_free(codec);
        check_state(registry, extensions, text);
        if (extensions) check_parts(registry, extensions, approx(), text);
    }
    accp_registry_free(registry);
    return 0;
}
