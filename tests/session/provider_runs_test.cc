// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Recorded runs of agents as requests of providers, as often as a model was called: each request
// keeps the strictest rules of its provider, has each message byte for byte or evicted, and begins
// as the one before did, unless something was evicted.
//
// The runs are those in data/, and those in the folders that the environment variable
// ACCP_RECORDED_RUNS names, with colons between them: files of messages, one a line.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "session/provider_lists.h"
#include "transcript/provider_rules.h"

namespace {

using namespace accp_sessions;
using namespace accp_lists;

const std::string kGap = "… ";

struct Recorded {
    std::string name;
    std::vector<std::string> lines;
    std::vector<Json> messages;
};

Recorded read_run(const std::filesystem::path &path) {
    Recorded run;
    run.name = path.filename().string();
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const auto message = parse_json(line);
        if (!message || !message->is_object() || !message->find("agent")) continue;
        run.lines.push_back(line);
        run.messages.push_back(*message);
    }
    return run;
}

// The runs of a folder and of those in it; each folder has some.
void add_runs(const std::string &folder, std::vector<Recorded> &out) {
    std::set<std::filesystem::path> paths;  // in the same order everywhere
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".jsonl") paths.insert(entry.path());
    const size_t before = out.size();
    for (const auto &path : paths)
        if (Recorded run = read_run(path); !run.lines.empty()) out.push_back(std::move(run));
    EXPECT_GT(out.size(), before) << folder << " has no recorded run";
}

const std::vector<Recorded> &recorded_runs() {
    static const std::vector<Recorded> runs = [] {
        std::vector<Recorded> found;
        for (const char *folder : {"agents", "trajectories", "examples"})
            add_runs(std::string(ACCP_SOURCE_DIR "/data/") + folder, found);
        EXPECT_GE(found.size(), 40u);
        const char *more = std::getenv("ACCP_RECORDED_RUNS");
        std::istringstream folders(more ? more : "");
        for (std::string folder; std::getline(folders, folder, ':');) add_runs(folder, found);
        std::printf("%zu recorded runs\n", found.size());
        return found;
    }();
    return runs;
}

std::string text_in(const Json &message, const char *key) {
    const Json *found = message.find("payload")->find(key);
    return found && found->kind == accp_ref::JsonKind::kString ? found->text : "";
}
bool is_act(const Json &message) {
    const std::string &intent = message.find("intent")->text;
    return (intent == "req" || intent == "qry" || intent == "esc") &&
           message.find("operation")->text != "notify" && message.find("payload")->is_object() &&
           message.find("payload")->find("arguments");
}
bool is_result(const Json &message) {
    return message.find("operation")->text == "tool" && message.find("intent")->text == "done";
}
int64_t time_of(const Json &message) {
    const Json *meta = message.find("meta"), *time = meta ? meta->find("ts") : nullptr;
    return time ? std::stoll(write_json(*time)) * 1000 : 0;
}

// What a request has, in both forms: calls in order, and the texts of each role.
struct Seen {
    struct Call {
        std::string id, name, arguments;
    };
    std::vector<Call> calls;
    std::map<std::string, std::string> results;  // by the id of the call
    std::vector<std::string> system, user, assistant;

    bool has_range() const;
    size_t count_evicted() const;
    void add_texts(const Json &content, std::vector<std::string> &to) {
        if (content.kind == accp_ref::JsonKind::kString) to.push_back(content.text);
        for (const Json &block : content.items)
            if (block.find("type")->text == "text") to.push_back(block.find("text")->text);
    }
    void add_result(const std::string &id, const Json &content) {
        std::vector<std::string> texts;
        add_texts(content, texts);
        results[id] = texts.at(0);
    }
    void read_openai(const Json &messages) {
        for (const Json &one : messages.items) {
            const std::string &role = one.find("role")->text;
            const Json &content = *one.find("content");
            if (role == "tool") add_result(one.find("tool_call_id")->text, content);
            else add_texts(content, role == "user" ? user : role == "system" ? system : assistant);
            if (!one.find("tool_calls")) continue;
            for (const Json &call : one.find("tool_calls")->items) {
                const Json &function = *call.find("function");
                calls.push_back({call.find("id")->text, function.find("name")->text,
                                 function.find("arguments")->text});
            }
        }
    }
    void read_anthropic(const Json &request) {
        if (const Json *found = request.find("system")) add_texts(*found, system);
        for (const Json &one : request.find("messages")->items) {
            const Json &content = *one.find("content");
            add_texts(content, one.find("role")->text == "user" ? user : assistant);
            for (const Json &block : content.items) {
                const std::string &type = block.find("type")->text;
                if (type == "tool_use")
                    calls.push_back({block.find("id")->text, block.find("name")->text,
                                     write_json(*block.find("input"))});
                else if (type == "tool_result")
                    add_result(block.find("tool_use_id")->text, *block.find("content"));
            }
        }
    }
};

