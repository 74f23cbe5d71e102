// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random operations on a store in memory, one in a file and one over a host's back end, and on a
// model of maps and lists. After each operation all must agree. ACCP_STORE_OPERATIONS=1000000 for a
// long run.
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "store/stores.h"

using namespace store_tests;

namespace {

struct ModelBlob {
    std::string bytes;
    uint64_t expires, generation;
};

struct Model {
    std::vector<std::string> log;
    std::string state;
    uint64_t version = 0, generation = 0, floor = 0;
    std::map<std::pair<int, std::string>, ModelBlob> blobs;
    std::set<std::string> mids;
    std::map<std::pair<std::string, std::string>, uint64_t> grants;
};

class Walk {
public:
    explicit Walk(uint32_t seed)
        : random_(seed), memory_(private_allocator(), UINT64_MAX), batch_(memory_) {
        for (int which = 0; which < kStores; ++which) open_stores(which);
    }
    ~Walk() {
        for (auto &sessions : sessions_) sessions.clear();
    }

    void step() {
        ++now_;
        switch (pick(20)) {
            case 0: return sync();
            case 1: return reopen_session();
            case 2: return pick(20) ? sync() : reopen_file();
            case 3: return pick(4) ? read_shared() : prune();
            case 4:
            case 5: return read_log();
            case 6:
            case 7:
            case 8: return read_blob();
            case 9:
            case 10: return read_mid();
            case 11: return refused();
            default: return commit();
        }
    }

    void compare_all() {
        sync();
        for (const std::string &id : ids_) {
            std::string in_memory = stores_[0]->exported(id);
            for (int which = 1; which < kStores; ++which)
                EXPECT_EQ(in_memory, stores_[which]->exported(id));
            const Model &model = models_[id];
            EXPECT_NE(in_memory.find("\"version\":" + std::to_string(model.version) +
                                     ",\"generation\":" + std::to_string(model.generation) +
                                     ",\"floor\":" + std::to_string(model.floor)),
                      std::string::npos);
        }
        for (auto &store : stores_) EXPECT_EQ(store->damage(), "");
    }

private:
    static constexpr int kStores = 3;
    static constexpr const char *kKinds[kStores] = {"memory", "sqlite", "plugin"};

    uint64_t pick(uint64_t below) { return random_() % below; }
    std::string id() { return ids_[pick(std::size(ids_))]; }
    std::string key() { return "k" + std::to_string(pick(12)); }
    std::string mid() {
        return pick(2) ? "mid " + std::to_string(pick(3000))
                       : "00000000" + std::to_string(1000 + pick(3000));
    }
    store::Tier tier() { return static_cast<store::Tier>(1 + pick(3)); }
    std::string bytes() {
        return std::string(pick(pick(10) ? 40 : 6000), static_cast<char>(pick(256)));
    }

    void open_stores(int which) {
        sessions_[which].clear();
        stores_[which].reset();
        store::StorePlace place;
        // power failures are tested in crash_test.cc
        place.durability = store::Durability::kNormal;
        stores_[which] = std::make_unique<Opened>(directory_.place_of(kKinds[which]), place);
        for (const std::string &id : ids_)
            sessions_[which][id] = std::make_unique<Open>(*stores_[which], id);
    }
    void sync() {
        for (auto &store : stores_) EXPECT_TRUE(store->store.sync().ok());
    }
    void reopen_session() {
        std::string which = id();
        for (int i = 0; i < kStores; ++i) {
            if (pick(2)) sessions_[i][which].reset();
            sessions_[i][which] = std::make_unique<Open>(*stores_[i], which);
        }
    }
    void reopen_file() {
        sync();
        open_stores(1 + static_cast<int>(pick(2)));
    }

    // Fills a batch and applies it to a model. The prefix "k" covers no name, because names begin
    // with their tier; read_shared() adds grants that do cover some.
    void fill(Model &model, int count) {
        batch_.clear();
        for (int i = 0; i < count; ++i) {
            std::string k = key(), b = bytes(), g = id();
            store::Tier t = tier();
            uint64_t expires = pick(2) ? 0 : now_ + pick(200);
            switch (pick(8)) {
                case 0:
                    batch_.set_state(b);
                    model.state = b;
                    ++model.version;
                    break;
                case 1:
                case 2: {
                    uint64_t generation = pick(2) ? 0 : model.generation + pick(2);
                    batch_.put(t, k, b, expires, generation);
                    model.blobs[{static_cast<int>(t), k}] = {b, expires, generation};
                    model.generation = std::max(model.generation, generation);
                    break;
                }
                case 3:
                    batch_.erase(t, k);
                    model.blobs.erase({static_cast<int>(t), k});
                    break;
                case 4:
                    if (pick(2)) {
                        batch_.grant(g, k.substr(0, 1), expires);
                        model.grants[{g, "k"}] = expires;
                    } else {
                        batch_.revoke(g, "k");
                        model.grants.erase({g, "k"});
                    }
                    break;
                case 5: {
                    uint64_t floor = pick(model.generation + 2);
                    batch_.set_floor(floor);
                    model.floor = std::max(model.floor, floor);
                    break;
                }
                default: batch_.append(b); model.log.push_back(b);
            }
            if (!pick(3)) continue;
            std::string m = mid();
            batch_.note_mid(m);
            model.mids.insert(m);
        }
    }
    void commit() {
        std::string which = id();
        fill(models_[which], 1 + static_cast<int>(pick(4)));
        for (auto &sessions : sessions_) {
            store::StoreSession &session = **sessions[which];
            EXPECT_TRUE(session.commit(batch_).ok());
            EXPECT_EQ(session.row().last, models_[which].log.size());
            EXPECT_EQ(session.row().version, models_[which].version);
        }
    }
    void refused() {
        std::string which = id();
        Model copy = models_[which];
        fill(copy, 3);
        batch_.append("x");
        uint64_t last = models_[which].log.size();
        uint64_t version = models_[which].version;
        if (pick(2)) batch_.put(store::Tier::kHot, "", "no key");
        else ++last;
        for (auto &sessions : sessions_)
            EXPECT_TRUE((*sessions[which])->commit(batch_, last, version).failed());
    }

