// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The texts of the scenarios, created before any allocation fails.
#pragma once

#include <string>

namespace accp_fault {

using Text = std::string;

struct Inputs {
    Text frame, compat_frame, u8_frame, deep_frame, wide_frame, large_frame, large_broken_frame,
        seven_places;
    Text table_frame, broken_table_frame, ref_frame, frame_lines;
    Text message, extra_message, deep_message, large_message, message_lines;
    Text deep_json, broken_json, not_utf8, twice_json, table_json, table_text;
    Text long_text, long_id;
    Text endless_word, tiktoken, tokenizer_json;
    Text registry, broken_registry;
    Text packet, large_packet, broken_packet, login_packet, talk;
};

const Inputs &inputs();

}  // namespace accp_fault
