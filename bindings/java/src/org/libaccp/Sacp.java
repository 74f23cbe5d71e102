// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_sacp_out_fmt;
import org.libaccp.internal.accp_sacp_reading;
import org.libaccp.internal.accp_sacp_spelling;

/**
 * Checks messages by which agents plan (a goal, a context, a plan of steps) against a
 * {@link Library}, and converts them; {@link SacpMessage} writes them. One thread at a time.
 *
 * <p>If a message is refused, the exception has the class of its code
 * ({@link AccpException.ParseError}, {@link AccpException.InvalidType}), and
 * {@link AccpException#verdict()} has the reason with SACP's own code.
 */
public final class Sacp extends Handle {
    /** How to handle verbs and tools that the library does not have. */
    public enum Reading {
        /** They are errors. */
        STRICT(accp_sacp_reading.ACCP_SACP_STRICT),
        /** They are accepted; all other checks apply. */
        LENIENT(accp_sacp_reading.ACCP_SACP_LENIENT);

        final int number;

        Reading(int number) {
            this.number = number;
        }
    }

    /** The requested format of a result. */
    public enum OutFmt {
        /** For programs. */
        RAW(accp_sacp_out_fmt.ACCP_SACP_RAW),
        /** For people. */
        HUMAN(accp_sacp_out_fmt.ACCP_SACP_HUMAN),
        /** For programs, in short. */
        SUMMARY(accp_sacp_out_fmt.ACCP_SACP_SUMMARY);

        final int number;

        OutFmt(int number) {
            this.number = number;
        }
    }

    /**
     * The result of completing a plan.
     *
     * @param message the message with the plan and full names
     * @param verdict valid, or what is still missing
     */
    public record Planned(String message, Verdict verdict) {}

    /**
     * An agent for a model's prompt.
     *
     * @param name of one line
     * @param verbs at least one
     * @param tools likewise
     */
    public record Agent(String name, List<String> verbs, List<String> tools) {
        /**
         * Copies both lists.
         *
         * @param name its name
         * @param verbs the verbs
         * @param tools likewise
         */
        public Agent {
            Objects.requireNonNull(name, "name");
            verbs = List.copyOf(Objects.requireNonNull(verbs, "verbs"));
            tools = List.copyOf(Objects.requireNonNull(tools, "tools"));
        }
    }

    /**
     * To whom a message goes.
     *
     * @param role {@code "interface"} and {@code "formatter"} talk to people; any other role, also
     *     the empty one, is intermediate
     * @param formatters tools that also talk to people, with names of one line each; may be empty
     * @param msgId for a message without one; null: none
     */
    public record Receiver(String role, List<String> formatters, String msgId) {
        /**
         * Copies the formatters.
         *
         * @param role of the receiver
         * @param formatters tools that talk to people
         * @param msgId the message's id
         */
        public Receiver {
            Objects.requireNonNull(role, "role");
            formatters = List.copyOf(Objects.requireNonNull(formatters, "formatters"));
        }

        /**
         * Makes a receiver with a role only.
         *
         * @param role of the receiver
         */
        public Receiver(String role) {
            this(role, List.of(), null);
        }
    }

    /**
     * The members that a message of version 1.0.0 needs beyond one of 0.1; used if the message
     * lacks them.
     *
     * @param msgId null: the message must have one
     * @param sender the sender
     * @param recipient null: none
     * @param now before the year 10000
     */
    public record Sender(String msgId, String sender, String recipient, Instant now) {
        /**
         * Checks that required values are not null.
         *
         * @param msgId the message's id
         * @param sender the sender
         * @param recipient whom to
         * @param now the time
         */
        public Sender {
            Objects.requireNonNull(sender, "sender");
            Objects.requireNonNull(now, "now");
        }
    }

    /**
     * Makes one with all defaults.
     *
     * @param library null: no verbs and tools
     * @throws AccpException ERR_NOMEM
     */
    public Sacp(Library library) throws AccpException {
        this(library, null);
    }

