// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of accp mcp and accp serve, with their actions.
#include "cli/arguments/options.h"

namespace cli {
namespace {

constexpr int64_t kMaxWaitMs = 3'600'000;
constexpr int64_t kMaxConnections = 1'000'000;

void add_mcp_server(CLI::App &mcp, Arguments &out) {
    mcp.add_option(
           "--store", out.store,
           "Keep sessions in sqlite:PATH or nats://HOST:PORT/PREFIX; the default is memory, "
           "until the end")
        ->option_text("STORE");
    mcp.add_option("--session", out.session,
                   "The session of calls that name none (default \"default\")")
        ->option_text("ID");
    add_list(mcp, "--tools", out.tools,
             "Offer these groups of tools: session, frame, context, sacp (default all)");
    add_list(mcp, "--agents", out.agents,
             "The agents that the client can speak as (default any but the server's own)");
    mcp.add_flag("--untrusted", out.untrusted,
                 "Treat input of the client as data from outside: contexts mark it, and it cannot "
                 "change packets of the project");
    mcp.add_option("--directory", out.directory, "The project with context packets (default .)")
        ->option_text("DIR");
    mcp.add_option("--config", out.panes_config,
                   "Settings of packets, YAML (default ~/.agentwire/config.yaml)")
        ->option_text("FILE")
        ->group(kMoreOptions);
    mcp.add_option("--code", out.code, "A folder with code to make packets from")
        ->option_text("DIR")
        ->group(kMoreOptions);
    mcp.add_option("--index", out.index,
                   "Keep an index of that code in this file, so that only changed files are read "
                   "again. none: keep no index")
        ->option_text("FILE")
        ->group(kMoreOptions);
    add_item_model(mcp, out, true);
    add_embedder(mcp, out);
    mcp.add_option("--library", out.library, "For SACP: verbs and tools (JSON)")
        ->option_text("FILE")
        ->group(kMoreOptions);
    mcp.add_option("--registry", out.registry, "Use the registry in this file")
        ->option_text("FILE")
        ->group(kMoreOptions);
    add_list(mcp, "--rule", out.rules,
             "Set a rule of sessions, such as hot_max=8000; can be given several times", "NAME=N")
        ->group(kMoreOptions);
    add_tokenizer(mcp, out);
    add_limit(mcp, out);
}

void add_mcp_wrap(CLI::App &mcp, Arguments &out) {
    CLI::App *wrap = mcp.add_subcommand(
        "wrap",
        "Relay to another MCP server and shorten its long results. The whole results are kept, and "
        "the tool `resolve` returns the rest");
    wrap->group("Actions");
    wrap->footer(
        "Give the server's command after --, or its address with --url:\n"
        "  accp mcp wrap -- npx -y @modelcontextprotocol/server-filesystem .\n"
        "  accp mcp wrap --url https://host/mcp");
    wrap->preparse_callback([&out](size_t) { out.session = "mcp"; });
    wrap->add_option("--url", out.url, "The address of a server that is reached by HTTP")
        ->option_text("URL");
    wrap->add_option("--header", out.web_headers,
                     "Send this header with each request, such as 'Authorization: Bearer "
                     "${TOKEN}'; ${NAME} is an environment variable. Can be given several times")
        ->option_text("'NAME: VALUE'")
        ->allow_extra_args(false);
    wrap->add_option("--max-result", out.max_result,
                     "Shorten texts with more tokens than this (default 2000)")
        ->check(whole_number(200, 1'000'000))
        ->option_text("N");
    wrap->add_flag("--on-demand", out.on_demand,
                   "List each tool with one line; the tool `describe_tool` returns its schema");
    wrap->add_flag("--bounds", out.has_bounds,
                   "Add the arguments _max_tokens, _lines and _query to each tool, which limit its "
                   "result");
    wrap->add_flag("--report", out.shows_report,
                   "At the end, report on standard error the tokens and the price saved");
    wrap->add_option("--store", out.store,
                     "Keep results in sqlite:PATH or nats://HOST:PORT/PREFIX; the default is "
                     "memory, until the end")
        ->option_text("STORE");
    wrap->add_option("--session", out.session, "The session in the store (default mcp)")
        ->option_text("ID");
    wrap->add_option("--ca", out.authorities,
                     "Trust the certificates in this file, besides those of the machine")
        ->option_text("FILE")
        ->group(kMoreOptions);
    wrap->add_option("--timeout", out.max_silence,
                     "Fail a call if the server sends nothing for this many seconds (default 3600)")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N")
        ->group(kMoreOptions);
    add_tokenizer(*wrap, out);
    add_limit(*wrap, out);
}

void add_network(CLI::App &serve, Arguments &out) {
    serve
        .add_option("--listen", out.listen,
                    "Listen on ADDRESS:PORT (default 127.0.0.1:7117). ADDRESS is a number or "
                    "localhost; port 0 picks a free one")
        ->option_text("ADDRESS");
    serve
        .add_option("--tokens", out.tokens_file,
                    "The rights of callers: lines made by accp serve token, read again at SIGHUP. "
                    "Without it, only this machine is served")
        ->option_text("FILE");
    CLI::Option *cert = serve.add_option("--cert", out.certificate, "The TLS certificate (PEM)")
                            ->option_text("FILE");
    CLI::Option *key =
        serve.add_option("--key", out.key, "Its private key (PEM)")->option_text("FILE");
    cert->needs(key);
    key->needs(cert);
    serve.add_flag("--log", out.log,
                   "Write a line of JSON for each frame to standard error: the agent, the kind and "
                   "the result, without payloads");
    serve
        .add_option("--public-url", out.public_url,
                    "The address of the hub for others, such as https://hub.example, for the A2A "
                    "agent card (default: the address of --listen)")
        ->option_text("URL")
        ->group(kMoreOptions);
    add_list(serve, "--origins", out.origins,
             "Web pages of other sites that may call the hub, such as https://app.example")
        ->group(kMoreOptions);
    serve
        .add_option("--wait", out.wait_ms,
                    "The milliseconds that an HTTP request waits for its reply (default 25000)")
        ->check(whole_number(1, kMaxWaitMs))
        ->option_text("MS")
        ->group(kMoreOptions);
    serve
        .add_option("--max-connections", out.max_connections,
                    "The most open connections (default 4096). The next 256 get 503, further ones "
                    "are closed")
        ->check(whole_number(1, kMaxConnections))
        ->option_text("N")
        ->group(kMoreOptions);
}

void add_hub_sessions(CLI::App &serve, Arguments &out) {
    serve
        .add_option("--store", out.store,
                    "Keep sessions in sqlite:PATH or nats://HOST:PORT/PREFIX; the default is "
                    "memory, until the end")
        ->option_text("STORE");
    serve
        .add_option("--session", out.session,
                    "The session of frames that name none (default \"default\"); \"\": frames must "
                    "name one")
        ->option_text("ID");
    serve.add_option("--registry", out.registry, "Use the registry in this file")
        ->option_text("FILE")
        ->group(kMoreOptions);
    add_profile(serve, out);
    add_list(serve, "--ext", out.ext, "The extensions of all agents, such as q1,t1 (default q1)")
        ->group(kMoreOptions);
    serve.add_option("--rule", out.rules, "Set a rule of sessions; can be given several times")
        ->option_text("NAME=N")
        ->group(kMoreOptions);
    serve.add_option("--library", out.library, "For SACP: verbs and tools (JSON)")
        ->option_text("FILE")
        ->group(kMoreOptions);
    serve
        .add_flag("--spawn", out.spawn,
                  "Create agents that are requested at /sacp/v1/spawn, as entries in the agent "
                  "registry of the store")
        ->group(kMoreOptions);
    add_item_model(serve, out, true);
    add_tokenizer(serve, out);
    add_limit(serve, out);
}

// `whose` ends the help texts, such as "with this token".
void add_caller_limits(CLI::App &command, const std::string &whose, Arguments &out) {
    constexpr int64_t kMax = 1'000'000;
    command
        .add_option("--rate", out.rate,
                    "The most requests and frames a second " + whose +
                        "; more get 429 (default 0: no limit)")
        ->check(whole_number(0, kMax))
        ->option_text("N")
        ->group(kMoreOptions);
    command
        .add_option(
            "--max-sessions", out.max_sessions,
            "The most sessions created " + whose + " while the hub runs (default 0: no limit)")
        ->check(whole_number(0, kMax))
        ->option_text("N")
        ->group(kMoreOptions);
}

}  // namespace

void add_mcp(CLI::App &app, Arguments &out) {
    CLI::App *mcp = app.add_subcommand(
        "mcp",
        "Run an MCP server with sessions, frames, packets and plans as tools, or shorten the "
        "results of another MCP server (wrap)");
    mcp->group(kServers);
    mcp->footer("The server uses standard input and output, and ends with its input.");
    mcp->require_subcommand(0, 1);
    add_mcp_server(*mcp, out);
    add_mcp_wrap(*mcp, out);
}

void add_serve(CLI::App &app, Arguments &out) {
    CLI::App *serve = app.add_subcommand(
        "serve", "Run a hub through which agents exchange frames by HTTP and WebSocket");
    serve->group(kServers);
    serve->footer("docs/server.md describes the hub. SIGTERM and SIGINT end it.");
    add_network(*serve, out);
    add_hub_sessions(*serve, out);
    add_caller_limits(*serve, "with a token that sets no limit", out);
    CLI::App *token = serve->add_subcommand(
        "token", "Make a bearer token, and its line for the file of --tokens");
    token->group("Actions");
    token->footer("");
    add_list(*token, "--agents", out.agents, "The agents that can send with it; *: any")
        ->required();
    add_list(*token, "--sessions", out.sessions,
             "The sessions that it gives access to; team-*: all with this prefix")
        ->required();
    token->add_option("--tokens", out.tokens_file, "Append the line to this file")
        ->option_text("FILE");
    token->add_option("--name", out.name, "The name of its owner in logs")->option_text("NAME");
    token->add_flag("--trusted", out.trusted,
                    "Do not mark what its agents send as data from outside");
    token->add_flag("--read-only", out.read_only, "Allow only reading");
    add_caller_limits(*token, "with it", out);
}

}  // namespace cli
