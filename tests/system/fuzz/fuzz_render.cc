// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a render text, or renders them as JSON, depending on the first byte. A text that
// was read must be rendered and read back as an equal message. A rendered text must be read back as
// an equal message and render to the same bytes.
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

class Render {
public:
    explicit Render(const Settings &settings) {
        REQUIRE(accp_render_new(Config(settings).get(), &render_, nullptr) == ACCP_OK);
    }
    Render(const Render &) = delete;
    Render &operator=(const Render &) = delete;
    ~Render() { accp_render_free(render_); }

    Answer render(std::string_view json, uint32_t flags) {
        const Exact text(json);
        return ask(text.size(), [&](auto... out) {
            return accp_render_json(render_, text.data(), text.size(), flags, out...);
        });
    }
    Answer parse(std::string_view text_view) {
        const Exact text(text_view);
        return ask(text.size(), [&](auto... out) {
            return accp_render_parse(render_, text.data(), text.size(), out...);
        });
    }

private:
    accp_render *render_ = nullptr;
};

// Returns how many bytes escapes may add: characters that must be escaped begin with one of these
// bytes.
size_t escapes_of(const std::string &json) {
    size_t count = 0;
    for (char c : json)
        for (char mark : {'\x7F', '\xC2', '\xD8', '\xE2', '\xF3'}) count += c == mark;
    return 10 * count;
}

// Only the first line may look like a message, and no character may move other text on a screen.
void check_lines(const std::string &text) {
    REQUIRE(text.find("\n@") == std::string::npos && text.find("\n\xC2\xA0@") == std::string::npos);
    for (const char *moves :
         {"\r", "\x1B", "\x7F", "\xC2\x85", "\xC2\x9B", "\xE2\x80\xA8", "\xE2\x80\xAE"})
        REQUIRE(text.find(moves) == std::string::npos);
}

void check_json(Render &render, const std::string &json, uint32_t flags) {
    const Answer text = render.render(json, flags);
    REQUIRE(text.ok());
    const bool marks =
        (flags & ACCP_RENDER_UNTRUSTED) || json.find("\"untrusted\":") != std::string::npos;
    REQUIRE(marks || text.text.size() <= json.size() + escapes_of(json));
    check_lines(text.text);
    const Answer back = render.parse(text.text);
    REQUIRE(back.ok());
    const Answer again = render.render(back.text, flags);
    REQUIRE(again.ok() && again.text == text.text);
    if (json.find("\"meta\":") != std::string::npos) return;  // empty metadata is dropped
    const Answer first = hash_form(json), second = hash_form(back.text);
    REQUIRE(first.status == second.status && first.text == second.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const uint8_t bits = static_cast<uint8_t>(data[0] - '0');
    Settings settings;
    settings.abbreviate = bits & 4;
    Render render(settings);
    const std::string_view input = text_of(data + 1, size - 1);
    const uint32_t flags = ACCP_RENDER_ENVELOPE | (bits & 2 ? ACCP_RENDER_UNTRUSTED : 0) |
                           (bits & 8 ? ACCP_RENDER_ONE_LINE : 0);
    const Answer json = bits & 1 ? render.render(input, flags) : render.parse(input);
    if (!json.ok()) {
        REQUIRE(json.status == ACCP_E1001 || json.status == ACCP_E1004);
        return 0;
    }
    if (bits & 1) {
        const Answer back = render.parse(json.text);
        REQUIRE(back.ok());
        check_json(render, back.text, flags);
    } else {
        check_json(render, json.text, flags);
    }
    return 0;
}
