// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
// Written by bindings/java/errors from include/accp/errors.def: do not edit.
package org.libaccp;

import java.nio.charset.StandardCharsets;
import org.libaccp.internal.Raw;

/**
 * The failure of a call: one class for each code, each under the class of its category, so that
 * {@code catch} can be narrow or wide. Misuse of the Java API itself (a handle that is used after it
 * was closed, or by its own callback) is an {@link IllegalStateException} instead.
 */
public class AccpException extends Exception {
    private static final long serialVersionUID = 1L;
    /** The number of the code. */
    private final int code;
    /** The byte at fault. */
    private final long offset;
    /** Lost if the exception is serialized. */
    private transient Verdict verdict;

    AccpException(int code, long offset, String reason) {
        super(reason);
        this.code = code;
        this.offset = offset;
    }

    /**
     * Returns the exception of a code; for an unknown number, a plain {@code AccpException}.
     *
     * @param code the number: 1001 for E1001
     * @param message one line for people
     * @return an exception, not thrown
     */
    public static AccpException of(int code, String message) {
        return make(code, 0, message);
    }

    // Called by the native half, by this name and these parameters.
    static AccpException of(int code, long offset, byte[] message) {
        return make(code, offset, message == null ? null : Spelling.of(new String(message, StandardCharsets.UTF_8)));
    }

    /** {@return the number of the code: 1001 for E1001, negative for codes that are never sent} */
    public final int code() {
        return code;
    }

    /** {@return the code: {@code "E1001"} as on the wire, or {@code "ERR_NOMEM"}} */
    public final String codeName() {
        return new String(Raw.accp_status_code_name(code), StandardCharsets.US_ASCII);
    }

    /** {@return the name of the code: {@code "PARSE_ERROR"}} */
    public final String name() {
        return new String(Raw.accp_status_name(code), StandardCharsets.US_ASCII);
    }

    /** {@return one sentence about the code; empty for an unknown number} */
    public final String meaning() {
        return new String(Raw.accp_status_meaning(code), StandardCharsets.US_ASCII);
    }

    /** {@return the first digit of a code of the specification: its category; 0 for any other} */
    public final int category() {
        return Raw.accp_status_category(code);
    }

    /**
     * {@return the byte at fault, counted from 0 in the UTF-8 of the given text; 0 if no byte is at
     * fault}
     */
    public final long offset() {
        return offset;
    }

    /** {@return SACP's verdict on the refused text, with its own code; null for other failures} */
    public final Verdict verdict() {
        return verdict;
    }

    /** Adds the verdict that explains it. */
    final AccpException explained(Verdict why) {
        verdict = why;
        return this;
    }

    /** Returns the same exception with another reason. */
    final AccpException saying(String reason) {
        return make(code, offset, reason);
    }

    /** {@return whether sending again may help (specification 3.6)} */
    public final boolean retryable() {
        return Raw.accp_status_is_retryable(code) != 0;
    }

    /** {@return the reason on one line, without code and byte; the code's meaning if none was given} */
    public final String reason() {
        String said = super.getMessage();
        return said == null ? meaning() : said;
    }

    /**
     * {@return the code, the byte if one is at fault, and the reason, on one line: {@code "E1001 at byte
     * 11: …"}}
     */
    @Override
    public String getMessage() {
        boolean placed = offset > 0 || category() == 1;
        return codeName() + (placed ? " at byte " + offset : "") + ": " + reason();
    }

    /** Not a frame, not a message, or over a limit (E1xxx). */
    public static class Parse extends AccpException {
        private static final long serialVersionUID = 1L;

        Parse(int code, long offset, String message) {
            super(code, offset, message);
        }
    }

    /** {@code E1001}, {@code PARSE_ERROR}: the text is not a valid frame or not valid JSON, or is over a limit. */
    public static final class ParseError extends Parse {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public ParseError(String message) {
            this(0, message);
        }

        private ParseError(long offset, String message) {
            super(1001, offset, message);
        }
    }

    /** {@code E1002}, {@code INVALID_INTENT}: the intent is not one of the twelve. */
    public static final class InvalidIntent extends Parse {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public InvalidIntent(String message) {
            this(0, message);
        }

        private InvalidIntent(long offset, String message) {
            super(1002, offset, message);
        }
    }

    /** {@code E1003}, {@code UNKNOWN_SCHEMA}: the schema is not in the registry. */
    public static final class UnknownSchema extends Parse {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public UnknownSchema(String message) {
            this(0, message);
        }

