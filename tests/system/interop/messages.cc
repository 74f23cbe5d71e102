// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See messages.h.
#include "interop/messages.h"

#include "reference/ref_codec.h"

namespace accp_interop {

using namespace accp_ref;

namespace {

Json random_value(Random &random, size_t depth, bool only_bare) {
    switch (random.below(depth ? 9 : 7)) {
        case 0: return Json::number((random.one_in(2) ? "-" : "") + ("4" + random.digits(3)));
        case 1: return Json::number("0." + random.digits(random.between(1, 5)) + "5");
        case 2: return Json();
        case 3: return Json{random.one_in(2) ? JsonKind::kTrue : JsonKind::kFalse, {}, {}, {}};
        case 4:
            if (only_bare)
                return Json::string(
                    random.pick_one({"=1e5", "\"a_b\"", "\"\"", "=-0", "\"%u1\"", "007", "-0"}));
            [[fallthrough]];
        case 5:
            return Json::string(random.pick_one({"@dev_team", "@strategy:plan", "rev:-12%QoQ",
                                                 "churn:+3.2%", "null", "1e5", "a|b", "{x}", "[y]",
                                                 "$42.30", "~", "a,b", "back\\slash", "q3_sales",
                                                 "__x", "%20", "$warm.k", "TRUE", "a@b.c"}));
        case 6: return Json::string("task_" + random.digits(4));
        case 7: {
            Json object = Json::object({});
            for (size_t n = random.below(3); n; --n)
                object.members.emplace_back(std::string(1, static_cast<char>('c' - n)),
                                            random_value(random, depth - 1, only_bare));
            return object;
        }
        default: {
            Json array = Json::array({});
            for (size_t n = random.below(4); n; --n)
                array.items.push_back(random_value(random, depth - 1, only_bare));
            return array;
        }
    }
}

uint64_t digest(uint64_t before, const std::string &text) {
    uint64_t sum = before * 31 + 0xCBF29CE484222325u;
    for (char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return sum;
}

}  // namespace

Json random_bare_message(const std::string &agent, bool only_bare, Random &random) {
    Json payload =
        Json::object({{"amount", Json::number(std::to_string(random.between(0, 1'000'000)))}});
    for (const char *key : {"source", "findings", "note", "x_1", "rationale_code", "task"})
        if (random.one_in(3)) payload.members.emplace_back(key, random_value(random, 2, only_bare));
    return Json::object(
        {{"agent", Json::string(agent)},
         {"intent", Json::string(random.pick_one(
                        {"req", "done", "fail", "wait", "esc", "qry", "stream", "end", "comp"}))},
         {"operation",
          Json::string(random.pick_one({"analyze", "plan", "fetch", "review", "my_own", "merge"}))},
         {"payload", payload}});
}

Json random_delta(Random &random) {
    Json delta = Json::object({});
    for (const char *key : {"task_1", "task_2", "task_3"})
        if (random.one_in(2))
            delta.members.emplace_back(
                key, random.one_in(3) ? Json() : Json::string("wip_" + random.digits(3)));
    return delta;
}

Sums sums_of(const std::vector<Talk> &talk, const std::set<std::string> &cancelled) {
    Sums sums;
    for (const Talk &one : talk) {
        if (one.expires || cancelled.count(one.cid)) continue;
        ++sums.count;
        sums.amount += std::stoll(one.message.find("payload")->find("amount")->text);
        sums.texts.push_back(one.cid + " " + write_json(normal(one.message)));
        sums.order = digest(sums.order, sums.texts.back());
    }
    return sums;
}

}  // namespace accp_interop
