// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context query, log, diff, revise and compress.
#include <map>

#include "cli/host.h"
#include "cli/http/embedder.h"
#include "cli/packet/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

struct PacketIndexDeleter {
    void operator()(accp_packet_index *index) const { accp_packet_index_free(index); }
};
using PacketIndex = std::unique_ptr<accp_packet_index, PacketIndexDeleter>;

void check_call(accp_status status, const accp_error &err) {
    if (status != ACCP_OK) throw Failure(message_of(err));
}

// Returns the arguments after the first. The default is "-", standard input.
std::vector<std::string> names_after_first(const Arguments &arguments) {
    std::vector<std::string> names(arguments.files.begin() + 1, arguments.files.end());
    if (names.empty()) names.emplace_back("-");
    return names;
}

// Prints the answer, and a line for each of its sources.
void append_answer(std::string_view json, const std::map<std::string, std::string> &file_of,
                   std::string &out) {
    const JsonTree tree(json);
    append_printable(tree.text(tree.find(0, "answer")), out);
    out.push_back('\n');
    const uint32_t sources = tree.find(0, "sources");
    for (uint32_t i = sources + 1; i < tree.next(sources); i = tree.next(i)) {
        const auto found = file_of.find(std::string(tree.text(tree.find(i, "packet"))));
        out.append("  ");
        append_printable(found != file_of.end() ? found->second : "", out);
        out.append(": ").append(tree.text(tree.find(i, "kind"))).append(" ");
        out.append(tree.text(tree.find(i, "number"))).append(": ");
        append_printable(tree.text(tree.find(i, "text")), out);
        out.push_back('\n');
    }
}

// Prints `FILE: version 3`, and a line for each entry of the changelog.
void append_changelog(const JsonTree &tree, const std::string &name, bool json, std::string &out) {
    const uint32_t context = tree.find(0, "context"), version = tree.find(context, "version");
    const uint32_t log = tree.find(context, "changelog");
    if (json) {
        out.append("{\"file\":");
        append_json_string(name, out);
        out.append(",\"version\":").append(version != 0 ? tree.text(version) : "null");
        out.append(",\"changelog\":[");
    } else {
        append_printable(name, out);
        out.append(version != 0 ? ": version " : ": no version");
        out.append(version != 0 ? tree.text(version) : "").append("\n");
    }
    for (uint32_t i = log + 1; log != 0 && i < tree.next(log); i = tree.next(i)) {
        if (json) {
            out.append(i == log + 1 ? "{" : ",{");
            append_json_string(tree.key(i + 1), out);
            out.push_back(':');
            append_json_string(tree.text(i + 1), out);
            out.push_back('}');
            continue;
        }
        out.append("  ");
        append_printable(tree.key(i + 1), out);
        out.append(": ");
        append_printable(tree.text(i + 1), out);
        out.push_back('\n');
    }
    if (json) out.append("]}\n");
}

// Returns the item's choice, path or approach, or the item itself.
std::string_view item_name(const JsonTree &tree, uint32_t item) {
    for (const char *member : {"choice", "path", "approach"})
        if (const uint32_t node = tree.find(item, member); node != 0) return tree.text(node);
    return tree.text(item);
}

// Prints a line for each change: + decisions: RS256.
void append_diff(const JsonTree &tree, std::string &out) {
    const struct {
        const char *name, *mark;
    } changes[] = {{"removed", "- "}, {"added", "+ "}, {"changed", "~ "}};
    for (uint32_t kind = 1; kind < tree.next(0); kind = tree.next(kind)) {
        for (const auto &change : changes) {
            const uint32_t list = tree.find(kind, change.name);
            for (uint32_t i = list + 1; list != 0 && i < tree.next(list); i = tree.next(i)) {
                const uint32_t to = tree.find(i, "to");
                out.append(change.mark);
                append_printable(tree.key(kind), out);
                out.append(": ");
                append_printable(item_name(tree, to != 0 ? to : i), out);
                out.push_back('\n');
            }
        }
    }
}

}  // namespace

