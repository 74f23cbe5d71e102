// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp.internal;

import org.libaccp.AccpException;

/**
 * The hand-written functions of native/ beside SWIG's {@code Raw}. Texts are UTF-8 in a byte[] or a
 * direct ByteBuffer.
 */
public final class Native {
    static {
        Library.load();
    }

    private Native() {}

    // Frames and values: nodes of 16 bytes, then their text.
    public static native byte[] frameParse(long frame, Object text) throws AccpException;
    public static native byte[] framePrint(long frame, Object text) throws AccpException;
    public static native byte[] frameMessage(long frame, long payload, long meta, Object text) throws AccpException;
    public static native byte[][] frameEnvelope(long frame, Object text, long[] numbers) throws AccpException;
    public static native byte[] traceparent(Object cid, Object mid) throws AccpException;
    public static native byte[] midFormat(int letter, int issuer, long counter) throws AccpException;
    public static native void negotiationReceive(long negotiation, long frame, Object text) throws AccpException;
    public static native byte[] negotiationAgreement(long negotiation, long[] numbers) throws AccpException;
    public static native void configSetAgreement(long config, int state, int extensions, int features, long registry) throws AccpException;
    public static native Object[] batch(long batch, int kind, Object text) throws AccpException;
    public static native byte[] staticText(long address);
    public static native long valueNew(long config) throws AccpException;
    public static native void valueFree(long value);
    public static native byte[] jsonParse(long value, Object text) throws AccpException;
    public static native byte[] jsonHashForm(long value, Object text) throws AccpException;

    // Structs.
    public static native byte[] codecDecodeMessage(long codec, long value, Object text) throws AccpException;
    public static native void codecSetEnvelope(long codec, byte[][] texts, long[] numbers) throws AccpException;
    public static native byte[] codecRetry(long codec, Object frame, byte[][] texts, long[] numbers) throws AccpException;
    public static native byte[] codecEncodeFailure(long codec, int code, byte[][] texts) throws AccpException;
    public static native byte[][] codecFailure(long codec, long[] numbers) throws AccpException;
    public static native byte[] codecEncodeChunk(long codec, byte[][] texts, long index, long total, boolean isFinal) throws AccpException;
    public static native byte[][] registryDescribe(long registry, long[] numbers) throws AccpException;
    public static native byte[][] registrySchema(long registry, int index, long[] numbers) throws AccpException;
    public static native byte[][] registryField(long registry, int index, int field, long[] numbers) throws AccpException;
    public static native byte[] registryDiff(long from, long to) throws AccpException;
    public static native byte[][] streamAdd(long stream, Object cid, Object data, long index, long total, boolean isFinal, long[] numbers)
            throws AccpException;
    public static native byte[][] streamEnd(long stream, Object cid, long[] numbers) throws AccpException;
    public static native byte[][] streamReceive(long stream, Object message, long[] numbers) throws AccpException;
    public static native long[] chunkEnds(Object text, int maxBytes) throws AccpException;
    public static native void packetGenerate(long packet, long session, long code, byte[][] texts, int form, int depth, long budgetTokens, long nowMs, int options)
            throws AccpException;
    public static native byte[][] panesFeedback(long panes, long pane) throws AccpException;
    public static native void panesRecord(long panes, byte[][] texts, long[] numbers) throws AccpException;
    public static native byte[][] panesAdvise(long panes, Object kind, long[] depth) throws AccpException;
    public static native byte[][] sacpVerdict(long sacp, long[] numbers) throws AccpException;
    public static native byte[] sacpCompose(long sacp, byte[][] texts) throws AccpException;
    public static native byte[] sacpTo10(long sacp, byte[][] texts, long nowMs) throws AccpException;
    public static native void agentsLoad(long agents, Object text, long[] number) throws AccpException;
    public static native byte[][] agentsFound(long agents, long number, long[] numbers) throws AccpException;
    public static native byte[] agentsCheckPlan(long agents, long sacp, Object text, int reading, long nowMs, long[] answer) throws AccpException;
    public static native byte[] agentsRequest(long agents, long sacp, byte[][] texts, int reading, long nowMs, int[] round, long[] answer) throws AccpException;
    public static native byte[] agentsSpawn(long agents, long sacp, byte[][] texts, boolean allow, long leaseUntilMs) throws AccpException;
    public static native long runNew(byte[][] texts, int flags, long store, long nowMs, long config) throws AccpException;
    public static native byte[][] runNext(long run, long nowMs, long[] numbers) throws AccpException;
    public static native byte[][] runStep(long run, int number, long[] numbers) throws AccpException;
    public static native byte[] deadlineExpire(long deadline, long nowMs) throws AccpException;
    public static native int[] counterEncode(long counter, Object text) throws AccpException;
    public static native byte[] counterDecode(long counter, int[] ids) throws AccpException;
    public static native int sessionReceive(long session, Object frame, byte[] agents, int origin, long nowMs) throws AccpException;
    public static native byte[][] sessionNextDelivery(long session, long[] numbers);
    public static native byte[] sessionRecord(long session, long number, long[] numbers) throws AccpException;
    public static native byte[] sessionState(long session, long[] numbers);
    public static native byte[] sessionContext(long session, long budgetTokens, long[] numbers) throws AccpException;
    public static native void sessionAppend(long session, byte[] text, byte[] agents, int origin, long nowMs) throws AccpException;
    public static native long sessionAppendMessages(long session, byte[] text, int form, byte[] agents, int origin, long nowMs) throws AccpException;
    public static native void sessionHistory(long session, int form, byte[][] texts, byte[] agents, int origin, long nowMs, long[] numbers) throws AccpException;
    public static native byte[][] sessionBlocks(long session, long budgetTokens) throws AccpException;
    public static native byte[] sessionMessages(long session, int form, long budgetTokens, long[] numbers) throws AccpException;

    // Callbacks: a Java object that the library may call until it is freed.
    public static native long callbackNew(Callback target);
    public static native void callbackFree(long target);
    public static native void configSetHooks(long config, long target, int kinds) throws AccpException;
    public static native byte[] phrasesAsk(long phrases, Callback model, Object prompt, int[] said) throws AccpException;
    public static native long tokenizerNewCallback(Object name, int approx, long target, long config) throws AccpException;
    public static native void storeSessions(long store, long target) throws AccpException;
    public static native void storeExport(long store, Object session, long target) throws AccpException;
    public static native void storeVerify(long store, long target) throws AccpException;
}
