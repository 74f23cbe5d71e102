// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Maps SACP messages to ACCP messages and back without loss (SACP-RULES R60 to R65).
#pragma once

#include <string_view>

#include "sacp/message/spelling.h"

namespace accp::sacp {

inline constexpr std::string_view kRegistryDocument =
    R"({"schemas":{"sacp_message":{"code":"SM","version":1,"fields":["g","ctx","plan","out_fmt",)"
    R"("state","msg_id","reply_to","proto_ver","subtask","test_mode","result","ext","deep"],)"
    R"("bind":["req:execute","done:execute","wait:execute","fail:execute","req:route",)"
    R"("done:route","wait:route"]},)"
    R"("capability":{"code":"CAP","version":1,"fields":["verb","tool","inputs","output_type",)"
    R"("tags"],"bind":["qry:lookup","done:lookup"]}}})";

class Mapper {
public:
    Mapper(Memory &memory, const Library &none)
        : none_(none),
          reader_(memory),
          deep_reader_(memory),
          value_(memory),
          made_(memory),
          speller_(memory),
          text_(memory),
          deep_(memory) {}

    // Maps a message, a verdict, a query or its reply to the JSON of an ACCP message, or back. Each
    // appends the result; returns false with a verdict, and nothing appended, if it is refused.
    bool to_accp(std::string_view sacp, std::string_view agent, uint64_t max_bytes,
                 Buffer<char> &out, Verdict &verdict);
    bool from_accp(std::string_view message, uint64_t max_bytes, Buffer<char> &out,
                   Verdict &verdict);

private:
    // From SACP to ACCP.
    void begin_payload(std::string_view agent, const char *intent, std::string_view operation,
                       Buffer<char> &out);
    void end_payload(Buffer<char> &out);
    void key(std::string_view name, Buffer<char> &out);
    // Writes a member of the payload, as JSON text under `deep` if it is nested too deep.
    void write_member(std::string_view name, std::string_view json, Buffer<char> &out);
    void write_node(uint32_t node, Buffer<char> &out);
    void write_other_members(uint32_t parent, std::initializer_list<std::string_view> without,
                             Buffer<char> &out);
    bool has_no_reserved_names(uint32_t parent, std::initializer_list<std::string_view> taken,
                               Verdict &verdict);
    bool write_accp_message(std::string_view agent, Buffer<char> &out, Verdict &verdict);
    bool write_accp_status(uint32_t status, std::string_view agent, Buffer<char> &out,
                           Verdict &verdict);
    bool write_accp_lookup(std::string_view agent, Buffer<char> &out, Verdict &verdict);
    void write_error(uint32_t error, Buffer<char> &out);
    void write_failed_result(uint32_t result, uint32_t error, Buffer<char> &out);

    // From ACCP to SACP.
    bool write_sacp_message(uint32_t payload, std::string_view state, Buffer<char> &out,
                            Verdict &verdict);
    bool write_sacp_error(uint32_t payload, Buffer<char> &out, Verdict &verdict);
    bool agrees_with_intent(uint32_t payload, std::string_view name, std::string_view what,
                            Verdict &verdict);
    bool payload_has_none_of(uint32_t payload, std::initializer_list<std::string_view> names,
                             Verdict &verdict);
    bool add_payload(uint32_t payload, std::initializer_list<std::string_view> without,
                     Verdict &verdict);
    bool finish_message(Buffer<char> &out, Verdict &verdict);
    void write_error_object(uint32_t payload, value::TreeView more, uint32_t rest);
    bool add_failed_result(uint32_t payload, Verdict &verdict);

    bool refuse(Verdict &verdict, const char *details, uint32_t node) {
        return verdict.refuse(Code::kMALFORMED_MESSAGE, details, reader_.origin(node).value);
    }
    value::TreeView tree() const { return value_.view(); }

    const Library &none_;  // an empty library
    value::JsonReader reader_, deep_reader_;
    value::Value value_, made_;
    Speller speller_;
    Buffer<char> text_, deep_;
    uint64_t max_bytes_ = 0;
    bool first_ = true;
};

}  // namespace accp::sacp
