// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls back into Java: one interface, org.libaccp.internal.Callback, with one method for every
// kind of call, byte[] call(int kind, byte[][] texts, long[] numbers). It returns the text for the
// C API, and its status is numbers[0]. Java catches everything. Any other exception (no memory for
// the arrays) is cleared here and becomes ACCP_ERR_NOMEM, so no exception is ever pending inside
// the library.
#pragma once

#include "accp_jni.h"

namespace accp_java {

bool load_callbacks(JNIEnv *env);

// The kinds, as Callback.java has them.
enum CallbackKind : jint {
    kResolve = 0,
    kKeep = 1,
    kEnvelope = 2,
    kTool = 3,
    kPolicy = 4,
    kLog = 5,
    kCount = 6,
    kText = 7,
    kDamage = 8,
    kColdPut = 9,
    kColdGet = 10,
    kSummary = 11,
    kEvent = 12,
    kExtract = 13,
    kModel = 14
};

// An accp_envelope as Java has it: texts mid, cid, aid, sid; numbers fields, seq, ts, ttl.
class EnvelopeIn {
public:
    bool take(JNIEnv *env, jobjectArray texts, jlongArray numbers);
    const accp_envelope *get() const { return &envelope_; }

private:
    accp_envelope envelope_ = {};
    TextIn texts_[4];
};

}  // namespace accp_java
