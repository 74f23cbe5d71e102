// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_packet.h: what is shared, and the tool that asks packets.
#include "server/mcp/packet.h"

#include "server/json/json_parts.h"

namespace server {

using host::Failure;

void check_pane(int64_t pane, accp_status status, const accp_error &err) {
    if (status == ACCP_OK) return;
    const std::string of = pane == ACCP_PANES_SHARED ? "shared" : "pane " + std::to_string(pane);
    throw Failure(of + ": " + tell_error(err));
}

void make_of_session(const McpCall &call, const accp_packet_request &request,
                     const McpPacket &packet) {
    call.tools.use_session(
        call.session(), McpTools::Use::kRead, [&](accp_session *session, accp_error &err) {
            return accp_session_make_packet(session, &request, packet.get(), &err);
        });
}

namespace {

constexpr uint64_t kAllOfIt = 1'000'000;  // tokens of a packet that is asked, and nobody reads

// What a question is put to: the packet of the worker's own pane, the shared one, and one of all
// that was said in the session.
class PacketIndex {
public:
    explicit PacketIndex(const McpCall &call) : call_(call) {
        accp_error err = {};
        accp_packet_index *made = nullptr;
        check(accp_packet_index_new(call.tools.house().config, &made, &err), err);
        held_.reset(made);
        if (call.tools.house().project) add_panes(*call.tools.house().project);
        add_session();
    }
    bool is_empty() const { return accp_packet_index_size(held_.get()) == 0; }
    // Of an answer its JSON; empty: nothing answers it.
    std::string ask(const std::string &question) {
        accp_text answer = {};
        accp_error err = {};
        const accp_status status = accp_packet_index_query(
            held_.get(), question.data(), question.size(), nullptr, 0, &answer, &err);
        if (status == ACCP_E2001) return {};
        check(status, err);
        return std::string(host::to_view(answer));
    }

private:
    struct FreeIndex {
        void operator()(accp_packet_index *index) const { accp_packet_index_free(index); }
    };

    void add(const McpPacket &packet) {
        accp_error err = {};
        check(accp_packet_index_add(held_.get(), packet.get(), &err), err);
    }
    void add_panes(McpProject &project) {
        const McpPacket packet(call_.tools);
        const int64_t own = call_.has("pane") ? call_.number("pane", -1) : project.own_pane();
        for (const int64_t pane : {own, ACCP_PANES_SHARED}) {
            if (pane < 0 && pane != ACCP_PANES_SHARED) continue;
            accp_error err = {};
            const accp_status status =
                accp_panes_read(project.panes(false), pane, 0, call_.now_ms, packet.get(), &err);
            if (status == ACCP_E2001) continue;  // there is none
            check_pane(pane, status, err);
            add(packet);
        }
    }
    void add_session() {
        accp_packet_request request = {};
        request.size = sizeof request;
        request.depth = ACCP_PACKET_DEEP;
        request.budget_tokens = kAllOfIt;
        request.now_ms = call_.now_ms;
        const McpPacket packet(call_.tools);
        try {
            make_of_session(call_, request, packet);
        } catch (const Failure &) {
            if (call_.has("session")) throw;
            return;  // there is none, or nobody has asked for anything in it
        }
        add(packet);
    }

    const McpCall &call_;
    std::unique_ptr<accp_packet_index, FreeIndex> held_;
};

}  // namespace

void context_query(McpCall &call, McpResult &result) {
    PacketIndex index(call);
    if (index.is_empty())
        throw Failure(
            "there is nothing to ask: no packet of this pane, none that is shared, and nobody has "
            "asked for anything in the session");
    const std::string answer = index.ask(call.text("question"));
    result.structured = answer.empty() ? R"({"answer":"","sources":[]})" : answer;
    result.add_text(answer.empty() ? "nothing here answers that"
                                   : host::json_text(host::json_member(answer, "answer")));
}

}  // namespace server
