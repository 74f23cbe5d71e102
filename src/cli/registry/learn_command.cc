// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp registry learn: makes a registry document from messages, on standard output. Reports on
// standard error what it saves on the messages that it did not learn from.
#include <cstdio>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/registry/learner.h"
#include "cli/settings.h"

namespace cli {
namespace {

std::vector<LearnMessage> read_messages(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    LearnReader reader(config.get());
    std::vector<LearnMessage> messages;
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    for_each_line(arguments, io, limit, Lines::kMessages, [&](std::string_view line) {
        accp_error err = {};
        LearnMessage message;
        ++io.records;
        if (line.size() > limit)
            err = {ACCP_E1001, 0, limit, "the line is longer than json_bytes", line.size(), limit};
        else if (reader.read(line, message, err) == ACCP_OK) {
            messages.push_back(std::move(message));
            return;
        }
        io.refuse(err, line);
    });
    return messages;
}

struct Samples {
    LearnSample train, held_out, all;
};

// Splits the messages into those to learn from and those to measure. Learns from the first N with
// --train, else from two of every four, so that both of two alternating speakers are included.
Samples split(const std::vector<LearnMessage> &messages, const Arguments &arguments) {
    Samples parts;
    for (size_t i = 0; i < messages.size(); ++i) {
        const bool learned = arguments.train ? i < *arguments.train : i % 4 < 2;
        (learned ? parts.train : parts.held_out).push_back(&messages[i]);
        parts.all.push_back(&messages[i]);
    }
    return parts;
}

void put_row(const char *name, uint64_t tokens, uint64_t plain, size_t messages, std::string &out) {
    char line[96];
    std::snprintf(line, sizeof line, "  %-18s%8llu tokens%10.2f a message%8.1f %%\n", name,
                  static_cast<unsigned long long>(tokens),
                  static_cast<double>(tokens) / static_cast<double>(messages),
                  100.0 * static_cast<double>(tokens) / static_cast<double>(plain));
    out.append(line);
}

// Reports the cost of the held-out messages. Returns how many messages did not decode to the same
// content.
uint64_t report(const LearnedDocument &document, const Samples &parts, LearnCosts &costs,
                const Arguments &arguments, std::string &out) {
    out.append("accp: learned from ")
        .append(std::to_string(parts.train.size()))
        .append(" messages: ")
        .append(std::to_string(document.schemas.size()))
        .append(" schemas, ")
        .append(std::to_string(document.aliases.size()))
        .append(" short keys\n");
    const LearnCosts::Result all = costs.measure({document.json()}, parts.all);
    if (!parts.held_out.empty()) {
        const uint64_t plain = costs.plain(parts.held_out);
        const LearnCosts::Result built_in = costs.measure({"", ACCP_PROFILE_ALL}, parts.held_out),
                                 learned = costs.measure({document.json()}, parts.held_out);
        out.append("held out: ")
            .append(std::to_string(parts.held_out.size()))
            .append(" messages\n");
        put_row("plain", plain, plain, parts.held_out.size(), out);
        put_row("built-in profiles", built_in.tokens, plain, parts.held_out.size(), out);
        if (!arguments.registry.empty())
            put_row("--registry",
                    costs.measure({read_file(arguments.registry)}, parts.held_out).tokens, plain,
                    parts.held_out.size(), out);
        put_row("learned", learned.tokens, plain, parts.held_out.size(), out);
        if (built_in.refused != 0)
            out.append("  built-in profiles refuse ")
                .append(std::to_string(built_in.refused))
                .append(", which count as plain\n");
    }
    const uint64_t lost = all.refused + all.changed;
    out.append(std::to_string(parts.all.size() - lost))
        .append(" of ")
        .append(std::to_string(parts.all.size()))
        .append(" messages come back equal\n");
    return lost;
}

}  // namespace

int run_learn(const Arguments &arguments, Streams &io) {
    const std::vector<LearnMessage> messages = read_messages(arguments, io);
    const Samples parts = split(messages, arguments);
    LearnCosts costs(arguments);
    const LearnedDocument document = Learner(costs, parts.train, parts.all).learn();
    io.out.text.append(document.json()).append("\n");
    const uint64_t lost = report(document, parts, costs, arguments, io.err.text);
    return lost != 0 ? 1 : io.status();
}

}  // namespace cli