        private UnknownSchema(long offset, String message) {
            super(1003, offset, message);
        }
    }

    /** {@code E1004}, {@code INVALID_TYPE}: a value cannot be encoded, or has the wrong type for its field. */
    public static final class InvalidType extends Parse {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public InvalidType(String message) {
            this(0, message);
        }

        private InvalidType(long offset, String message) {
            super(1004, offset, message);
        }
    }

    /** References and budgets (E2xxx). */
    public static class State extends AccpException {
        private static final long serialVersionUID = 1L;

        State(int code, long offset, String message) {
            super(code, offset, message);
        }
    }

    /** {@code E2001}, {@code REF_NOT_FOUND}: the reference does not exist. */
    public static final class RefNotFound extends State {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public RefNotFound(String message) {
            this(0, message);
        }

        private RefNotFound(long offset, String message) {
            super(2001, offset, message);
        }
    }

    /** {@code E2002}, {@code REF_EXPIRED}: the value of the reference has expired. */
    public static final class RefExpired extends State {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public RefExpired(String message) {
            this(0, message);
        }

        private RefExpired(long offset, String message) {
            super(2002, offset, message);
        }
    }

    /** {@code E2003}, {@code BUDGET_EXCEEDED}: over a limit of tokens or space, even in parts or by reference. */
    public static final class BudgetExceeded extends State {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public BudgetExceeded(String message) {
            this(0, message);
        }

        private BudgetExceeded(long offset, String message) {
            super(2003, offset, message);
        }
    }

    /** Delivery: deadlines, repetitions, gaps (E3xxx). */
    public static class Delivery extends AccpException {
        private static final long serialVersionUID = 1L;

        Delivery(int code, long offset, String message) {
            super(code, offset, message);
        }
    }

    /** {@code E3001}, {@code TIMEOUT}: the deadline of a request has passed. Trying again may help. */
    public static final class Timeout extends Delivery {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Timeout(String message) {
            this(0, message);
        }

        private Timeout(long offset, String message) {
            super(3001, offset, message);
        }
    }

    /** {@code E3002}, {@code DUPLICATE}: this mid was seen before. */
    public static final class Duplicate extends Delivery {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Duplicate(String message) {
            this(0, message);
        }

        private Duplicate(long offset, String message) {
            super(3002, offset, message);
        }
    }

    /** {@code E3003}, {@code SEQUENCE_GAP}: a sequence number is missing or out of order. Trying again may help. */
    public static final class SequenceGap extends Delivery {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public SequenceGap(String message) {
            this(0, message);
        }

        private SequenceGap(long offset, String message) {
            super(3003, offset, message);
        }
    }

    /** Tools (E4xxx). */
    public static class Tool extends AccpException {
        private static final long serialVersionUID = 1L;

        Tool(int code, long offset, String message) {
            super(code, offset, message);
        }
    }

    /** {@code E4001}, {@code TOOL_NOT_FOUND}: the tool does not exist. */
    public static final class ToolNotFound extends Tool {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public ToolNotFound(String message) {
            this(0, message);
        }

        private ToolNotFound(long offset, String message) {
            super(4001, offset, message);
        }
    }

    /** {@code E4002}, {@code TOOL_EXEC_FAILED}: the tool ran and failed. Trying again may help. */
    public static final class ToolExecFailed extends Tool {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public ToolExecFailed(String message) {
            this(0, message);
        }

        private ToolExecFailed(long offset, String message) {
            super(4002, offset, message);
        }
    }

    /** {@code E4003}, {@code TOOL_SCHEMA_MISMATCH}: the tool does not accept these arguments. */
    public static final class ToolSchemaMismatch extends Tool {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public ToolSchemaMismatch(String message) {
            this(0, message);
        }

        private ToolSchemaMismatch(long offset, String message) {
            super(4003, offset, message);
        }
    }

    /** Policy and authorization (E5xxx). */
    public static class Policy extends AccpException {
        private static final long serialVersionUID = 1L;

        Policy(int code, long offset, String message) {
            super(code, offset, message);
        }
    }

    /** {@code E5001}, {@code POLICY_DENIED}: a policy forbids it. */
    public static final class PolicyDenied extends Policy {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public PolicyDenied(String message) {
            this(0, message);
        }

        private PolicyDenied(long offset, String message) {
            super(5001, offset, message);
        }
    }

