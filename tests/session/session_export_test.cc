// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Exports: random sessions are imported into another store with the same bytes, and continue there.
// Damage is reported with its line, or gives the session that the lines describe.
#include <algorithm>
#include <random>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

int keep_text(const char *text, size_t len, void *user) {
    return static_cast<std::string *>(user)->append(text, len), 0;
}

std::string exported(accp_store *store) {
    std::string text;
    EXPECT_EQ(accp_store_export(store, "s", 1, keep_text, &text, nullptr), ACCP_OK);
    return text;
}

accp_status import(accp_store *store, const std::string &text, accp_error *err = nullptr) {
    return accp_store_import(store, text.data(), text.size(), err);
}

// Splits an export into lines. The order of grants and mids does not matter.
std::vector<std::string> export_lines(const std::string &text) {
    std::vector<std::string> lines;
    for (size_t at = 0, end; at < text.size(); at = end + 1) {
        end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
    }
    return lines;
}

class RandomSession {
public:
    RandomSession(uint32_t seed, accp_engine *engine)
        : random_(seed), engine_(engine), session_(open_session(engine)) {}

    void run(int steps) {
        for (int i = 0; i < steps; ++i) step();
    }

private:
    void step() {
        accp_session *s = session_.get();
        now_ += pick(2000);
        switch (pick(12)) {
            case 0:
            case 1: (void)send(s, message("a"), now_); break;
            case 2: (void)send(s, message("req"), now_); break;
            case 3:
            case 4: (void)receive(s, frame(), now_); break;
            case 5: (void)append(s, message("x y"), now_); break;
            case 6:
                (void)append(s, "{ \"agent\" : \"h\", \"intent\":\"done\",\"payload\":{} }", now_);
                break;
            case 7: (void)send_state(s, R"({"k":)" + number() + "}", now_); break;
            case 8: (void)put(s, "warm.k" + number(), R"([1,2.50,"ä\u0001"])", now_ + 5); break;
            case 9: (void)put(s, "cold.k" + number(), R"({ "with" : "blanks" })"); break;
            case 10: (void)accp_session_expire(s, now_, nullptr); break;
            case 11: rare(s); break;
        }
    }
    void rare(accp_session *s) {
        switch (pick(4)) {
            case 0: (void)accp_session_checkpoint(s, now_, nullptr); break;
            case 1:
                session_.reset();
                session_ = open_session(engine_);
                break;
            case 2: (void)accp_session_remove_parts(s, "", 0, now_, nullptr); break;
            case 3: (void)accp_session_add_grant(s, "\xFF", 1, "cold.", 5, 0, nullptr); break;
        }
    }
    std::string message(const std::string &text) {
        const char *intents[] = {"req", "qry", "done", "cancel"};
        std::string words;
        for (uint32_t left = pick(8) ? 2 : 300; left; --left) words += "word" + number() + " ";
        return R"({"agent":"me","intent":")" + std::string(intents[pick(4)]) +
               R"(","operation":"op","payload":{"t":")" + text + " " + words +
               R"("},"meta":{"cid":"c)" + number() + R"("}})";
    }
    // A frame that is accepted, waits, is refused late, has expired, or is a part.
    std::string frame() {
        const char *bodies[] = {"done:op{t:ok}", "sync:op{t:$warm.none}", "ack:op{t:x}",
                                "req:op{t:no|", "done:op{q:1}"};
        const char *ends[] = {"", ",ttl:1", ",pt:1,pts:2", ",cid:c3"};
        seq_ += pick(6) ? 1 : 2;
        return "@you>" + std::string(bodies[pick(5)]) + "[mid:a" +
               std::to_string(10000000000 + seq_) + ",seq:" + std::to_string(seq_) +
               ",ts:1714000000" + ends[pick(4)] + "]";
    }
    std::string number() { return std::to_string(pick(9)); }
    uint32_t pick(uint32_t below) { return random_() % below; }

    std::mt19937 random_;
    accp_engine *engine_;
    Handle<accp_session> session_;
    int64_t now_ = kNow, seq_ = 0;
};

std::string random_export(uint32_t seed, int steps) {
    Handle<accp_store> store = open_store();
    Handle<accp_engine> engine = open_engine(EngineConfig(store.get())
                                                 .rule(ACCP_RULE_PARTS, 1)
                                                 .rule(ACCP_RULE_BY_SENDER, 1)
                                                 .rule(ACCP_RULE_DEADLINE_MS, 3000)
                                                 .rule(ACCP_RULE_SHARES_STORE, seed % 2));
    RandomSession(seed, engine.get()).run(steps);
    return exported(store.get());
}

