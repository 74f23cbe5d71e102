// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads lines of bytes as operations on a session. `@…` receives a frame, `{…` sends a message,
// `=…` appends one, `$…` resolves a ref, `!ref value` stores a value, `~{…}` sends the shared
// state, `#` makes a checkpoint, `^` checks deadlines, `&xx` sends frame 2 again, `-c` stops
// waiting for parts, `+N` advances the clock, and `?` reopens the session, which must not change
// its visible state. Sizes must stay within their limits, and every status must be a documented
// one.
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

struct Run {
    Run() {
        Config config;
        config.rule(ACCP_RULE_EXTENSIONS, ACCP_EXT_Q1 | ACCP_EXT_T1)
            .rule(ACCP_RULE_LOOSE_MID, 1)
            .rule(ACCP_RULE_SHARES_STORE, 1)
            .rule(ACCP_RULE_SEED, 1)
            .rule(ACCP_RULE_PARTS, 1)
            .rule(ACCP_RULE_DEADLINE_MS, 2000);
        REQUIRE(accp_engine_new(config.get(), &engine, nullptr) == ACCP_OK);
        open();
    }
    ~Run() {
        accp_session_close(session);
        accp_engine_free(engine);
    }
    void open() {
        accp_session_close(session);
        session = nullptr;
        REQUIRE(accp_session_open(engine, "s", 1, 0, &session, nullptr) == ACCP_OK);
    }
    std::string seen() {
        const Answer context = ask(0, [&](auto... out) { return call(out...); });
        accp_text state = accp_session_state(session, nullptr);
        return context.text + "\n" + std::string(state.text, state.len) + " " +
               std::to_string(accp_session_record_count(session));
    }
    accp_status call(accp_text *out, accp_error *err) {
        return accp_session_context(session, 0, out, nullptr, err);
    }

    accp_engine *engine = nullptr;
    accp_session *session = nullptr;
    int64_t now = 1'714'000'000'000;
};

void check(accp_status status) {
    REQUIRE(status != ACCP_ERR_NOMEM && status != ACCP_E9999 && status != ACCP_ERR_CORRUPT &&
            status != ACCP_ERR_IO);
}

void operate(Run &run, std::string_view line) {
    const Exact rest(line.empty() ? line : line.substr(1));
    accp_text out = {};
    switch (line.empty() ? ' ' : line[0]) {
        case '@': {
            const Exact frame(line);
            check(accp_session_receive(run.session, frame.data(), frame.size(), run.now, nullptr,
                                       nullptr));
            for (accp_delivery one; accp_session_next_delivery(run.session, &one);)
                check(one.status);
            break;
        }
        case '{': {
            const Exact message(line);
            check(accp_session_send(run.session, message.data(), message.size(), run.now, &out,
                                    nullptr));
            break;
        }
        case '=':
            check(accp_session_append(run.session, rest.data(), rest.size(), run.now, nullptr));
            break;
        case '$':
            check(accp_session_resolve(run.session, rest.data(), rest.size(), nullptr, 0, run.now,
                                       &out, nullptr));
            break;
        case '!': {
            const size_t space = std::min(line.find(' '), line.size());
            const Exact ref(line.substr(1, space - 1)),
                value(space < line.size() ? line.substr(space + 1) : std::string_view());
            check(accp_session_put(run.session, ref.data(), ref.size(), value.data(), value.size(),
                                   0, nullptr));
            break;
        }
        case '~':
            check(accp_session_send_state(run.session, "a", 1, rest.data(), rest.size(), run.now,
                                          &out, nullptr));
            break;
        case '^': check(accp_session_expire(run.session, run.now, nullptr)); break;
        case '&':
            check(accp_session_retry(run.session, line.size() - 1, run.now, &out, nullptr));
            break;
        case '-':
            check(
                accp_session_remove_parts(run.session, rest.data(), rest.size(), run.now, nullptr));
            break;
        case '#': check(accp_session_checkpoint(run.session, run.now, nullptr)); break;
        case '+': run.now += static_cast<int64_t>(line.size()) * 997; break;
        case '?': {
            const std::string before = run.seen();
            const int64_t deadline = accp_session_next_deadline(run.session);
            run.open();
            REQUIRE(run.seen() == before);
            // a state that waited to be sent again may have a later deadline now
            REQUIRE(accp_session_next_deadline(run.session) >= deadline);
            break;
        }
        default: break;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Run run;
    std::string_view text(reinterpret_cast<const char *>(data), size);
    for (int operations = 0; !text.empty() && operations < 64; ++operations) {
        const size_t end = text.find('\n');
        operate(run, text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        accp_budget use;
        REQUIRE(accp_session_budget(run.session, &use, nullptr) == ACCP_OK);
        REQUIRE(use.hot_used <= use.hot_max && use.warm_used <= use.warm_max);
    }
    return 0;
}
