// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.accp_run_flag;

/** The inputs of a run. */
public final class PlanRequest {
    private final Object message;  // texts are a String or a byte[]
    private Object library;
    private Object policy;
    private int flags;
    private Store store;
    private String session;
    private Recorder recorder;

    /** Keeps the log of a run instead of a store. */
    @FunctionalInterface
    public interface Recorder {
        /**
         * Makes a record durable before it returns.
         *
         * @param record a text; {@link PlanRun#replay} passes all of them to another run of the
         *     same request
         * @throws Exception ends the run
         */
        void keep(String record) throws Exception;
    }

    /**
     * Makes a request without verbs and tools.
     *
     * @param message a SACP message
     */
    public PlanRequest(String message) {
        this.message = Objects.requireNonNull(message, "message");
    }

    /**
     * Makes a request without verbs and tools.
     *
     * @param message a SACP message, UTF-8; copied
     */
    public PlanRequest(byte[] message) {
        this.message = Texts.in(message, "message").clone();
    }

    /**
     * Sets the verbs and tools.
     *
     * @param library the document for {@link Library}
     * @return this
     */
    public PlanRequest library(String library) {
        this.library = Objects.requireNonNull(library, "library");
        return this;
    }

    /**
     * Sets the verbs and tools.
     *
     * @param library the document for {@link Library}, UTF-8; copied
     * @return this
     */
    public PlanRequest library(byte[] library) {
        this.library = Texts.in(library, "library").clone();
        return this;
    }

    /**
     * Sets the policy of the run.
     *
     * @param policy its current settings
     * @return this
     */
    public PlanRequest policy(RunPolicy policy) {
        return policy(Objects.requireNonNull(policy, "policy").toJson());
    }

    /**
     * Sets the policy of the run.
     *
     * @param policy JSON
     * @return this
     */
    public PlanRequest policy(String policy) {
        this.policy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Sets the policy of the run.
     *
     * @param policy JSON, UTF-8; copied
     * @return this
     */
    public PlanRequest policy(byte[] policy) {
        this.policy = Texts.in(policy, "policy").clone();
        return this;
    }

    /**
     * Accepts verbs and tools that the library does not have.
     *
     * @return this
     */
    public PlanRequest lenient() {
        flags |= accp_run_flag.ACCP_RUN_LENIENT;
        return this;
    }

    /**
     * Keeps the log in a store, so that another run of the same request can continue.
     *
     * @param store may be closed after the run is made
     * @param session of 1 to 256 bytes, whose only writer is the run
     * @return this
     */
    public PlanRequest log(Store store, String session) {
        this.store = Objects.requireNonNull(store, "store");
        this.session = Objects.requireNonNull(session, "session");
        return this;
    }

    /**
     * Leaves the log to the caller.
     *
     * @param recorder called by a {@link PlanDriver}; callers of {@link PlanRun#next} get the
     *     records from it
     * @return this
     */
    public PlanRequest records(Recorder recorder) {
        this.recorder = Objects.requireNonNull(recorder, "recorder");
        flags |= accp_run_flag.ACCP_RUN_RECORDS;
        return this;
    }

    Recorder recorder() {
        return recorder;
    }

    long make(long config) throws AccpException {
        byte[][] texts = Texts.all(message, library, policy, session);
        long now = Instant.now().toEpochMilli();
        return store == null ? Native.runNew(texts, flags, 0, now, config) : store.handle.ask(from -> Native.runNew(texts, flags, from, now, config));
    }
}
