// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A literal model of SACP-RULES R30 to R48. It runs one step after the other, because the outcome
// of a call depends only on the step, the tool and the try.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "sacp/run/plain_value.h"

namespace accp_test {

// The outcome of a call.
struct Brought {
    enum Kind { kOk, kFailed, kTimeout, kNoAgent } kind;
    Plain value;
};

struct ModelTool {
    std::vector<std::string> verbs, fallback;
};

struct ModelRules {
    uint64_t retries = 1;
    bool fallback = true;
    std::map<std::string, Plain> simulate;
    std::map<std::string, ModelTool> tools;
    std::map<std::string, std::map<std::string, char>> inputs;  // of a verb, with type i, s or a
    // By path, tool, and number of earlier tries.
    std::function<Brought(const std::string &, const std::string &, uint32_t)> call;
};

class SlowModel {
public:
    explicit SlowModel(const ModelRules &rules) : rules_(rules) {}

    void run(const Plain &message) {
        Message top = {&message, nullptr, "", {}, {}, {}, false};
        if (const Plain *ctx = message.find("ctx")) top.ctx = *ctx;
        const Ended ended = run_message(top);
        Plain result = Plain::object();
        result.set(ended.error ? "error" : "output", ended.value);
        Plain results = Plain::object();
        list_results(*message.find("plan"), "", top, results);
        result.set("step_results", results);
        if (top.dry) result.set("simulated", {'t', {}, {}});
        Plain whole = Plain::object();
        whole.set("state", Plain::string(ended.error ? "FAILED" : "DONE")).set("result", result);
        final = whole.json();
        trace = "[" + trace + "]";
    }

    std::string trace, final;

private:
    struct Ended {
        bool error;
        Plain value;
    };
    struct Message {
        const Plain *text;
        const Message *outer;
        std::string place;
        Plain ctx;
        std::vector<Plain> subs;
        std::map<std::string, Plain> outputs;  // of steps, by path without the prefix
        bool dry;
    };

    static Ended error(const std::string &code, const std::string &details,
                       const std::string &path) {
        Plain made = Plain::object();
        made.set("status", Plain::string("ERR")).set("code", Plain::string(code));
        made.set("details", Plain::string(details + " for action step " + path));
        return {true, made};
    }

    static bool is_list(const Plain &branch) {
        return branch.kind == 'a' && !branch.items.empty() &&
               (branch[0].kind == 'a' || branch[0].kind == 'o');
    }
    static std::string under(const std::string &path, size_t index) {
        return (path.empty() ? "" : path + ".") + std::to_string(index + 1);
    }

    Ended run_message(Message &own) {
        const Plain *mode = own.text->find("test_mode"), *ctx = own.text->find("ctx");
        if (!mode && ctx) mode = ctx->find("test_mode");
        own.dry = (mode && mode->is_true()) || (own.outer && own.outer->dry);
        const Plain *subtask = own.text->find("subtask");
        std::vector<const Plain *> subs;
        if (subtask && subtask->kind == 'o') subs.push_back(subtask);
        if (subtask && subtask->kind == 'a')
            for (const auto &item : subtask->items) subs.push_back(&item.second);
        for (size_t i = 0; i < subs.size(); ++i) {
            const std::string place = own.place + "s" + std::to_string(i + 1);
            const Ended ended = run_inner(own, *subs[i], place);
            if (ended.error) return ended;
            own.subs.push_back(ended.value);
        }
        return run_list(own, *own.text->find("plan"), "");
    }

    Ended run_inner(Message &outer, const Plain &text, const std::string &place) {
        Message inner = {&text, &outer, place + "/", {}, {}, {}, false};
        if (const Plain *ctx = text.find("ctx")) {
            const std::optional<Plain> made = replace(outer, *ctx);
            if (!made) return error("MISSING_FIELD", "Unresolved reference", place);
            inner.ctx = *made;
        }
        return run_message(inner);
    }

