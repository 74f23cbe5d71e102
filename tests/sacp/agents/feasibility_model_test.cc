// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares reports on random plans and registries with a model that looks at every agent for every
// step.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "sacp/agents/agents_face.h"

namespace {

using accp_test::Agents;
using accp_test::Sacp;
using Names = std::set<std::string>;

struct Agent {
    Names verbs, tools;
    int confidence, lease;  // in quarters; in seconds, or -1
};

struct Step {
    std::string path, verb, tool, by;  // by: "", "message" or "built_in"
};

// Verbs a, b, c; tools A to D: the verbs they support and their fallbacks.
struct Tool {
    Names verbs;
    std::vector<std::string> fallback;
};

class World {
public:
    explicit World(uint64_t seed) : state_(seed) {
        for (const char *tool : {"A", "B", "C", "D"}) {
            tools[tool].verbs = some({"a", "b", "c"}, 2);
            for (const char *other : {"A", "B", "C", "D"})
                if (below(3) == 0) tools[tool].fallback.push_back(other);
        }
        for (size_t i = below(14); i > 0; --i)
            agents["N" + std::to_string(below(20))] = {
                some({"a", "b", "c", "x"}, 3), some({"A", "B", "C", "D", "X"}, 3),
                static_cast<int>(below(3)), static_cast<int>(below(12)) - 1};
    }

    std::string library() const {
        std::string json = R"({"verbs":[)";
        for (const char *verb : {"a", "b", "c"})
            json += std::string(*verb == 'a' ? "" : ",") + R"({"name":")" + verb +
                    R"(","description":"d","inputs":[],"outputs":"o"})";
        json += R"(],"tools":[)";
        for (const auto &[id, tool] : tools)
            json += std::string(id == "A" ? "" : ",") + R"({"id":")" + id +
                    R"(","description":"d","supported_verbs":)" + list(tool.verbs) +
                    R"(,"fallback":)" + list(tool.fallback) + "}";
        return json + "]}";
    }
    std::string entries() const {
        std::string json;
        for (const auto &[name, each] : agents)
            json += (json.empty() ? "" : ",") +
                    accp_test::agent(
                        name, inside(list(each.verbs)), inside(list(each.tools)),
                        R"(,"confidence_score":)" + std::to_string(each.confidence) +
                            (each.lease < 0 ? std::string()
                                            : R"(,"lease_until":)" + std::to_string(each.lease)));
        return "[" + json + "]";
    }

    // Makes a message, and its steps in the order of the report.
    std::string message(const std::string &place, int depth, std::vector<Step> &steps) {
        std::string subtasks, plan;
        const size_t subs = depth < 2 && below(5) == 0 ? 1 + below(2) : 0;
        std::vector<Step> below_steps;
        for (size_t i = 1; i <= subs; ++i)
            subtasks += (i > 1 ? "," : "") +
                        message(place + "s" + std::to_string(i) + "/", depth + 1, below_steps);
        const size_t count = 1 + below(4);
        for (size_t i = 1; i <= count; ++i) {
            const std::string path = place + std::to_string(i);
            plan += (i > 1 ? "," : "");
            if (below(4)) {
                plan += step(path, depth, steps, below_steps);
                continue;
            }
            plan += R"({"parallel":[)";
            for (size_t k = 1, branches = 1 + below(3); k <= branches; ++k)
                plan += (k > 1 ? "," : "") +
                        branch(path + "." + std::to_string(k), depth, steps, below_steps);
            plan += "]}";
            if (below(2)) continue;
            const std::string joined = place + std::to_string(count + 1);
            if (i < count) continue;  // a join only at the end, since its number is known only then
            const bool merges = below(2);
            const std::string tool = merges ? "MERGE" : "X";
            steps.push_back({joined, "join", tool, merges ? "built_in" : ""});
            plan += R"(,["join",")" + tool + R"(",{}])";
        }
        steps.insert(steps.end(), below_steps.begin(), below_steps.end());
        return R"({"g":"G","plan":[)" + plan + "]" +
               (subs ? R"(,"subtask":[)" + subtasks + "]" : "") + "}";
    }

    // The whole report.
    std::string report(const std::vector<Step> &steps, int now, bool &feasible) const {
        std::string json;
        feasible = true;
        for (const Step &step : steps) json += (json.empty() ? "" : ",") + of(step, now, feasible);
        return std::string(R"({"feasible":)") + (feasible ? "true" : "false") + R"(,"steps":[)" +
               json + "]}";
    }

    size_t below(size_t bound) {
        state_ = state_ * 6364136223846793005 + 1442695040888963407;
        return (state_ >> 33) % bound;
    }

    std::map<std::string, Tool> tools;
    std::map<std::string, Agent> agents;

