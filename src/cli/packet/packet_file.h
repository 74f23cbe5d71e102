// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A context packet that the command reads, generates and prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

// The packet cannot be used: the command prints `reason` and returns 1.
struct RefusedPacket {
    std::string reason;
};

class PacketFile {
public:
    // `hooks`: for generate(); copied. Throws Failure.
    explicit PacketFile(const Arguments &arguments, const accp_hooks *hooks = nullptr);

    // Returns false if the text is not a packet; see error() and error_text().
    bool read(const std::string &text, bool verify);
    // Reads the named file or standard input. Throws RefusedPacket.
    void read_or_refuse(const std::string &name, const Arguments &arguments);
    // Returns false on failure; see error().
    bool generate(const accp_packet_request &request) {
        return accp_packet_generate(packet_.get(), &request, &error_) == ACCP_OK;
    }
    bool generate(accp_session *session, const accp_packet_request &request) {
        return accp_session_generate_packet(session, &request, packet_.get(), &error_) == ACCP_OK;
    }
    void seal();
    // `print`: a function such as accp_packet_print_yaml(). The text is valid until the next call.
    template <class Print>
    std::string_view print(Print print) {
        accp_error err = {};
        accp_text text = {};
        if (print(packet_.get(), &text, &err) != ACCP_OK) throw Failure(message_of(err));
        return to_view(text);
    }
    // Prints JSON with a newline if --json is given, and YAML otherwise.
    void append_to(std::string &out, const Arguments &arguments);
    std::string_view checksum() const { return to_view(accp_packet_checksum(packet_.get())); }
    uint64_t tokens() const { return accp_packet_tokens(packet_.get()); }
    // Reads the code of --code, for generate() and for warnings about stale summaries.
    const accp_packet_code *read_code_files(const Arguments &arguments);
    std::vector<std::string> warnings();
    const accp_error &error() const { return error_; }
    // Why read() failed, and where in the text.
    const std::string &error_text() const { return error_text_; }
    // After a failed read(): the error with the file's name, and what to do.
    std::string refusal(const std::string &name) const;
    accp_packet *get() const { return packet_.get(); }
    const accp_config *config() const { return config_.get(); }

private:
    template <class Print>
    std::vector<std::string> print_lines(Print print_text);

    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_packet> packet_;
    Handle<accp_packet_code> code_;
    accp_error error_ = {};
    std::string error_text_;
};

// Appends the packet's prompt with a colour for each layer, and a bar for each layer's share of the
// budget. If `budget_tokens` is 0, the budget is that of the smallest depth that the packet fits
// in.
void show_layers(accp_packet *packet, uint64_t budget_tokens, std::string &out);

}  // namespace cli
