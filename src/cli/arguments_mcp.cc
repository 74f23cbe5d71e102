// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp mcp.
#include "cli/arguments_shared.h"

namespace cli {

void add_mcp(CLI::App &app, Arguments &out) {
    CLI::App *mcp = app.add_subcommand(
        "mcp", "The Model Context Protocol: a server that makes another server's answers short");
    mcp->require_subcommand(1);
    CLI::App *wrap = mcp->add_subcommand(
        "wrap",
        "Stand before the MCP server that the command after -- is: long results are kept whole and "
        "go on cut, and the tool `resolve` has the rest");
    wrap->add_option("--max-result", out.max_result,
                     "Tokens of a text that goes on as it is (default 2000)")
        ->check(whole_number(200, 1'000'000))
        ->option_text("N");
    wrap->add_flag("--on-demand", out.on_demand,
                   "List each tool by one line; the tool `describe_tool` has its schema")
        ->option_text(" ");
    wrap->add_flag("--report", out.shows_report,
                   "At the end, on standard error: what that saved, in tokens and in price")
        ->option_text(" ");
    wrap->add_option("--store", out.store,
                     "Where results are kept: sqlite:PATH; by default in memory, until the end")
        ->option_text("STORE");
    wrap->add_option("--session", out.session, "The session in it (default mcp)")
        ->option_text("ID");
    add_tokenizer(*wrap, out);
    add_limit(*wrap, out);
}

}  // namespace cli
