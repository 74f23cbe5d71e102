// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp mcp.
#include "cli/arguments/shared.h"

namespace cli {

namespace {

void add_mcp_server(CLI::App &mcp, Arguments &out) {
    mcp.add_option("--store", out.store,
                   "Where sessions are kept: sqlite:PATH; by default in memory, until the end")
        ->option_text("STORE");
    mcp.add_option("--session", out.session, "That of calls that name none (default)")
        ->option_text("ID");
    add_list(mcp, "--tools", out.tools,
             "Which tools there are: session, frame, context, sacp (all)");
    mcp.add_flag("--untrusted", out.untrusted,
                 "What the client says is data from outside: contexts mark it, and it changes no "
                 "packet of the project")
        ->option_text(" ");
    add_list(mcp, "--agents", out.agents,
             "The agents that the client may speak as (any but the server's own)");
    mcp.add_option("--registry", out.registry, "Work under the registry of this file")
        ->option_text("FILE");
    add_list(mcp, "--rule", out.rules,
             "Set a rule of sessions, such as hot_max=8000; may be given again", "NAME=N");
    mcp.add_option("--library", out.library, "Of SACP: verbs and tools, as JSON")
        ->option_text("FILE");
    mcp.add_option("--directory", out.directory, "Of the project whose packets are meant (.)")
        ->option_text("DIR");
    mcp.add_option("--config", out.panes_config,
                   "Settings of packets, as YAML (~/.agentwire/config.yaml)")
        ->option_text("FILE");
    mcp.add_option("--code", out.code, "A directory with code, to make packets of too")
        ->option_text("DIR");
    mcp.add_option("--index", out.index, "Where the index of that code stays: a file, or none")
        ->option_text("FILE");
    add_tokenizer(mcp, out);
    add_limit(mcp, out);
}

void add_mcp_wrap(CLI::App &mcp, Arguments &out) {
    CLI::App *wrap = mcp.add_subcommand("wrap",
                                        "Stand before the MCP server that the command after -- is, "
                                        "or that --url leads to: long results are kept whole and "
                                        "go on cut, and the tool `resolve` has the rest");
    wrap->preparse_callback([&out](size_t) { out.session = "mcp"; });
    wrap->add_option("--url", out.url,
                     "The server is reached by HTTP, at this address, and is no command")
        ->option_text("URL");
    wrap->add_option("--header", out.web_headers,
                     "Of each request to it, as 'Authorization: Bearer ${TOKEN}'; ${NAME} is that "
                     "of the environment. May be given again")
        ->option_text("'NAME: VALUE'")
        ->allow_extra_args(false);
    wrap->add_option("--ca", out.authorities,
                     "A file with certificates that are trusted, beside the machine's")
        ->option_text("FILE");
    wrap->add_option("--timeout", out.max_silence,
                     "How long it may say nothing where an answer is due, in seconds (default "
                     "3600)")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N");
    wrap->add_option("--max-result", out.max_result,
                     "Tokens of a text that goes on as it is (default 2000)")
        ->check(whole_number(200, 1'000'000))
        ->option_text("N");
    wrap->add_flag("--on-demand", out.on_demand,
                   "List each tool by one line; the tool `describe_tool` has its schema")
        ->option_text(" ");
    wrap->add_flag("--bounds", out.has_bounds,
                   "Each tool takes _max_tokens, _lines and _query: how much of its result goes on")
        ->option_text(" ");
    wrap->add_flag("--report", out.shows_report,
                   "At the end, on standard error: what that saved, in tokens and in price")
        ->option_text(" ");
    wrap->add_option("--store", out.store,
                     "Where results are kept: sqlite:PATH or nats://HOST:PORT/PREFIX; by default "
                     "in memory, until the end")
        ->option_text("STORE");
    wrap->add_option("--session", out.session, "The session in it (default mcp)")
        ->option_text("ID");
    add_tokenizer(*wrap, out);
    add_limit(*wrap, out);
}

}  // namespace

void add_mcp(CLI::App &app, Arguments &out) {
    CLI::App *mcp = app.add_subcommand(
        "mcp",
        "The Model Context Protocol on standard input and output: sessions, frames, packets and "
        "plans as tools; or, with wrap, a server that makes another server's answers short");
    mcp->require_subcommand(0, 1);
    add_mcp_server(*mcp, out);
    add_mcp_wrap(*mcp, out);
}

}  // namespace cli