bool is_blank(const std::string &text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

// Does the text end in the line of an evicted message? Its number, or 0.
size_t evicted(const std::string &text) {
    static const std::string kRef = " tokens: $cold.m";
    const size_t line = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2) + 1;
    const size_t at = text.find(kRef, line);
    if (text.compare(line, kGap.size(), kGap) != 0 || at == text.npos) return 0;
    return static_cast<size_t>(std::stoull(text.substr(at + kRef.size())));
}

// Does one line stand for several messages, since there was no space for their own lines?
bool Seen::has_range() const {
    return std::any_of(user.begin(), user.end(), [](const std::string &text) {
        return text.find(" to $cold.m") != text.npos;
    });
}

size_t Seen::count_evicted() const {
    size_t count = 0;
    for (const auto &[id, text] : results) count += evicted(text) > 0;
    static const std::string kAbove = " lines as above";  // words get gaps at an eviction
    for (const std::string &text : user)
        count += evicted(text) > 0 || text.find(kAbove) != text.npos;
    for (const std::string &text : assistant)
        count += text.find(" bytes: $cold.m") != text.npos || text.find(kAbove) != text.npos;
    for (const Call &call : calls) count += call.arguments.find("$cold.m") != std::string::npos;
    return count;
}

bool is_gapped_in(const std::vector<std::string> &shown, const std::string &text) {
    return std::any_of(shown.begin(), shown.end(), [&](auto &one) { return is_gapped(one, text); });
}

// Each call, result and text of the first messages of a run is in the request, whole or evicted.
class Exact {
public:
    Exact(const Recorded &run, size_t count) : run_(run), count_(count) {}

    // Returns what is missing or has changed first, or an empty text.
    std::string check(const Seen &seen) {
        std::vector<size_t> acts;
        std::set<size_t> away;
        std::vector<std::string> gapped;
        std::map<std::string, size_t> words;
        for (const std::string &text : seen.assistant) ++words[text];
        std::map<std::string, size_t> user, results;
        for (const std::string &text : seen.user) {
            ++user[text];
            away.insert(evicted(text));
            if (text.find(" lines as above") != text.npos) gapped.push_back(text);
        }
        for (const std::string &text : seen.system) ++user[text];
        for (const auto &[id, text] : seen.results) {
            ++results[text];
            away.insert(evicted(text));
            static const std::string kCut = "\n… $cold.m";  // it was too long when it came
            const size_t cut = text.rfind(kCut);
            if (cut != text.npos) away.insert(std::stoull(text.substr(cut + kCut.size())));
            if (text.find(" lines as above") != text.npos) gapped.push_back(text);
        }
        for (size_t i = 0; i < count_; ++i) {
            const Json &message = run_.messages[i];
            if (is_act(message)) acts.push_back(i);
            const std::string said = text_in(message, "content");
            if (message.find("operation")->text == "plan" && !is_blank(said) && !user[said] &&
                !is_gapped_in(gapped, said))
                return "request " + said;
            if (!is_result(message)) continue;
            const std::string result = text_in(message, "result");
            // a result that follows a call at once is this call's
            const bool is_lone = !i || !is_act(run_.messages[i - 1]);
            const bool is_there = away.count(i + 1) || results[result] ||
                                  (is_lone && user[result]) || is_gapped_in(gapped, result);
            if (!is_there && !is_blank(result)) return "result " + std::to_string(i + 1) + result;
        }
        if (acts.size() != seen.calls.size())
            return std::to_string(seen.calls.size()) + " calls of " + std::to_string(acts.size());
        for (size_t k = 0; k < acts.size(); ++k) {
            const Json &message = run_.messages[acts[k]];
            const Json &arguments = *message.find("payload")->find("arguments");
            const std::string wanted = write_json(arguments), &had = seen.calls[k].arguments,
                              thought = text_in(message, "thought"),
                              ref = "$cold.m" + std::to_string(acts[k] + 1) + ".";
            const bool is_away = had.find(ref + "arguments") != had.npos;
            if (arguments.is_object() && had != wanted && !is_away)
                return "arguments " + wanted + had;
            if (is_blank(thought) || words[thought]) continue;
            if (!words["… " + std::to_string(thought.size()) + " bytes: " + ref + "thought"])
                return "thought " + thought;
        }
        return {};
    }

private:
    const Recorded &run_;
    size_t count_;
};

