// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "replay_model.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <optional>

#include "replay_model_text.h"

namespace {

using rapidjson::Value;
using replay_model::joined;
using replay_model::Set;
using replay_model::Texts;

std::string plain_text(const Value &value) { return {value.GetString(), value.GetStringLength()}; }

std::string json_text(const Value &value) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    return {buffer.GetString(), buffer.GetSize()};
}

std::string text_or_json(const Value &value) {
    return value.IsString() ? plain_text(value) : json_text(value);
}

void collect_strings(const Value &value, Texts &out) {
    if (value.IsString()) out.push_back(plain_text(value));
    if (value.IsArray())
        for (const Value &item : value.GetArray()) collect_strings(item, out);
    if (value.IsObject())
        for (const auto &member : value.GetObject()) collect_strings(member.value, out);
}

using TokenIds = std::vector<unsigned>;

std::vector<TokenIds> ids_of(const Texts &texts) {
    std::string input;
    for (const std::string &text : texts) {
        Value value;
        value.SetString(text.data(), static_cast<rapidjson::SizeType>(text.size()));
        input += json_text(value) + "\n";
    }
    const Ran run = run_accp({"tokens", "--jsonl", "--ids"}, input);
    EXPECT_EQ(run.status, 0) << run.err;
    std::vector<TokenIds> all;
    for (const std::string &line : lines_of(run.out)) {
        rapidjson::Document document;
        document.Parse(line.c_str());
        all.emplace_back();
        for (const Value &id : document["ids"].GetArray()) all.back().push_back(id.GetUint());
    }
    return all;
}

struct Said {
    explicit Said(const std::string &line) {
        rapidjson::Document message;
        message.Parse(line.c_str());
        const Value &payload = message["payload"];
        const std::string agent = plain_text(message["agent"]),
                          intent = plain_text(message["intent"]),
                          operation = plain_text(message["operation"]);
        const std::string head = "@" + agent + " " + intent + ":" + operation;
        Texts body;
        if (payload.IsObject())
            for (const auto &member : payload.GetObject())
                body.push_back((payload.MemberCount() > 1 ? plain_text(member.name) + ": " : "") +
                               text_or_json(member.value));
        else body.push_back(text_or_json(payload));
        plain = head + "\n" + joined(body, "\n") + "\n";
        collect_strings(payload, texts);
        call = intent == "req" && payload.IsObject() && payload.HasMember("arguments");
        result = intent == "done" && operation == "tool";
        notice = operation == "notify";
        task = agent == "user" || operation == "plan";
        if (message.HasMember("meta") && message["meta"].HasMember("ts"))
            seconds = message["meta"]["ts"].GetDouble();
        stub =
            head + " (result of " +
            (result && payload.HasMember("tool_name") ? plain_text(payload["tool_name"]) : agent) +
            " left out, message ";
    }
    std::string plain, stub;
    Texts texts;
    bool call, result, notice, task;
    double seconds = 0;  // meta.ts; 0: none
    TokenIds ids, stub_ids;
};

// A context: its token ids, and a text with everything in it.
struct Given {
    TokenIds ids;
    std::string text;

    void add(const Said &said, bool stubbed) {
        const TokenIds &more = stubbed ? said.stub_ids : said.ids;
        ids.insert(ids.end(), more.begin(), more.end());
        text += stubbed ? said.stub : said.plain + joined(said.texts, "\n") + "\n";
    }
};

class Model {
public:
    Model(const std::string &recording, const Args &options, const ModelPrices &prices)
        : prices_(prices) {
        Texts plain, stubs;
        for (const std::string &line : lines_of(recording)) {
            said_.emplace_back(line);
            said_.back().stub += std::to_string(said_.size()) + ")\n";
            plain.push_back(said_.back().plain);
            stubs.push_back(said_.back().stub);
        }
        const std::vector<TokenIds> ids = ids_of(plain), stub_ids = ids_of(stubs);
        for (size_t i = 0; i < said_.size(); ++i)
            said_[i].ids = ids[i], said_[i].stub_ids = stub_ids[i];
        while (task_ < said_.size() && !said_[task_].task) ++task_;
        const std::string task = joined(said_[task_].texts, "\n");
        EXPECT_LE(said_[task_].ids.size(), 1000u) << "the model does not cut the first request";
        sentences_ = replay_model::sentences(task);
        Args args = {"session", "replay", "--contexts"};
        args.insert(args.end(), options.begin(), options.end());
        for (const std::string &line : lines_of(run_accp(args, recording).out)) {
            rapidjson::Document document;
            document.Parse(line.c_str());
            contexts_.push_back(plain_text(document["context"]));
        }
    }

    std::map<std::string, ModelRow> run() {
        const std::vector<TokenIds> ids = ids_of(contexts_);
        for (size_t n = 2; n < said_.size(); ++n) {
            if (!said_[n].call) continue;
            const size_t budget = ids[n].size();
            need(n);
            const double now = said_[n].seconds;
            is_cached_ =
                called_ && (now == 0 || *called_ == 0 || now - *called_ <= prices_.ttl_seconds);
            called_ = now;
            measure("accp session", {ids[n], contexts_[n]}, n);
            measure("everything", last(n, SIZE_MAX, false), n);
            measure("last messages", last(n, budget, false), n);
            measure("first and last", last(n, budget, true), n);
            measure("first and two", ends(n), n);
            measure("stubbed at once", stubbed(n, 0), n);
            measure("stubbed by 8,000", stubbed(n, 8000), n);
            measure("stubbed by 16,000", stubbed(n, 16000), n);
        }
        return rows_;
    }

private:
    void need(size_t n) {
        for (; seen_ < n; ++seen_)
            for (const std::string &text : said_[seen_].texts) {
                seen_names_.merge(replay_model::names(text));
                seen_phrases_.merge(replay_model::phrases(text));
            }
        needs_.clear();
        for (const std::string &text : said_[n].texts) {
            keep("identifiers", replay_model::names(text), seen_names_);
            keep("phrases", replay_model::phrases(text), seen_phrases_);
        }
    }

