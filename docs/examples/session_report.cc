// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the forms of a message cost a model, on real messages: session_report DIRECTORY reads
// DIRECTORY/pipeline.jsonl and DIRECTORY/trajectories/*.jsonl, takes every message there and back,
// and prints the tokens. Uses the public headers only (round_trip.h). Exit 1 where a message did
// not come back.
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "round_trip.h"

namespace {

using example::Sizes;

// Escape sequences on a terminal, nothing elsewhere or where NO_COLOR is set.
struct Colours {
    const char *bold = "", *dim = "", *good = "", *bad = "", *end = "";
    Colours() {
        const char *no = std::getenv("NO_COLOR");
        if (!isatty(STDOUT_FILENO) || (no && *no)) return;
        bold = "\033[1m", dim = "\033[2m", good = "\033[32m", bad = "\033[31m", end = "\033[0m";
    }
} const colour;

double percent_saved(uint64_t json, uint64_t other) {
    return 100.0 * (static_cast<double>(json) - static_cast<double>(other)) /
           static_cast<double>(json);
}

// Eighths of a block: 2.5 % a column, 24 columns.
std::string bar(double percent) {
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int eighths = std::clamp(static_cast<int>(std::lround(percent * 8 / 2.5)), 0, 24 * 8);
    std::string out;
    for (int i = 0; i < eighths / 8; ++i) out += "█";
    return out + parts[eighths % 8];
}

void print_head(const char *first, const char *second) {
    std::printf("%s  %4s  %-34s %7s %7s %7s %9s%s\n", colour.dim, first, second, "JSON", "frame",
                "render", "saved", colour.end);
}

// A message that is longer rendered shows as such: a minus, and no bar.
void print_row(const std::string &first, const std::string &second, const Sizes &sizes,
               const char *weight = "") {
    double saved = percent_saved(sizes.json, sizes.render);
    std::printf("  %s%4s  %-34.34s %7" PRIu64 " %7" PRIu64 " %7" PRIu64 "%s %s%7.1f %%  %s%s\n",
                weight, first.c_str(), second.c_str(), sizes.json, sizes.frame, sizes.render,
                colour.end, saved < 0 ? colour.bad : colour.good, saved,
                saved < 0 ? "longer" : bar(saved).c_str(), colour.end);
}

// One row for each message of the file, where `each`; the sum of them in any case.
Sizes read_file(const std::filesystem::path &path, bool each) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(path.string() + ": cannot be read");
    example::RoundTrip trip;
    Sizes sum;
    std::string line, title;
    while (std::getline(in, line)) {
        try {
            Sizes sizes = trip.measure(line, title);
            sum.add(sizes);
            if (each) print_row(std::to_string(sum.messages), title, sizes);
        } catch (const std::runtime_error &error) {
            throw std::runtime_error(path.string() + ":" + std::to_string(sum.messages + 1) + ": " +
                                     error.what());
        }
    }
    if (sum.messages == 0) throw std::runtime_error(path.string() + ": no message");
    return sum;
}

void print_intro() {
    std::printf(
        "%sMessages as a model would be given them%s: each is encoded, decoded, rendered, read "
        "back, and compared by hash form.\n",
        colour.bold, colour.end);
    std::printf(
        "Tokens (o200k_base, exact) of agent, intent, operation and payload: as compact JSON, as a "
        "frame without its envelope (the "
        "wire,\n");
    std::printf(
        "for machines), and rendered (for models). \"saved\" is render against JSON; a minus means "
        "longer.\n\n");
}

void print_sum(const char *what, const Sizes &sizes) {
    double saved = percent_saved(sizes.json, sizes.render);
    std::printf("  %-28s %7" PRIu64 " tokens of JSON, %7" PRIu64 " of frames, %7" PRIu64
                " rendered: %s%.1f %% %s%s\n",
                what, sizes.json, sizes.frame, sizes.render, saved < 0 ? colour.bad : colour.good,
                std::fabs(saved), saved < 0 ? "longer" : "saved", colour.end);
}

void print_verdict(const Sizes &pipeline, const Sizes &sessions) {
    Sizes all = pipeline;
    all.add(sessions);
    std::printf("\n");
    print_sum("structured messages", pipeline);
    print_sum("long texts and code", sessions);
    print_sum("all of them", all);
    std::printf(
        "\n%" PRIu64 " of the %" PRIu64
        " messages have more tokens rendered than as JSON. Long texts stay long in any form.\n",
        all.bigger, all.messages);
    std::printf("%s%s%" PRIu64 " of %" PRIu64
                " messages came back equal from the frame, with and without t1, and from the "
                "rendered text.%s\n",
                colour.bold, colour.good, all.messages, all.messages, colour.end);
}

void run(const std::filesystem::path &directory) {
    print_intro();
    std::printf("%sA pipeline of six agents%s (pipeline.jsonl)\n", colour.bold, colour.end);
    print_head("#", "message");
    Sizes pipeline = read_file(directory / "pipeline.jsonl", true);
    print_row(std::to_string(pipeline.messages), "messages in all", pipeline, colour.bold);

    std::printf("\n%sA coding agent at work%s (trajectories/)\n", colour.bold, colour.end);
    print_head("of", "session");
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(directory / "trajectories"))
        if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Sizes sessions;
    for (const auto &file : files) {
        Sizes sizes = read_file(file, false);
        print_row(std::to_string(sizes.messages), file.stem().string(), sizes);
        sessions.add(sizes);
    }
    print_row(std::to_string(sessions.messages), "messages in all", sessions, colour.bold);
    print_verdict(pipeline, sessions);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: session_report DIRECTORY\n");
        return 2;
    }
    try {
        run(argv[1]);
    } catch (const std::exception &error) {
        std::fflush(stdout);
        std::fprintf(stderr, "session_report: %s\n", error.what());
        return 1;
    }
    return 0;
}
