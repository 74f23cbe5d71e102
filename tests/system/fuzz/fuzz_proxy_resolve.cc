// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Answers of a model in a conversation with accp_resolve. The first byte selects the interface and
// whether the answer is one object, the second one the size of the pieces. The answers of further
// calls follow, each after a zero byte. Pieces of any size must give what the whole gives, and an
// answer that never names the tool passes as it came.
#include "fuzz/fuzz_input.h"
#include "proxy/resolve_session.h"

namespace {

struct Outcome {
    std::string shown, follow_ups;
    bool is_broken = false, has_exchange = false;

    bool operator==(const Outcome &) const = default;
};

proxy::ResolveRequest request_of(proxy::Api api) {
    proxy::ResolveRequest request;
    request.api = api;
    request.body = R"({"messages":["x"]})";
    request.messages_end = request.body.size() - 2;
    request.left_out = {{1, 13, 16, false}};
    request.results = {false, true};
    return request;
}

Outcome play(proxy::Api api, bool is_whole, std::string_view answers, size_t step) {
    static proxy::JsonText json;
    const proxy::Headers headers = {
        {"content-type", is_whole ? "application/json" : "text/event-stream"}};
    proxy::ResolveSession session(request_of(api), {1, 2}, json);
    Outcome out;
    for (bool goes_on = true; goes_on;) {
        const size_t end = std::min(answers.find('\0'), answers.size());
        const std::string_view answer = answers.substr(0, end);
        answers.remove_prefix(std::min(end + 1, answers.size()));
        const proxy::AnswerMode mode = session.read_head(200, headers);
        for (size_t at = 0; at < answer.size(); at += step) {
            const accp_fuzz::Exact piece(answer.substr(at, step));
            const auto shown = session.read(piece.view());
            if (mode == proxy::AnswerMode::kEvents)
                out.shown += shown ? std::string_view(*shown) : piece.view();
        }
        const proxy::AnswerEnd ended = session.end(true, is_whole ? answer : std::string_view());
        goes_on = ended.follow_up.has_value();
        if (goes_on) out.follow_ups += *ended.follow_up;
        if (ended.bytes) out.shown += *ended.bytes;
        else if (is_whole && !goes_on) out.shown += answer;
        out.is_broken = ended.is_broken;
    }
    out.has_exchange = session.take_exchange().has_value();
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const proxy::Api api = data[0] & 4   ? proxy::Api::kResponses
                           : data[0] % 2 ? proxy::Api::kChat
                                         : proxy::Api::kMessages;
    const bool is_whole = data[0] & 2;
    const std::string_view answers = accp_fuzz::text_of(data + 2, size - 2);
    const Outcome whole = play(api, is_whole, answers, size);
    const Outcome pieces = play(api, is_whole, answers, 1 + data[1] % 64);
    REQUIRE(whole == pieces);
    // A name can be written with escapes.
    if (answers.find("resolve") == answers.npos && answers.find('\\') == answers.npos) {
        REQUIRE(whole.shown == answers.substr(0, answers.find('\0')));
        REQUIRE(whole.follow_ups.empty() && !whole.has_exchange);
    }
    return 0;
}
