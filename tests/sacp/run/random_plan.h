// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random plans with all features, over one small library.
#pragma once

#include "sacp/run/slow_model.h"
#include "unit.h"

namespace accp_test {

constexpr std::string_view kModelLibrary = R"({"verbs":[
{"name":"get","description":"d","inputs":{"n":"integer","s":"string","l":"array","x":"any"},"outputs":"any"},
{"name":"put","description":"d","inputs":["x"],"outputs":"any"}],
"tools":[
{"id":"A","description":"d","supported_verbs":["get","put"],"fallback":["B","C","D"]},
{"id":"B","description":"d","supported_verbs":["put"],"fallback":["A"]},
{"id":"C","description":"d","supported_verbs":["get","put","join"]},
{"id":"D","description":"d","supported_verbs":["get"]}]})";

class RandomPlan {
public:
    explicit RandomPlan(uint64_t seed) : random_(seed) {
        rules.tools = {{"A", {{"get", "put"}, {"B", "C", "D"}}},
                       {"B", {{"put"}, {"A"}}},
                       {"C", {{"get", "put", "join"}, {}}},
                       {"D", {{"get"}, {}}}};
        rules.inputs["get"] = {{"n", 'i'}, {"s", 's'}, {"l", 'a'}};
        rules.retries = random_.below(3);
        rules.fallback = random_.below(4) > 0;
        if (random_.below(2)) rules.simulate["A"] = value(2);
        faults_ = random_.below(3) * 12;
        seed_ = random_.next();
        rules.call = [this](const std::string &path, const std::string &tool, uint32_t tries) {
            return brought(path, tool, tries);
        };
        message = make_message(0, {}, {});
    }

    std::string policy() const {
        std::string made = "{\"retries\":" + std::to_string(rules.retries) +
                           ",\"fallback\":" + (rules.fallback ? "true" : "false") +
                           ",\"max_parallel\":" + std::to_string(1 + seed_ % 4) + ",\"simulate\":{";
        for (const auto &[tool, given] : rules.simulate) made += "\"" + tool + "\":" + given.json();
        return made + "}}";
    }
    uint64_t max_parallel() const { return 1 + seed_ % 4; }

    ModelRules rules;
    Plain message;

private:
    using Names = std::vector<std::string>;

    Brought brought(const std::string &path, const std::string &tool, uint32_t tries) {
        uint64_t seed = seed_ + tries;
        for (char c : path + tool) seed = accp_unit::Random(seed ^ static_cast<uint8_t>(c)).next();
        accp_unit::Random own(seed);
        const size_t drawn = own.below(100);
        if (drawn < faults_) return {Brought::kFailed, {}};
        if (drawn < faults_ + faults_ / 3) return {Brought::kTimeout, {}};
        if (drawn < faults_ + faults_ / 2) return {Brought::kNoAgent, {}};
        std::swap(own, random_);
        Plain made = value(2);
        std::swap(own, random_);
        return {Brought::kOk, made};
    }

    Plain value(uint32_t depth) {
        switch (random_.below(depth ? 7 : 4)) {
            case 0: return Plain::integer(random_.below(100));
            case 1: return Plain::string(random_.text("abc", random_.below(4)));
            case 2: return {random_.below(2) ? 't' : 'f', {}, {}};
            case 3: return {};
            case 4: return Plain::object().set("a", value(depth - 1)).set("b", value(depth - 1));
            case 5: return Plain::array().add(value(depth - 1)).add(value(depth - 1));
            default: return Plain::array();
        }
    }

    // `ctx`: names for $ctx; `visible`: references to the outer message for the message's ctx.
    Plain make_message(uint32_t depth, Names ctx, const Names &visible) {
        Plain made = Plain::object();
        made.set("g", Plain::string("G"));
        if (random_.below(2)) {
            Plain own = Plain::object();
            for (const char *name : {"k", "m"}) {
                if (!random_.below(2)) continue;
                own.set(name, depth ? param(visible, ctx) : value(2));
            }
            if (!random_.below(8)) own.set("test_mode", {random_.below(2) ? 't' : 'f', {}, {}});
            for (const auto &item : own.items)
                if (item.first != "test_mode") ctx.push_back("$ctx." + item.first);
            made.set("ctx", own);
        }
        Plain subtask = Plain::array();
        Names subs;
        if (depth < 2 && !random_.below(4)) {
            for (size_t i = 0, count = 1 + random_.below(2); i < count; ++i) {
                subtask.add(make_message(depth + 1, ctx, subs));
                subs.push_back("$sub." + std::to_string(i + 1));
            }
        }
        Plain plan = list(depth, 0, "", subs, ctx, 1 + random_.below(4));
        made.set("plan", plan);
        if (!subs.empty() && subs.size() == 1 && random_.below(2)) made.set("subtask", subtask[0]);
        else if (!subs.empty()) made.set("subtask", subtask);
        if (!random_.below(8)) made.set("test_mode", {random_.below(2) ? 't' : 'f', {}, {}});
        return made;
    }

