// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The schemas by which messages and lookups travel by position (SACP-RULES R60).
#pragma once

#include <string_view>

namespace accp::plan {

inline constexpr std::string_view kRegistryDocument =
    R"({"schemas":{"sacp_message":{"code":"SM","version":1,"fields":["g","ctx","plan","out_fmt",)"
    R"("state","msg_id","reply_to","proto_ver","subtask","test_mode","result","ext","deep"],)"
    R"("bind":["req:execute","done:execute","wait:execute","fail:execute","req:route",)"
    R"("done:route","wait:route"]},)"
    R"("capability":{"code":"CAP","version":1,"fields":["verb","tool","inputs","output_type",)"
    R"("tags"],"bind":["qry:lookup","done:lookup"]}}})";

}  // namespace accp::plan
