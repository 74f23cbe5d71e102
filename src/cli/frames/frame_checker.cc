// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/frames/frame_checker.h"

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {

FrameChecker::FrameChecker(const Arguments &arguments)
    : config_(make_config(arguments)),
      registry_(open_registry(arguments, config_.get())),
      frame_(new_frame(config_.get())) {
    accp_config *config = config_.get();
    accp_config_set_registry(config, registry_.get(), nullptr);
    accp_config_set_rule(config, ACCP_RULE_STRICTNESS, strictness(arguments), nullptr);
    accp_config_set_rule(config, ACCP_RULE_KEEP_REFS, 1, nullptr);
    codec_ = new_codec(config);
}

std::string FrameChecker::check(const std::string &frame) {
    accp_text text = {};
    accp_error err = {};
    message_.clear();
    const accp_status status =
        accp_codec_decode(codec_.get(), frame.data(), frame.size(), &text, &err);
    if (status != ACCP_OK)
        return std::string(accp_status_code_name(status)) + ": " + message_of(err);
    message_.assign(text.text, text.len);
    return {};
}

std::string FrameChecker::intent_of(const LogLine &line) {
    if (line.frame.empty()) return line.intent;
    if (accp_frame_parse(frame_.get(), line.frame.data(), line.frame.size(), nullptr) != ACCP_OK)
        return {};
    return std::string(tree_of(frame_.get()).raw(1));
}

}  // namespace cli