    Ended run_list(Message &own, const Plain &list, const std::string &path) {
        Ended ended = {false, {}};
        for (size_t i = 0; i < list.items.size() && !ended.error; ++i) {
            if (list[i].kind == 'o') ended = run_parallel(own, list[i], under(path, i));
            else ended = run_step(own, list[i], under(path, i), i ? ended.value : Plain());
        }
        return ended;
    }

    Ended run_parallel(Message &own, const Plain &node, const std::string &path) {
        const Plain &branches = *node.find("parallel");
        Ended ended = {false, Plain::array()};
        for (size_t i = 0; i < branches.items.size(); ++i) {
            const Plain &branch = branches[i];
            const std::string at = under(path, i);
            const Ended one = branch.kind == 'o' ? run_parallel(own, branch, at)
                              : is_list(branch)  ? run_list(own, branch, at)
                                                 : run_step(own, branch, at, {});
            if (one.error && !ended.error) ended = one;
            if (!ended.error) ended.value.add(one.value);
        }
        return ended;
    }

    Ended run_step(Message &own, const Plain &step, const std::string &path, const Plain &before) {
        const std::string verb = step[0].text, tool = step[1].text;
        Ended ended = {true, {}};
        if (const Plain *subtask = step[2].find("subtask"))
            ended = run_inner(own, *subtask, own.place + path);
        else ended = run_call(own, step, own.place + path, before);
        if (!ended.error) own.outputs[path] = ended.value;
        return ended;
    }

    Ended run_call(Message &own, const Plain &step, const std::string &path, const Plain &before) {
        const std::string verb = step[0].text, tool = step[1].text;
        std::optional<Plain> params = replace(own, step[2]);
        if (!params) {
            note(path, verb, tool, step[2], "MISSING_FIELD");
            return error("MISSING_FIELD", "Unresolved reference", path);
        }
        if (verb == "join" && !params->find("branches")) params->set("branches", before);
        if (!own.dry)
            for (const auto &[name, value] : params->items) {
                const auto inputs = rules_.inputs.find(verb);
                if (inputs == rules_.inputs.end() || !inputs->second.count(name)) continue;
                const char wanted = inputs->second.at(name);
                if (value.kind == 'n' || value.kind == wanted) continue;
                note(path, verb, tool, *params, "INVALID_TYPE");
                return error("INVALID_TYPE",
                             name + " is not of type " +
                                 (wanted == 'i'   ? "integer"
                                  : wanted == 's' ? "string"
                                                  : "array"),
                             path);
            }
        if (verb == "join" && tool == "MERGE") {
            note(path, verb, tool, *params, "OK");
            return {false, *params->find("branches")};
        }
        if (own.dry) return simulate(path, verb, tool, *params);
        return try_tools(path, verb, tool, *params);
    }

    Ended simulate(const std::string &path, const std::string &verb, const std::string &tool,
                   const Plain &params) {
        note(path, verb, tool, params, "SIMULATED");
        const auto given = rules_.simulate.find(tool);
        if (given != rules_.simulate.end()) return {false, given->second};
        Plain made = Plain::object();
        made.set("simulated", {'t', {}, {}}).set("verb", Plain::string(verb));
        return {false, made.set("tool", Plain::string(tool))};
    }

    Ended try_tools(const std::string &path, const std::string &verb, const std::string &own,
                    const Plain &params) {
        std::vector<std::string> tools(1, own);
        const ModelTool &known = rules_.tools.at(own);
        for (const std::string &other : known.fallback)
            for (const std::string &can : rules_.tools.at(other).verbs)
                if (rules_.fallback && can == verb) tools.push_back(other);
        uint32_t tries = 0;
        Ended ended = {true, {}};
        for (size_t i = 0; i < tools.size(); ++i)
            for (uint64_t k = 0; k <= (i ? 0 : rules_.retries); ++k) {
                const Brought brought = rules_.call(path, tools[i], tries++);
                const char *outcomes[] = {"OK", "TOOL_FAILED", "TIMEOUT", "NO_AGENT"};
                const char *told[] = {"", " failed", " timed out", " has no agent"};
                note(path, verb, tools[i], params, outcomes[brought.kind]);
                if (brought.kind == Brought::kOk) return {false, brought.value};
                ended =
                    error(outcomes[brought.kind], "Tool " + tools[i] + told[brought.kind], path);
                if (brought.kind == Brought::kNoAgent) break;
            }
        return ended;
    }

