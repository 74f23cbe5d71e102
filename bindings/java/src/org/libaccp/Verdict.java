// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_sacp_answer;
import org.libaccp.internal.accp_sacp_code;

/**
 * The result of checking a SACP message.
 *
 * @param answer whether it can be run
 * @param code the fault; null: none
 * @param details in words; for a fault in a step its path is at the end
 * @param step that path ({@code "2.1"}); empty if it does not exist
 * @param offset the byte of the fault, counted from 0 in the UTF-8 of the given text
 * @param needs what is missing: {@code plan}, {@code step.PATH.NAME}, {@code ctx.NAME}
 * @param json all of it as the specification prints it, for the sender
 */
public record Verdict(Answer answer, Code code, String details, String step, long offset, List<String> needs, String json) {
    /** The result of a verdict. */
    public enum Answer {
        /** It can be run. */
        VALID(accp_sacp_answer.ACCP_SACP_VALID),
        /** Something is wrong. */
        ERR(accp_sacp_answer.ACCP_SACP_ERR),
        /** No fault, but something is missing. */
        REQ_CLARIFY(accp_sacp_answer.ACCP_SACP_REQ_CLARIFY);

        final int number;

        Answer(int number) {
            this.number = number;
        }
    }

    /** The fault of a message. */
    public enum Code {
        /** It has no goal, or no plan. */
        MISSING_FIELD(accp_sacp_code.ACCP_SACP_MISSING_FIELD, 1004),
        /** It is not JSON, or has members that messages do not have. */
        MALFORMED_MESSAGE(accp_sacp_code.ACCP_SACP_MALFORMED_MESSAGE, 1001),
        /** An element of its plan is not a step. */
        MALFORMED_PLAN(accp_sacp_code.ACCP_SACP_MALFORMED_PLAN, 1004),
        /** A value has the wrong type for its place. */
        INVALID_TYPE(accp_sacp_code.ACCP_SACP_INVALID_TYPE, 1004),
        /** The library does not have the verb. */
        UNKNOWN_VERB(accp_sacp_code.ACCP_SACP_UNKNOWN_VERB, 5001),
        /** The library does not have the tool. */
        UNKNOWN_TOOL(accp_sacp_code.ACCP_SACP_UNKNOWN_TOOL, 4001),
        /** The tool does not support the verb. */
        VERB_TOOL_MISMATCH(accp_sacp_code.ACCP_SACP_VERB_TOOL_MISMATCH, 4003),
        /** The state does not exist. */
        UNKNOWN_STATE(accp_sacp_code.ACCP_SACP_UNKNOWN_STATE, 1004),
        /** The {@code out_fmt} does not exist. */
        BAD_OUT_FMT(accp_sacp_code.ACCP_SACP_BAD_OUT_FMT, 1004),
        /** Prose from an agent that may not write it. */
        OUTPUT_DISCIPLINE(accp_sacp_code.ACCP_SACP_OUTPUT_DISCIPLINE, 5001),
        /** It has another version of the protocol. */
        UNSUPPORTED_VERSION(accp_sacp_code.ACCP_SACP_UNSUPPORTED_VERSION, 1003),
        /** No agent can do it. */
        NO_AGENT(accp_sacp_code.ACCP_SACP_NO_AGENT, 4001),
        /** A tool failed. */
        TOOL_FAILED(accp_sacp_code.ACCP_SACP_TOOL_FAILED, 4002),
        /** A tool took too long. */
        TIMEOUT(accp_sacp_code.ACCP_SACP_TIMEOUT, 3001),
        /** It is over a limit. */
        LIMIT(accp_sacp_code.ACCP_SACP_LIMIT, 1001),
        /** The state may not follow the previous one. */
        INVALID_STATE_TRANSITION(accp_sacp_code.ACCP_SACP_INVALID_STATE_TRANSITION, 1004);

        final int number;

        private final int status;

        Code(int number, int status) {
            this.number = number;
            this.status = status;
        }

        /** {@return its name: {@code "MALFORMED_PLAN"}} */
        @Override
        public String toString() {
            return Texts.out(Raw.accp_sacp_code_name(number));
        }

        /**
         * The code of a name.
         *
         * @param name such as {@code "MALFORMED_PLAN"}
         * @return the code; null: no code has that name
         * @throws AccpException E1004 for a lone surrogate
         */
        public static Code of(String name) throws AccpException {
            return of(Raw.accp_sacp_code_find(Texts.in(name, "name")));
        }

        private static Code of(long number) {
            for (Code one : values()) {
                if (one.number == number) {
                    return one;
                }
            }
            return null;
        }
    }

    /**
     * Copies the needs.
     *
     * @param answer whether it can be run
     * @param code the fault; null: none
     * @param details that in words
     * @param step the path of the step
     * @param offset the byte
     * @param needs what is missing
     * @param json everything
     */
    public Verdict {
        Objects.requireNonNull(answer, "answer");
        needs = List.copyOf(needs);
    }

    /** {@return whether it is {@link Answer#VALID}} */
    public boolean isValid() {
        return answer == Answer.VALID;
    }

    /**
     * Returns the exception of the class of its code, with this verdict: an
     * {@link AccpException.Timeout} for {@link Code#TIMEOUT}; an {@link AccpException.InvalidType}
     * for a verdict with needs.
     *
     * @return an exception, not thrown
     * @throws IllegalStateException it is valid
     */
    public AccpException toException() {
        if (isValid()) {
            throw new IllegalStateException("nothing is wrong");
        }
        byte[] reason = (code == null ? String.join(", ", needs) : details).getBytes(StandardCharsets.UTF_8);
        return AccpException.of(code == null ? 1004 : code.status, offset, reason).explained(this);
    }

    /** The verdict without a fault. */
    static Verdict valid() {
        return new Verdict(Answer.VALID, null, "", "", 0, List.of(), "{\"status\":\"VALID\"}");
    }

    // The path at the end of the details of a step's fault; "" for a fault that is not in a step.
    private static String stepOf(String details) {
        String before = "action step ";
        int at = details.lastIndexOf(before);
        String path = at < 0 ? "" : details.substring(at + before.length());
        return path.indexOf(' ') < 0 ? path : "";
    }

    /** Reads a verdict from the library's text. */
    static Verdict of(String json, long offset) throws AccpException {
        Json from = Json.parse(json);
        List<String> needs = new ArrayList<>();
        Json need = from.get("need"), code = from.get("code"), details = from.get("details");
        if (need != null) {
            need.forEach(one -> needs.add(one.asString()));
        }
        String why = details == null ? "" : details.asString();
        return new Verdict(Answer.valueOf(from.get("status").asString()), code == null ? null : Code.of(code.asString()), why, stepOf(why), offset, needs, json);
    }

    /** Reads the verdict of a handle's last call, within its turn. */
    static Verdict read(long sacp) throws AccpException {
        long[] numbers = new long[4];
        byte[][] texts = Native.sacpVerdict(sacp, numbers);
        List<String> needs = new ArrayList<>();
        for (int i = 0; i < numbers[3]; i++) {
            needs.add(Texts.out(Raw.accp_sacp_need(sacp, i)));
        }
        return new Verdict(Answer.values()[(int) numbers[0]], Code.of(numbers[1]), Texts.out(texts[0]), Texts.out(texts[1]), numbers[2], needs,
                Texts.out(Raw.accp_sacp_print_verdict(sacp)));
    }
}