    static std::string under(const std::string &path, size_t index) {
        return (path.empty() ? "" : path + ".") + std::to_string(index + 1);
    }

    Plain list(uint32_t depth, uint32_t parallels, const std::string &path, Names visible,
               const Names &ctx, size_t count) {
        Plain made = Plain::array();
        for (size_t i = 0; i < count; ++i) {
            const bool after = i && made[i - 1].kind == 'o';
            if (parallels < 2 && !random_.below(4))
                made.add(parallel(depth, parallels + 1, under(path, i), visible, ctx));
            else if (after && random_.below(2)) made.add(join(visible, ctx));
            else made.add(step(depth, visible, ctx));
            // only the numbers of its branches may follow a parallel
            visible.push_back((made[i].kind == 'o' ? "=$step." : "$step.") + under(path, i));
        }
        return made;
    }

    Plain parallel(uint32_t depth, uint32_t parallels, const std::string &path,
                   const Names &visible, const Names &ctx) {
        Plain branches = Plain::array();
        for (size_t i = 0, count = 1 + random_.below(3); i < count; ++i) {
            const std::string at = under(path, i);
            if (random_.below(2)) branches.add(step(depth, visible, ctx));
            else if (parallels < 2 && !random_.below(4))
                branches.add(parallel(depth, parallels + 1, at, visible, ctx));
            else branches.add(list(depth, parallels, at, visible, ctx, 1 + random_.below(3)));
        }
        return Plain::object().set("parallel", branches);
    }

    Plain join(const Names &visible, const Names &ctx) {
        Plain params = Plain::object();
        if (!random_.below(3)) params.set("how", param(visible, ctx));
        if (!random_.below(5)) params.set("branches", param(visible, ctx));
        const bool merge = random_.below(2);
        Plain made = Plain::array();
        return made.add(Plain::string("join"))
            .add(Plain::string(merge ? "MERGE" : "C"))
            .add(params);
    }

    Plain step(uint32_t depth, const Names &visible, const Names &ctx) {
        Plain params = Plain::object();
        const bool gets = random_.below(2);
        const char *tools = gets ? "ACD" : "ABC";
        for (const char *name : {"n", "s", "l", "x", "y"})
            if (!random_.below(4)) {
                Plain own = param(visible, ctx);
                const bool free = own.kind == 's' && own.text[0] == '$' && own.text[1] != '$';
                if (free || *name >= 'x' || !gets) params.set(name, own);
            }
        if (depth < 2 && !random_.below(8))
            params.set("subtask", make_message(depth + 1, ctx, visible));
        Plain made = Plain::array();
        made.add(Plain::string(gets ? "get" : "put"));
        return made.add(Plain::string(std::string(1, tools[random_.below(3)]))).add(params);
    }

    // A value that may have references.
    Plain param(const Names &visible, const Names &ctx) {
        const size_t drawn = random_.below(8);
        if (drawn < 3 && !visible.empty()) {
            std::string text = visible[random_.below(visible.size())];
            if (text[0] == '=') return Plain::string(text.substr(1));
            if (!random_.below(6)) text += random_.below(2) ? ".0" : ".a";
            return Plain::string(text);
        }
        if (drawn == 3 && !ctx.empty()) return Plain::string(ctx[random_.below(ctx.size())]);
        if (drawn == 4) return Plain::array().add(param(visible, ctx)).add(value(1));
        if (drawn == 5) return Plain::string("$$" + random_.text("abc", 2));
        return value(1);
    }

    accp_unit::Random random_;
    uint64_t seed_ = 0;
    size_t faults_ = 0;
};

}  // namespace accp_test
