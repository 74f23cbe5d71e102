// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See write.h.
#include "frame/message/write.h"

#include "value/json_writer.h"

namespace accp::message {

void open_json(std::string_view agent, std::string_view intent, std::string_view operation,
               Buffer<char> &out) {
    out.append("{\"agent\":\"");
    out.append(agent);
    out.append("\",\"intent\":\"");
    out.append(intent);
    out.append("\",\"operation\":\"");
    out.append(operation);
    out.append("\",\"payload\":");
}

void write_json(const Message &message, Buffer<char> &out) {
    open_json(message.agent, message.intent, message.operation, out);
    value::write_json(message.tree, message.payload, out);
    if (message.has_meta) {
        out.append(",\"meta\":");
        value::write_json(message.meta_tree, message.meta, out);
    }
    if (message.untrusted) out.append(kUntrustedEnd);
    else out.push('}');
}

}  // namespace accp::message
