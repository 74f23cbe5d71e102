// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions: functions with more than a text as the result.
#include <memory>
#include <new>

#include "structs.h"

using namespace accp_java;

namespace {

// A text, and the peer that it comes from; agents: the peer's, null for no peer.
struct PeerText {
    bool take(JNIEnv *env, jobject from, jobject agents, jint origin) {
        if (!text.take(env, from) || !names.take(env, agents)) return false;
        given = {names.view(), origin, 0};
        peer = agents ? &given : nullptr;
        return true;
    }

    TextIn text, names;
    const accp_peer *peer = nullptr;

private:
    accp_peer given = {};
};

}  // namespace

// Answers the status.
ACCP_NATIVE(jint, sessionReceive)
(JNIEnv *env, jclass, jlong session, jobject text, jobject agents, jint origin, jlong now_ms) {
    PeerText in;
    if (!in.take(env, text, agents, origin)) return ACCP_OK;
    accp_error error = {};
    accp_status status = accp_session_receive(handle<accp_session>(session), in.text.text(),
                                              in.text.len(), now_ms, in.peer, &error);
    if (is_failure_of_incoming(status)) raise(env, error);
    return status;
}

ACCP_NATIVE(void, sessionAppend)
(JNIEnv *env, jclass, jlong session, jobject text, jobject agents, jint origin, jlong now_ms) {
    PeerText in;
    if (!in.take(env, text, agents, origin)) return;
    accp_error error = {};
    if (accp_session_append_from(handle<accp_session>(session), in.text.text(), in.text.len(),
                                 now_ms, in.peer, &error) != ACCP_OK)
        raise(env, error);
}

// Answers how many messages.
ACCP_NATIVE(jlong, sessionAppendMessages)
(JNIEnv *env, jclass, jlong session, jobject text, jint form, jobject agents, jint origin,
 jlong now_ms) {
    PeerText in;
    if (!in.take(env, text, agents, origin)) return 0;
    uint64_t count = 0;
    accp_error error = {};
    if (accp_session_append_messages_from(handle<accp_session>(session), in.text.text(),
                                          in.text.len(), form, now_ms, in.peer, &count,
                                          &error) != ACCP_OK)
        raise(env, error);
    return static_cast<jlong>(count);
}

// numbers: status, seq, origin, warnings. Texts: message, mid, cid, reason. Null after the last.
ACCP_NATIVE(jobjectArray, sessionNextDelivery)
(JNIEnv *env, jclass, jlong session, jlongArray numbers) {
    accp_delivery next = {};
    if (!accp_session_next_delivery(handle<accp_session>(session), &next)) return nullptr;
    accp_text reason = {next.reason, next.reason ? std::strlen(next.reason) : 0};
    return give(env, ACCP_OK, {}, {next.message, next.mid, next.cid, reason},
                {next.status, next.seq, next.origin,
                 accp_session_delivery_warnings(handle<accp_session>(session))},
                numbers);
}

