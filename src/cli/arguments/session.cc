// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of accp session and accp store.
#include "cli/arguments/options.h"

namespace cli {
namespace {

constexpr const char *kSessionActions =
    "append [FILE...]\tAdd messages; print the number of each record\n"
    "receive [FILE...]\tApply frames from other agents; print what each delivered\n"
    "send [FILE...]\tAdd messages and print their frames\n"
    "negotiate [FILE]\tAgree on a registry with a peer, frame by frame\n"
    "context\tPrint the context for the next model call\n"
    "tool\tPrint the definition of the tool `resolve`\n"
    "answer JSON\tPrint the result of a call of that tool\n"
    "budget\tPrint the tokens in use and their maximum\n"
    "checkpoint [TASK]\tMake a checkpoint; TASK is for --packet and --reset\n"
    "state [JSON]\tPrint the shared state, or replace it and print the frame\n"
    "log\tPrint every record\n"
    "resolve REF\tPrint a stored value, such as cold.m17\n"
    "put REF JSON\tStore a value\n"
    "erase REF\tErase a value\n"
    "grant SESSION PREFIX\tLet another session read refs with this prefix\n"
    "revoke SESSION PREFIX\tEnd such a grant\n"
    "expire\tPrint the requests whose deadline has passed\n"
    "retry RECORD\tPrint the frames that send a record again\n"
    "abandon CID\tDrop the held parts of a chain\n"
    "packet REF\tPrint the context packet that a message carries\n"
    "dead\tList frames and requests that failed, or requeue them\n"
    "replay [FILE]\tMeasure a recorded conversation, or examine the log\n"
    "list\tList the sessions of the store\n"
    "end\tEnd the session";

constexpr const char *kSessionFooter =
    "Exit status: 0 all done; 1 a record was refused; 2 bad usage, or input or\n"
    "output failed. receive: 3 frames were dropped; 4 frames are held until others\n"
    "arrive. negotiate: 4 not agreed yet.";

void add_common(CLI::App &command, Arguments &out) {
    command
        .add_option("--store", out.store,
                    "sqlite:PATH, nats://HOST:PORT/PREFIX, or memory: (default), which ends with "
                    "the command")
        ->option_text("STORE");
    command.add_option("--session", out.session, "The id of the session (default \"default\")")
        ->option_text("ID");
    command
        .add_option("--from", out.from,
                    "For receive: the agents that frames can come from; others are E5001 (default "
                    "any but our own). For append and replay: the format of the input: openai, "
                    "anthropic, claude-code, swe-agent, specstory, aider, speakers, codex, "
                    "opencode, pi, gemini, or auto")
        ->option_text("LIST");
    command
        .add_option("--budget", out.budget,
                    "For context: the maximum number of tokens. 0 (default): no maximum; only "
                    "prices decide what is left out. For checkpoint: the maximum number of tokens "
                    "of the packet")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
}

void add_context_form(CLI::App &command, Arguments &out) {
    constexpr const char *kGroup = "Options of context and tool";
    CLI::Option *as = command.add_option(
        "--as", out.as, "Print in the form of openai or anthropic; for tool also mcp");
    as->check(one_of({"openai", "anthropic", "mcp"}))->option_text("NAME")->group(kGroup);
    CLI::Option *blocks = command.add_flag("--blocks", out.blocks,
                                           "Print each block of the context as a line of JSON");
    blocks->excludes(as)->group(kGroup);
    command
        .add_flag("--explain", out.explain,
                  "Print for each message what it costs, whether it is in the context, and why")
        ->excludes(as)
        ->excludes(blocks)
        ->group(kGroup);
    command
        .add_flag("--json", out.json,
                  "Print the explanation, or the report of replay, as one JSON object")
        ->group(kGroup);
}

// The options of replay that measure a recording.
void add_replay_report(CLI::App &command, Arguments &out) {
    constexpr const char *kGroup = "Options of replay FILE";
    CLI::Option *report =
        command.add_flag("--report", out.report,
                         "Print a table of the price of these contexts and of how many calls lack "
                         "nothing, and the same for what others send. Each file is a run");
    report->group(kGroup);
    command
        .add_option("--system", out.system_tokens,
                    "For the report: bill N tokens of instructions and tools before each context "
                    "(default 0)")
        ->check(whole_number(0, 10'000'000))
        ->option_text("N")
        ->group(kGroup);
    CLI::Option *plot = command.add_option("--plot", out.plot,
                                           "Draw price, tokens and recall of each call as an SVG");
    plot->option_text("FILE")->group(kGroup);
    command
        .add_flag("--contexts", out.contexts,
                  "Print for each step the context before it, as a line of JSON")
        ->excludes(report)
        ->excludes(plot)
        ->group(kGroup);
}

// The options of replay that examine a stored log.
void add_replay_log(CLI::App &command, Arguments &out) {
    constexpr const char *kGroup = "Options of replay of the session's log";
    command
        .add_option("--to", out.to,
                    "Print the session as it was after this record, as a line of JSON")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N")
        ->group(kGroup);
    CLI::Option *compare = command.add_option(
        "--compare", out.compare,
        "Replay a second time with this setting and print the first difference. NAME is store, "
        "session, export, rule, rules, strict, tokenizer, pattern, registry, profile or ext. Can "
        "be given several times");
    compare->allow_extra_args(false)->option_text("NAME=VALUE")->group(kGroup);
    command
        .add_option("--chain", out.chain, "Print the records of one chain, each with its outcome")
        ->excludes(compare)
        ->option_text("CID")
        ->group(kGroup);
}

void add_packets(CLI::App &command, Arguments &out) {
    constexpr const char *kGroup = "Options for context packets";
    command
        .add_flag("--packet", out.packet,
                  "For checkpoint: print a packet of the session too, for TASK")
        ->group(kGroup);
    command
        .add_flag("--reset", out.reset,
                  "For checkpoint: end the session, start a new one with a packet of it, and print "
                  "its id")
        ->group(kGroup);
    command
        .add_option("--depth", out.depth,
                    "For checkpoint: how much a packet contains: minimal (100 tokens), standard "
                    "(400, the default) or deep (800). --budget sets another number of tokens")
        ->check(one_of({"minimal", "standard", "deep", "simple", "complex"}))
        ->option_text("NAME")
        ->group(kGroup);
    command
        .add_option("--carry", out.carry,
                    "For send: store the packet in this file and attach it to the messages")
        ->option_text("FILE")
        ->group(kGroup);
    command
        .add_flag("--reply", out.reply,
                  "For packet: print the reply to a request for the packet or its layers")
        ->group(kGroup);
    command
        .add_option("--project", out.project,
                    "For append, send and receive: record in this project what becomes of the "
                    "packets that messages carry")
        ->option_text("DIR")
        ->group(kGroup);
}

void add_more(CLI::App &command, Arguments &out) {
    command
        .add_option("--requeue", out.requeue,
                    "For dead: receive this frame or send this request again; MID or all")
        ->option_text("MID")
        ->group(kMoreOptions);
    command.add_option("--agent", out.agent, "The agent that sends the state (default harness)")
        ->option_text("NAME")
        ->group(kMoreOptions);
    command
        .add_flag("--untrusted", out.untrusted,
                  "For receive: frames are from outside; mark their messages in contexts")
        ->group(kMoreOptions);
    add_list(command, "--untrusted-agents", out.untrusted_agents,
             "Agents whose messages always count as data from outside")
        ->group(kMoreOptions);
    add_list(command, "--rule", out.rules,
             "Set a rule of sessions, such as window=0; can be given several times", "NAME=N")
        ->group(kMoreOptions);
    command
        .add_option(
            "--rules", out.rule_set,
            "The rules of contexts that no --rule sets: default (by price) or specification")
        ->check(one_of({"default", "specification"}))
        ->option_text("NAME")
        ->group(kMoreOptions);
    command.add_option("--registry", out.registry, "Use the registry in this file")
        ->option_text("FILE")
        ->group(kMoreOptions);
    add_profile(command, out);
    add_list(command, "--ext", out.ext,
             "Use these extensions: q1 (default), t1, p1, u8, w1 or none")
        ->group(kMoreOptions);
    add_strict(command, out);
    add_ignore(command, out);
    add_spell(command, out);
    add_tokenizer(command, out);
    add_now(command, out);
    add_limit(command, out);
}

}  // namespace

void add_session(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "session", "Keep a session: add messages, get the context for a model, replay a recording");
    command->group(kEveryday);
    command->footer(kSessionFooter);
    add_action_table(*command, kSessionActions, out);
    add_common(*command, out);
    add_context_form(*command, out);
    add_replay_report(*command, out);
    add_replay_log(*command, out);
    add_packets(*command, out);
    add_more(*command, out);
    command->add_option("ARG", out.files,
                        "Arguments of the action, or input files; without any, standard input");
}

