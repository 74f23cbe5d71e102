// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a body as a model call of each interface, as a long conversation would see it: the first
// byte selects the interface, the second one the prices. Whatever is sent must be JSON that differs
// only in contents of results, and the same body must be sent the same way again, also after a
// restart.
#include <memory>
#include <string>

#include "fuzz/fuzz_input.h"
#include "proxy/body_rewriter.h"
#include "reference/ref_json.h"

namespace {

using accp_ref::Json;

// Makes every page that may leave worth leaving.
constexpr accp::context::RetentionRules kDear = {100'000, 100'000, 1, 0, 0},
                                        kUsual = {100, 1250, 5000, 0, 0};

struct Proxy {
    explicit Proxy(proxy::MemoryJournal &journal) : conversations({}, &journal) {
        REQUIRE(conversations.load());
        rewriter = std::make_unique<proxy::BodyRewriter>(proxy::RewriteOptions{}, conversations);
    }
    std::string send(proxy::Api api, std::string_view body,
                     const accp::context::RetentionRules &rules) {
        if (!rewriter->read(api, "up", body, 1'700'000'000'000)) return std::string(body);
        return rewriter->rewrite({rules}).value_or(std::string(body));
    }

    proxy::Conversations conversations;
    std::unique_ptr<proxy::BodyRewriter> rewriter;
};

// Requires that `sent` equals `body` but for members "content" and "output" that became strings.
void check_same(const Json &body, const Json &sent, bool may_change) {
    if (body == sent) return;
    if (may_change && sent.kind == accp_ref::JsonKind::kString) {
        REQUIRE(sent.text.find("left out to save cost") != std::string::npos);
        return;
    }
    REQUIRE(body.kind == sent.kind && body.items.size() == sent.items.size() &&
            body.members.size() == sent.members.size());
    for (size_t i = 0; i < body.items.size(); ++i) check_same(body.items[i], sent.items[i], false);
    auto other = sent.members.begin();
    for (const auto &[key, value] : body.members) {
        REQUIRE(key == other->first);
        check_same(value, other->second, key == "content" || key == "output");
        ++other;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const auto api = static_cast<proxy::Api>(1 + data[0] % 3);
    const accp::context::RetentionRules &rules = data[1] % 2 ? kDear : kUsual;
    const accp_fuzz::Exact exact({reinterpret_cast<const char *>(data) + 2, size - 2});
    const std::string_view body = exact.view();
    proxy::MemoryJournal journal;
    Proxy first(journal);
    const std::string sent = first.send(api, body, rules);
    REQUIRE(sent.size() <= body.size());
    REQUIRE(first.send(api, body, kUsual) == sent);
    Proxy second(journal);
    REQUIRE(second.send(api, body, kUsual) == sent);
    if (sent == body) return 0;
    const auto before = accp_ref::parse_json(body), after = accp_ref::parse_json(sent);
    REQUIRE(before && after);
    check_same(*before, *after, false);
    return 0;
}
