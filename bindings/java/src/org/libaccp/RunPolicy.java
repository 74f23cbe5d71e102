// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Writes how a plan is run. What is not said has its default. Times are to the millisecond. */
public final class RunPolicy {
    private final Map<String, Object> members = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> tools = new LinkedHashMap<>();

    /** Makes one that says nothing yet. */
    public RunPolicy() {}

    /**
     * Sets how often a tool is tried after its first.
     *
     * @param retries not said, it is 1
     * @return this
     */
    public RunPolicy retries(int retries) {
        return with("retries", retries);
    }

    /**
     * Says whether other tools are tried.
     *
     * @param fallback not said, they are
     * @return this
     */
    public RunPolicy fallback(boolean fallback) {
        return with("fallback", fallback);
    }

    /**
     * Sets how long one call may take.
     *
     * @param timeout not said, it is a minute
     * @return this
     */
    public RunPolicy timeout(Duration timeout) {
        return with("timeout_ms", Objects.requireNonNull(timeout, "timeout").toMillis());
    }

    /**
     * Sets the waits between tries: the first, which doubles each time up to the second.
     *
     * @param first not said, it is 200 ms
     * @param max not said, it is 30 seconds
     * @return this
     */
    public RunPolicy backoff(Duration first, Duration max) {
        with("backoff_ms", Objects.requireNonNull(first, "first").toMillis());
        return with("max_backoff_ms", Objects.requireNonNull(max, "max").toMillis());
    }

    /**
     * Sets what may be added to a wait.
     *
     * @param percent not said, it is 20
     * @return this
     */
    public RunPolicy jitter(int percent) {
        return with("jitter_percent", percent);
    }

    /**
     * Sets how many calls go on at once.
     *
     * @param max not said, it is 16
     * @return this
     */
    public RunPolicy maxParallel(int max) {
        return with("max_parallel", max);
    }

    /**
     * Sets how long texts may be.
     *
     * @param output of one answer; not said, it is 16 MiB
     * @param params of one step's params; not said, it is 16 MiB
     * @param held of all of them; not said, it is 256 MiB
     * @return this
     */
    public RunPolicy maxBytes(long output, long params, long held) {
        with("max_output_bytes", output);
        with("max_params_bytes", params);
        return with("max_held_bytes", held);
    }

    /**
     * Sets what differs for one tool.
     *
     * @param tool its id
     * @param retries how often it is tried after its first
     * @param timeout how long one call may take
     * @return this
     */
    public RunPolicy tool(String tool, int retries, Duration timeout) {
        tools.put(Objects.requireNonNull(tool, "tool"), Map.of("retries", retries, "timeout_ms", Objects.requireNonNull(timeout, "timeout").toMillis()));
        return with("tools", tools);
    }

    /**
     * Sets what a dry run takes for the answers of tools.
     *
     * @param answers by their ids, as {@link Json#of} takes them
     * @return this
     */
    public RunPolicy simulate(Map<String, ?> answers) {
        return with("simulate", Objects.requireNonNull(answers, "answers"));
    }

    /**
     * The policy as a run takes it.
     *
     * @return compact JSON
     * @throws IllegalArgumentException for what has no JSON
     */
    public String toJson() {
        StringBuilder out = new StringBuilder();
        JsonText.write(members, out);
        return out.toString();
    }

    private RunPolicy with(String member, Object value) {
        members.put(member, value);
        return this;
    }
}
