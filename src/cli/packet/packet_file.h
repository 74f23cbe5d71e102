// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A packet of the command line, read from a file or made, and what became of it.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/packet/code_files.h"
#include "cli/packet/extractor.h"
#include "cli/settings.h"

namespace cli {

struct WarningName {
    uint32_t bit;
    const char *name;
};
constexpr WarningName kPacketWarnings[] = {
    {ACCP_PACKET_NO_CHECKSUM, "no checksum"},
    {ACCP_PACKET_OTHER_TOKEN_COUNT, "token_count mismatch"},
    {ACCP_PACKET_OTHER_CHECKSUM, "checksum mismatch"},
};

class PacketFile {
public:
    // extractor: of what is generated; it lives as long.
    explicit PacketFile(const Arguments &arguments, CommandExtractor *extractor = nullptr)
        : config_(make_config(arguments)), tokenizer_(open_tokenizer(arguments, config_.get())) {
        accp_error err = {};
        if (extractor) extractor->set(config_.get());
        accp_packet *made = nullptr;
        if (accp_config_set_tokenizer(config_.get(), tokenizer_.get(), &err) != ACCP_OK ||
            accp_packet_new(config_.get(), &made, &err) != ACCP_OK)
            throw Failure(message_of(err));
        packet_.reset(made);
    }

    bool read(const std::string &text, bool verify) {
        if (accp_packet_read(packet_.get(), text.data(), text.size(),
                             verify ? 0 : ACCP_PACKET_UNVERIFIED, &fault_) == ACCP_OK)
            return true;
        why_ = describe(fault_, text);
        return false;
    }
    bool generate(const accp_packet_request &request) {
        return accp_packet_generate(packet_.get(), &request, &fault_) == ACCP_OK;
    }
    void seal() {
        accp_error err = {};
        if (accp_packet_seal(packet_.get(), &err) != ACCP_OK) throw Failure(message_of(err));
    }
    template <class Print>
    std::string_view print(Print print) {
        accp_error err = {};
        accp_text text = {};
        if (print(packet_.get(), &text, &err) != ACCP_OK) throw Failure(message_of(err));
        return to_view(text);
    }
    std::string_view checksum() const { return to_view(accp_packet_checksum(packet_.get())); }
    uint64_t tokens() const { return accp_packet_tokens(packet_.get()); }
    // The code of which packets are made, and against which they are held.
    const accp_packet_code *take_code(const Arguments &arguments) {
        code_ = read_code(arguments);
        return code_.get();
    }
    std::vector<std::string> warnings() {
        std::vector<std::string> names;
        for (const WarningName &warning : kPacketWarnings)
            if ((accp_packet_warnings(packet_.get()) & warning.bit) != 0)
                names.emplace_back(warning.name);
        for (const std::string &line : lines_of(accp_packet_misspelt_members)) {
            const size_t blank = line.rfind(' ');
            names.push_back("unknown member: " + line.substr(0, blank) + " (" +
                            line.substr(blank + 1) + "?)");
        }
        for (const std::string &path : stale_files()) names.push_back("stale summary: " + path);
        return names;
    }
    const accp_error &fault() const { return fault_; }
    // Why a text was not read, and where in it.
    const std::string &why() const { return why_; }
    // What the other functions of the C face take.
    accp_packet *get() const { return packet_.get(); }
    const accp_config *config() const { return config_.get(); }

private:
    std::vector<std::string> stale_files() {
        if (!code_) return {};
        return lines_of([this](auto *packet, auto... out) {
            return accp_packet_stale_files(packet, code_.get(), out...);
        });
    }
    template <class Print>
    std::vector<std::string> lines_of(Print print_lines) {
        std::istringstream text(std::string(print(print_lines)));
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) lines.push_back(line);
        return lines;
    }

    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_packet> packet_;
    Handle<accp_packet_code> code_;
    accp_error fault_ = {};
    std::string why_;
};

}  // namespace cli
