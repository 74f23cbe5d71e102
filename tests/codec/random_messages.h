// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random registries with colliding names, and random messages with such names.
#pragma once

#include <algorithm>

#include "reference/generate.h"
#include "reference/ref_q1.h"

namespace accp_codecs {

using accp_ref::Json;
using accp_ref::JsonKind;
using accp_ref::Random;

inline constexpr const char *kIntents[] = {"req",  "done", "fail", "wait",   "esc",    "comp",
                                           "sync", "qry",  "ack",  "cancel", "stream", "end"};
inline constexpr const char *kNames[] = {"data", "d",    "src",  "source", "a",  "b c", "task",
                                         "x",    "__x",  "S0",   "S1",     "S2", "ttl", "status",
                                         "tool", "e\"f", "when", "!",      "q1", "$ref"};

inline std::string pick_name(Random &random) { return kNames[random.below(std::size(kNames))]; }

// A possible default, often equal to another.
inline Json small_value(Random &random) {
    switch (random.below(8)) {
        case 0: return Json::string("!");
        case 1: return Json::string("medium");
        case 2: return Json::number(random.pick_one({"1", "2.50", "-0", "1e-9"}));
        case 3: return {JsonKind::kNull, "", {}, {}};
        case 4: return {JsonKind::kTrue, "", {}, {}};
        case 5: return Json::array({});
        case 6: return Json::object({{"k", Json::string("v w")}});
        default: return accp_ref::random_json(random.next(), 2);
    }
}

// Up to three schemas with fields, defaults and aliases from a few colliding names, some of them
// bound. Many are invalid, so callers retry.
inline std::string random_registry(Random &random) {
    Json schemas = Json::object({});
    const size_t count = random.below(4);
    for (size_t i = 0; i < count; ++i) {
        std::vector<Json> fields, bind;
        Json defaults = Json::object({}), aliases = Json::object({});
        for (size_t j = random.below(6); j; --j) {
            const std::string name = pick_name(random);
            const auto same = [&](const Json &item) { return item.text == name; };
            if (std::any_of(fields.begin(), fields.end(), same)) continue;
            fields.push_back(Json::string(name));
            if (random.one_in(2)) defaults.members.emplace_back(name, small_value(random));
            if (random.one_in(3))
                aliases.members.emplace_back(random.pick_one({"al", "S1", "nx", "z", "k9"}),
                                             Json::string(name));
        }
        bind.push_back(Json::string(random.pick_one({"go", "req:go", "done:go", "qry:ask"})));
        schemas.members.emplace_back("s" + std::to_string(i),
                                     Json::object({{"code", Json::string("S" + std::to_string(i))},
                                                   {"fields", Json::array(fields)},
                                                   {"defaults", defaults},
                                                   {"aliases", aliases},
                                                   {"bind", Json::array(bind)}}));
    }
    Json document = Json::object({{"schemas", schemas}});
    if (random.one_in(3))
        document.members.emplace_back(
            "aliases", Json::object({{"z", Json::string("zebra")}, {"tk", Json::string("task")}}));
    return accp_ref::write_json(document);
}

inline Json random_message(Random &random) {
    Json message = accp_ref::random_message(random.next(), 1 + random.below(4));
    for (auto &[key, value] : message.members) {
        if (key == "intent")
            value = Json::string(random.one_in(2) ? "req" : kIntents[random.below(12)]);
        if (key == "operation" && !random.one_in(4))
            value = Json::string(random.one_in(3) ? "ask" : "go");
        if (key != "payload" || value.kind != JsonKind::kObject) continue;
        for (size_t i = random.below(8); i; --i) {
            const std::string name = pick_name(random);
            if (!value.find(name)) value.members.emplace_back(name, small_value(random));
        }
        if (random.one_in(6) && !value.find("schema"))
            value.members.emplace_back(
                "schema", random.one_in(3) ? small_value(random)
                                           : Json::string("S" + std::to_string(random.below(3))));
    }
    return message;
}

}  // namespace accp_codecs
