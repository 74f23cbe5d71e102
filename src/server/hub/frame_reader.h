// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a hub asks of a frame: who says it, what kind it is, whom it is for.
#pragma once

#include <string>
#include <string_view>

#include "server/library/handles.h"

namespace server {

// Views into the frame's text; `target` into the reader, until its next frame.
struct FrameFacts {
    std::string_view agent, intent, operation;
    std::string_view target;  // the payload's `who`, without its @; empty: it names nobody
    std::string_view mid, cid, sid;
    bool is_final = false;  // of a stream's chunk: the last
    // The traceparent of its metadata, or of the request that brought it; empty: neither has one.
    std::string_view trace = {};

    bool is_request() const { return intent == "req" || intent == "qry"; }
    bool is_answer() const { return intent == "done" || intent == "fail" || intent == "wait"; }
    bool is_registry() const { return intent == "sync" && operation == "registry"; }
    bool is_chunk() const { return intent == "stream"; }
    // What a chain is known by.
    std::string_view chain() const { return cid.empty() ? mid : cid; }
};

// Is the text of a log's record of this kind a frame?
inline bool holds_frame(int32_t record_kind) {
    return record_kind == ACCP_RECORD_RECEIVED || record_kind == ACCP_RECORD_PART_RECEIVED ||
           record_kind == ACCP_RECORD_SENT || record_kind == ACCP_RECORD_PART_SENT ||
           record_kind == ACCP_RECORD_REQUEST;
}

class FrameReader {
public:
    // Frames as this config takes them. Throws Failure.
    explicit FrameReader(const accp_config *config) : frame_(host::new_frame(config)) {}

    // `text` must stay as it is for as long as the facts are used. Not ACCP_OK: `err` says why.
    accp_status read(std::string_view text, FrameFacts &out, accp_error &err);
    // The frame that was read last.
    const accp_frame *frame() const { return frame_.get(); }

private:
    std::string_view plain(uint32_t node);

    host::Handle<accp_frame> frame_;
    std::string target_;
};

}  // namespace server
