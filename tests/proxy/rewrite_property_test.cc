// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random conversations with branches, rewinds, edits, pauses and restarts, against a slow model
// that keeps the whole text of every prefix:
// - only contents of results that the model has read change, and each becomes a stub; every other
//   byte is as it came;
// - a result that was a stub in a prefix is the same stub in every later request with this prefix;
// - no text of one conversation is in a request of another;
// - a proxy that is restarted at any call sends the same bytes as one that runs on.
#include <gtest/gtest.h>

#include <map>

#include "proxy/body_rewriter.h"
#include "proxy/talk.h"
#include "unit.h"

namespace {

using namespace accp_proxy;
using proxy::Api;

const proxy::CallTerms kTerms = {{100, 1250, 5000, 3000, 0}};

// One proxy, which may be restarted.
struct Proxy {
    explicit Proxy(proxy::MemoryJournal &from) : journal(from), conversations({}, &journal) {
        EXPECT_TRUE(conversations.load());
        rewriter = std::make_unique<proxy::BodyRewriter>(proxy::RewriteOptions{}, conversations);
    }
    std::string send(Api api, const std::string &body, int64_t now_ms) {
        EXPECT_TRUE(rewriter->read(api, "up", body, now_ms)) << body;
        return rewriter->rewrite(kTerms).value_or(body);
    }

    proxy::MemoryJournal &journal;
    proxy::Conversations conversations;
    std::unique_ptr<proxy::BodyRewriter> rewriter;
};

// The slow model: a tree of all blocks that were ever sent, by their whole texts, with the text
// that was sent for each result.
class Model {
public:
    // Checks a request and what was sent for it.
    void check(const std::vector<Piece> &pieces, const Talk &talk, const std::string &front,
               const std::string &sent) {
        std::vector<Node *> path = {&root_[front]};
        for (const Block &block : talk)
            path.push_back(
                &path.back()->next[std::to_string(block.kind) + ' ' + std::to_string(block.id) +
                                   ' ' + std::to_string(block.is_error) + block.text]);
        size_t at = 0;
        for (const Piece &piece : pieces) {
            if (sent.compare(at, piece.json.size(), piece.json) == 0) {
                at += piece.json.size();
                if (piece.block >= 0) note(talk, piece.block, *path[piece.block + 1], "");
                continue;
            }
            ASSERT_GE(piece.block, 0) << "only contents may change: " << sent.substr(at, 200);
            const size_t end = sent.find("]\"", at) + 2;
            ASSERT_LE(end - at, piece.json.size()) << sent.substr(at, 200);
            const std::string stub = sent.substr(at, end - at);
            EXPECT_NE(
                stub.find("tokens, left out to save cost. Run the tool again if you need it.]\""),
                stub.npos)
                << stub;
            EXPECT_TRUE(stub.starts_with("\"[") || talk[piece.block].is_error) << stub;
            note(talk, piece.block, *path[piece.block + 1], stub);
            at = end;
        }
        EXPECT_EQ(at, sent.size());
    }
    size_t stubs() const { return stubs_; }

private:
    struct Node {
        std::map<std::string, Node> next;
        std::string stub;  // the stub that was last sent; empty: the whole result was
    };

    void note(const Talk &talk, int block, Node &node, const std::string &stub) {
        bool was_read = false;
        for (size_t i = static_cast<size_t>(block); i + 1 < talk.size(); ++i)
            was_read |= talk[i].kind == Block::kCall || talk[i].kind == Block::kWords;
        if (!was_read) {
            EXPECT_EQ(stub, "") << "the newest results are whole";
            return;
        }
        EXPECT_TRUE(stub.empty() || talk[block].kind == Block::kResult);
        EXPECT_TRUE(node.stub.empty() || stub == node.stub) << stub << node.stub;
        stubs_ += node.stub.empty() && !stub.empty();
        node.stub = stub;
    }

