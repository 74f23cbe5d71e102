// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/arguments/shared.h"

namespace cli {

// [[FILE arguments/mcp.cc]]
// The actions of accp mcp.

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

// [[FILE arguments/serve.cc]]
// accp serve and its action.

namespace {

constexpr int64_t kMaxWaitMs = 3'600'000;
constexpr int64_t kMaxConnections = 1'000'000;

void add_network(CLI::App &serve, Arguments &out) {
    serve
        .add_option(
            "--listen", out.listen,
            "Where: ADDRESS:PORT, a number or localhost; port 0 is any that is free (default "
            "127.0.0.1:7117)")
        ->option_text("ADDRESS");
    serve
        .add_option("--tokens", out.tokens_file,
                    "Who may what: a file of `accp serve token`, read again at SIGHUP. Without it "
                    "only this machine is served")
        ->option_text("FILE");
    CLI::Option *cert = serve.add_option("--cert", out.certificate, "TLS: the certificate, PEM")
                            ->option_text("FILE");
    CLI::Option *key =
        serve.add_option("--key", out.key, "TLS: its private key, PEM")->option_text("FILE");
    cert->needs(key);
    key->needs(cert);
    serve
        .add_option("--public-url", out.public_url,
                    "The address of this hub as others reach it, such as https://hub.example; the "
                    "agent card of A2A has it (default: the address of --listen)")
        ->option_text("URL");
    add_list(serve, "--origins", out.origins,
             "Pages of other sites that may ask, such as https://app.example");
    serve
        .add_option("--wait", out.wait_ms,
                    "Milliseconds that an HTTP request waits for its answer (default 25000)")
        ->check(whole_number(1, kMaxWaitMs))
        ->option_text("MS");
    serve
        .add_option(
            "--max-connections", out.max_connections,
            "Connections at once; 256 further ones get 503, others are closed (default 4096)")
        ->check(whole_number(1, kMaxConnections))
        ->option_text("N");
    serve
        .add_flag("--log", out.log,
                  "On standard error, a line of JSON for each frame: who, what kind, what became "
                  "of it; no payloads")
        ->option_text(" ");
}

void add_sessions(CLI::App &serve, Arguments &out) {
    serve
        .add_option(
            "--store", out.store,
            "Where sessions are kept: sqlite:PATH or nats://HOST:PORT/PREFIX; by default in "
            "memory, until the end")
        ->option_text("STORE");
    serve
        .add_option("--session", out.session,
                    "Of frames that name no session; empty: they must name one (default default)")
        ->option_text("ID");
    serve.add_option("--registry", out.registry, "Schemas: a registry document")
        ->option_text("FILE");
    add_list(serve, "--profile", out.profiles,
             "Built-in schemas: chat, tool, transaction, stream, workflow, all (default), none");
    add_list(serve, "--ext", out.ext,
             "Extensions that every agent has, such as q1,t1 (default q1)");
    serve.add_option("--rule", out.rules, "A rule of sessions; may be given again")
        ->option_text("NAME=N");
    serve.add_option("--library", out.library, "Of SACP: the library, its document")
        ->option_text("FILE");
    serve
        .add_flag("--spawn", out.spawn,
                  "Make agents that are asked for at /sacp/v1/spawn: entries in the registry of "
                  "the store")
        ->option_text(" ");
    add_tokenizer(serve, out);
    add_limit(serve, out);
}

// `whose`: what they are of.
void add_caller_limits(CLI::App &command, const std::string &whose, Arguments &out) {
    constexpr int64_t kMax = 1'000'000;
    command
        .add_option("--rate", out.rate,
                    "Requests and frames a second " + whose + "; more get 429 (default 0: any)")
        ->check(whole_number(0, kMax))
        ->option_text("N");
    command
        .add_option("--max-sessions", out.max_sessions,
                    "Sessions that are made " + whose + " as long as the hub runs (default 0: any)")
        ->check(whole_number(0, kMax))
        ->option_text("N");
}

}  // namespace

void add_serve(CLI::App &app, Arguments &out) {
    CLI::App *serve = app.add_subcommand(
        "serve", "A hub through which agents speak, by HTTP and WebSocket (docs/server.md)");
    add_network(*serve, out);
    add_caller_limits(*serve, "with a token that has no number of its own", out);
    add_sessions(*serve, out);
    CLI::App *token = serve->add_subcommand(
        "token", "Make a bearer token, and its line for the file of --tokens");
    add_list(*token, "--agents", out.agents, "The agents that may speak with it; *: any")
        ->required();
    add_list(*token, "--sessions", out.sessions, "The sessions that it is for; team-*: a prefix")
        ->required();
    token->add_option("--name", out.name, "Whose it is, for logs")->option_text("NAME");
    token->add_flag("--trusted", out.trusted, "What its agents say is no data from outside")
        ->option_text(" ");
    token->add_flag("--read-only", out.read_only, "It may look, and not speak")->option_text(" ");
    add_caller_limits(*token, "with it", out);
    token->add_option("--tokens", out.tokens_file, "Append the line to this file")
        ->option_text("FILE");
}

}  // namespace cli