    void keep(const std::string &kind, const Set &used, const Set &seen) {
        for (const std::string &one : used)
            if (seen.count(one)) needs_[kind].insert(one);
    }

    // The newest messages that fit in a budget, after the first messages if `first`.
    Given last(size_t n, size_t budget, bool first) const {
        std::vector<bool> has(n);
        for (size_t i = 0; first && i < n && i <= task_; ++i) {
            has[i] = said_[i].notice || i == task_;
            if (has[i]) budget -= std::min(budget, said_[i].ids.size());
        }
        for (size_t i = n; i-- > 0;) {
            if (has[i]) continue;
            if (i + 1 != n && said_[i].ids.size() > budget) break;
            budget -= std::min(budget, said_[i].ids.size());
            has[i] = true;
        }
        Given given;
        for (size_t i = 0; i < n; ++i)
            if (has[i]) given.add(said_[i], false);
        return given;
    }

    Given ends(size_t n) const {
        Given given;
        for (size_t i = 0; i < n; ++i)
            if ((i < task_ && said_[i].notice) || i == task_ || i + 2 >= n)
                given.add(said_[i], false);
        return given;
    }

    // Computes the stubs of all calls from the first again.
    Given stubbed(size_t n, size_t above) const {
        Set stubs;
        for (size_t call = 2; call <= n; ++call) {
            if (!said_[call].call) continue;
            std::vector<size_t> live;
            size_t tokens = 0;
            for (size_t i = 0; i < call; ++i)
                if (said_[i].result && !stubs.count(std::to_string(i)))
                    live.push_back(i), tokens += said_[i].ids.size();
            for (size_t i = 0; tokens > above && i + 3 < live.size(); ++i)
                stubs.insert(std::to_string(live[i]));
        }
        Given given;
        for (size_t i = 0; i < n; ++i) given.add(said_[i], stubs.count(std::to_string(i)) != 0);
        return given;
    }

    void measure(const std::string &name, const Given &given, size_t n) {
        ModelRow &row = rows_[name];
        TokenIds &before = before_[name];
        size_t shared = 0;
        while (shared < std::min(before.size(), given.ids.size()) &&
               before[shared] == given.ids[shared])
            ++shared;
        const auto tokens = static_cast<double>(given.ids.size());
        row.tokens += given.ids.size();
        const double all = prices_.system + tokens;
        const double cached = is_cached_ ? prices_.system + static_cast<double>(shared) : 0;
        row.billed += prices_.cached * cached + prices_.write * (all - cached);
        before = given.ids;
        const Set names = replay_model::names(given.text);
        const std::string spaced = replay_model::spaced(given.text);
        const Set lacks_names =
            count(row, "identifiers", [&](const auto &one) { return names.count(one) != 0; });
        const Set lacks_phrases = count(row, "phrases", [&](const auto &one) {
            return spaced.find(" " + one + " ") != std::string::npos;
        });
        const bool lacks =
            !lacks_names.empty() || static_cast<double>(lacks_phrases.size()) >
                                        0.1 * static_cast<double>(needs_["phrases"].size()) + 1e-9;
        ++row.recall["lacks_nothing"].needed;
        row.recall["lacks_nothing"].present += !lacks;
        if (lacks)
            row.fetches += prices_.cached * all + prices_.output * 50 +
                           prices_.write * fetched(n, lacks_names, lacks_phrases);
        const std::string words = replay_model::words(given.text);
        find(row, "task", sentences_, words);
        find(row, "newest", replay_model::lines(joined(said_[n - 1].texts, "\n")), words);
    }

    // Returns the tokens of the messages that have what is missing, the newest first.
    double fetched(size_t n, Set names, Set phrases) const {
        double tokens = 0;
        for (size_t i = n; i-- > 0 && !(names.empty() && phrases.empty());) {
            size_t found = 0;
            for (const std::string &text : said_[i].texts) {
                for (const std::string &one : replay_model::names(text)) found += names.erase(one);
                for (const std::string &one : replay_model::phrases(text))
                    found += phrases.erase(one);
            }
            if (found) tokens += std::min(2000.0, static_cast<double>(said_[i].ids.size()));
        }
        return tokens;
    }

    // Returns what is missing.
    template <typename Has>
    Set count(ModelRow &row, const std::string &kind, Has has) {
        Set missing;
        for (const std::string &one : needs_[kind]) {
            ++row.recall[kind].needed;
            if (has(one)) ++row.recall[kind].present;
            else missing.insert(one);
        }
        return missing;
    }

    static void find(ModelRow &row, const std::string &kind, const Texts &lines,
                     const std::string &words) {
        for (const std::string &line : lines) {
            ++row.recall[kind].needed;
            row.recall[kind].present += words.find(line) != std::string::npos;
        }
    }

    const ModelPrices prices_;
    std::vector<Said> said_;
    size_t task_ = 0;
    Texts sentences_, contexts_;
    size_t seen_ = 0;
    std::optional<double> called_;  // when the last call was made
    bool is_cached_ = false;
    Set seen_names_, seen_phrases_;
    std::map<std::string, Set> needs_;
    std::map<std::string, TokenIds> before_;
    std::map<std::string, ModelRow> rows_;
};

}  // namespace

std::map<std::string, ModelRow> model_report(const std::string &recording, const Args &options,
                                             const ModelPrices &prices) {
    return Model(recording, options, prices).run();
}
