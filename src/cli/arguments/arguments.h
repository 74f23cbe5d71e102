// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What was asked for on the command line, as plain data. Only arguments*.cc know the library that
// reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct Arguments {
    std::string command;
    std::vector<std::string> files;  // none: standard input
    std::string dialect;             // empty: not given
    std::vector<std::string> ext;    // each "q1,t1"; empty: not given
    std::vector<std::string> ignore;
    std::vector<std::string> limits;  // each "NAME=N"
    std::string registry;             // a file; empty: not given
    std::string schema;               // a code; empty: not given
    bool mark_defaults = false;
    bool any_intent = false;
    uint64_t max_tokens = 0;  // of a frame; 0: any number
    bool split = false;
    std::string spell;  // wire or cheapest; empty: not given
    bool log = false;
    std::vector<std::string> redact;  // each "key,key"
    std::vector<std::string> strict;  // each "ops,profiles,schema"
    bool abbrev = false;
    bool envelope = false;
    bool trace = false;
    bool keep_refs = false;
    bool parse = false;  // render --parse
    bool untrusted = false;
    bool one_line = false;
    std::string letter = "a";
    uint32_t issuer = 0;
    uint64_t first_seq = 1;
    std::optional<int64_t> ts;  // none: the clock
    std::string tokenizer;      // a name or a file; empty: the first that is built in
    std::string pattern;        // of a .tiktoken file
    bool ids = false;
    bool lines = false;
    bool jsonl = false;
    bool special = false;
    std::vector<std::string> baseline;  // each "json,pretty,toon" or "NAME=COMMAND"
    bool json = false;
    int level = 1;
    std::string vectors;                // conformance --file
    std::string row;                    // conformance --row
    bool table = false;                 // conformance --table
    bool vacuum = false;                // store prune --vacuum
    std::string action;                 // of registry and store: show, verify …
    uint64_t keep = 0;                  // store prune: of the newest checkpoints; 0: all
    std::string plugin;                 // store conformance --plugin
    std::vector<std::string> profiles;  // each "chat,tool"; empty: all
    std::optional<uint64_t> train;      // registry learn: how many to learn from; none: half
    std::string store;                  // of session: "memory:", "sqlite:PATH"; empty: in memory
    std::string session = "default";
    std::vector<std::string> rules;  // each "NAME=N"
    std::string rule_set;            // default, or specification
    std::optional<int64_t> now_ms;   // none: the clock
    uint64_t budget = 0;
    std::string agent = "harness";
    std::string from = "*";                     // session receive: "dev,qa", who may be speaking
    std::vector<std::string> untrusted_agents;  // each "web,tool"
    bool report = false;
    bool contexts = false;
    std::string plot;                  // a file; empty: none
    std::optional<uint64_t> to;        // of a replay: the last record; none: all
    std::vector<std::string> compare;  // each "NAME=VALUE"
    std::string chain;                 // a cid; empty: none
    std::string requeue;               // session dead: a mid, or all; empty: none
    std::string as;                    // an interface; empty: none
    bool blocks = false;
    bool packet = false;  // session checkpoint: a packet of it
    bool reset = false;   // and a session that begins with it
    std::string carry;    // session send: a packet's file; empty: none
    bool reply = false;   // session packet: the frame that answers
    std::string project;  // session: is told what becomes of packets; empty: none is
    bool no_name_lists = false;
    std::string conversation;  // context generate: a file; empty: standard input
    std::string code;          // context: a directory; empty: none
    std::string index;         // context: a file, or none; empty: by the project
    std::string extract;       // context generate: a command; empty: none
    uint64_t extract_seconds = 60;
    std::string depth;            // empty: not given
    bool no_verify = false;       // context: a checksum need not be right
    std::optional<int64_t> pane;  // context: none: not given
    bool shared = false;          // context: what all panes share
    std::string directory = ".";  // context: of the project
    std::string panes_config;     // context --config: a file; empty: that of the user's home
    std::string revision;         // context: the checksum that is replaced; empty: any
    std::vector<std::string> gaps, unused;      // context feedback, record
    std::string kind;                           // context record, advise
    bool success = false, fail = false;         // context record
    std::string frame, cid;                     // context record: empty: not given
    uint64_t task_tokens = 0, whole = 0;        // context record; 0: not given
    std::optional<int64_t> explored;            // context record; none: not known
    bool compared = false;                      // context stats --compare
    bool orchestrator = false, worker = false;  // context roles
    // context compress
    bool relevance = false, age = false, patterns = false, merge = false;
    std::string task;      // empty: the packet's own
    double threshold = 0;  // 0: the library's
    uint32_t recent = 5;
    uint32_t older = 10;
    std::string note;                              // context revise
    std::vector<std::string> worker_command;       // context spawn, mcp wrap: after --
    std::string url, authorities;                  // mcp wrap: instead of a command
    std::vector<std::string> web_headers;          // mcp wrap: "NAME: VALUE"
    uint64_t max_result = 2000;                    // mcp wrap: tokens
    bool on_demand = false, shows_report = false;  // mcp wrap
    bool has_bounds = false;                       // mcp wrap
    uint64_t max_silence = 3600;                   // mcp wrap: seconds
    std::string listen = "127.0.0.1:7117";         // serve: an address and a port
    std::string tokens_file;                       // serve; empty: nobody shows a token
    std::string certificate, key;                  // serve: files of TLS; empty: none
    uint64_t wait_ms = 25'000;                     // serve
    uint64_t max_connections = 4096;               // serve
    bool spawn = false;                            // serve
    uint64_t rate = 0;                             // serve, serve token; 0: any number
    uint64_t max_sessions = 0;                     // the same
    std::vector<std::string> origins;              // serve: pages that may ask
    std::vector<std::string> agents, sessions;     // serve token
    std::string name;                              // serve token: whose it is
    bool trusted = false, read_only = false;       // serve token
    std::string of;                                // context query: a checksum; empty: all packets
    std::string library, library_dir, policy;      // sacp; empty: not given
    std::vector<std::string> tool_commands;        // sacp run, agent: each "NAME=COMMAND"
    std::vector<std::string> agent_commands;       // sacp run: each "NAME=COMMAND"
    std::string trace_file, graph;                 // sacp run; empty: none
    std::vector<std::string> verbs, tools;         // sacp prompt: each "search,rank"
    std::string role, msg_id;                      // sacp compose; empty: not given
    std::vector<std::string> formatters;           // sacp compose: each "TELL,SHOW"
    std::string phrases, model;                    // sacp ask
    std::string template_file, zone;               // sacp format
    std::string locale = "en-US";                  // sacp format
    bool indent = false;                           // sacp threads
    bool beside = false;                           // sacp plan
    bool pretty = false;                           // sacp expand, compact, canon
    std::string proto_ver;                         // sacp adapt: the version to come to
    bool lenient = false;                          // sacp validate, run
    bool allow = false, request = false;           // sacp spawn
    uint32_t retries = 0;                          // sacp spawn; 0: not given
    std::string reply_rules;      // sacp validate: ROLE:OUT_FMT; empty: it is no reply
    std::optional<double> now_s;  // sacp: in seconds; none: there is no clock
    bool lexical = false;         // sacp query
    std::string public_url;       // of serve; empty: the address of --listen
};

// Reads the command line. Returns an exit status if the program must stop now, because help was
// printed or bad usage was reported.
std::optional<int> read_arguments(int argc, char **argv, Arguments &out);

}  // namespace cli