// A request without its cache marks, up to the end of its last block.
std::string beginning_of(const Json &request) {
    Json plain = request;
    auto strip = [](auto &self, Json &value) -> void {
        value.members.remove_if([](const auto &one) { return one.first == "cache_control"; });
        for (Json &item : value.items) self(self, item);
        for (auto &[key, one] : value.members) self(self, one);
    };
    strip(strip, plain);
    std::string text = write_json(plain);
    while (!text.empty() && (text.back() == ']' || text.back() == '}')) text.pop_back();
    return text;
}

// What two texts have at their first difference.
std::string difference(const std::string &one, const std::string &other) {
    const auto at = static_cast<size_t>(
        std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
    const size_t from = at - std::min<size_t>(at, 40);
    return one.substr(from, 200) + "\n" + other.substr(from, 200);
}

struct Setting {
    const char *name;
    std::vector<std::pair<int32_t, int64_t>> rules;
    uint64_t budget = 0;
    bool is_exact = true;  // no message is cut or becomes part of a checkpoint
    size_t min_evictions = 5;
};
const Setting kSettings[] = {
    {"default", {}},
    {"without a cache",
     {{ACCP_RULE_PRICE_WRITE, 1000}, {ACCP_RULE_PRICE_CACHED, 1000}},
     0,
     true,
     10},
    {"a cache that expires", {{ACCP_RULE_CACHE_TTL_MS, 1000}}, 0, true, 10},
    {"space for some calls",
     {{ACCP_RULE_HOT_DUE, 12000},
      {ACCP_RULE_HOT_MAX, 12000},
      {ACCP_RULE_CHECKPOINT_MAX, 2000},
      {ACCP_RULE_SUMMARY_MAX, 2000},
      {ACCP_RULE_NEWEST_MAX, 11000}},
     0,
     true,
     10},
    {"little space",
     {{ACCP_RULE_HOT_DUE, 6000},
      {ACCP_RULE_HOT_MAX, 6000},
      {ACCP_RULE_CHECKPOINT_MAX, 2000},
      {ACCP_RULE_SUMMARY_MAX, 2000},
      {ACCP_RULE_NEWEST_MAX, 1500},
      {ACCP_RULE_PINNED_MAX, 800}},
     0,
     false},
    {"the rules of the specification", {{ACCP_RULE_SPECIFICATION, 1}}, 0, false},
    {"a budget", {}, 4000, false},
};

class Checked {
public:
    Checked(const Setting &setting, const Recorded &run, int32_t as)
        : setting_(setting), run_(run), as_(as) {}

    void check(accp_session *session, size_t count) {
        accp_text out = {};
        accp_error error = {};
        const accp_status status =
            accp_session_context_messages(session, as_, setting_.budget, &out, nullptr, &error);
        if (setting_.budget && status == ACCP_E2003) return;  // what is pinned is larger
        ASSERT_EQ(status, ACCP_OK) << error.message;
        const auto json = parse_json(accp_test::string_of(out));
        ASSERT_TRUE(json.has_value());
        const bool is_openai = as_ == ACCP_INTERFACE_OPENAI;
        ASSERT_EQ(is_openai ? accp_transcript::broken_openai_rule(*json)
                            : accp_transcript::broken_anthropic_rule(*json),
                  "")
            << accp_test::string_of(out).substr(0, 1000);
        Seen seen;
        if (is_openai) seen.read_openai(*json);
        else seen.read_anthropic(*json);
        ++requests;
        const bool is_exact = setting_.is_exact && !seen.has_range();
        if (is_exact) {
            ASSERT_EQ(Exact(run_, count).check(seen).substr(0, 200), "");
        }
        const size_t away = seen.count_evicted();
        const std::string now = beginning_of(*json);
        if (is_exact && away == away_) {
            ASSERT_TRUE(now.rfind(before_, 0) == 0) << difference(before_, now);
            ++grown;
        }
        evictions += away > away_;
        before_ = now;
        away_ = away;
    }

    size_t requests = 0, grown = 0, evictions = 0;

private:
    const Setting &setting_;
    const Recorded &run_;
    const int32_t as_;
    size_t away_ = 0;
    std::string before_;
};

// Contexts at each call of a model: before each message of an agent that acts, unless it goes on
// with the turn that the message before belongs to.
void check_run(const Setting &setting, const Recorded &run, size_t every, Checked &checked) {
    EngineConfig config;
    for (const auto &[rule, value] : setting.rules) config.rule(rule, value);
    const auto engine = open_engine(config);
    const auto session = open_session(engine.get());
    size_t calls = 0;
    for (size_t i = 0; i < run.lines.size(); ++i) {
        const bool goes_on = i && is_act(run.messages[i - 1]);
        if (is_act(run.messages[i]) && !goes_on && ++calls % every == 0) {
            ASSERT_NO_FATAL_FAILURE(checked.check(session.get(), i)) << run.name << ':' << i;
        }
        const int64_t time = time_of(run.messages[i]), late = kNow + static_cast<int64_t>(i) * 2000;
        ASSERT_EQ(append(session.get(), run.lines[i], time ? time : late), ACCP_OK);
    }
    ASSERT_NO_FATAL_FAILURE(checked.check(session.get(), run.lines.size())) << run.name;
}

class ProviderRuns : public testing::TestWithParam<std::tuple<size_t, int32_t>> {
protected:
    const Setting &setting() const { return kSettings[std::get<0>(GetParam())]; }
    int32_t as() const { return std::get<1>(GetParam()); }
};

TEST_P(ProviderRuns, KeepTheRules) {
    size_t requests = 0, grown = 0, evictions = 0;
    for (const Recorded &run : recorded_runs()) {
        Checked checked(setting(), run, as());
        ASSERT_NO_FATAL_FAILURE(check_run(setting(), run, 1, checked)) << setting().name;
        requests += checked.requests;
        grown += checked.grown;
        evictions += checked.evictions;
    }
    std::printf("%s: %zu requests, %zu evictions, %zu grew\n", setting().name, requests, evictions,
                grown);
    EXPECT_GT(requests, 500u);
    if (!setting().is_exact) return;
    EXPECT_GT(evictions, setting().min_evictions);
    EXPECT_GT(grown, 400u);
}

constexpr int32_t kProviders[] = {ACCP_INTERFACE_OPENAI, ACCP_INTERFACE_ANTHROPIC};
INSTANTIATE_TEST_SUITE_P(
    All, ProviderRuns,
    testing::Combine(testing::Range<size_t>(0, ACCP_SANITIZED ? 1 : std::size(kSettings)),
                     testing::ValuesIn(kProviders)));

// One chat of all requests of all runs, one after another.
Recorded all_in_one() {
    Recorded all;
    all.name = "all runs";
    for (const Recorded &run : recorded_runs()) {
        all.lines.insert(all.lines.end(), run.lines.begin(), run.lines.end());
        all.messages.insert(all.messages.end(), run.messages.begin(), run.messages.end());
    }
    return all;
}

class LongChats : public ProviderRuns {};

TEST_P(LongChats, KeepTheRules) {
    const Recorded all = all_in_one();
    Checked checked(setting(), all, as());
    ASSERT_NO_FATAL_FAILURE(check_run(setting(), all, 40, checked)) << setting().name;
    std::printf("%zu messages, %zu requests, %zu evictions\n", all.lines.size(), checked.requests,
                checked.evictions);
    EXPECT_GT(checked.requests, 10u);
    EXPECT_GT(checked.evictions, 3u);
}

INSTANTIATE_TEST_SUITE_P(All, LongChats,
                         testing::Combine(testing::Values(size_t{0}, size_t{4}),
                                          testing::ValuesIn(kProviders)));

}  // namespace