private:
    Names some(const std::vector<std::string> &from, size_t max) {
        Names made;
        for (size_t i = below(max + 1); i > 0; --i) made.insert(from[below(from.size())]);
        return made;
    }
    template <class Texts>
    static std::string list(const Texts &texts) {
        std::string json;
        for (const std::string &text : texts) json += (json.empty() ? "\"" : ",\"") + text + "\"";
        return "[" + json + "]";
    }
    static std::string inside(const std::string &list) { return list.substr(1, list.size() - 2); }

    std::string branch(const std::string &path, int depth, std::vector<Step> &steps,
                       std::vector<Step> &inner) {
        if (below(3)) return step(path, depth, steps, inner);
        std::string json;
        for (size_t i = 1, count = 1 + below(3); i <= count; ++i)
            json += (i > 1 ? "," : "") + step(path + "." + std::to_string(i), depth, steps, inner);
        return "[" + json + "]";
    }
    // A pair of the library, or an unknown one.
    std::string step(const std::string &path, int depth, std::vector<Step> &steps,
                     std::vector<Step> &inner) {
        Step made = {path, "x", "X", ""};
        const std::string tool(1, static_cast<char>('A' + below(4)));
        if (below(5) && !tools[tool].verbs.empty()) {
            made.tool = tool;
            made.verb = *std::next(tools[tool].verbs.begin(), below(tools[tool].verbs.size()));
        } else if (below(2)) {
            made.verb = "a";
        }
        std::string params;
        if (depth < 2 && below(6) == 0) {
            made.by = "message";
            params = R"("subtask":)" + message(path + "/", depth + 1, inner);
        }
        steps.push_back(made);
        return R"([")" + made.verb + R"(",")" + made.tool + R"(",{)" + params + "}]";
    }

    enum class Kind { kAble, kGone, kNear };
    bool is(Kind kind, const Agent &each, const std::string &verb, const std::string &tool,
            int now) const {
        const bool gone = each.lease >= 0 && now >= each.lease;
        const bool has_verb = verb == "join" || each.verbs.count(verb);
        const bool has_tool = each.tools.count(tool);
        if (kind == Kind::kNear) return verb != "join" && has_verb && !has_tool && !gone;
        return has_verb && has_tool && gone == (kind == Kind::kGone);
    }
    // Returns the agents of one kind as `,"KEY":[…]` with the number of hidden ones; empty without
    // agents.
    std::string names(const char *key, Kind kind, const std::string &verb, const std::string &tool,
                      int now) const {
        std::vector<std::pair<int, std::string>> all;
        for (const auto &[name, each] : agents)
            if (is(kind, each, verb, tool, now)) all.push_back({-each.confidence, name});
        if (all.empty()) return "";
        std::sort(all.begin(), all.end());
        std::vector<std::string> shown;
        for (size_t i = 0; i < all.size() && i < 8; ++i) shown.push_back(all[i].second);
        return std::string(",\"") + key + "\":" + list(shown) +
               (all.size() > 8 ? ",\"more\":" + std::to_string(all.size() - 8) : "");
    }
    std::string of(const Step &step, int now, bool &feasible) const {
        std::string json = R"({"step":")" + step.path + R"(","verb":")" + step.verb +
                           R"(","tool":")" + step.tool + R"(","by":")";
        if (!step.by.empty()) return json + step.by + "\"}";
        const std::string able = names("agents", Kind::kAble, step.verb, step.tool, now);
        if (!able.empty()) return json + "agent\"" + able + "}";
        std::string others;
        const auto found = tools.find(step.tool);
        if (found != tools.end())
            for (const std::string &other : found->second.fallback) {
                const std::string by = names("agents", Kind::kAble, step.verb, other, now);
                if (tools.at(other).verbs.count(step.verb) && !by.empty())
                    others +=
                        (others.empty() ? "" : ",") + (R"({"tool":")" + other) + "\"" + by + "}";
            }
        feasible = feasible && !others.empty();
        const std::string gone = names("near", Kind::kGone, step.verb, step.tool, now);
        const std::string near = names("near", Kind::kNear, step.verb, step.tool, now);
        const bool no_tool = !near.empty() || step.verb == "join";
        json += (others.empty() ? "nobody" : "fallback") + std::string(R"(","why":")") +
                (!gone.empty() ? "lease_ended"
                 : no_tool     ? "no_tool"
                               : "no_verb") +
                "\"" + (gone.empty() ? near : gone);
        return json + (others.empty() ? "" : ",\"fallback\":[" + others + "]") + "}";
    }

    uint64_t state_;
};

