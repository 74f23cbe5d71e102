// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Writes SACP messages. Maps have Java objects, as for {@link Json#of}; they are read when
 * {@link #toJson} is called.
 */
public final class SacpMessage {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * Makes a message with an empty plan.
     *
     * @param goal the goal
     */
    public SacpMessage(String goal) {
        members.put("g", Objects.requireNonNull(goal, "goal"));
        members.put("plan", List.of());
    }

    /**
     * Sets the context.
     *
     * @param ctx values for every step
     * @return this
     */
    public SacpMessage ctx(Map<String, ?> ctx) {
        return with("ctx", ctx);
    }

    /**
     * Sets the plan.
     *
     * @param plan its current steps
     * @return this
     */
    public SacpMessage plan(SacpPlan plan) {
        return with("plan", Objects.requireNonNull(plan, "plan").parts());
    }

    /**
     * Sets the requested format of the result.
     *
     * @param outFmt the default is {@link Sacp.OutFmt#RAW}
     * @return this
     */
    public SacpMessage outFmt(Sacp.OutFmt outFmt) {
        return with("out_fmt", Objects.requireNonNull(outFmt, "outFmt").name().toLowerCase(Locale.ROOT));
    }

    /**
     * Sets the state of the task.
     *
     * @param state of version 0.1
     * @return this
     */
    public SacpMessage state(SacpState state) {
        return with("state", Objects.requireNonNull(state, "state").name());
    }

    /**
     * Sets the message's id.
     *
     * @param msgId 1 to 128 letters, digits, dots, colons, {@code -} and {@code _}
     * @return this
     */
    public SacpMessage msgId(String msgId) {
        return with("msg_id", Objects.requireNonNull(msgId, "msgId"));
    }

    /**
     * Sets the id of the message to which this one replies.
     *
     * @param replyTo its {@code msg_id}
     * @return this
     */
    public SacpMessage replyTo(String replyTo) {
        return with("reply_to", Objects.requireNonNull(replyTo, "replyTo"));
    }

    /**
     * Sets the subtasks.
     *
     * @param subtasks messages themselves
     * @return this
     */
    public SacpMessage subtask(SacpMessage... subtasks) {
        List<SacpMessage> all = List.of(Objects.requireNonNull(subtasks, "subtasks"));
        return with("subtask", all.size() == 1 ? all.get(0) : all);
    }

    /**
     * Sets whether tools only simulate their work.
     *
     * @param testMode whether to simulate
     * @return this
     */
    public SacpMessage testMode(boolean testMode) {
        return with("test_mode", testMode);
    }

    /**
     * Sets the result of the plan.
     *
     * @param result such as <code>{"output":…}</code>
     * @return this
     */
    public SacpMessage result(Map<String, ?> result) {
        return with("result", Objects.requireNonNull(result, "result"));
    }

    /**
     * Sets additional members.
     *
     * @param ext the members
     * @return this
     */
    public SacpMessage ext(Map<String, ?> ext) {
        return with("ext", Objects.requireNonNull(ext, "ext"));
    }

    /**
     * Returns the message for {@link Sacp}.
     *
     * @return compact JSON
     * @throws IllegalArgumentException for an object without a JSON form, with its path
     */
    public String toJson() {
        StringBuilder out = new StringBuilder();
        JsonText.write(this, out);
        return out.toString();
    }

    Map<String, Object> members() {
        return members;
    }

    private SacpMessage with(String member, Object value) {
        members.put(member, Objects.requireNonNull(value, member));
        return this;
    }
}
