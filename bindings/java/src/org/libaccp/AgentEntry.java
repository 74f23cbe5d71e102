// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes an entry of an {@link AgentRegistry}. What is not said is left out, but for what every entry has, which is empty then. */
public final class AgentEntry {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * Makes one of an agent that can do nothing yet.
     *
     * @param name of the agent
     * @param description in words
     */
    public AgentEntry(String name, String description) {
        members.put("agent_name", Objects.requireNonNull(name, "name"));
        for (String list : List.of("supported_verbs", "supported_tools", "inputs", "outputs")) {
            members.put(list, List.of());
        }
        members.put("description", Objects.requireNonNull(description, "description"));
    }

    /**
     * Sets the verbs that it may be asked for.
     *
     * @param verbs their names
     * @return this
     */
    public AgentEntry verbs(String... verbs) {
        return with("supported_verbs", List.of(Objects.requireNonNull(verbs, "verbs")));
    }

    /**
     * Sets the tools that it has.
     *
     * @param tools their ids
     * @return this
     */
    public AgentEntry tools(String... tools) {
        return with("supported_tools", List.of(Objects.requireNonNull(tools, "tools")));
    }

    /**
     * Sets what it takes.
     *
     * @param inputs such as {@code ctx.history}
     * @return this
     */
    public AgentEntry inputs(String... inputs) {
        return with("inputs", List.of(Objects.requireNonNull(inputs, "inputs")));
    }

    /**
     * Sets what it makes.
     *
     * @param outputs such as {@code predictions}
     * @return this
     */
    public AgentEntry outputs(String... outputs) {
        return with("outputs", List.of(Objects.requireNonNull(outputs, "outputs")));
    }

    /**
     * Sets its tags.
     *
     * @param tags which
     * @return this
     */
    public AgentEntry tags(String... tags) {
        return with("tags", List.of(Objects.requireNonNull(tags, "tags")));
    }

    /**
     * Sets how sure it is of what it does.
     *
     * @param confidence not said, it is 0
     * @return this
     */
    public AgentEntry confidence(double confidence) {
        return with("confidence_score", confidence);
    }

    /**
     * Sets what it is alike.
     *
     * @param model whose vectors are compared with each other only
     * @param embedding a vector
     * @return this
     */
    public AgentEntry embedding(String model, double... embedding) {
        with("embedding_model", Objects.requireNonNull(model, "model"));
        return with("embedding", Objects.requireNonNull(embedding, "embedding").clone());
    }

    /**
     * Sets when its lease ends; not said, it never does.
     *
     * @param until to the millisecond
     * @return this
     */
    public AgentEntry leaseUntil(Instant until) {
        return with("lease_until", Objects.requireNonNull(until, "until").toEpochMilli() / 1000.0);
    }

    /**
     * Sets a member of one's own.
     *
     * @param name its name
     * @param value as {@link Json#of} takes it
     * @return this
     */
    public AgentEntry other(String name, Object value) {
        members.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return this;
    }

    /**
     * The entry as {@link AgentRegistry} takes it.
     *
     * @return compact JSON
     * @throws IllegalArgumentException for what has no JSON
     */
    public String toJson() {
        StringBuilder out = new StringBuilder();
        JsonText.write(members, out);
        return out.toString();
    }

    private AgentEntry with(String member, Object value) {
        members.put(member, value);
        return this;
    }
}