TEST(FeasibilityModel, SACP_11_03_AgreesWithAPlainLook) {
    size_t feasible_plans = 0, fallbacks = 0, leases = 0;
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
        World world(seed);
        const Sacp sacp(world.library());
        Agents agents(world.entries());
        for (int i = 0; i < 3; ++i) {
            std::vector<Step> steps;
            bool feasible = false;
            const std::string message = world.message("", 0, steps);
            const int now = static_cast<int>(world.below(12));
            const std::string wanted = world.report(steps, now, feasible);
            ASSERT_EQ(agents.report(sacp, message, now * 1000, ACCP_SACP_LENIENT), wanted)
                << seed << " " << message << "\n"
                << world.entries() << "\n"
                << world.library();
            ASSERT_EQ(agents.answer, feasible ? ACCP_PLAN_FEASIBLE : ACCP_PLAN_INFEASIBLE);
            feasible_plans += feasible;
            fallbacks += wanted.find("\"fallback\":[") != std::string::npos;
            leases += wanted.find("lease_ended") != std::string::npos;
        }
    }
    // each kind of result must be frequent
    EXPECT_GT(feasible_plans, 100u);
    EXPECT_GT(fallbacks, 100u);
    EXPECT_GT(leases, 300u);
}

// Everything that a plan lacks can be requested, each request is VALID, and the plan is feasible
// once the agents exist.
TEST(FeasibilityModel, SACP_14_06_OneRoundIsEnough) {
    size_t rounds = 0, agents_made = 0;
    for (uint64_t seed = 1; seed <= 800; ++seed) {
        World world(seed);
        const Sacp sacp(world.library());
        Agents agents(world.entries());
        std::vector<Step> steps;
        const std::string message = world.message("", 0, steps);
        const int64_t now = static_cast<int64_t>(world.below(12)) * 1000;
        const std::string requests = agents.request(sacp, message, nullptr, now, ACCP_SACP_LENIENT);
        if (agents.answer == ACCP_SPAWN_NOT_NEEDED) continue;
        ASSERT_EQ(agents.answer, ACCP_SPAWN_REQUESTED) << requests;
        ++rounds;
        for (const std::string &request : accp_test::lines(requests)) {
            const uint64_t before = agents.count();
            const std::string said = agents.spawn(sacp, request, {1, 0, 0, {}});
            ASSERT_EQ(agents.count(), before + 1) << request << "\n" << said;
            ++agents_made;
        }
        const accp_spawn_round last = {1, 1, {}};
        agents.request(sacp, message, &last, now, ACCP_SACP_LENIENT);
        ASSERT_EQ(agents.answer, ACCP_SPAWN_NOT_NEEDED) << message << "\n" << agents.document();
    }
    EXPECT_GT(rounds, 300u);
    EXPECT_GT(agents_made, rounds + 100);
}

}  // namespace
