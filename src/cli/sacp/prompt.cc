// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp prompt, spec: what a model is told.
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Prints it, and on standard error what it costs.
int print(const Arguments &arguments, const accp_config *config, accp_text text, Streams &io) {
    io.out.text.append(text.text, text.len);
    const Handle<accp_tokenizer> tokenizer = open_tokenizer(arguments, config);
    accp_counter *made = nullptr;
    accp_error err = {};
    uint64_t tokens = 0;
    if (accp_counter_new(tokenizer.get(), config, &made, &err) != ACCP_OK)
        throw Failure(message_of(err));
    const Handle<accp_counter> counter(made);
    if (accp_counter_count(counter.get(), text.text, text.len, UINT64_MAX, &tokens, &err) !=
        ACCP_OK)
        throw Failure(message_of(err));
    io.err.text.append("accp: ").append(std::to_string(tokens)).append(" tokens\n");
    return 0;
}

}  // namespace

int sacp_prompt(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const std::string verbs = lines_of_lists(arguments.verbs),
                      tools = lines_of_lists(arguments.tools),
                      message =
                          arguments.files.empty() ? std::string() : read_input(arguments.files[0]);
    accp_text text = {};
    accp_error err = {};
    if (accp_sacp_print_prompt(sacp.get(), arguments.agent.data(), arguments.agent.size(),
                               verbs.data(), verbs.size(), tools.data(), tools.size(),
                               message.data(), message.size(), &text, &err) != ACCP_OK)
        throw Failure("sacp prompt: " + message_of(err));
    return print(arguments, config.get(), text, io);
}

int sacp_spec(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    accp_text text = {};
    accp_error err = {};
    if (accp_sacp_print_specification(sacp.get(), &text, &err) != ACCP_OK)
        throw Failure("sacp spec: " + message_of(err));
    return print(arguments, config.get(), text, io);
}

}  // namespace cli
