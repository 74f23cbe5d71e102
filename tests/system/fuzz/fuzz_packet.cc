// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a packet's file. An accepted packet is printed as YAML and as JSON, and both must
// be read as the same packet with the same checksum. A sealed packet must be read without a
// warning. Then the bytes are used as a conversation and as files of code: the packet must be
// within the budget, must be read without a warning, and must report no file as changed. Finally
// the bytes are the reply of a host's extractor, and the text that it quotes.
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

accp_packet *new_packet() {
    accp_packet *made = nullptr;
    REQUIRE(accp_packet_new(nullptr, &made, nullptr) == ACCP_OK);
    return made;
}

accp_status read(accp_packet *packet, const Exact &text, uint32_t reading) {
    accp_error error = untouched_error();
    const accp_status status = accp_packet_parse(packet, text.data(), text.size(), reading, &error);
    check_error(status, error, text.size());
    REQUIRE(status == ACCP_OK || status == ACCP_E1001 || status == ACCP_E1004);
    REQUIRE((accp_packet_checksum(packet).len == 0) == (status != ACCP_OK));
    return status;
}

std::string checksum_of(const accp_packet *packet) {
    const accp_text sum = accp_packet_checksum(packet);
    return {sum.text, sum.len};
}

template <class Call>
Answer print(accp_packet *packet, Call call) {
    return ask(0, [&](auto... out) { return call(packet, out...); });
}

void check_printed(accp_packet *packet, const Answer &printed, uint32_t reading) {
    if (!printed.ok()) {  // a key that is not possible in YAML
        REQUIRE(printed.status == ACCP_E1004);
        return;
    }
    accp_packet *again = new_packet();
    const accp_status status = read(again, Exact(printed.text), reading);
    // another form of the packet can be larger and exceed the limit
    if (status != ACCP_OK) REQUIRE(printed.text.size() > 262144);
    else REQUIRE(checksum_of(again) == checksum_of(packet));
    if (status == ACCP_OK && !reading) REQUIRE(accp_packet_warnings(again) == 0);
    accp_packet_free(again);
}

// Adds the text as a file in several languages, and one file that is removed again.
accp_packet_code *code_of(const Exact &text) {
    accp_packet_code *code = nullptr;
    REQUIRE(accp_packet_code_new(nullptr, &code, nullptr) == ACCP_OK);
    uint64_t count = 0;
    for (std::string_view path :
         {"gone", "parser.cc", "a/b.py", "src/parser.ts", "a.md", "a.sql"}) {
        const Exact name(path);
        REQUIRE(accp_packet_code_add(code, name.data(), name.size(), text.data(), text.size(),
                                     nullptr) == ACCP_OK);
        uint64_t found = 0;
        REQUIRE(accp_packet_code_count(code, &found, nullptr) == ACCP_OK && found == ++count);
    }
    REQUIRE(accp_packet_code_remove(code, "gone", 4, nullptr) == ACCP_OK);
    const accp_status named = accp_packet_code_add(code, text.data(), text.size(), "", 0, nullptr);
    REQUIRE(named == ACCP_OK || named == ACCP_ERR_ARG || named == ACCP_E1004);
    return code;
}

constexpr uint64_t kTaskTokens = 6;  // of "# Mend src/parser.cc", which is not in the budget

void check_generated(const Exact &talk) {
    accp_packet *packet = new_packet();
    accp_packet_code *code = code_of(talk);
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"Mend src/parser.cc", 18};
    request.conversation = {talk.data(), talk.size()};
    request.an_interface = ACCP_INTERFACE_SPEAKERS;
    request.depth = static_cast<int32_t>(talk.size() % 3);
    request.budget_tokens = 40 + talk.size() % 300;
    request.code = talk.size() % 2 ? code : nullptr;
    accp_error error = untouched_error();
    const accp_status status = accp_packet_generate(packet, &request, &error);
    check_error(status, error, talk.size());
    REQUIRE(status == ACCP_OK || status == ACCP_ERR_ARG || status == ACCP_E1001 ||
            status == ACCP_E1004 || status == ACCP_E2003);
    if (status == ACCP_OK) {
        REQUIRE(accp_packet_tokens(packet) <= request.budget_tokens + kTaskTokens);
        check_printed(packet, print(packet, accp_packet_print_yaml), 0);
        accp_text stale = {};
        REQUIRE(accp_packet_stale_files(packet, code, &stale, nullptr) == ACCP_OK && !stale.len);
    }
    accp_packet_free(packet);
    accp_packet_code_free(code);
}

