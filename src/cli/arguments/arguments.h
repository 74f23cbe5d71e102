// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The command line as plain data. Only the other files of this folder include the library that
// parses it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

// A member has the name of its option, unless it says otherwise. A text is empty if the option is
// not given; elements of a list can be lists with commas themselves, such as "q1,t1".
struct Arguments {
    std::string command, action;     // such as store, verify
    std::vector<std::string> files;  // arguments without an option; often input files
    std::vector<std::string> given;  // the names of the options that were given, such as --port

    // frames and codecs
    std::string dialect, registry, schema;
    std::vector<std::string> ext, ignore, profiles, redact, strict;
    std::vector<std::string> limits;  // --limit, each "NAME=N"
    std::string spell;                // wire or cheapest
    uint64_t max_tokens = 0;          // 0: no limit
    bool mark_defaults = false, any_intent = false, keep_refs = false, abbrev = false;
    bool split = false, log = false, trace = false, untrusted = false;

    // envelopes
    bool envelope = false;
    std::string letter = "a";
    uint32_t issuer = 0;
    uint64_t first_seq = 1;
    std::optional<int64_t> ts;  // none: the clock

    // tokens
    std::string tokenizer;  // a name or a file; empty: the first built-in one
    std::string pattern;
    bool ids = false, lines = false, jsonl = false, special = false;

    // render, stats, conformance, registry, store
    bool parse = false, one_line = false;
    std::vector<std::string> baseline;  // each "json,pretty,toon" or "NAME=COMMAND"
    bool json = false;
    int level = 1;
    std::string vectors;  // --file
    std::string row;
    bool table = false;
    std::optional<uint64_t> train;  // none: two of every four
    bool vacuum = false;
    uint64_t keep = 0;  // 0: all
    std::string plugin;

    // session
    std::string store;  // such as sqlite:PATH; empty: memory
    std::string session = "default";
    std::vector<std::string> rules;  // --rule, each "NAME=N"
    std::string rule_set;            // --rules
    std::optional<int64_t> now_ms;   // none: the clock
    uint64_t budget = 0;
    std::string agent = "harness";
    std::string from = "*";  // agents, or a format
    std::vector<std::string> untrusted_agents;
    bool report = false, contexts = false;
    std::string plot;
    uint64_t system_tokens = 0;  // --system
    std::optional<uint64_t> to;
    std::vector<std::string> compare;  // each "NAME=VALUE"
    std::string chain;                 // a cid
    std::string requeue;               // a mid, or all
    std::string as;
    bool blocks = false, explain = false, packet = false, reset = false, reply = false;
    std::string carry, project;

    // context
    std::string conversation, code, index, extract, items, embedder;
    bool strict_budget = false;
    uint64_t extract_seconds = 60;
    uint64_t model_seconds = 300, model_tokens = 16'000;  // of --model
    bool no_cache = false;
    std::string depth;
    bool no_verify = false, shared = false, keep_secrets = false;
    std::optional<int64_t> pane;
    std::string talk_session;   // --session of context generate
    std::string agent_session;  // its id within the agent of --session
    std::string directory = ".";
    std::string panes_config;  // --config
    std::string revision, of;  // checksums
    std::vector<std::string> gaps, unused;
    std::string kind, frame, cid;
    bool success = false, fail = false;
    bool removes = false;                 // --remove
    uint64_t task_tokens = 0, whole = 0;  // --tokens, --whole; 0: not given
    std::optional<int64_t> explored;
    bool compared = false;  // --compare
    bool orchestrator = false, worker = false;
    bool relevance = false, age = false, patterns = false, merge = false;
    std::string task;
    double threshold = 0;  // 0: the library's default
    uint32_t recent = 5, older = 10;
    std::string note;
    std::vector<std::string> worker_command;  // of spawn and mcp wrap: the words after --

    // mcp wrap
    std::string url, authorities;          // --url, --ca
    std::vector<std::string> web_headers;  // --header, each "NAME: VALUE"
    uint64_t max_result = 2000;            // tokens
    bool on_demand = false, has_bounds = false, shows_report = false;
    uint64_t max_silence = 3600;  // --timeout, in seconds

    // serve
    std::string listen = "127.0.0.1:7117";
    std::string public_url;        // empty: the address of --listen
    std::string tokens_file;       // --tokens; empty: no tokens
    std::string certificate, key;  // files; empty: no TLS
    uint64_t wait_ms = 25'000, max_connections = 4096;
    bool spawn = false;
    uint64_t rate = 0, max_sessions = 0;  // 0: no limit
    std::vector<std::string> origins, agents, sessions;
    std::string name;
    bool trusted = false, read_only = false;

    // proxy
    std::string address = "127.0.0.1";
    int port = 7118;
    std::vector<std::string> upstreams;  // each "NAME=URL"
    std::string token_file;
    uint64_t max_body = 64;                             // MiB
    uint64_t connect_timeout = 30, idle_timeout = 600;  // seconds
    std::string prices, calls_file;                     // files
    std::string clock_header;                           // its name; empty: the machine's clock
    double holdout = 0;                                 // a share of the conversations
    bool untouched = false;
    bool no_resolve = false;
    bool no_page = false;
    bool adds_marks = false;                // --marks
    bool service = false, dry_run = false;  // dry_run: also of context setup

    // sacp
    std::string library, library_dir, policy, graph, phrases;
    std::string model;  // of sacp, a command; of packets, an address
    std::vector<std::string> tool_commands, agent_commands;  // each "NAME=COMMAND"
    std::string trace_file;                                  // --trace
    std::vector<std::string> verbs, tools, formatters;
    std::string role, msg_id;
    std::string template_file, zone, locale = "en-US";
    bool indent = false, beside = false, pretty = false, lexical = false, lenient = false;
    std::string proto_ver;  // --to
    bool allow = false, request = false;
    uint32_t retries = 0;         // 0: not given
    std::string reply_rules;      // --reply, "ROLE:OUT_FMT"
    std::optional<double> now_s;  // --now, in seconds; none: there is no time
};

// Reads the command line. Returns an exit status if the program must stop, because help was printed
// or bad usage was reported.
std::optional<int> read_arguments(int argc, char **argv, Arguments &out);

}  // namespace cli
