// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See built_in.h. Fields and defaults are the specification's (10.1 to 10.5; ER's are A45), aliases
// those of its samples (decision A42), bindings the frames that it shows. Written as a harness
// would write its own.
#include "registry/built_in.h"

namespace accp::registry {

const std::string_view kBuiltIn = R"({"schemas":{
"error":{"code":"ER","version":1,"fields":["code","msg","retry","detail","src","cid"],"defaults":{},
 "types":{"code":"string","msg":"string","retry":"boolean","src":"string","cid":"string"},"required":["code"],"bind":["fail:error"]},
"chat":{"code":"CH","version":1,"fields":["role","content","turn","lang","reply_to"],"defaults":{"role":"assistant","lang":"en"},
 "types":{"role":"string","turn":"integer","lang":"string"},"bind":["req:chat","done:chat"]},
"tool_call":{"code":"TC","version":1,"fields":["tool_name","arguments","result","status","error_code"],"defaults":{"status":"ok"},
 "types":{"tool_name":"string","status":"string","error_code":"string"},
 "aliases":{"tool":"tool_name","args":"arguments","res":"result","stat":"status"},"bind":["req:tool","done:tool"]},
"transaction":{"code":"TX","version":1,"fields":["transaction_id","amount","currency","account","reference","status","retryable"],
 "defaults":{"currency":"USD","status":"pending","retryable":false},
 "types":{"transaction_id":"string","amount":"decimal","currency":"string","status":"string","retryable":"boolean"},
 "aliases":{"txn":"transaction_id","amt":"amount","acc":"account","stat":"status"},"bind":["req:transaction","done:transaction"]},
"stream_chunk":{"code":"ST","version":1,"fields":["chunk_index","total_chunks","data","is_final"],"defaults":{"is_final":false},
 "types":{"chunk_index":"integer","total_chunks":"integer","is_final":"boolean"},
 "aliases":{"idx":"chunk_index","tot":"total_chunks","d":"data","done":"is_final"},"bind":["stream:infer"]},
"task_assignment":{"code":"TA","version":2,"fields":["assignee","task","priority","deadline","deps"],
 "defaults":{"priority":"medium","deps":[]},"types":{"deps":"array"},
 "aliases":{"asgn":"assignee","pri":"priority","dead":"deadline"},"bind":["req:schedule","done:schedule"]}
}})";

}  // namespace accp::registry