accp_status answer_with(const char *, size_t, accp_text *out, void *user) {
    const Exact &text = *static_cast<const Exact *>(user);
    *out = {text.data(), text.size()};
    return text.size() % 16 == 15 ? ACCP_ERR_IO : ACCP_OK;
}

// Uses one text as the reply of a host's extractor, and the other as the conversation that it
// quotes.
void check_extracted(const Exact &text, const Exact &answer) {
    accp_config *config = nullptr;
    accp_packet *packet = nullptr;
    accp_hooks hooks = {};
    hooks.size = sizeof hooks;
    hooks.user = const_cast<Exact *>(&answer);
    hooks.extract = answer_with;
    REQUIRE(accp_config_new(&config, nullptr) == ACCP_OK);
    REQUIRE(accp_config_set_hooks(config, &hooks, nullptr) == ACCP_OK);
    REQUIRE(accp_packet_new(config, &packet, nullptr) == ACCP_OK);
    accp_config_free(config);
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"Mend it", 7};
    request.conversation = {text.data(), text.size()};
    request.an_interface = ACCP_INTERFACE_SPEAKERS;
    request.depth = ACCP_PACKET_DEEP;
    const accp_status status = accp_packet_generate(packet, &request, nullptr);
    REQUIRE(status == ACCP_OK || status == ACCP_ERR_ARG || status == ACCP_E1001 ||
            status == ACCP_E1004 || status == ACCP_E2003 || status == ACCP_ERR_CORRUPT ||
            status == ACCP_ERR_IO);
    if (status == ACCP_OK) check_printed(packet, print(packet, accp_packet_print_yaml), 0);
    accp_packet_free(packet);
}

// Returns an item that quotes a piece of the text, with other characters replaced.
std::string item_of(std::string_view text, size_t from) {
    std::string quote(text.substr(std::min(from, text.size()), 40));
    for (char &c : quote)
        if (c < ' ' || c > '~' || c == '"' || c == '\\') c = ' ';
    const char *const kinds[] = {"constraint", "decision", "failure", "question"};
    return std::string(R"({"kind":")") + kinds[from % 4] + R"(","message":)" +
           std::to_string(from % 3) + R"(,"text":")" + quote + R"(","reason":")" + quote +
           R"(","reason_message":)" + std::to_string(from % 2) + "}";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Exact text(text_of(data, size));
    accp_packet *packet = new_packet();
    if (read(packet, text, ACCP_PACKET_UNVERIFIED) == ACCP_OK) {
        accp_packet_code *code = code_of(text);
        accp_text stale = {};
        REQUIRE(accp_packet_stale_files(packet, code, &stale, nullptr) == ACCP_OK);
        accp_packet_code_free(code);
        REQUIRE(print(packet, accp_packet_misspelt_members).ok());
        check_printed(packet, print(packet, accp_packet_print_yaml), ACCP_PACKET_UNVERIFIED);
        REQUIRE(print(packet, accp_packet_print_prompt).ok());
        REQUIRE(accp_packet_seal(packet, nullptr) == ACCP_OK && !accp_packet_warnings(packet));
        check_printed(packet, print(packet, accp_packet_print_yaml), 0);
        check_printed(packet, print(packet, accp_packet_print_json), 0);
    }
    accp_packet_free(packet);
    check_generated(text);
    check_extracted(text, text);
    const std::string_view said(text.data(), text.size());
    const std::string items = item_of(said, size / 3) + "," + item_of(said, size / 2);
    check_extracted(text, Exact("{\"items\":[" + items + "]}"));
    return 0;
}