// numbers: kind, time.
ACCP_NATIVE(jbyteArray, sessionRecord)
(JNIEnv *env, jclass, jlong session, jlong number, jlongArray numbers) {
    accp_log_record record = {};
    accp_error error = {};
    if (accp_session_record(handle<accp_session>(session), static_cast<uint64_t>(number), &record,
                            &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    jlong fields[2] = {record.kind, record.time_ms};
    env->SetLongArrayRegion(numbers, 0, 2, fields);
    return to_bytes(env, record.text);
}

// numbers: version.
ACCP_NATIVE(jbyteArray, sessionState)(JNIEnv *env, jclass, jlong session, jlongArray numbers) {
    int64_t version = 0;
    accp_text state = accp_session_state(handle<accp_session>(session), &version);
    jlong field = version;
    env->SetLongArrayRegion(numbers, 0, 1, &field);
    return to_bytes(env, state);
}

namespace {

// A text, and its tokens into numbers[0].
jbyteArray give_counted(JNIEnv *env, accp_status status, const accp_error &error, accp_text out,
                        uint64_t tokens, jlongArray numbers) {
    if (status == ACCP_OK) {
        auto field = static_cast<jlong>(tokens);
        env->SetLongArrayRegion(numbers, 0, 1, &field);
    }
    return give_text(env, status, error, out);
}

struct BlockNumbers {
    jlong kind, is_stable, checkpoint, tokens, since;
};

}  // namespace

// numbers: tokens.
ACCP_NATIVE(jbyteArray, sessionContext)
(JNIEnv *env, jclass, jlong session, jlong budget_tokens, jlongArray numbers) {
    accp_text out = {};
    uint64_t tokens = 0;
    accp_error error = {};
    accp_status status = accp_session_context(
        handle<accp_session>(session), static_cast<uint64_t>(budget_tokens), &out, &tokens, &error);
    return give_counted(env, status, error, out, tokens, numbers);
}

// numbers: tokens.
ACCP_NATIVE(jbyteArray, sessionMessages)
(JNIEnv *env, jclass, jlong session, jint form, jlong budget_tokens, jlongArray numbers) {
    accp_text out = {};
    uint64_t tokens = 0;
    accp_error error = {};
    accp_status status =
        accp_session_context_messages(handle<accp_session>(session), form,
                                      static_cast<uint64_t>(budget_tokens), &out, &tokens, &error);
    return give_counted(env, status, error, out, tokens, numbers);
}

// texts: the list, the branch's id. agents: of a peer, null for none. numbers: same as
// accp_history_report.
ACCP_NATIVE(void, sessionHistory)
(JNIEnv *env, jclass, jlong session, jint form, jobjectArray texts, jobject agents, jint origin,
 jlong now_ms, jlongArray numbers) {
    TextsIn<2> given;
    TextIn names;
    if (!given.take(env, texts) || !names.take(env, agents)) return;
    accp_peer peer = {names.view(), origin, 0};
    accp_history_options options = {sizeof options, given[1], agents ? &peer : nullptr};
    accp_history_report report = {};
    accp_error error = {};
    accp_status status =
        accp_session_append_history(handle<accp_session>(session), given[0].text, given[0].len,
                                    form, now_ms, &options, &report, &error);
    if (status != ACCP_OK) return raise(env, error);
    const jlong fields[6] = {static_cast<jlong>(report.count),  static_cast<jlong>(report.same),
                             static_cast<jlong>(report.added),  static_cast<jlong>(report.item),
                             static_cast<jlong>(report.record), report.is_branched};
    env->SetLongArrayRegion(numbers, 0, 6, fields);
}

// The numbers of all blocks, five longs each; then the text of each.
ACCP_NATIVE(jobjectArray, sessionBlocks)
(JNIEnv *env, jclass, jlong session, jlong budget_tokens) {
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    accp_error error = {};
    if (accp_session_context_blocks(handle<accp_session>(session),
                                    static_cast<uint64_t>(budget_tokens), &blocks, &count,
                                    &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    std::unique_ptr<accp_text[]> texts(new (std::nothrow) accp_text[count + 1]);
    std::unique_ptr<BlockNumbers[]> numbers(new (std::nothrow) BlockNumbers[count + 1]);
    if (!texts || !numbers) {
        raise(env, ACCP_ERR_NOMEM, "out of memory");
        return nullptr;
    }
    texts[0] = {reinterpret_cast<const char *>(numbers.get()), count * sizeof(BlockNumbers)};
    for (size_t i = 0; i < count; ++i) {
        const accp_context_block &block = blocks[i];
        numbers[i] = {block.kind, block.is_stable, block.checkpoint,
                      static_cast<jlong>(block.tokens), static_cast<jlong>(block.since)};
        texts[i + 1] = block.text;
    }
    return to_texts(env, texts.get(), static_cast<jsize>(count + 1));
}