    /**
     * Makes one with options.
     *
     * @param library null: no verbs and tools
     * @param options may be null: limits
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public Sacp(Library library, Options options) throws AccpException {
        super(new State(Config.make(options, config -> make(library, config)), false, Raw::accp_sacp_free));
    }

    private static long make(Library library, long config) throws AccpException {
        return library == null ? Raw.accp_sacp_new(0, config) : library.ask(verbs -> Raw.accp_sacp_new(verbs, config));
    }

    /**
     * Checks strictly whether a message can be run.
     *
     * @param message JSON
     * @return the verdict
     * @throws AccpException ERR_NOMEM; E1004 for a lone surrogate. The verdict has the faults of
     *     the message
     */
    public Verdict validate(String message) throws AccpException {
        return validate(message, Reading.STRICT);
    }

    /**
     * Checks whether a message can be run.
     *
     * @param message JSON
     * @param reading how to handle verbs and tools that the library does not have
     * @return the verdict
     * @throws AccpException as {@link #validate(String)}
     */
    public Verdict validate(String message, Reading reading) throws AccpException {
        return validate(Texts.in(message, "message"), reading);
    }

    /**
     * Checks whether a message can be run.
     *
     * @param message JSON in UTF-8
     * @param reading how to handle verbs and tools that the library does not have
     * @return the verdict, also for invalid UTF-8
     * @throws AccpException ERR_NOMEM
     */
    public Verdict validate(byte[] message, Reading reading) throws AccpException {
        byte[] text = Texts.in(message, "message");
        int number = Objects.requireNonNull(reading, "reading").number;
        return judge(sacp -> Raw.accp_sacp_check(sacp, text, number));
    }

    /**
     * Checks strictly whether a reply may be sent: a message, a verdict, or prose if the sender may
     * write it.
     *
     * @param reply the reply
     * @param role of the sender; {@code "interface"} and {@code "formatter"} may write prose
     * @param asked the out_fmt of the request; after {@link OutFmt#HUMAN} every sender may write
     *     prose
     * @return the verdict
     * @throws AccpException as {@link #validate(String)}
     */
    public Verdict validateReply(String reply, String role, OutFmt asked) throws AccpException {
        return validateReply(reply, role, asked, Reading.STRICT);
    }

    /**
     * Checks whether a reply may be sent.
     *
     * @param reply the reply
     * @param role of the sender
     * @param asked the out_fmt of the request
     * @param reading how to handle verbs and tools that the library does not have
     * @return the verdict
     * @throws AccpException as {@link #validate(String)}
     */
    public Verdict validateReply(String reply, String role, OutFmt asked, Reading reading) throws AccpException {
        byte[] text = Texts.in(reply, "reply"), sender = Texts.in(role, "role");
        int form = Objects.requireNonNull(asked, "asked").number, number = Objects.requireNonNull(reading, "reading").number;
        return judge(sacp -> Raw.accp_sacp_check_reply(sacp, text, sender, form, number));
    }

    /**
     * Checks whether {@link Library} accepts a document.
     *
     * @param document JSON
     * @return the verdict
     * @throws AccpException as {@link #validate(String)}
     */
    public Verdict checkLibrary(String document) throws AccpException {
        byte[] text = Texts.in(document, "document");
        return judge(sacp -> Raw.accp_sacp_check_library(sacp, text));
    }

    /**
     * Prints the canonical form of a message: compact, with ordered members and unchanged numbers.
     *
     * @param message JSON
     * @return JSON
     * @throws AccpException with a verdict if it does not have the shape of a message
     */
    public String canonical(String message) throws AccpException {
        return spell(message, accp_sacp_spelling.ACCP_SACP_AS_IS);
    }

    /**
     * Prints the canonical form with the full names of verbs and keys.
     *
     * @param message JSON
     * @return JSON
     * @throws AccpException as {@link #canonical}
     */
    public String expand(String message) throws AccpException {
        return spell(message, accp_sacp_spelling.ACCP_SACP_FULL);
    }

    /**
     * Prints the canonical form with short names; {@link #expand} is the inverse.
     *
     * @param message JSON
     * @return JSON
     * @throws AccpException as {@link #canonical}
     */
    public String compact(String message) throws AccpException {
        return spell(message, accp_sacp_spelling.ACCP_SACP_BRIEF);
    }

