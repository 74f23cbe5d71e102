// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes a query to an {@link AgentRegistry}. Members that are not set are not criteria: a new
 * query matches all agents.
 */
public final class AgentQuery {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** Makes a query without criteria. */
    public AgentQuery() {}

    /**
     * Asks for a verb.
     *
     * @param verb its name
     * @return this
     */
    public AgentQuery verb(String verb) {
        return with("verb", Objects.requireNonNull(verb, "verb"));
    }

    /**
     * Asks for a tool.
     *
     * @param tool its id
     * @return this
     */
    public AgentQuery tool(String tool) {
        return with("tool", Objects.requireNonNull(tool, "tool"));
    }

    /**
     * Asks for inputs.
     *
     * @param inputs a name with a dot matches the same text, one without matches the last part of a
     *     name
     * @return this
     */
    public AgentQuery inputs(String... inputs) {
        return with("inputs", List.of(Objects.requireNonNull(inputs, "inputs")));
    }

    /**
     * Asks for an output.
     *
     * @param output as for an input
     * @return this
     */
    public AgentQuery output(String output) {
        return with("output_type", Objects.requireNonNull(output, "output"));
    }

    /**
     * Asks for tags.
     *
     * @param tags the required tags
     * @return this
     */
    public AgentQuery tags(String... tags) {
        return with("tags", List.of(Objects.requireNonNull(tags, "tags")));
    }

    /**
     * Asks for confidence.
     *
     * @param min at least that
     * @return this
     */
    public AgentQuery minConfidence(double min) {
        return with("min_confidence", min);
    }

    /**
     * Finds similar agents that do not meet all other criteria.
     *
     * @param model whose vectors are compared
     * @param embedding a vector
     * @return this
     */
    public AgentQuery embedding(String model, double... embedding) {
        with("embedding_model", Objects.requireNonNull(model, "model"));
        return with("embedding", Objects.requireNonNull(embedding, "embedding").clone());
    }

    /**
     * Sets the required similarity.
     *
     * @param cosine the default is 0.75
     * @return this
     */
    public AgentQuery threshold(double cosine) {
        return with("threshold", cosine);
    }

    /**
     * Asks for the best only.
     *
     * @param max the most agents in the result
     * @return this
     */
    public AgentQuery top(int max) {
        return with("top_k", max);
    }

    /**
     * Returns the query for {@link AgentRegistry}.
     *
     * @return <code>{"query":{…}}</code>
     * @throws IllegalArgumentException for a number without a JSON form
     */
    public String toJson() {
        StringBuilder out = new StringBuilder();
        JsonText.write(Map.of("query", members), out);
        return out.toString();
    }

    private AgentQuery with(String member, Object value) {
        members.put(member, value);
        return this;
    }
}
