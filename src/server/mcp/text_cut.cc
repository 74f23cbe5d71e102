// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See text_cut.h. The text is the newest message of a session of its own.
#include "server/mcp/text_cut.h"

#include "server/library/failure.h"
#include "server/json/typed_json.h"

namespace server {
namespace {

constexpr uint64_t kMinTokens = 200;  // of the rule newest_max

host::Handle<accp_session> new_session(accp_config *config, accp_store *store,
                                       host::Handle<accp_engine> &engine_out) {
    accp_error err = {};
    accp_engine *engine = nullptr;
    accp_session *session = nullptr;
    check(accp_config_set_store(config, store, &err), err);
    check(accp_engine_new(config, &engine, &err), err);
    engine_out.reset(engine);
    check(accp_session_open(engine, "cut", 3, 0, &session, &err), err);
    return host::Handle<accp_session>(session);
}

// Of "@a done:tool", the text's lines with a blank before each, and the ref: the lines.
std::string lines_of(std::string_view block) {
    std::string lines;
    for (size_t at = block.find('\n') + 1; at < block.size();) {
        const size_t end = std::min(block.find('\n', at), block.size());
        std::string_view line = block.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("… $cold.")) continue;
        if (line.starts_with(' ')) line.remove_prefix(1);
        lines.append(line).append("\n");
    }
    return lines;
}

}  // namespace

std::string tell_error(const accp_error &err) {
    if (err.code == ACCP_E1001 || err.code == ACCP_E1003 || err.code == ACCP_E1004)
        return host::describe(err);
    return std::string(accp_status_code_name(err.code)) + ": " + host::message_of(err);
}

void check(accp_status status, const accp_error &err) {
    if (status != ACCP_OK) throw host::Failure(host::describe(err));
}

std::string cut_text(std::string_view text, uint64_t max_tokens, const accp_tokenizer *tokenizer) {
    accp_error err = {};
    const host::Handle<accp_config> config = host::new_config();
    const auto newest_max = static_cast<int64_t>(std::max(max_tokens, kMinTokens));
    check(accp_config_set_tokenizer(config.get(), tokenizer, &err), err);
    check(accp_config_set_rule(config.get(), ACCP_RULE_NEWEST_MAX, newest_max, &err), err);
    check(accp_config_set_rule(config.get(), ACCP_RULE_HOT_DUE, 2 * newest_max + 1000, &err), err);
    check(accp_config_set_rule(config.get(), ACCP_RULE_HOT_MAX, 4 * newest_max + 2000, &err), err);
    accp_store *opened = nullptr;
    check(accp_store_open("memory:", 7, 0, config.get(), &opened, &err), err);
    const host::Handle<accp_store> store(opened);
    host::Handle<accp_engine> engine;
    const host::Handle<accp_session> session = new_session(config.get(), store.get(), engine);

    std::string message = R"({"agent":"a","intent":"done","operation":"tool","payload":)";
    host::append_json_string(text, message);
    message += '}';
    check(accp_session_append(session.get(), message.data(), message.size(), 0, &err), err);
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    check(accp_session_context_blocks(session.get(), 0, &blocks, &count, &err), err);
    return lines_of(count ? host::to_view(blocks[count - 1].text) : std::string_view());
}

}  // namespace server
