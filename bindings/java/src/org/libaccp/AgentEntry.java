// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes an entry of an {@link AgentRegistry}. Members that are not set are omitted, except for the
 * mandatory ones, which are empty then.
 */
public final class AgentEntry {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * Makes the entry of an agent without abilities.
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
     * Sets the verbs of the agent.
     *
     * @param verbs their names
     * @return this
     */
    public AgentEntry verbs(String... verbs) {
        return with("supported_verbs", List.of(Objects.requireNonNull(verbs, "verbs")));
    }

    /**
     * Sets the tools of the agent.
     *
     * @param tools their ids
     * @return this
     */
    public AgentEntry tools(String... tools) {
        return with("supported_tools", List.of(Objects.requireNonNull(tools, "tools")));
    }

    /**
     * Sets the inputs of the agent.
     *
     * @param inputs such as {@code ctx.history}
     * @return this
     */
    public AgentEntry inputs(String... inputs) {
        return with("inputs", List.of(Objects.requireNonNull(inputs, "inputs")));
    }

    /**
     * Sets the outputs of the agent.
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
     * @param tags the tags
     * @return this
     */
    public AgentEntry tags(String... tags) {
        return with("tags", List.of(Objects.requireNonNull(tags, "tags")));
    }

    /**
     * Sets the agent's confidence in its work.
     *
     * @param confidence the default is 0
     * @return this
     */
    public AgentEntry confidence(double confidence) {
        return with("confidence_score", confidence);
    }

    /**
     * Sets the embedding for searches by similarity.
     *
     * @param model whose vectors are compared only with each other
     * @param embedding a vector
     * @return this
     */
    public AgentEntry embedding(String model, double... embedding) {
        with("embedding_model", Objects.requireNonNull(model, "model"));
        return with("embedding", Objects.requireNonNull(embedding, "embedding").clone());
    }

    /**
     * Sets the end of its lease; by default it does not end.
     *
     * @param until to the millisecond
     * @return this
     */
    public AgentEntry leaseUntil(Instant until) {
        return with("lease_until", Objects.requireNonNull(until, "until").toEpochMilli() / 1000.0);
    }

    /**
     * Sets an additional member.
     *
     * @param name its name
     * @param value as for {@link Json#of}
     * @return this
     */
    public AgentEntry other(String name, Object value) {
        members.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return this;
    }

    /**
     * Returns the entry for {@link AgentRegistry}.
     *
     * @return compact JSON
     * @throws IllegalArgumentException for a value without a JSON form
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