    private String spell(String message, int spelling) throws AccpException {
        byte[] text = Texts.in(message, "message");
        return write(sacp -> Raw.accp_sacp_spell(sacp, text, spelling));
    }

    /**
     * Prints a message for another agent in its canonical form. It omits {@code out_fmt} human if
     * the receiver does not talk to people, because intermediate agents reply raw or in summary.
     *
     * @param message JSON
     * @param to the receiver
     * @return JSON
     * @throws AccpException ERR_ARG: an invalid {@code msg_id}, or an invalid name of a formatter;
     *     with a verdict if it does not have the shape of a message
     */
    public String compose(String message, Receiver to) throws AccpException {
        byte[] text = Texts.in(message, "message");
        Objects.requireNonNull(to, "to");
        if (to.formatters().contains("")) {
            throw new AccpException.Arg("formatters are tools, which have names");
        }
        byte[][] texts = {text, Texts.in(to.role(), "role"), lines(to.formatters()), Texts.orEmpty(to.msgId())};
        return write(sacp -> Native.sacpCompose(sacp, texts));
    }

    /**
     * Joins messages into threads by {@code msg_id} and {@code reply_to}: each once, before its
     * replies, with replies and threads in the order of their lines.
     *
     * @param messages one per line in any order: messages, verdicts with ids, or other objects with
     *     these members. Empty lines are ignored
     * @return an unmodifiable list
     * @throws AccpException with a verdict if a line is not an object
     *     ({@link AccpException.ParseError}) or an id is invalid
     *     ({@link AccpException.InvalidType}); its byte counts from the beginning of all lines
     */
    public List<SacpThreadLine> threads(String messages) throws AccpException {
        return SacpThreadLine.read(thread(messages, 0));
    }

    /**
     * Returns the threads as JSON.
     *
     * @param messages as {@link #threads}
     * @return an array of <code>{"line":…,"depth":…,"kind":…,"msg_id":…,"reply_to":…,"of":…}</code>
     * @throws AccpException as {@link #threads}
     */
    public String threadsJson(String messages) throws AccpException {
        return Texts.out(thread(messages, 0));
    }

    /**
     * The same for people.
     *
     * @param messages as {@link #threads}
     * @return one line each, indented by two blanks per level up to 32
     * @throws AccpException as {@link #threads}
     */
    public String threadsText(String messages) throws AccpException {
        return Texts.out(thread(messages, 1));
    }

    private byte[] thread(String messages, int indented) throws AccpException {
        byte[] text = Texts.in(messages, "messages");
        return call(sacp -> Raw.accp_sacp_thread(sacp, text, indented));
    }

    /**
     * Makes an ACCP message for {@link Codec#encode(String)} and {@link Session#send(String)}.
     * {@link #registryDocument} has its schemas.
     *
     * @param text a SACP message, a verdict, a query to a registry of agents
     *     (<code>{"query":…}</code>) or its result (<code>{"agents":…}</code>)
     * @param agent the sender
     * @return JSON
     * @throws AccpException with a verdict for any other text
     */
    public String toMessage(String text, String agent) throws AccpException {
        byte[] said = Texts.in(text, "text"), speaker = Texts.in(agent, "agent");
        return write(sacp -> Raw.accp_sacp_to_message(sacp, said, speaker));
    }

    /**
     * The inverse of {@link #toMessage}. Nothing is lost; after a frame, numbers may have another
     * spelling and maps another order.
     *
     * @param message JSON of an ACCP message
     * @return JSON
     * @throws AccpException with a verdict if it is not from SACP
     */
    public String fromMessage(String message) throws AccpException {
        byte[] text = Texts.in(message, "message");
        return write(sacp -> Raw.accp_sacp_from_message(sacp, text));
    }

    /**
     * Completes a plan: a missing required param comes from the ctx, from an earlier step, or from
     * the fewest new steps. An empty plan is made for the output or verb that the goal names.
     *
     * @param message JSON
     * @return the message, and what is still missing
     * @throws AccpException with a verdict if the message has a fault
     */
    public Planned plan(String message) throws AccpException {
        return plan(message, false);
    }