void add_store(CLI::App &app, Arguments &out) {
    CLI::App *command =
        app.add_subcommand("store", "Examine, verify, export, import or prune a store of sessions");
    command->group(kServers);
    command->footer("");
    add_action_table(
        *command,
        "status STORE\tPrint the kind and the state of the store; for NATS also of its "
        "streams\n"
        "stats STORE\tCount what it holds\n"
        "verify STORE\tRead all of it and print what is damaged\n"
        "export STORE [ID...]\tPrint sessions as lines of JSON\n"
        "import STORE\tRead such lines from standard input\n"
        "prune STORE\tRemove what has expired\n"
        "conformance [PLACE]\tTest the back end in --plugin. PLACE is the name that it "
        "opens, such as a folder (default: a new name)",
        out);
    command->add_flag("--json", out.json, "For status: print one JSON object");
    command
        ->add_option("--keep", out.keep,
                     "For prune: keep only the texts of the newest N checkpoints of a session "
                     "(default all)")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
    command->add_flag("--vacuum", out.vacuum,
                      "For prune: return the unused space of a SQLite file to the file system");
    command
        ->add_option("--plugin", out.plugin,
                     "For conformance: the shared library with the back end (required)")
        ->option_text("FILE");
    add_limit(*command, out);
    command->add_option("STORE", out.files,
                        "sqlite:PATH or nats://HOST:PORT/PREFIX, then ids of sessions");
}

}  // namespace cli
