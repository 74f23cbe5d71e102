// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_extractor.h.
#include "cli/packet/extractor.h"

#include "cli/host.h"
#include "cli/process/child.h"

namespace cli {

CommandExtractor::CommandExtractor(const Arguments &arguments)
    : command_(split_command(arguments.extract)),
      max_ms_(static_cast<int64_t>(arguments.extract_seconds) * 1000) {
    if (!arguments.extract.empty() && command_.empty()) throw Failure("--extract names no command");
}

void CommandExtractor::set(accp_config *config) {
    if (command_.empty()) return;
    accp_hooks hooks = {};
    hooks.size = sizeof hooks;
    hooks.user = this;
    hooks.extract = run;
    accp_error err = {};
    if (accp_config_set_hooks(config, &hooks, &err) != ACCP_OK) throw Failure(message_of(err));
}

void CommandExtractor::check() const {
    if (!fault_.empty()) throw Failure("--extract " + command_[0] + ": " + fault_);
}

// Called by the library, which no exception may cross.
accp_status CommandExtractor::run(const char *asked, size_t asked_len, accp_text *out, void *user) {
    CommandExtractor &self = *static_cast<CommandExtractor *>(user);
    try {
        ChildResult ran = run_child_on(self.command_, {asked, asked_len}, self.max_ms_);
        self.fault_ = ran.fault();
        self.answer_ = std::move(ran.out);
    } catch (const Failure &failure) {
        self.fault_ = failure.what();
    } catch (const std::bad_alloc &) {
        return ACCP_ERR_NOMEM;
    }
    if (!self.fault_.empty()) return ACCP_ERR_IO;
    *out = {self.answer_.data(), self.answer_.size()};
    return ACCP_OK;
}

}  // namespace cli