    /**
     * Completes a plan.
     *
     * @param message JSON
     * @param beside independent steps go side by side: for steps without effects on each other
     * @return the message, and what is still missing
     * @throws AccpException as {@link #plan(String)}
     */
    public Planned plan(String message, boolean beside) throws AccpException {
        byte[] text = Texts.in(message, "message");
        return call(sacp -> {
            String whole = Texts.out(Raw.accp_sacp_plan(sacp, text, beside ? 1 : 0));
            return new Planned(whole, Verdict.read(sacp));
        });
    }

    /**
     * Returns the instructions for a model that acts as an agent and waits for messages, by the
     * template of appendix C.
     *
     * @param agent the agent
     * @return a text
     * @throws AccpException as {@link #prompt(Agent, String)}
     */
    public String prompt(Agent agent) throws AccpException {
        return prompt(agent, "");
    }

    /**
     * Returns the instructions for a model that acts as an agent.
     *
     * @param agent the agent
     * @param message JSON of the message to work on; empty: it comes later
     * @return a text
     * @throws AccpException ERR_ARG for a name that is not of one line; with a verdict if the
     *     message does not have the shape of one
     */
    public String prompt(Agent agent, String message) throws AccpException {
        Objects.requireNonNull(agent, "agent");
        byte[] name = Texts.in(agent.name(), "agent"), verbs = lines(agent.verbs()), tools = lines(agent.tools()), text = Texts.in(message, "message");
        return write(sacp -> Raw.accp_sacp_print_prompt(sacp, name, verbs, tools, text));
    }

    private static byte[] lines(List<String> names) throws AccpException {
        for (String name : names) {
            if (name.indexOf('\n') >= 0) {
                throw new AccpException.Arg("agents, verbs and tools have names of one line each");
            }
        }
        return Texts.in(String.join("\n", names), "names");
    }

    /**
     * Returns a summary of the protocol with the library's verbs and tools, for a model that writes
     * or reads messages.
     *
     * @return a text
     * @throws AccpException ERR_NOMEM
     */
    public String specification() throws AccpException {
        return Texts.out(ask(Raw::accp_sacp_print_specification));
    }

    /**
     * {@return a document for {@link Registry} with the schemas that send SACP messages by
     * position}
     */
    public static String registryDocument() {
        return Texts.out(Raw.accp_sacp_registry());
    }

    /**
     * Converts a message of version 0.1 to 1.0.0, whose steps are objects with ids. It refuses a
     * message that cannot be converted without loss: 1.0.0 has no messages inside messages.
     *
     * @param message JSON
     * @param sender the members that such a message needs beyond one of 0.1
     * @return JSON
     * @throws AccpException with a verdict if 1.0.0 cannot express it; ERR_ARG: an invalid time
     */
    public String toVersion10(String message, Sender sender) throws AccpException {
        Objects.requireNonNull(sender, "sender");
        byte[][] texts = {Texts.in(message, "message"), Texts.orEmpty(sender.msgId()), Texts.in(sender.sender(), "sender"), Texts.orEmpty(sender.recipient())};
        return write(sacp -> Native.sacpTo10(sacp, texts, sender.now().toEpochMilli()));
    }

    /**
     * Converts a message of version 1.0.0 to 0.1, which has no retries and timeouts of single
     * steps.
     *
     * @param message JSON
     * @return JSON
     * @throws AccpException with a verdict if 0.1 cannot express it
     */
    public String toVersion01(String message) throws AccpException {
        byte[] text = Texts.in(message, "message");
        return write(sacp -> Raw.accp_sacp_to_0_1(sacp, text));
    }

    private Verdict judge(Tell check) throws AccpException {
        return ask(sacp -> {
            check.to(sacp);
            return Verdict.read(sacp);
        });
    }

    private String write(Ask<byte[]> print) throws AccpException {
        return Texts.out(call(print));
    }

    // A call whose refusal has a verdict; a status below 0 is not about the message.
    private <T> T call(Ask<T> call) throws AccpException {
        return ask(sacp -> {
            try {
                return call.of(sacp);
            } catch (AccpException refused) {
                Verdict why = refused.code() > 0 ? Verdict.read(sacp) : null;
                throw why == null || why.code() == null ? refused : refused.explained(why);
            }
        });
    }
}
