// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/packet_file.h"

#include <algorithm>
#include <sstream>

#include "cli/packet/code_files.h"
#include "cli/settings.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

struct WarningName {
    uint32_t bit;
    const char *name;
};
constexpr WarningName kPacketWarnings[] = {
    {ACCP_PACKET_NO_CHECKSUM, "no checksum"},
    {ACCP_PACKET_OTHER_TOKEN_COUNT, "token_count mismatch"},
    {ACCP_PACKET_OTHER_CHECKSUM, "checksum mismatch"},
};

struct LayerStyle {
    uint32_t bit;
    const char *name, *colour;
};
constexpr LayerStyle kLayers[] = {{ACCP_PACKET_GOALS, "goal", "\x1b[36m"},
                                  {ACCP_PACKET_DECISIONS, "decisions", "\x1b[32m"},
                                  {ACCP_PACKET_CODEBASE, "codebase", "\x1b[33m"},
                                  {ACCP_PACKET_HISTORY, "history", "\x1b[35m"}};
constexpr const char *kPlain = "\x1b[0m";
constexpr uint64_t kBudgets[] = {100, 400, 800};  // tokens, of the three depths
constexpr size_t kNameWidth = 12, kNumberWidth = 6;
constexpr uint64_t kBarWidth = 40;  // columns for the whole budget

uint64_t smallest_budget_for(uint64_t tokens) {
    for (uint64_t budget : kBudgets)
        if (tokens <= budget) return budget;
    return tokens;
}

void append_bar(const LayerStyle &layer, uint64_t tokens, uint64_t budget, std::string &out) {
    const uint64_t columns = std::min(kBarWidth, (tokens * kBarWidth + budget - 1) / budget);
    out.append(left(layer.name, kNameWidth)).append(right(grouped(tokens), kNumberWidth));
    out.append("  ").append(layer.colour);
    for (uint64_t i = 0; i < columns; ++i) out.append("\u2588");
    out.append(kPlain).append("\n");
}

}  // namespace

PacketFile::PacketFile(const Arguments &arguments, const accp_hooks *hooks)
    : config_(make_config(arguments)), tokenizer_(open_tokenizer(arguments, config_.get())) {
    accp_error err = {};
    accp_packet *made = nullptr;
    if ((hooks && accp_config_set_hooks(config_.get(), hooks, &err) != ACCP_OK) ||
        accp_config_set_tokenizer(config_.get(), tokenizer_.get(), &err) != ACCP_OK ||
        accp_packet_new(config_.get(), &made, &err) != ACCP_OK)
        throw Failure(message_of(err));
    packet_.reset(made);
}

bool PacketFile::read(const std::string &text, bool verify) {
    if (accp_packet_parse(packet_.get(), text.data(), text.size(),
                          verify ? 0 : ACCP_PACKET_UNVERIFIED, &error_) == ACCP_OK)
        return true;
    error_text_ = describe(error_, text);
    return false;
}

void PacketFile::read_or_refuse(const std::string &name, const Arguments &arguments) {
    if (!read(read_input(name), !arguments.no_verify)) throw RefusedPacket{refusal(name)};
}

std::string PacketFile::refusal(const std::string &name) const {
    const bool was_edited = error_text_.ends_with("checksum mismatch");
    return name + ": " + error_text_ +
           (was_edited
                ? "; if you have edited it, accp context seal prints it with the correct checksum"
                : "");
}

void PacketFile::seal() {
    accp_error err = {};
    if (accp_packet_seal(packet_.get(), &err) != ACCP_OK) throw Failure(message_of(err));
}

void PacketFile::append_to(std::string &out, const Arguments &arguments) {
    out.append(print(arguments.json ? accp_packet_print_json : accp_packet_print_yaml));
    if (arguments.json) out.push_back('\n');
}

const accp_packet_code *PacketFile::read_code_files(const Arguments &arguments) {
    code_ = read_code(arguments);
    return code_.get();
}

std::vector<std::string> PacketFile::warnings() {
    std::vector<std::string> names;
    for (const WarningName &warning : kPacketWarnings)
        if ((accp_packet_warnings(packet_.get()) & warning.bit) != 0)
            names.emplace_back(warning.name);
    for (const std::string &line : print_lines(accp_packet_misspelt_members)) {
        const size_t blank = line.rfind(' ');
        names.push_back("unknown member: " + line.substr(0, blank) + " (" + line.substr(blank + 1) +
                        "?)");
    }
    if (!code_) return names;
    const auto print_stale_files = [this](auto *packet, auto... out) {
        return accp_packet_stale_files(packet, code_.get(), out...);
    };
    for (const std::string &path : print_lines(print_stale_files))
        names.push_back("stale summary: " + path);
    return names;
}

template <class Print>
std::vector<std::string> PacketFile::print_lines(Print print_text) {
    std::istringstream text(std::string(print(print_text)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

void show_layers(accp_packet *packet, uint64_t budget_tokens, std::string &out) {
    accp_error err = {};
    std::string bars;
    const uint64_t all = accp_packet_tokens(packet);
    const uint64_t budget = budget_tokens ? budget_tokens : smallest_budget_for(all);
    for (const LayerStyle &layer : kLayers) {
        accp_text text = {};
        uint64_t tokens = 0;
        if (accp_packet_layer_tokens(packet, layer.bit, &tokens, &err) != ACCP_OK ||
            accp_packet_print_layers(packet, layer.bit, &text, &err) != ACCP_OK)
            throw Failure(message_of(err));
        if (!text.len) continue;
        out.append(layer.colour).append(text.text, text.len).append(kPlain).append("\n");
        append_bar(layer, tokens, budget, bars);
    }
    out.append(bars).append(left("of " + grouped(budget), kNameWidth));
    out.append(right(grouped(all), kNumberWidth)).append("  tokens\n");
}

}  // namespace cli
