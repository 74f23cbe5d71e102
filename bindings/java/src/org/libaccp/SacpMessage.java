// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Writes messages of SACP. Maps are of Java's own objects, as {@link Json#of} takes them; a map and a plan that change before {@link #toJson} is called are what they are then.
 */
public final class SacpMessage {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * Makes one with an empty plan.
     *
     * @param goal what is to be reached
     */
    public SacpMessage(String goal) {
        members.put("g", Objects.requireNonNull(goal, "goal"));
        members.put("plan", List.of());
    }

    /**
     * Sets the context.
     *
     * @param ctx what every step may look at
     * @return this
     */
    public SacpMessage ctx(Map<String, ?> ctx) {
        return with("ctx", ctx);
    }

    /**
     * Sets the plan.
     *
     * @param plan its steps as they are now
     * @return this
     */
    public SacpMessage plan(SacpPlan plan) {
        return with("plan", Objects.requireNonNull(plan, "plan").parts());
    }

    /**
     * Sets what the answer is to be like.
     *
     * @param outFmt not said, it is {@link Sacp.OutFmt#RAW}
     * @return this
     */
    public SacpMessage outFmt(Sacp.OutFmt outFmt) {
        return with("out_fmt", Objects.requireNonNull(outFmt, "outFmt").name().toLowerCase(Locale.ROOT));
    }

    /**
     * Sets the state that the task is in.
     *
     * @param state of version 0.1
     * @return this
     */
    public SacpMessage state(SacpState state) {
        return with("state", Objects.requireNonNull(state, "state").name());
    }

    /**
     * Sets the message's own id.
     *
     * @param msgId 1 to 128 letters, digits, dots, colons, {@code -} and {@code _}
     * @return this
     */
    public SacpMessage msgId(String msgId) {
        return with("msg_id", Objects.requireNonNull(msgId, "msgId"));
    }

    /**
     * Sets the id of the message that this one answers.
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
     * Says whether tools are only to do as if.
     *
     * @param testMode whether
     * @return this
     */
    public SacpMessage testMode(boolean testMode) {
        return with("test_mode", testMode);
    }

    /**
     * Sets what came of the plan.
     *
     * @param result such as <code>{"output":…}</code>
     * @return this
     */
    public SacpMessage result(Map<String, ?> result) {
        return with("result", Objects.requireNonNull(result, "result"));
    }

    /**
     * Sets members of one's own.
     *
     * @param ext them
     * @return this
     */
    public SacpMessage ext(Map<String, ?> ext) {
        return with("ext", Objects.requireNonNull(ext, "ext"));
    }

    /**
     * The message as {@link Sacp} takes it.
     *
     * @return compact JSON
     * @throws IllegalArgumentException for what has no JSON; it says where that stands
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