TEST(SessionExport, ComesOutOfAnotherStoreAsItWentIn) {
    std::string kinds;
    for (uint32_t seed = 1; seed <= 60; ++seed) {
        const std::string text = random_export(seed, 80);
        Handle<accp_store> store = open_store();
        accp_error err = {};
        ASSERT_EQ(import(store.get(), text, &err), ACCP_OK)
            << seed << ": line " << err.record << ": " << err.message;
        ASSERT_EQ(exported(store.get()), text) << seed;
        Handle<accp_engine> engine = open_engine(
            EngineConfig(store.get()).rule(ACCP_RULE_PARTS, 1).rule(ACCP_RULE_BY_SENDER, 1));
        ASSERT_EQ(append(open_session(engine.get()).get(),
                         R"({"agent":"a","intent":"ack","operation":"x","payload":{}})"),
                  ACCP_OK);
        kinds += text;
    }
    for (const char *kind :
         {"received", "sent", "part_sent", "request", "timeout", "message", "used_up", "phase"})
        EXPECT_NE(kinds.find("\"kind\":\"" + std::string(kind) + "\""), std::string::npos) << kind;
    EXPECT_NE(kinds.find("\"state\":{\"form\":"), std::string::npos);
    EXPECT_EQ(kinds.find("\"bytes"), std::string::npos) << "every record reads";
}

// Swaps each two neighbours, and moves a copy of each line behind each later line.
TEST(SessionExport, BlobsAreSortedAndThereOnce) {
    const std::vector<std::string> lines = export_lines(random_export(7, 60));
    const auto is_blob = [](const std::string &line) { return line.rfind("{\"tier\"", 0) == 0; };
    const auto first =
        static_cast<size_t>(std::find_if(lines.begin(), lines.end(), is_blob) - lines.begin());
    size_t end = first;
    while (end < lines.size() && is_blob(lines[end])) ++end;
    ASSERT_GT(end, first + 5);
    const auto expect_refused = [](const std::vector<std::string> &damaged, size_t line) {
        std::string text;
        for (const std::string &one : damaged) text += one + "\n";
        Handle<accp_store> store = open_store();
        accp_error err = {};
        EXPECT_EQ(import(store.get(), text, &err), ACCP_E1004);
        EXPECT_EQ(err.record, line);
        EXPECT_STREQ(err.message,
                     "a blob is out of order or there twice: each tier is sorted by key");
        accp_counts counts = {};
        ASSERT_EQ(accp_store_counts(store.get(), &counts, nullptr), ACCP_OK);
        EXPECT_EQ(counts.sessions, 0u);
    };
    for (size_t i = first; i < end; ++i) {
        SCOPED_TRACE(lines[i]);
        std::vector<std::string> damaged = lines;
        if (i + 1 < end) {
            std::swap(damaged[i], damaged[i + 1]);
            expect_refused(damaged, i + 1);
        }
        for (size_t to = i + 1; to <= end; ++to) {
            damaged = lines;
            damaged.insert(damaged.begin() + static_cast<ptrdiff_t>(to), lines[i]);
            expect_refused(damaged, to);
        }
    }
}

// A changed byte or a missing line: refused with its line and nothing imported, or imported as the
// lines describe.
TEST(SessionExport, DamageIsToldOrIsWhatItSays) {
    const std::string text = random_export(7, 60);
    size_t refused = 0, taken = 0;
    const auto look = [&](const std::string &damaged, uint32_t line) {
        Handle<accp_store> store = open_store();
        accp_error err = {};
        const accp_status status = import(store.get(), damaged, &err);
        accp_counts counts = {};
        ASSERT_EQ(accp_store_counts(store.get(), &counts, nullptr), ACCP_OK);
        if (status != ACCP_OK) {
            ++refused;
            ASSERT_EQ(counts.sessions, 0u);
            ASSERT_TRUE(status == ACCP_E1001 || status == ACCP_E1004) << status;
            // a missing line is detected in the next line, or at the end
            ASSERT_GE(err.record, line);
            return;
        }
        ++taken;
        std::vector<std::string> wanted = export_lines(damaged), found;
        std::string out;
        const auto each = [](const char *id, size_t len, void *user) {
            return static_cast<std::string *>(user)->assign(id, len), 0;
        };
        std::string id;
        ASSERT_EQ(accp_store_each_session(store.get(), each, &id, nullptr), ACCP_OK);
        ASSERT_EQ(accp_store_export(store.get(), id.data(), id.size(), keep_text, &out, nullptr),
                  ACCP_OK);
        found = export_lines(out);
        std::sort(wanted.begin(), wanted.end());
        std::sort(found.begin(), found.end());
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        ASSERT_TRUE(found == wanted) << damaged << "became\n" << out;
    };
    std::mt19937 random(3);
    uint32_t line = 0;
    for (size_t at = 0; at < text.size() && !HasFatalFailure(); ++line) {
        const size_t end = text.find('\n', at);
        if (text[at + 2] == 'r' && line != 0) {
            look(std::string(text).erase(at, end - at + 1), line);
            EXPECT_EQ(taken, 0u) << "a record is missing";
        }
        at = end + 1;
    }
    line = 0;
    for (size_t at = 0; at < text.size() && !HasFatalFailure(); ++at) {
        if (random() % (ACCP_SANITIZED ? 32 : 8) == 0) {
            std::string damaged = text;
            damaged[at] = static_cast<char>(random() % 2 ? random() % 256 : '0' + random() % 10);
            if (damaged[at] != '\n') look(damaged, line);
        }
        line += text[at] == '\n';
    }
    EXPECT_GT(refused, 200u);
    EXPECT_GT(taken, ACCP_SANITIZED ? 20u : 100u);
}

}  // namespace
