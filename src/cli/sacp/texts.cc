// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp ask, format, prompt and spec: texts of people, and texts for people and models.
#include <algorithm>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/process/child.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr int64_t kMaxModelMs = 120'000;

// The command of --model. The library borrows its last output.
struct CommandModel {
    std::string command, output, fault;
    bool was_run = false;

    static accp_status answer(const char *prompt, size_t prompt_len, const char *specification,
                              size_t specification_len, const char *refused, size_t refused_len,
                              accp_text *out, void *user) {
        auto &self = *static_cast<CommandModel *>(user);
        self.was_run = true;
        std::string input = "{\"prompt\":";
        append_json_string({prompt, prompt_len}, input);
        input += ",\"specification\":";
        append_json_string({specification, specification_len}, input);
        if (refused_len != 0) input.append(",\"refused\":").append(refused, refused_len);
        input += "}\n";
        ChildResult ran = run_child_on({"sh", "-c", self.command}, input, kMaxModelMs);
        self.fault = ran.fault();
        if (!self.fault.empty()) return ACCP_ERR_IO;
        self.output = std::move(ran.out);
        *out = {self.output.data(), self.output.size()};
        return ACCP_OK;
    }
};

// An ERR does not show that the fault is in the model's output, so print the output.
void report_model_output(const CommandModel &model, Streams &io) {
    constexpr size_t kMaxShown = 200;
    std::string &err = io.err.text;
    err.append("accp: record ").append(std::to_string(io.records));
    err.append(": the ERR is about the output of --model: ");
    const size_t end = std::min(model.output.find_last_not_of(" \t\r\n") + 1, model.output.size());
    append_printable(std::string_view(model.output).substr(0, std::min(end, kMaxShown)), err);
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

Handle<accp_presenter> open_presenter(const Arguments &arguments, const accp_config *config) {
    const std::string text = read_input(arguments.template_file);
    accp_presenter *made = nullptr;
    accp_error err = {};
    if (accp_presenter_new(text.data(), text.size(), arguments.locale.data(),
                           arguments.locale.size(), arguments.zone.data(), arguments.zone.size(),
                           config, &made, &err) != ACCP_OK)
        throw Failure(arguments.template_file + ": " + message_of(err));
    return Handle<accp_presenter>(made);
}

// Prints the text, and its number of tokens on standard error.
int print_with_tokens(const Arguments &arguments, const accp_config *config, accp_text text,
                      Streams &io) {
    io.out.text.append(text.text, text.len);
    const Handle<accp_tokenizer> tokenizer = open_tokenizer(arguments, config);
    accp_counter *made = nullptr;
    accp_error err = {};
    uint64_t tokens = 0;
    if (accp_counter_new(tokenizer.get(), config, &made, &err) != ACCP_OK)
        throw Failure(message_of(err));
    const Handle<accp_counter> counter(made);
    if (accp_counter_count(counter.get(), text.text, text.len, UINT64_MAX, &tokens, &err) !=
        ACCP_OK)
        throw Failure(message_of(err));
    io.err.text.append("accp: ").append(std::to_string(tokens)).append(" tokens\n");
    return 0;
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
            model.was_run = false;
            const accp_status status =
                accp_phrases_ask(phrases.get(), line.data(), line.size(), &text, nullptr, &err);
            if (status == ACCP_OK) to.out.text.append(text.text, text.len);
            if (status == ACCP_OK && model.was_run &&
                to_view(text).starts_with(R"({"status":"ERR")"))
                report_model_output(model, to);
            if (status == ACCP_ERR_IO) throw Failure("--model: " + model.fault);
            return status;
        });
}

int sacp_format(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_presenter> presenter = open_presenter(arguments, config.get());
    std::string message;  // err points to it until the record is done
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_text text = {};
            const accp_status status =
                accp_presenter_print(presenter.get(), line.data(), line.size(), &text, &err);
            if (status == ACCP_OK) to.out.text.append(text.text, text.len);
            if (status != ACCP_E1004) return status;
            message =
                "the template's slot at byte " + std::to_string(err.offset) + ": " + err.message;
            err.message = message.c_str();
            err.offset = 0;
            return status;
        });
}

int sacp_prompt(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const std::string verbs = names_per_line(arguments.verbs),
                      tools = names_per_line(arguments.tools),
                      message =
                          arguments.files.empty() ? std::string() : read_input(arguments.files[0]);
    accp_text text = {};
    accp_error err = {};
    if (accp_sacp_print_prompt(sacp.get(), arguments.agent.data(), arguments.agent.size(),
                               verbs.data(), verbs.size(), tools.data(), tools.size(),
                               message.data(), message.size(), &text, &err) != ACCP_OK)
        throw Failure("sacp prompt: " + message_of(err));
    return print_with_tokens(arguments, config.get(), text, io);
}

int sacp_spec(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    accp_text text = {};
    accp_error err = {};
    if (accp_sacp_print_specification(sacp.get(), &text, &err) != ACCP_OK)
        throw Failure("sacp spec: " + message_of(err));
    return print_with_tokens(arguments, config.get(), text, io);
}

}  // namespace cli
