// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/lexicon.h"

#include <algorithm>
#include <array>

namespace accp::packet {

namespace {

// Words separated by blanks, no word twice. `one|other` are two spellings of one product.
struct Topic {
    std::string_view short_name, subjects, products, parts, hints;
};
constexpr Topic kTopics[] = {
    {"auth",
     "auth authentication authenticate authorization login logout signin signup registration",
     "jwt oauth|oauth2 oidc saml|sso kerberos ldap",
     "password bcrypt argon2 scrypt credential rs256 rs512 hs256 hs512 es256 pkce mfa totp "
     "httponly samesite rbac",
     "token session cookie expiry signing refresh secret lockout role"},
    {"database", "database db sql datastore",
     "postgres|postgresql mysql|mariadb sqlite mongodb|mongo dynamodb cassandra oracle",
     "orm migration schema foreignkey sharding replica rollback",
     "table index query transaction pool column row isolation"},
    {"cache", "cache caching", "redis memcached varnish", "lru ttl eviction",
     "invalidation stale warm"},
    {"API", "api apis", "rest|restful graphql grpc soap", "openapi swagger pagination webhook",
     "endpoint route request response versioning cursor"},
    {"UI", "ui frontend layout stylesheet", "react vue svelte angular solidjs",
     "css tailwind sass html jsx accessibility",
     "button page theme modal component colour color font"},
    {"tests", "test testing tests",
     "pytest jest junit gtest|googletest vitest mocha unittest rspec",
     "mock fixture coverage assertion snapshot playwright cypress", "suite flaky regression"},
    {"deployment", "deploy deployment hosting infrastructure",
     "kubernetes|k8s nomad heroku lambda fargate",
     "docker helm terraform ansible autoscaling canary", "container image rollout replicas region"},
    {"CI", "ci pipeline", "jenkins circleci buildkite travis", "linting artifact runner",
     "build job stage"},
    {"logging", "logging log logs observability monitoring", "sentry datadog splunk loki",
     "prometheus grafana opentelemetry tracing metrics dashboard", "level alert retention trace"},
    {"messaging", "messaging queue pubsub", "kafka rabbitmq sqs nats celery",
     "consumer producer broker deadletter partition", "message topic retry offset ack"},
    {"payments", "payment payments billing checkout", "stripe paypal adyen braintree",
     "invoice refund subscription chargeback", "price currency tax card"},
    {"search", "search", "elasticsearch opensearch solr lucene meilisearch",
     "facet stemming autocomplete", "ranking relevance synonym"},
    {"email", "email mail", "sendgrid mailgun ses postmark", "smtp dkim bounce", "template inbox"},
    {"style", "formatting formatter style", "prettier black gofmt clangformat", "indentation lint",
     "tabs spaces quotes semicolon"},
};
constexpr uint32_t kTopicCount = std::size(kTopics);
static_assert(kTopicCount <= kMaxTopics);

struct WordEntry {
    std::string_view word;
    TopicWord is;
};

// Calls take(word, topic word) for each word.
template <class Take>
constexpr void each_word(Take take) {
    uint32_t product = 0;
    for (uint32_t topic = 0; topic < kTopicCount; ++topic) {
        const std::string_view lists[] = {kTopics[topic].subjects, kTopics[topic].products,
                                          kTopics[topic].parts, kTopics[topic].hints};
        for (size_t role = 0; role < std::size(lists); ++role) {
            const std::string_view list = lists[role];
            for (size_t at = 0; at < list.size();) {
                const size_t end = std::min(list.find_first_of(" |", at), list.size());
                if (role == 1 && (at == 0 || list[at - 1] == ' ')) ++product;
                take(list.substr(at, end - at),
                     TopicWord{topic, role == 1 ? product : 0, static_cast<TopicRole>(role)});
                at = end + 1;
            }
        }
    }
}

constexpr size_t kWordCount = [] {
    size_t count = 0;
    each_word([&](std::string_view, TopicWord) { ++count; });
    return count;
}();

constexpr std::array<WordEntry, kWordCount> kWords = [] {
    std::array<WordEntry, kWordCount> words{};
    size_t count = 0;
    each_word([&](std::string_view word, TopicWord is) { words[count++] = {word, is}; });
    std::sort(words.begin(), words.end(),
              [](const WordEntry &a, const WordEntry &b) { return a.word < b.word; });
    return words;
}();
static_assert(std::adjacent_find(kWords.begin(), kWords.end(),
                                 [](const WordEntry &a, const WordEntry &b) {
                                     return a.word == b.word;
                                 }) == kWords.end());

bool find_word(std::string_view word, TopicWord &out) {
    const WordEntry *found = std::lower_bound(
        kWords.data(), kWords.data() + kWords.size(), word,
        [](const WordEntry &entry, std::string_view key) { return entry.word < key; });
    if (found == kWords.data() + kWords.size() || found->word != word) return false;
    out = found->is;
    return true;
}

}  // namespace

bool find_topic_word(std::string_view word, TopicWord &out) {
    if (find_word(word, out)) return true;
    return word.size() > 3 && word.back() == 's' && find_word(word.substr(0, word.size() - 1), out);
}

std::string_view short_name_of(uint32_t topic) { return kTopics[topic].short_name; }

TopicSet find_topics(const text::Words &words) {
    TopicSet set;
    for (size_t i = 0; i < words.size(); ++i) {
        TopicWord found;
        if (!find_topic_word(words[i], found)) continue;
        (found.role == TopicRole::kHint ? set.hinted : set.shown) |= 1u << found.topic;
    }
    return set;
}

}  // namespace accp::packet
