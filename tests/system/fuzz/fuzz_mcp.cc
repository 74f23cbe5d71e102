// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads lines of bytes as messages of a client to our MCP server. A line that begins with a letter
// calls the tool of that number in the list with the rest as arguments. Everything that the server
// sends must be JSON-RPC on one line, each request must get one reply and no other message may get
// one, and the server must still work at the end.
#include "fuzz/server_base.h"

#include "server/http/json_rpc.h"
#include "server/json/reader.h"
#include "server/library/failure.h"
#include "server/mcp/server.h"

using namespace accp_fuzz;

namespace {

// A server and its dependencies, in memory, created once.
class House {
public:
    // Removes all sessions before the next input.
    void clear() {
        std::vector<std::string> ids;
        const auto note = [](const char *text, size_t len, void *user) {
            static_cast<std::vector<std::string> *>(user)->emplace_back(text, len);
            return 0;
        };
        REQUIRE(accp_store_each_session(base_.store(), note, &ids, nullptr) == ACCP_OK);
        for (const std::string &id : ids) {
            base_.pool().close(id);
            REQUIRE(accp_store_remove_session(base_.store(), id.data(), id.size(), nullptr) ==
                    ACCP_OK);
        }
        REQUIRE(base_.pool().open_count() == 0);
    }

private:
    ServerBase base_{false, 3};

public:
    server::McpTools tools{base_.mcp_house()};
};

std::vector<std::string> tool_names(const server::McpTools &tools) {
    std::vector<std::string> names;
    for (const std::string_view tool : host::json_items(host::json_member(tools.list(), "tools")))
        names.emplace_back(host::json_word(host::json_member(tool, "name")));
    return names;
}

// Turns "a{…}" into a call of the first tool.
std::string line_of(std::string_view text, const std::vector<std::string> &names) {
    if (text.empty() || text[0] < 'a' || text[0] > 'z') return std::string(text);
    const std::string &name = names[static_cast<size_t>(text[0] - 'a') % names.size()];
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + name +
           R"(","arguments":)" + std::string(text.substr(1)) + R"(,"_meta":{"progressToken":7}}})";
}

void check_line(server::McpServer &client, const std::string &line) {
    server::RpcMessage asked;
    std::string refusal;
    const Exact exact(line);
    const bool is_message = server::read_rpc(line, asked, refusal);
    const bool has_answer = !is_message || asked.is_request();
    std::vector<std::string> told;
    client.from_client(exact.view(), 1'700'000'000'000, told);
    REQUIRE(told.empty() ? !has_answer : true);
    for (const std::string &one : told) {
        REQUIRE(one.find('\n') == one.npos);
        server::RpcMessage said;
        const bool is_last = &one == &told.back();
        const bool is_refusal = one == refusal;  // its id may be null, which no message has
        REQUIRE(is_refusal || server::read_rpc(one, said, refusal));
        REQUIRE(is_refusal || said.is_response() == (is_last && has_answer));
        REQUIRE(is_refusal || !said.is_response() || said.id == asked.id);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static House house;
    static const std::vector<std::string> names = tool_names(house.tools);
    server::McpServer client(house.tools, server::McpClient(server::Origin("*", true)));
    check_line(client, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":)"
                       R"({"protocolVersion":"2025-11-25"}})");
    std::string_view text = text_of(data, size);
    for (int lines = 0; !text.empty() && lines < 32; ++lines) {
        const size_t end = std::min(text.find('\n'), text.size());
        check_line(client, line_of(text.substr(0, end), names));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::vector<std::string> told;
    client.from_client(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", 0, told);
    REQUIRE(told.size() == 1 && told[0] == R"({"jsonrpc":"2.0","id":1,"result":{}})");
    house.clear();
    return 0;
}