    /** {@code E5002}, {@code UNAUTHORIZED_REF}: the reference belongs to another session. */
    public static final class UnauthorizedRef extends Policy {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public UnauthorizedRef(String message) {
            this(0, message);
        }

        private UnauthorizedRef(long offset, String message) {
            super(5002, offset, message);
        }
    }

    /** A defect (E9xxx). */
    public static class Internal extends AccpException {
        private static final long serialVersionUID = 1L;

        Internal(int code, long offset, String message) {
            super(code, offset, message);
        }
    }

    /** {@code E9999}, {@code INTERNAL_ERROR}: a defect of this library, or of a callback: please report it. Trying again may help. */
    public static final class InternalError extends Internal {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public InternalError(String message) {
            this(0, message);
        }

        private InternalError(long offset, String message) {
            super(9999, offset, message);
        }
    }

    /** Failures that are never sent: memory, arguments, files. */
    public static class Library extends AccpException {
        private static final long serialVersionUID = 1L;

        Library(int code, long offset, String message) {
            super(code, offset, message);
        }
    }

    /** {@code ERR_NOMEM}, {@code NOMEM}: out of memory, or over the memory limit that was set. Trying again may help. */
    public static final class Nomem extends Library {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Nomem(String message) {
            this(0, message);
        }

        private Nomem(long offset, String message) {
            super(-1, offset, message);
        }
    }

    /** {@code ERR_ARG}, {@code ARG}: an argument is invalid, such as a NULL handle or a number out of range. */
    public static final class Arg extends Library {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Arg(String message) {
            this(0, message);
        }

        private Arg(long offset, String message) {
            super(-2, offset, message);
        }
    }

    /** {@code ERR_SPACE}, {@code SPACE}: the caller's buffer is too small; the needed length was returned. */
    public static final class Space extends Library {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Space(String message) {
            this(0, message);
        }

        private Space(long offset, String message) {
            super(-3, offset, message);
        }
    }

    /** {@code ERR_BUSY}, {@code BUSY}: another process, thread or call is using it. Trying again may help. */
    public static final class Busy extends Library {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Busy(String message) {
            this(0, message);
        }

        private Busy(long offset, String message) {
            super(-4, offset, message);
        }
    }

    /** {@code ERR_IO}, {@code IO}: reading or writing failed. Trying again may help. */
    public static final class Io extends Library {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Io(String message) {
            this(0, message);
        }

        private Io(long offset, String message) {
            super(-5, offset, message);
        }
    }

    /** {@code ERR_CLOSED}, {@code CLOSED}: the handle or session is closed. */
    public static final class Closed extends Library {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Closed(String message) {
            this(0, message);
        }

        private Closed(long offset, String message) {
            super(-6, offset, message);
        }
    }

    /** {@code ERR_CORRUPT}, {@code CORRUPT}: stored data is damaged. */
    public static final class Corrupt extends Library {
        private static final long serialVersionUID = 1L;

        /**
         * For a callback that fails with this code.
         *
         * @param message one line for people
         */
        public Corrupt(String message) {
            this(0, message);
        }

        private Corrupt(long offset, String message) {
            super(-7, offset, message);
        }
    }

    private static AccpException make(int code, long offset, String message) {
        switch (code) {
            case 1001: return new ParseError(offset, message);
            case 1002: return new InvalidIntent(offset, message);
            case 1003: return new UnknownSchema(offset, message);
            case 1004: return new InvalidType(offset, message);
            case 2001: return new RefNotFound(offset, message);
            case 2002: return new RefExpired(offset, message);
            case 2003: return new BudgetExceeded(offset, message);
            case 3001: return new Timeout(offset, message);
            case 3002: return new Duplicate(offset, message);
            case 3003: return new SequenceGap(offset, message);
            case 4001: return new ToolNotFound(offset, message);
            case 4002: return new ToolExecFailed(offset, message);
            case 4003: return new ToolSchemaMismatch(offset, message);
            case 5001: return new PolicyDenied(offset, message);
            case 5002: return new UnauthorizedRef(offset, message);
            case 9999: return new InternalError(offset, message);
            case -1: return new Nomem(offset, message);
            case -2: return new Arg(offset, message);
            case -3: return new Space(offset, message);
            case -4: return new Busy(offset, message);
            case -5: return new Io(offset, message);
            case -6: return new Closed(offset, message);
            case -7: return new Corrupt(offset, message);
            default: return new AccpException(code, offset, message);
        }
    }
}