int query_packets(const Arguments &arguments, Streams &io) {
    if (arguments.files.empty()) throw Failure("context query takes a question, then packets");
    accp_error err = {};
    accp_packet_index *made = nullptr;
    EndpointEmbedder embedder(arguments.embedder);
    const Handle<accp_config> config = make_config(arguments);
    const accp_hooks hooks = embedder.hooks();
    check_call(accp_config_set_hooks(config.get(), &hooks, &err), err);
    check_call(accp_packet_index_new(config.get(), &made, &err), err);
    const PacketIndex index(made);
    PacketFile file(arguments);
    std::map<std::string, std::string> file_of;
    for (const std::string &name : names_after_first(arguments)) {
        file.read_or_refuse(name, arguments);
        check_call(accp_packet_index_add(index.get(), file.get(), &err), err);
        file_of.emplace(file.checksum(), name);
    }
    const std::string &question = arguments.files[0], &from = arguments.of;
    if (!from.empty() && file_of.find(from) == file_of.end())
        throw RefusedPacket{"--of " + from + ": no packet has this checksum"};
    accp_text out = {};
    const accp_status status = accp_packet_index_query(
        index.get(), question.data(), question.size(), from.data(), from.size(), &out, &err);
    embedder.check();
    if (status == ACCP_E2001) throw RefusedPacket{message_of(err)};
    check_call(status, err);
    if (!arguments.json) append_answer(to_view(out), file_of, io.out.text);
    else io.out.text.append(to_view(out)).push_back('\n');
    return 0;
}

int show_changelog(const Arguments &arguments, Streams &io) {
    PacketFile file(arguments);
    for (const std::string &name : input_names(arguments)) {
        file.read_or_refuse(name, arguments);
        append_changelog(JsonTree(file.print(accp_packet_print_json)), name, arguments.json,
                         io.out.text);
        io.flush_if_full();
    }
    return 0;
}

int show_diff(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() != 2) throw Failure("context diff takes two packets, the old first");
    PacketFile old(arguments), file(arguments);
    old.read_or_refuse(arguments.files[0], arguments);
    file.read_or_refuse(arguments.files[1], arguments);
    accp_error err = {};
    accp_text out = {};
    check_call(accp_packet_print_diff(file.get(), old.get(), &out, &err), err);
    if (!arguments.json) append_diff(JsonTree(to_view(out)), io.out.text);
    else io.out.text.append(to_view(out)).push_back('\n');
    return 0;
}

int revise_packet(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() != 2)
        throw Failure("context revise takes two packets, the old first");
    PacketFile old(arguments), file(arguments);
    old.read_or_refuse(arguments.files[0], arguments);
    file.read_or_refuse(arguments.files[1], arguments);
    accp_error err = {};
    check_call(accp_packet_revise(file.get(), old.get(), arguments.note.data(),
                                  arguments.note.size(), &err),
               err);
    file.append_to(io.out.text, arguments);
    return 0;
}

int compress_packet(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1) throw Failure("context compress takes one packet");
    if (!arguments.relevance && !arguments.patterns && !arguments.merge && !arguments.age)
        throw Failure("context compress needs --relevance, --patterns, --merge or --age");
    EndpointEmbedder embedder(arguments.embedder);
    const accp_hooks hooks = embedder.hooks();
    PacketFile file(arguments, &hooks);
    file.read_or_refuse(input_names(arguments)[0], arguments);
    accp_error err = {};
    if (arguments.relevance) {
        const accp_status status =
            accp_packet_filter(file.get(), arguments.task.data(), arguments.task.size(),
                               arguments.threshold, nullptr, nullptr, &err);
        embedder.check();
        check_call(status, err);
    }
    if (arguments.patterns) check_call(accp_packet_extract_patterns(file.get(), 0, &err), err);
    if (arguments.merge) check_call(accp_packet_merge_decisions(file.get(), &err), err);
    if (arguments.age)
        check_call(accp_packet_fade(file.get(), arguments.recent, arguments.older, &err), err);
    file.append_to(io.out.text, arguments);
    return 0;
}

}  // namespace cli
