// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See tokenizers.h.
#include "cli/frames/tokenizers.h"

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

std::string builtin_names() {
    std::string names;
    for (uint32_t i = 0; accp_tokenizer_builtin_name(i) != nullptr; ++i)
        names.append(i == 0 ? "" : ", ").append(accp_tokenizer_builtin_name(i));
    return names;
}

bool ends_with(const std::string &text, std::string_view end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// A tokenizer.json, or a .tiktoken file, which does not name its pattern.
Handle<accp_tokenizer> load_tokenizer(const std::string &path, const std::string &pattern,
                                      const accp_config *config) {
    if (!ends_with(path, ".json") && pattern.empty())
        throw Failure("--tokenizer " + path + " wants --pattern too");
    const std::string text = read_file(path), name = path.substr(path.rfind('/') + 1);
    accp_error err = {};
    accp_tokenizer *made = nullptr;
    const accp_status status =
        ends_with(path, ".json")
            ? accp_tokenizer_new_json(name.data(), name.size(), text.data(), text.size(), config,
                                      &made, &err)
            : accp_tokenizer_new_tiktoken(name.data(), name.size(), pattern.data(), pattern.size(),
                                          text.data(), text.size(), config, &made, &err);
    if (status != ACCP_OK) throw Failure(path + ": " + describe(err));
    return Handle<accp_tokenizer>(made);
}

}  // namespace

Handle<accp_tokenizer> open_tokenizer(const Arguments &arguments, const accp_config *config) {
    const std::string name =
        arguments.tokenizer.empty() ? accp_tokenizer_builtin_name(0) : arguments.tokenizer;
    if (ends_with(name, ".json") || ends_with(name, ".tiktoken"))
        return load_tokenizer(name, arguments.pattern, config);
    accp_error err = {};
    accp_tokenizer *tokenizer = nullptr;
    if (accp_tokenizer_new(name.data(), name.size(), config, &tokenizer, &err) == ACCP_OK)
        return Handle<accp_tokenizer>(tokenizer);
    throw Failure("no such tokenizer: " + name + " (" + builtin_names() + ")");
}

Handle<accp_counter> new_counter(const accp_tokenizer *tokenizer, const accp_config *config) {
    accp_error err = {};
    accp_counter *counter = nullptr;
    if (accp_counter_new(tokenizer, config, &counter, &err) != ACCP_OK)
        throw Failure(std::string("counter: ") + message_of(err));
    return Handle<accp_counter>(counter);
}

}  // namespace cli