    void read_log() {
        std::string which = id();
        const std::vector<std::string> &log = models_[which].log;
        uint64_t first = 1 + pick(log.size() + 2), last = first + pick(9);
        bool back = pick(2);
        std::string expected;
        for (uint64_t seq = first; seq <= last && seq <= log.size(); ++seq) {
            std::string one = std::to_string(seq) + ":" + log[seq - 1];
            expected = expected.empty() ? one : back ? one + " " + expected : expected + " " + one;
        }
        for (auto &sessions : sessions_) {
            EXPECT_EQ(sessions[which]->records(first, last, back), expected);
            EXPECT_EQ(sessions[which]->state(), models_[which].state);
        }
    }
    static std::string found(const Model &model, store::Tier tier, const std::string &key,
                             uint64_t now) {
        auto it = model.blobs.find({static_cast<int>(tier), key});
        if (it == model.blobs.end()) return "E2001";
        return it->second.expires && it->second.expires <= now ? "E2002" : it->second.bytes;
    }
    void read_blob() {
        std::string which = id(), k = key();
        store::Tier t = tier();
        for (auto &sessions : sessions_)
            EXPECT_EQ(sessions[which]->blob(t, k, now_), found(models_[which], t, k, now_));
    }
    void read_mid() {
        std::string which = id(), m = mid();
        for (auto &sessions : sessions_)
            EXPECT_EQ(sessions[which]->has_mid(m), models_[which].mids.count(m) == 1);
    }
    void read_shared() {
        sync();
        std::string owner = id(), guest = id(), k = key();
        store::Tier t = tier();
        for (auto &sessions : sessions_)
            EXPECT_EQ(sessions[guest]->shared(owner, t, k, now_), "E5002");
        store::StoreBatch all(memory_);
        all.grant(guest, "warm.k", now_ + 1);
        models_[owner].grants[{guest, "warm.k"}] = now_ + 1;
        for (auto &sessions : sessions_) EXPECT_TRUE((*sessions[owner])->commit(all).ok());
        sync();
        for (auto &sessions : sessions_) {
            EXPECT_EQ(sessions[guest]->shared(owner, store::Tier::kWarm, k, now_),
                      found(models_[owner], store::Tier::kWarm, k, now_));
            EXPECT_EQ(sessions[guest]->shared(owner, store::Tier::kCold, k, now_), "E5002");
            EXPECT_EQ(sessions[guest]->shared(owner, store::Tier::kWarm, k, now_ + 1), "E5002");
        }
    }
    void prune() {
        uint64_t keep = pick(4), expected = 0;
        for (auto &[id, model] : models_) {
            uint64_t below = keep && model.generation >= keep
                                 ? std::min(model.generation - keep + 1, model.floor)
                                 : 0;
            expected += std::erase_if(model.blobs, [&](const auto &it) {
                const ModelBlob &blob = it.second;
                return (blob.expires && blob.expires <= now_) ||
                       (blob.generation && blob.generation < below);
            });
            expected += std::erase_if(
                model.grants, [&](const auto &it) { return it.second && it.second <= now_; });
        }
        for (auto &store : stores_) {
            uint64_t pruned = 0;
            EXPECT_TRUE(store->store.prune({now_, keep}, pruned).ok());
            EXPECT_EQ(pruned, expected);
        }
    }

    std::mt19937 random_;
    Memory memory_;
    store::StoreBatch batch_;
    Directory directory_;
    const std::string ids_[3] = {"one", "two", std::string("\xFFthree", 6)};
    uint64_t now_ = 1;
    std::map<std::string, Model> models_;
    std::unique_ptr<Opened> stores_[kStores];
    std::map<std::string, std::unique_ptr<Open>> sessions_[kStores];
};

TEST(StoreModel, RandomOperationsAgree) {
    const char *wanted = std::getenv("ACCP_STORE_OPERATIONS");
    int count = wanted ? std::atoi(wanted) : 20000;
    for (int done = 0; done < count; done += 5000) {
        Walk walk(static_cast<uint32_t>(done + 7));
        for (int i = 0; i < 5000; ++i) {
            walk.step();
            if (testing::Test::HasFailure()) FAIL() << "walk " << done << ", step " << i;
        }
        walk.compare_all();
    }
}

}  // namespace
