// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A step as one line, which must fit the width of the terminal, because the view of a plan is
// overwritten by its number of lines. Then the whole view on terminals of several sizes.
#include <gtest/gtest.h>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>

#include "cli/sacp/plan_view.h"

namespace {

accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

accp_run_step step_of(std::string_view path, std::string_view verb, std::string_view tool,
                      int32_t state, uint32_t tries) {
    return {ACCP_RUN_STEP, state, tries, text_of(path), text_of(verb), text_of(tool)};
}

TEST(CliPlanView, AStepIsALine) {
    struct Case {
        accp_run_step step;
        size_t columns;
        const char *line;
    } cases[] = {
        {step_of("1", "get", "T", ACCP_RUN_STEP_PENDING, 0), 79, "  1 get T: pending"},
        {step_of("2.1", "get", "T", ACCP_RUN_STEP_IN_PROGRESS, 1), 79,
         "  > 2.1 get T: in progress"},
        {step_of("s1/2", "get", "T", ACCP_RUN_STEP_FAILED, 3), 79,
         "  ! s1/2 get T: failed, 3 tries"},
        {step_of("1", "get_what_there_is", "T", ACCP_RUN_STEP_DONE, 1), 20, "+ 1 get_what..: done"},
        {step_of("1", "get_what_there_is", "T", ACCP_RUN_STEP_DONE, 1), 10, "+ 1 get_.."},
        {step_of("1", "\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e", "T", ACCP_RUN_STEP_DONE, 1), 19,
         "+ 1 \u65e5\u672c\u8a9e..: done"},
        {step_of("1.1.1.1.1.1", "get", "T", ACCP_RUN_STEP_DONE, 1), 12, "   + 1.1.1.."},
        {step_of("1", "a\x1b[2Jb", "T\n", ACCP_RUN_STEP_DONE, 1), 79,
         "+ 1 a\\u001B[2Jb T\\u000A: done"},
        {step_of("1", "get", "T", ACCP_RUN_STEP_DONE, 1), 1, ""},
        {step_of("1", "get", "T", ACCP_RUN_STEP_DONE, 1), 0, ""},
    };
    for (const Case &one : cases) EXPECT_EQ(cli::step_line(one.step, one.columns), one.line);
}

TEST(CliPlanView, ALineIsNeverTooLong) {
    const std::string long_path = "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15";
    for (size_t columns = 0; columns < 120; ++columns)
        for (int32_t state = 0; state < 4; ++state)
            for (const uint32_t tries : {0u, 12u, 4'000'000'000u})
                for (const std::string &path : {std::string("1"), long_path})
                    EXPECT_LE(
                        cli::step_line(step_of(path, "a_verb", "A_TOOL", state, tries), columns)
                            .size(),
                        columns);
}

// A terminal of this width that never scrolls. Keeps the text that is visible.
class Screen {
public:
    explicit Screen(size_t columns) : columns_(columns) {}

    void write(std::string_view text) {
        for (size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\x1b') i = obey(text, i);
            else if (text[i] == '\r') column_ = 0;
            else if (text[i] == '\n') ++row_, column_ = 0;
            else put(text[i]);
        }
    }
    std::vector<std::string> lines;

private:
    size_t obey(std::string_view text, size_t at) {  // ESC [ N LETTER
        const size_t end = text.find_first_of("AJ", at);
        EXPECT_NE(end, text.npos);
        if (text[end] == 'J') {
            lines.resize(std::min(lines.size(), row_));
        } else {
            const size_t up = static_cast<size_t>(std::atoi(text.data() + at + 2));
            EXPECT_LE(up, row_);
            row_ -= std::min(up, row_);
        }
        return end;
    }
    void put(char c) {
        if (column_ == columns_) ++row_, column_ = 0;
        if (lines.size() <= row_) lines.resize(row_ + 1);
        lines[row_].resize(std::max(lines[row_].size(), column_ + 1), ' ');
        lines[row_][column_++] = c;
    }

    size_t columns_, row_ = 0, column_ = 0;
};

// Runs the command on a terminal of this size. Returns the visible lines.
std::vector<std::string> shown_on(winsize size, const std::string &message, const char *tool) {
    int master = -1, slave = -1, in[2];
    if (openpty(&master, &slave, nullptr, nullptr, &size) != 0 || pipe(in) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        setenv("TERM", "xterm", 1);
        if (!freopen("/dev/null", "w", stdout)) _exit(126);
        dup2(in[0], STDIN_FILENO);
        dup2(slave, STDERR_FILENO);
        close(in[1]);
        execl(ACCP_CLI_PATH, ACCP_CLI_PATH, "sacp", "run", "--lenient", "--tool", tool, nullptr);
        _exit(127);
    }
    close(slave);
    close(in[0]);
    EXPECT_EQ(write(in[1], message.data(), message.size()), static_cast<ssize_t>(message.size()));
    close(in[1]);
    Screen screen(size.ws_col);
    char buffer[65536];
    for (ssize_t got; (got = read(master, buffer, sizeof buffer)) > 0;)
        screen.write({buffer, static_cast<size_t>(got)});
    waitpid(child, nullptr, 0);
    close(master);
    return screen.lines;
}

std::vector<std::string> last_of(const std::vector<std::string> &lines, size_t count) {
    return {lines.end() - static_cast<ptrdiff_t>(std::min(count, lines.size())), lines.end()};
}

TEST(CliPlanView, IsWrittenOverOnATerminalOfAnySize) {
    const std::string verb = "a_verb_with_a_long_name",
                      message = R"({"g":"G","plan":[[")" + verb +
                                R"(","T",{}],{"parallel":[["b","T",{}],["c","T",{}]]},)" +
                                R"(["d","NONE",{}]]})";
    for (const unsigned short columns : {12, 20, 40, 100}) {
        const std::vector<std::string> lines = shown_on({24, columns, 0, 0}, message, "T=echo 1");
        const size_t width = columns - 1u;
        const std::vector<std::string> wanted = {
            cli::step_line(step_of("1", verb, "T", ACCP_RUN_STEP_DONE, 1), width),
            cli::step_line(step_of("2.1", "b", "T", ACCP_RUN_STEP_DONE, 1), width),
            cli::step_line(step_of("2.2", "c", "T", ACCP_RUN_STEP_DONE, 1), width),
            cli::step_line(step_of("3", "d", "NONE", ACCP_RUN_STEP_FAILED, 1), width)};
        EXPECT_EQ(last_of(lines, wanted.size()), wanted) << columns;
        // The reason for a failed step stays above the steps, and is wrapped.
        std::string said;
        for (size_t i = 0; i + wanted.size() < lines.size(); ++i) said += lines[i];
        EXPECT_EQ(said, "accp: step 3, tool NONE: no --tool has this name, and no agent can do it");
    }
    const std::vector<std::string> summary = {"0 pending, 0 in progress, 3 done, 1 failed"};
    EXPECT_EQ(last_of(shown_on({4, 80, 0, 0}, message, "T=echo 1"), 1), summary);
}

}  // namespace
