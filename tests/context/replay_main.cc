// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads messages, one per line, from standard input. Prints the context before each message as a
// line of JSON.
#include <iostream>

#include "context/session.h"
#include "value/json_writer.h"

int main() {
    accp_context::Counting counting;
    accp_context::Session session(counting);
    std::string line;
    for (unsigned step = 1; std::getline(std::cin, line); ++step) {
        std::string context = session.render();
        accp::Memory memory(accp::private_allocator(), UINT64_MAX);
        accp::Buffer<char> json(memory);
        accp::value::write_json_string(context, json);
        std::cout << "{\"step\":" << step << ",\"tokens\":" << session.last_tokens
                  << ",\"history_tokens\":" << session.context.history_tokens()
                  << ",\"context\":" << std::string_view(json.data(), json.size()) << "}\n";
        accp::Status status = session.append(line);
        if (status.failed()) {
            std::cerr << "replay: line " << step << ": " << status.message << '\n';
            return 1;
        }
    }
    return 0;
}
