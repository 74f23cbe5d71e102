// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A slow and simple registry to compare with: it computes in doubles and looks at all agents for
// each query.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accp_model {

using Texts = std::vector<std::string>;

struct Agent {
    std::string name;
    Texts verbs, tools, inputs, outputs, tags;
    double confidence = 0;
    std::optional<double> lease_until;
    std::optional<std::string> model;
    std::vector<double> embedding;
};

struct Query {
    std::optional<std::string> verb, tool, output, model;
    std::optional<Texts> inputs, tags;
    std::optional<double> min_confidence;
    std::vector<double> embedding;
    double threshold = 0.75;
    size_t top = 0;

    bool has_criteria() const { return verb || tool || output || inputs || tags || min_confidence; }
};

struct Answer {
    std::string name;
    bool exact;
    double score;
};

inline bool has(const Texts &texts, const std::string &wanted) {
    return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

inline bool has_segment(const Texts &texts, const std::string &wanted) {
    for (const std::string &text : texts) {
        const size_t dot = text.rfind('.');
        const std::string last = dot == std::string::npos ? text : text.substr(dot + 1);
        if ((wanted.find('.') == std::string::npos ? last : text) == wanted) return true;
    }
    return false;
}

inline bool matches(const Agent &agent, const Query &query) {
    if (query.verb && !has(agent.verbs, *query.verb)) return false;
    if (query.tool && !has(agent.tools, *query.tool)) return false;
    if (query.output && !has_segment(agent.outputs, *query.output)) return false;
    if (query.min_confidence && agent.confidence < *query.min_confidence) return false;
    for (const std::string &input : query.inputs.value_or(Texts()))
        if (!has_segment(agent.inputs, input)) return false;
    for (const std::string &tag : query.tags.value_or(Texts()))
        if (!has(agent.tags, tag)) return false;
    return true;
}

// Empty if the vectors cannot be compared.
inline std::optional<double> cosine(const Agent &agent, const Query &query) {
    if (agent.embedding.size() != query.embedding.size() || agent.model != query.model) return {};
    long double product = 0, a = 0, b = 0;
    for (size_t i = 0; i < agent.embedding.size(); ++i) {
        const long double x = agent.embedding[i], y = query.embedding[i];
        product += x * y;
        a += x * x;
        b += y * y;
    }
    if (a == 0 || b == 0) return {};
    return static_cast<double>(product / std::sqrt(a * b));
}

inline std::vector<Answer> ask(const std::map<std::string, Agent> &agents, const Query &query,
                               double now) {
    std::vector<Answer> exact, similar;
    for (const auto &[name, agent] : agents) {
        if (agent.lease_until && now >= *agent.lease_until) continue;
        if ((query.has_criteria() || query.embedding.empty()) && matches(agent, query)) {
            exact.push_back({name, true, agent.confidence});
            continue;
        }
        const std::optional<double> score = cosine(agent, query);
        if (!query.embedding.empty() && score && *score >= query.threshold - 1e-12)
            similar.push_back({name, false, *score});
    }
    const auto before = [](const Answer &a, const Answer &b) {
        return std::fabs(a.score - b.score) > 1e-12 ? a.score > b.score : a.name < b.name;
    };
    std::sort(exact.begin(), exact.end(), before);
    std::sort(similar.begin(), similar.end(), before);
    exact.insert(exact.end(), similar.begin(), similar.end());
    if (query.top && exact.size() > query.top) exact.resize(query.top);
    return exact;
}

}  // namespace accp_model
