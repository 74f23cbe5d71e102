// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the policy of a run. Settings that are not given have their defaults. Times have
 * milliseconds.
 */
public final class RunPolicy {
    private final Map<String, Object> members = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> tools = new LinkedHashMap<>();

    /** Makes a policy with all defaults. */
    public RunPolicy() {}

    /**
     * Sets the number of tries of a tool after its first.
     *
     * @param retries the default is 1
     * @return this
     */
    public RunPolicy retries(int retries) {
        return with("retries", retries);
    }

    /**
     * Sets whether other tools are tried.
     *
     * @param fallback the default is true
     * @return this
     */
    public RunPolicy fallback(boolean fallback) {
        return with("fallback", fallback);
    }

    /**
     * Sets the timeout of one call.
     *
     * @param timeout the default is a minute
     * @return this
     */
    public RunPolicy timeout(Duration timeout) {
        return with("timeout_ms", Objects.requireNonNull(timeout, "timeout").toMillis());
    }

    /**
     * Sets the waits between tries: the first, which doubles each time up to the maximum.
     *
     * @param first the default is 200 ms
     * @param max the default is 30 seconds
     * @return this
     */
    public RunPolicy backoff(Duration first, Duration max) {
        with("backoff_ms", Objects.requireNonNull(first, "first").toMillis());
        return with("max_backoff_ms", Objects.requireNonNull(max, "max").toMillis());
    }

    /**
     * Sets the random addition to a wait.
     *
     * @param percent the default is 20
     * @return this
     */
    public RunPolicy jitter(int percent) {
        return with("jitter_percent", percent);
    }

    /**
     * Sets the number of concurrent calls.
     *
     * @param max the default is 16
     * @return this
     */
    public RunPolicy maxParallel(int max) {
        return with("max_parallel", max);
    }

    /**
     * Sets the maximum length of texts.
     *
     * @param output of one result; the default is 16 MiB
     * @param params of one step's params; the default is 16 MiB
     * @param held of all of them; the default is 256 MiB
     * @return this
     */
    public RunPolicy maxBytes(long output, long params, long held) {
        with("max_output_bytes", output);
        with("max_params_bytes", params);
        return with("max_held_bytes", held);
    }

    /**
     * Sets the policy for one tool.
     *
     * @param tool its id
     * @param retries tries after its first
     * @param timeout of one call
     * @return this
     */
    public RunPolicy tool(String tool, int retries, Duration timeout) {
        tools.put(Objects.requireNonNull(tool, "tool"), Map.of("retries", retries, "timeout_ms", Objects.requireNonNull(timeout, "timeout").toMillis()));
        return with("tools", tools);
    }

    /**
     * Sets the results of tools in a dry run.
     *
     * @param answers results by tool id, as for {@link Json#of}
     * @return this
     */
    public RunPolicy simulate(Map<String, ?> answers) {
        return with("simulate", Objects.requireNonNull(answers, "answers"));
    }

    /**
     * Returns the policy for a run.
     *
     * @return compact JSON
     * @throws IllegalArgumentException for a value without a JSON form
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