    std::map<std::string, Node> root_;
    size_t stubs_ = 0;
};

class Client {
public:
    Client(accp_unit::Random &random, int number) : random_(random), number_(number) { begin(); }
    // Returns the next request of this client: the next turn, or a branch of an earlier one.
    const Talk &next() {
        const size_t what = random_.below(40);
        if (what == 0 && talk_.size() > 8) {
            rewind();
            if (random_.below(2)) return talk_;
        }
        if (what == 1) return talk_;  // the same again
        if (what == 2 && talk_.size() > 8) talk_[random_.below(talk_.size())].text += " edited";
        else if (what == 3 && random_.below(3) == 0) begin();
        grow();
        return talk_;
    }

private:
    std::string words(size_t count) {
        std::string text = "conversation" + std::to_string(number_) + "x";
        for (size_t i = 0; i < count; ++i) {
            text += " value" + std::to_string(random_.below(1000));
            if (i % 10 == 9) text += '\n';
        }
        return text;
    }
    void begin() { talk_ = {{Block::kUser, words(10), 0, false}}; }
    void rewind() {
        size_t size = 1 + random_.below(talk_.size() - 1);
        // a request ends before the response of the model
        while (size > 1 &&
               (talk_[size - 1].kind == Block::kCall || talk_[size - 1].kind == Block::kWords))
            --size;
        talk_.resize(size);
        if (random_.below(2)) talk_.push_back({Block::kUser, words(5), 0, false});
    }
    void grow() {
        const size_t calls = 1 + random_.below(3);
        if (random_.below(2)) talk_.push_back({Block::kWords, words(8), 0, false});
        const int first = ids_;
        for (size_t i = 0; i < calls; ++i)
            talk_.push_back(
                {Block::kCall, "src/f" + std::to_string(random_.below(9)), ids_++, false});
        for (int id = first; id < ids_; ++id)
            talk_.push_back({random_.below(12) ? Block::kResult : Block::kImageResult,
                             words(random_.below(3) ? random_.below(60) : random_.below(400)), id,
                             random_.below(15) == 0});
        if (random_.below(8) == 0) talk_.push_back({Block::kUser, words(20), 0, false});
    }

    accp_unit::Random &random_;
    int number_, ids_ = 0;
    Talk talk_;
};

// Removes the anchor, a cache mark before the other members of a block, from a request that was
// sent.
std::string without_anchor(std::string sent, size_t &anchors) {
    const std::string mark = R"("cache_control":{"type":"ephemeral"},)";
    const size_t at = sent.find('{' + mark);
    if (at == sent.npos) return sent;
    sent.erase(at + 1, mark.size());
    EXPECT_EQ(sent.find('{' + mark), sent.npos) << "one anchor a request";
    ++anchors;
    return sent;
}

void run(uint64_t seed, Api api, size_t &stubs, size_t &anchors) {
    accp_unit::Random random(seed);
    proxy::MemoryJournal journal, twin_journal;
    auto proxy = std::make_unique<Proxy>(journal);
    twin_journal = journal;
    Proxy twin(twin_journal);
    Model model;
    std::vector<Client> clients;
    for (int i = 0; i < 3; ++i) clients.emplace_back(random, i);
    int64_t now_ms = 1'700'000'000'000;
    for (int step = 0; step < 90 && !testing::Test::HasFailure(); ++step) {
        const size_t who = random.below(3);
        const Talk talk = clients[who].next();
        Style style;
        style.session = "system of conversation" + std::to_string(who) + "x";
        style.mark = random.below(4) ? static_cast<int>(talk.size()) - 1 : -1;
        style.lists = random.below(3) == 0;
        style.escapes = random.below(5) == 0;
        style.spaces = random.below(5) == 0;
        now_ms += random.below(12) ? 5'000 : 400'000;
        const std::vector<Piece> pieces = write_pieces(api, talk, style);
        const std::string body = join(pieces);
        const std::string sent = proxy->send(api, body, now_ms);
        model.check(pieces, talk, style.session, without_anchor(sent, anchors));
        EXPECT_EQ(sent, twin.send(api, body, now_ms)) << "restarted, and never restarted";
        for (size_t other = 0; other < 3; ++other)
            EXPECT_EQ(other != who &&
                          sent.find("conversation" + std::to_string(other) + "x") != sent.npos,
                      false);
        if (random.below(6) == 0) proxy = std::make_unique<Proxy>(journal);
    }
    stubs += model.stubs();
}

class RewriteProperty : public testing::TestWithParam<Api> {};

TEST_P(RewriteProperty, OnlyReadResultsChangeOnceAndForAll) {
    constexpr uint64_t kSeeds = ACCP_SANITIZED ? 2 : 8;
    size_t stubs = 0, anchors = 0;
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        run(seed, GetParam(), stubs, anchors);
    }
    EXPECT_GT(stubs, 150 * kSeeds / 8) << "the test must see evictions";
    EXPECT_EQ(anchors > 20 * kSeeds / 8, GetParam() == Api::kMessages) << anchors;
}

INSTANTIATE_TEST_SUITE_P(Interfaces, RewriteProperty,
                         testing::Values(Api::kMessages, Api::kChat, Api::kResponses));

}  // namespace
