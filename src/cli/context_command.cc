// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context: context packets in files. validate says what each file is, seal writes one with its
// checksum, preview what a worker's model reads of it.
#include <sstream>

#include "cli/code_files.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/node_view.h"
#include "cli/settings.h"
#include "cli/tokenizers.h"
#include "cli/typed_json.h"

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

// A packet, and what became of it.
class PacketFile {
public:
    explicit PacketFile(const Arguments &arguments)
        : config_(make_config(arguments)), tokenizer_(open_tokenizer(arguments, config_.get())) {
        accp_error err = {};
        accp_packet *made = nullptr;
        if (accp_config_set_tokenizer(config_.get(), tokenizer_.get(), &err) != ACCP_OK ||
            accp_packet_new(config_.get(), &made, &err) != ACCP_OK)
            throw Failure(message_of(err));
        packet_.reset(made);
    }

    bool read(const std::string &text, bool verify) {
        return accp_packet_read(packet_.get(), text.data(), text.size(),
                                verify ? 0 : ACCP_PACKET_UNVERIFIED, &fault_) == ACCP_OK;
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
        for (const std::string &path : stale_files()) names.push_back("stale summary: " + path);
        return names;
    }
    const accp_error &fault() const { return fault_; }

private:
    std::vector<std::string> stale_files() {
        if (!code_) return {};
        std::istringstream lines(std::string(print([this](auto *packet, auto... out) {
            return accp_packet_stale_files(packet, code_.get(), out...);
        })));
        std::vector<std::string> paths;
        for (std::string path; std::getline(lines, path);) paths.push_back(path);
        return paths;
    }

    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_packet> packet_;
    Handle<accp_packet_code> code_;
    accp_error fault_ = {};
};

void write_fault(const accp_error &fault, std::string &out) {
    out.append(",\"error\":");
    append_json_string(fault.message, out);
    out.append(",\"code\":\"").append(accp_status_code_name(fault.code));
    out.append("\",\"offset\":").append(std::to_string(fault.offset));
    if (fault.limit == 0) return;
    out.append(",\"had\":").append(std::to_string(fault.had));
    out.append(",\"limit\":").append(std::to_string(fault.limit));
}

// {"ok":true,"warnings":[],"checksum":"sha256:…","tokens":N,"packet":{…}}
void tell_json(PacketFile &file, bool good, const std::string &text, std::string &out) {
    out.append(good ? R"({"ok":true)" : R"({"ok":false)");
    if (!good) write_fault(file.fault(), out);
    // what is wrong may be the checksum alone: then the rest is told too
    const bool there = good || file.read(text, false);
    out.append(",\"warnings\":[");
    const char *comma = "";
    for (const std::string &name : there ? file.warnings() : std::vector<std::string>()) {
        out.append(comma);
        append_json_string(name, out);
        comma = ",";
    }
    out.push_back(']');
    if (there) {
        out.append(",\"checksum\":");
        append_json_string(file.checksum(), out);
        out.append(",\"tokens\":").append(std::to_string(file.tokens()));
        out.append(",\"packet\":").append(file.print(accp_packet_print_json));
    }
    out.append("}\n");
}

void tell(PacketFile &file, bool good, const std::string &name, std::string &out) {
    append_printable(name, out);
    if (!good) {
        out.append(": ").append(describe(file.fault())).append("\n");
        return;
    }
    out.append(": ok, " + std::to_string(file.tokens()) + " tokens, ");
    out.append(file.checksum());
    for (const std::string &warning : file.warnings()) append_printable("; " + warning, out);
    out.push_back('\n');
}

int validate(const Arguments &arguments, Streams &io) {
    PacketFile file(arguments);
    file.take_code(arguments);
    for (const std::string &name : input_names(arguments)) {
        const std::string text = read_input(name);
        const bool good = file.read(text, !arguments.no_verify);
        ++io.records;
        if (!good) ++io.refused;
        arguments.json ? tell_json(file, good, text, io.out.text)
                       : tell(file, good, name, io.out.text);
        io.flush_if_full();
    }
    return io.status();
}

// One packet, read and printed anew.
int print(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1)
        throw Failure("context " + arguments.action + " takes one packet");
    const bool seal = arguments.action == "seal";
    PacketFile file(arguments);
    const std::string name = input_names(arguments)[0];
    if (!file.read(read_input(name), !seal && !arguments.no_verify)) {
        tell(file, false, "accp: " + name, io.err.text);
        return 1;
    }
    if (seal) file.seal();
    io.out.text.append(!seal            ? file.print(accp_packet_print_prompt)
                       : arguments.json ? file.print(accp_packet_print_json)
                                        : file.print(accp_packet_print_yaml));
    if (seal && arguments.json) io.out.text.push_back('\n');
    return 0;
}

// What the messages are; 0: ours.
int32_t interface_of(const std::string &name, const std::string &text) {
    if (name == "messages") return 0;
    const bool detects = name == "auto" || name == "*";
    const int32_t found = detects ? accp_interface_detect(text.data(), text.size())
                                  : accp_interface_find(name.data(), name.size());
    if (found >= 0) return found;
    if (detects) return 0;
    throw Failure("no interface of this name: " + name);
}

int32_t depth_of(const std::string &name) {
    if (name == "minimal" || name == "simple") return ACCP_PACKET_MINIMAL;
    return name == "standard" ? ACCP_PACKET_STANDARD : ACCP_PACKET_DEEP;
}

int generate(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() != 1) throw Failure("context generate takes one task");
    const bool has_talk = arguments.code.empty() || !arguments.conversation.empty();
    const std::string text =
        has_talk ? read_input(arguments.conversation.empty() ? "-" : arguments.conversation) : "";
    const std::string creator = arguments.agent == "harness" ? "accp" : arguments.agent;
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {arguments.files[0].data(), arguments.files[0].size()};
    request.conversation = {text.data(), text.size()};
    request.an_interface = interface_of(arguments.from, text);
    request.depth = depth_of(arguments.depth);
    request.budget_tokens = arguments.budget;
    request.creator = {creator.data(), creator.size()};
    request.now_ms = now_ms(arguments);
    PacketFile file(arguments);
    request.code = file.take_code(arguments);
    if (!file.generate(request)) {
        io.err.text.append("accp: ");
        if (file.fault().code != ACCP_E2003)  // that is of the whole
            io.err.text.append("message " + std::to_string(file.fault().record + 1) + ": ");
        io.err.text.append(describe(file.fault())).append("\n");
        return 1;
    }
    io.out.text.append(
        file.print(arguments.json ? accp_packet_print_json : accp_packet_print_yaml));
    if (arguments.json) io.out.text.push_back('\n');
    return 0;
}

}  // namespace

int run_context(const Arguments &arguments, Streams &io) {
    if (arguments.action == "generate") return generate(arguments, io);
    return arguments.action == "validate" ? validate(arguments, io) : print(arguments, io);
}

}  // namespace cli