    void note(const std::string &path, const std::string &verb, const std::string &tool,
              const Plain &params, const std::string &outcome) {
        trace += (trace.empty() ? "{\"step\":\"" : ",{\"step\":\"") + path + "\",\"verb\":\"" +
                 verb + "\",\"tool\":\"" + tool + "\",\"params\":" + params.json() +
                 ",\"outcome\":\"" + outcome + "\"}";
    }

    void list_results(const Plain &list, const std::string &path, const Message &own,
                      Plain &out) const {
        for (size_t i = 0; i < list.items.size(); ++i) {
            const std::string at = under(path, i);
            const auto made = own.outputs.find(at);
            if (made != own.outputs.end()) out.set(at, made->second);
            if (list[i].kind == 'o') list_results(*list[i].find("parallel"), at, own, out);
            else if (is_list(list[i])) list_results(list[i], at, own, out);
        }
    }

    std::optional<Plain> replace(const Message &own, const Plain &value) const {
        if (value.kind == 's') return replace_text(own, value);
        Plain made = value;
        for (auto &[name, item] : made.items) {
            const std::optional<Plain> one = replace(own, item);
            if (!one) return std::nullopt;
            item = *one;
        }
        return made;
    }

    static std::vector<std::string> labels_of(const std::string &text) {
        std::vector<std::string> labels(1);
        for (char c : text) {
            if (c == '.') labels.emplace_back();
            else labels.back() += c;
        }
        return labels;
    }

    std::optional<Plain> replace_text(const Message &own, const Plain &value) const {
        const std::string &text = value.text;
        const std::vector<std::string> labels = labels_of(text);
        std::optional<Plain> found;
        if (text.rfind("$$", 0) == 0) return Plain::string(text.substr(1));
        if (text.rfind("$ctx.", 0) == 0) {
            for (const Message *at = &own; at; at = at->outer)
                if (const Plain *member = at->ctx.find(labels[1]))
                    return follow(*member, labels, 2);
            return std::nullopt;
        }
        if (text.rfind("$step.", 0) == 0) found = find_step(own, *own.text->find("plan"), labels);
        else if (text.rfind("$sub.", 0) == 0)
            found = follow(own.subs[std::stoul(labels[1]) - 1], labels, 2);
        else return value;
        return found || !own.dry ? found : Plain();
    }

    std::optional<Plain> find_step(const Message &own, const Plain &plan,
                                   const std::vector<std::string> &labels) const {
        const Plain *node = &plan;
        std::string path;
        size_t at = 1;
        for (; at < labels.size(); ++at) {
            if (node->kind == 'o') node = node->find("parallel");
            else if (node != &plan && !is_list(*node)) break;
            const size_t index = std::stoul(labels[at]) - 1;
            node = &node->items[index].second;
            path = under(path, index);
        }
        return follow(output_of(own, *node, path), labels, at);
    }

    Plain output_of(const Message &own, const Plain &node, const std::string &path) const {
        const size_t count = node.items.size();
        if (is_list(node)) return output_of(own, node[count - 1], under(path, count - 1));
        if (node.kind == 'a') return own.outputs.at(path);
        Plain made = Plain::array();
        const Plain &branches = *node.find("parallel");
        for (size_t i = 0; i < branches.items.size(); ++i)
            made.add(output_of(own, branches[i], under(path, i)));
        return made;
    }

    static std::optional<Plain> follow(Plain value, const std::vector<std::string> &labels,
                                       size_t at) {
        for (; at < labels.size(); ++at) {
            const std::string &label = labels[at];
            if (value.kind == 'o' && value.find(label)) {
                value = Plain(*value.find(label));
            } else if (value.kind == 'a' && label.find_first_not_of("0123456789") == label.npos &&
                       std::stoul(label) < value.items.size()) {
                value = Plain(value[std::stoul(label)]);
            } else {
                return std::nullopt;
            }
        }
        return value;
    }

    const ModelRules &rules_;
};

}  // namespace accp_test
