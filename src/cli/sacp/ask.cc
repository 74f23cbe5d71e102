// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp ask: what a person says, a line each, as a message, or what is to be asked.
#include <algorithm>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/process/child.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr int64_t kMaxModelMs = 120'000;

// A command as a model; what it said last is kept for the library to read.
struct CommandModel {
    std::string command, said, fault;
    bool was_asked = false;

    static accp_status answer(const char *prompt, size_t prompt_len, const char *specification,
                              size_t specification_len, const char *refused, size_t refused_len,
                              accp_text *out, void *user) {
        auto &self = *static_cast<CommandModel *>(user);
        self.was_asked = true;
        std::string input = "{\"prompt\":";
        append_json_string({prompt, prompt_len}, input);
        input += ",\"specification\":";
        append_json_string({specification, specification_len}, input);
        if (refused_len != 0) input.append(",\"refused\":").append(refused, refused_len);
        input += "}\n";
        ChildResult ran = run_child_on({"sh", "-c", self.command}, input, kMaxModelMs);
        self.fault = ran.fault();
        if (!self.fault.empty()) return ACCP_ERR_IO;
        self.said = std::move(ran.out);
        *out = {self.said.data(), self.said.size()};
        return ACCP_OK;
    }
};

// An ERR does not say that it is a model's answer that has the fault.
void tell_answer(const CommandModel &model, Streams &io) {
    constexpr size_t kMaxShown = 200;
    std::string &err = io.err.text;
    err.append("accp: record ").append(std::to_string(io.records));
    err.append(": the ERR is about the answer of --model: ");
    const size_t end = std::min(model.said.find_last_not_of(" \t\r\n") + 1, model.said.size());
    append_printable(std::string_view(model.said).substr(0, std::min(end, kMaxShown)), err);
    err.append(end > kMaxShown ? "...\n" : "\n");
}

Handle<accp_phrases> open_phrases(const Arguments &arguments, const accp_config *config) {
    const Handle<accp_library> library = open_library(arguments, config);
    const std::string text = read_input(arguments.phrases);
    accp_phrases *made = nullptr;
    accp_error err = {};
    if (accp_phrases_new(text.data(), text.size(), library.get(), config, &made, &err) != ACCP_OK)
        throw Failure(arguments.phrases + ": byte " + std::to_string(err.offset) + ": " +
                      message_of(err));
    return Handle<accp_phrases>(made);
}

}  // namespace

int sacp_ask(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_phrases> phrases = open_phrases(arguments, config.get());
    CommandModel model = {arguments.model, {}, {}, false};
    if (!arguments.model.empty())
        accp_phrases_set_model(phrases.get(), CommandModel::answer, &model, nullptr);
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_text text = {};
            model.was_asked = false;
            const accp_status status =
                accp_phrases_ask(phrases.get(), line.data(), line.size(), &text, nullptr, &err);
            if (status == ACCP_OK) to.out.text.append(text.text, text.len);
            if (status == ACCP_OK && model.was_asked &&
                to_view(text).starts_with(R"({"status":"ERR")"))
                tell_answer(model, to);
            if (status == ACCP_ERR_IO) throw Failure("--model: " + model.fault);
            return status;
        });
}

}  // namespace cli
