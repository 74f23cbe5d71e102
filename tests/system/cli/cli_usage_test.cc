// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests help, version and bad usage, and that the manual and the completions have every option that
// the help shows.
#include "run_accp.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "accp/version.h"

namespace {

const std::vector<std::string> kCommands = {"parse",   "canon",       "encode",  "decode",
                                            "inspect", "conformance", "context", "registry",
                                            "sacp",    "unfold"};

TEST(CliUsage, HelpEverywhere) {
    const Ran top = run_accp({"--help"});
    EXPECT_EQ(top.status, 0);
    EXPECT_EQ(top.err, "");
    for (const std::string &command : kCommands) {
        EXPECT_NE(top.out.find("\n  " + command + " "), std::string::npos) << command;
        const Ran run = run_accp({command, "--help"});
        EXPECT_EQ(run.status, 0) << command;
        EXPECT_EQ(run.err, "") << command;
        EXPECT_NE(run.out.find("accp " + command), std::string::npos) << run.out;
        EXPECT_NE(run.out.find("--help"), std::string::npos) << command;
    }
}

// Without arguments, accp shows on one screen how to use it, with examples.
TEST(CliUsage, TheStartPageFitsOnAScreen) {
    const Ran run = run_accp({});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
    const std::vector<std::string> lines = lines_of(run.out);
    EXPECT_LE(lines.size(), 24u);
    size_t uses = 0;
    for (const std::string &line : lines) {
        EXPECT_LE(line.size(), 80u) << line;
        if (line.starts_with("  ")) EXPECT_NE(line.find("accp "), std::string::npos) << line;
        else uses += !line.empty();
    }
    EXPECT_EQ(uses, 9u + 2u);  // a title before them, a hint after them
}

TEST(CliUsage, HelpIsGroupedByPurpose) {
    const std::string top = run_accp({"--help"}).out;
    size_t last = 0;
    for (const char *heading :
         {"\nEveryday commands:\n", "\nFormats:\n", "\nSACP:\n", "\nStores and servers:\n"}) {
        const size_t at = top.find(heading);
        ASSERT_NE(at, std::string::npos) << heading;
        EXPECT_GT(at, last);
        last = at;
    }
    const auto has_filter_footer = [](const std::string &help) {
        return help.find("Writes one line for each line of input") != std::string::npos;
    };
    EXPECT_FALSE(has_filter_footer(top));
    for (const char *filter : {"encode", "decode", "parse", "canon", "render"})
        EXPECT_TRUE(has_filter_footer(run_accp({filter, "--help"}).out)) << filter;
    for (const char *other : {"tokens", "registry", "session", "store", "context", "mcp", "serve"})
        EXPECT_FALSE(has_filter_footer(run_accp({other, "--help"}).out)) << other;
    const std::string encode = run_accp({"encode", "--help"}).out;
    EXPECT_LT(encode.find("--registry"), encode.find("More options:"));
    EXPECT_GT(encode.find("--limit"), encode.find("More options:"));
}

TEST(CliUsage, HelpIsACommandToo) {
    EXPECT_EQ(run_accp({"help"}).out, run_accp({"--help"}).out);
    EXPECT_EQ(run_accp({"help"}).status, 0);
    const Ran unknown = run_accp({"help", "encoed"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.err.find("unknown command \"encoed\"; see accp --help"), std::string::npos)
        << unknown.err;
    EXPECT_EQ(run_accp({"help", "sacp", "run"}).out, run_accp({"sacp", "run", "--help"}).out);
}

// Returns the actions of a command, as its help page lists them.
std::vector<std::string> actions_of(const std::string &command) {
    const std::string help = run_accp({command, "--help"}).out;
    std::vector<std::string> names;
    static const std::regex kName("\n  ([a-z]+) ");
    const size_t begin = std::min(help.find("\nActions"), help.size());
    for (std::sregex_iterator i(help.begin() + static_cast<ptrdiff_t>(begin), help.end(), kName),
         end;
         i != end; ++i)
        names.push_back((*i)[1]);
    return names;
}

TEST(CliUsage, EachActionOfContextHasItsPage) {
    const std::vector<std::string> actions = actions_of("context");
    EXPECT_EQ(actions.size(), 23u);
    for (const std::string &action : actions) {
        const Ran run = run_accp({"context", action, "--help"});
        EXPECT_EQ(run.status, 0) << action;
        EXPECT_NE(run.out.find("accp context " + action), std::string::npos) << run.out;
        EXPECT_NE(run.out.find("--help"), std::string::npos) << action;
    }
    EXPECT_TRUE(actions_of("parse").empty());
}

// An option that an action would ignore is refused, with the actions that have it.
TEST(CliUsage, OptionsOfOtherActionsAreRefused) {
    const struct {
        Args words;
        const char *error;
    } cases[] = {
        {{"preview", "x", "--depth", "deep"},
         "context preview has no option --depth; it is an option of generate, spawn, refresh, "
         "record, hook"},
        {{"generate", "t", "--gap=x"},
         "context generate has no option --gap; it is an option of feedback, record"},
        {{"seal", "--no-such"}, "context seal has no option --no-such"},
        {{"--json", "stats"}, "--json must follow the action: accp context stats --json"},
        {{"stats", "x"}, "context stats: unexpected argument \"x\""},
        {{"compress", "--task", "x"}, "--task requires --relevance"},
        {{"record", "--cid", "x"}, "--cid requires --frame"},
        {{"generate", "t", "--extract-seconds", "1"}, "--extract-seconds requires --extract"},
    };
    for (const auto &each : cases) {
        Args words = {"context"};
        words.insert(words.end(), each.words.begin(), each.words.end());
        const std::string action = words[1] == "--json" ? words[2] : words[1];
        const Ran run = run_accp(words, "");
        EXPECT_EQ(run.status, 2);
        EXPECT_EQ(run.err, std::string("accp: ") + each.error + "; see accp context " + action +
                               " --help\n");
    }
    for (const Args &words : {Args{"context"}, Args{"context", "nonsense"}})
        EXPECT_NE(run_accp(words, "").err.find("generate, spawn, validate"), std::string::npos);
    // the command finds these faults itself
    EXPECT_EQ(run_accp({"context", "preview", "--json", "-"}, "").status, 2);
    EXPECT_EQ(run_accp({"context", "preview", "--pane", "1", "--no-verify"}, "").status, 2);
    EXPECT_EQ(run_accp({"context", "preview", "--pane", "1", "x"}, "").status, 2);
    EXPECT_EQ(run_accp({"context", "generate", "t", "--revision", "x"}, "").status, 2);
}

TEST(CliUsage, AFlagTakesNoValue) {
    const struct {
        Args words;
        const char *error;
    } cases[] = {
        {{"sacp", "validate", "--lenient=3"},
         "--lenient takes no value; see accp sacp validate --help"},
        {{"sacp", "validate", "--strict=true"},
         "--strict takes no value; see accp sacp validate --help"},
        {{"session", "--json=0", "context"}, "--json takes no value; see accp session --help"},
        {{"context", "generate", "x", "--json="},
         "--json takes no value; see accp context generate --help"},
        {{"--help=1"}, "--help takes no value; see accp --help"},
    };
    for (const auto &each : cases) {
        const Ran run = run_accp(each.words, "");
        EXPECT_EQ(run.status, 2);
        EXPECT_EQ(run.err, std::string("accp: ") + each.error + "\n");
        EXPECT_EQ(run.out, "");
    }
    // after -- the words belong to another program
    EXPECT_EQ(run_accp({"mcp", "wrap", "--", "true", "--report=1"}, "").err.find("takes no value"),
              std::string::npos);
}

TEST(CliUsage, TheCommandOfAnotherProgramIsInTheUsage) {
    EXPECT_NE(run_accp({"mcp", "wrap", "--help"})
                  .out.find("Usage: accp mcp wrap [OPTIONS] [-- COMMAND...]\n"),
              std::string::npos);
    EXPECT_NE(run_accp({"context", "spawn", "--help"})
                  .out.find("Usage: accp context spawn [OPTIONS] [TASK...] -- COMMAND...\n"),
              std::string::npos);
}

TEST(CliUsage, Version) {
    const Ran run = run_accp({"--version"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out, "accp " ACCP_VERSION_STRING " (libaccp " ACCP_VERSION_STRING ", ABI " +
                           std::to_string(ACCP_ABI_VERSION) + ")\n");
}

TEST(CliUsage, BadUsageIsStatusTwo) {
    std::vector<Args> wrong = {
        {"nonsense"},
        {"parse", "--nonsense"},
        {"parse", "--dialect", "loose"},
        {"parse", "--dialect"},
        {"parse", "--ext", "q1"},
        {"encode", "--dialect", "u8"},
        {"encode", "--ext", "q2"},
        {"encode", "--ext", ""},
        {"encode", "--ext", "q1,"},
        {"encode", "--ext", "none,q1"},
        {"encode", "--limit", "frame_bytes"},
        {"encode", "--limit", "frame_bytes="},
        {"encode", "--limit", "frame_bytes=-1"},
        {"encode", "--limit", "frame_bytes=1k"},
        {"encode", "--limit", "frame_bytes=0"},
        {"encode", "--limit", "no_such=1"},
        {"encode", "--limit", "depth=65"},
        {"encode", "--schema", "NO"},
        {"render", "--ext", "p1"},
        {"encode", "--registry", "/no/such/file"},
        {"encode", "--ts", "1"},
        {"encode", "--envelope", "--letter", "g"},
        {"encode", "--envelope", "--letter", "ab"},
        {"encode", "--envelope", "--ts=-1"},
        {"render", "--mark-defaults"},
        {"decode", "--ext", "u8", "--dialect", "strict"},
        {"decode", "--ext", "u8", "--dialect", "compat"},
        {"conformance", "context", "--level", "4"},
        {"conformance", "context", "--level", "1", "--table"},
        {"conformance", "context", "--level", "1", "--row", "ACCP-3.1-01"},
        {"conformance", "context", "--row", "ACCP-0-02"},
        {"conformance", "context", "--row", "ACCP-3.1"},
        {"conformance", "context", "--level", "x"},
        {"conformance", "context", "--file", "/no/such/file"},
        {"unfold", "--limit", "no_such=1"},
    };
    // Every option that takes a number, with values that are not numbers or out of range.
    const std::vector<Args> numbers = {
        {"encode", "--envelope", "--first-seq"},
        {"encode", "--envelope", "--ts"},
        {"encode", "--envelope", "--issuer"},
        {"encode", "--max-tokens"},
        {"conformance", "context", "--level"},
        {"session", "budget", "--budget"},
        {"session", "append", "--now"},
        {"store", "prune", "--keep"},
        {"session", "retry"},
    };
    for (const Args &number : numbers)
        for (const char *value : {"-1", "99999999999999999999", "1e3", "0x10", "1_0", " 1", "1 ",
                                  "+1", "1.5", "x", ""}) {
            wrong.push_back(number);
            if (number.back()[0] == '-') wrong.back().back() += std::string("=") + value;
            else wrong.back().push_back(value);
        }
    wrong.push_back({"session", "append", "--now", "253402300800000"});
    wrong.push_back({"encode", "--envelope", "--ts", "253402300800"});
    for (const char *rule : {"window=", "window=x", "window= 1", "window=+1",
                             "window=99999999999999999999", "window=-1"})
        wrong.push_back({"session", "append", "--rule", rule});
    for (const Args &args : wrong) {
        const Ran run = run_accp(args, "");
        std::string shown;
        for (const std::string &arg : args) shown += " " + arg;
        EXPECT_EQ(run.status, 2) << shown;
        EXPECT_EQ(run.out, "") << shown;
        EXPECT_NE(run.err, "") << shown;
    }
}

// Text that an error quotes cannot control a terminal, break its line or turn its direction.
TEST(CliUsage, QuotedTextIsEscaped) {
    const std::string hostile =
        "a\x1b[2Jb\nc\rd\xC2\x9B"
        "e\xE2\x80\xAE"
        "f\xE0\x1b[Hg\xFF";
    for (const Args &args :
         std::vector<Args>{{hostile},
                           {"parse", "/no/" + hostile},
                           {"parse", "--dialect", hostile},
                           {"encode", "--limit", hostile + "=1"},
                           {"encode", "--ext", hostile},
                           {"session", "append", "--rule", hostile + "=1"},
                           {"session", "context", "--store", "sqlite:/no/" + hostile},
                           {"store", "stats", "sqlite:/no/" + hostile}}) {
        const Ran run = run_accp(args, "");
        EXPECT_EQ(run.status, 2) << run.err;
        EXPECT_NE(run.err.find("a\\u001B[2Jb\\u000Ac\\u000Dd\\u009Be\\u202Ef\\xE0\\u001B[Hg\\xFF"),
                  std::string::npos)
            << run.err;
        EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
        EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
    }
}

// The error of a record that exceeds a limit has the limit's name, which --limit accepts.
TEST(CliUsage, AnExceededLimitIsNamed) {
    const std::string message =
        R"({"agent":"a","intent":"req","operation":"plan","payload":{"a":"long enough a text","b":[1,2,3]}})";
    const std::string frame = "@a>req:plan{a:\"long_enough_a_text\"|b:[1,2,3]}";
    struct Case {
        const char *command, *limit;
        std::string input;
    };
    for (const Case &one : std::vector<Case>{{"parse", "frame_bytes=20", frame},
                                             {"parse", "params=1", frame},
                                             {"parse", "items=2", frame},
                                             {"parse", "key_bytes=2", frame},
                                             {"parse", "depth=1", "@a>req:plan{a:[[1]]}"},
                                             {"encode", "frame_bytes=40", message},
                                             {"encode", "frame_bytes=16", message},
                                             {"encode", "params=1", message},
                                             {"encode", "items=2", message},
                                             {"encode", "key_bytes=2", message},
                                             {"encode", "json_bytes=20", message}}) {
        const Ran run = run_accp({one.command, "--limit", one.limit}, one.input + "\n");
        const std::string name(one.limit, std::string(one.limit).find('='));
        EXPECT_EQ(run.status, 1) << one.command << " " << one.limit;
        EXPECT_NE(run.err.find("E1001"), std::string::npos) << run.err;
        EXPECT_NE(run.err.find(name), std::string::npos)
            << one.command << " " << one.limit << ": " << run.err;
    }
}

TEST(CliUsage, BadUsageIsNamed) {
    const struct {
        Args words;
        const char *error;
    } cases[] = {
        {{"frobnicate", "--help-me"}, "unknown command \"frobnicate\"; see accp --help"},
        {{"--frobnicate"}, "unknown option \"--frobnicate\"; see accp --help"},
        {{"parse", "--nonsense"}, "parse has no option --nonsense; see accp parse --help"},
        {{"parse", "--dialect"}, "--dialect needs a value; see accp parse --help"},
        {{"parse", "--dialect", "loose"},
         "--dialect: \"loose\" is not one of strict, compat, u8; see accp parse --help"},
        {{"conformance", "--level", "4"},
         "--level: \"4\" is not a whole number from 1 to 3; see accp conformance --help"},
        {{"serve", "x"}, "serve: unknown action \"x\"; use one of token; see accp serve --help"},
        {{"store"}, "store: no action given; see accp store --help"},
        {{"sacp", "spec", "x"}, "sacp spec: unexpected argument \"x\"; see accp sacp spec --help"},
        {{"sacp", "run", "--bogus"}, "sacp run has no option --bogus; see accp sacp run --help"},
        {{"encode", "--ext", "q2"},
         "--ext: unknown name \"q2\"; use one of q1, t1, p1, u8, w1, none"},
    };
    for (const auto &each : cases) {
        const Ran run = run_accp(each.words, "");
        EXPECT_EQ(run.status, 2);
        EXPECT_EQ(run.err, std::string("accp: ") + each.error + "\n");
    }
}

TEST(CliUsage, HelpNamesEveryLimitWithItsDefault) {
    const std::string help = run_accp({"parse", "--help"}).out;
    for (const char *limit :
         {" frame_bytes=65536", " depth=5", " json_bytes=16777216", " memory_bytes=1073741824"})
        EXPECT_NE(help.find(limit), std::string::npos) << limit << help;
}

TEST(CliUsage, OptionsTakeOneArgumentAndLeaveTheFiles) {
    const Ran run = run_accp({"encode", "--ext", "q1", "--limit", "depth=5", "--limit", "params=2",
                              "--ignore", "to", "/no/such/file"});
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.err, "accp: /no/such/file: No such file or directory\n");
}

std::set<std::string> options_in(const std::string &text) {
    static const std::regex kOption("--[a-z][a-z-]*");
    std::set<std::string> options;
    for (std::sregex_iterator i(text.begin(), text.end(), kOption), end; i != end; ++i)
        options.insert(i->str());
    return options;
}

TEST(CliUsage, ManualAndPageHaveEveryOption) {
    const std::string manual =
        std::regex_replace(project_file("docs/man/accp.1"), std::regex("\\\\-"), "-");
    const std::string page = project_file("docs/cli.md");
    const std::set<std::string> in_manual = options_in(manual);
    const std::set<std::string> in_page = options_in(page);
    std::set<std::string> offered = {"--version"};
    for (const std::string &command : kCommands) {
        EXPECT_NE(manual.find("accp " + command), std::string::npos) << command;
        EXPECT_NE(page.find("accp " + command), std::string::npos) << command;
        for (const std::string &option : options_in(run_accp({command, "--help"}).out))
            offered.insert(option);
        for (const std::string &action : actions_of(command))
            for (const std::string &option : options_in(run_accp({command, action, "--help"}).out))
                offered.insert(option);
    }
    EXPECT_GE(offered.size(), 15u);
    for (const std::string &option : offered) {
        EXPECT_EQ(in_manual.count(option), 1u) << option << " is not in docs/man/accp.1";
        EXPECT_EQ(in_page.count(option), 1u) << option << " is not in docs/cli.md";
    }
}

// Tests some actions of sacp, each with a help page of its own.
TEST(CliUsage, ActionsOfSacp) {
    const std::string manual =
        std::regex_replace(project_file("docs/man/accp.1"), std::regex("\\\\-"), "-");
    const std::set<std::string> in_manual = options_in(manual),
                                in_page = options_in(project_file("docs/cli.md"));
    for (const char *action : {"run", "trace", "query", "feasibility", "spawn", "agent"}) {
        const Ran run = run_accp({"sacp", action, "--help"});
        EXPECT_EQ(run.status, 0) << run.err;
        for (const std::string &option : options_in(run.out)) {
            EXPECT_EQ(in_manual.count(option), 1u) << option << " is not in docs/man/accp.1";
            EXPECT_EQ(in_page.count(option), 1u) << option << " is not in docs/cli.md";
        }
    }
}

// Returns the completions of the last of `words`.
std::string completed(const std::string &words, int last) {
    return run_shell("bash -c '. " ACCP_SOURCE_DIR "/src/cli/completions/accp.bash; COMP_WORDS=(" +
                     words + "); COMP_CWORD=" + std::to_string(last) +
                     "; _accp; echo \"${COMPREPLY[@]}\"'")
        .out;
}

TEST(CliUsage, CompletionsHaveEveryOption) {
    for (const std::string &command : kCommands) {
        EXPECT_EQ(options_in(completed("accp " + command + " --", 2)),
                  options_in(run_accp({command, "--help"}).out))
            << command;
        for (const std::string &action : actions_of(command)) {
            EXPECT_EQ(options_in(completed("accp " + command + " " + action + " --", 3)),
                      options_in(run_accp({command, action, "--help"}).out))
                << action;
            EXPECT_NE((" " + completed("accp " + command + " \"\"", 2)).find(" " + action + " "),
                      std::string::npos)
                << action;
        }
        EXPECT_EQ(completed("accp " + command.substr(0, command.size() - 1), 1), command + "\n");
    }
    EXPECT_EQ(completed("accp --v", 1), "--version\n");
    EXPECT_EQ(completed("accp decode --dialect \"\"", 3), "strict compat u8\n");
    EXPECT_EQ(completed("accp decode --limit frame", 3), "frame_bytes=\n");
    const std::filesystem::path folder =
        testing::TempDir() + "accp_completions_" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "frames.txt") << "";
    EXPECT_EQ(completed("accp canon " + (folder / "fra").string(), 2),
              (folder / "frames.txt").string() + "\n");
    std::filesystem::remove_all(folder);
}

}  // namespace
