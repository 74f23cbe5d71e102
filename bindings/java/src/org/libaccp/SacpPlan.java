// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The plan of a {@link SacpMessage}: steps, one after another or in parallel. */
public final class SacpPlan {
    private final List<Object> parts = new ArrayList<>();

    /** Makes an empty plan. */
    public SacpPlan() {}

    /**
     * Adds a step without params.
     *
     * @param verb the verb
     * @param tool the tool
     * @return this
     */
    public SacpPlan step(String verb, String tool) {
        return step(verb, tool, Map.of());
    }

    /**
     * Adds a step.
     *
     * @param verb the verb
     * @param tool the tool
     * @param params Java objects, as for {@link Json#of}; a {@link SacpMessage} among them is a
     *     subtask
     * @return this
     */
    public SacpPlan step(String verb, String tool, Map<String, ?> params) {
        parts.add(Arrays.asList(Objects.requireNonNull(verb, "verb"), Objects.requireNonNull(tool, "tool"), Objects.requireNonNull(params, "params")));
        return this;
    }

    /**
     * Adds plans that run side by side.
     *
     * @param branches each with at least one step
     * @return this
     */
    public SacpPlan parallel(SacpPlan... branches) {
        List<Object> all = new ArrayList<>();
        for (SacpPlan branch : Objects.requireNonNull(branches, "branches")) {
            List<Object> steps = Objects.requireNonNull(branch, "branches").parts();
            all.add(steps.size() == 1 ? steps.get(0) : steps);
        }
        parts.add(Map.of("parallel", all));
        return this;
    }

    /**
     * Adds the step directly after {@link #parallel} that takes the outputs of the branches.
     *
     * @param tool the tool
     * @return this
     */
    public SacpPlan join(String tool) {
        return step("join", tool);
    }

    /**
     * Adds the step directly after {@link #parallel} that takes the outputs of the branches.
     *
     * @param tool the tool
     * @param params as for {@link #step(String, String, Map)}
     * @return this
     */
    public SacpPlan join(String tool, Map<String, ?> params) {
        return step("join", tool, params);
    }

    List<Object> parts() {
        return new ArrayList<>(parts);
    }
}
