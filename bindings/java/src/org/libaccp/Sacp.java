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
 * Checks messages by which agents plan for each other (a goal, a context, a plan of steps) against a {@link Library}, and makes other forms of them; {@link SacpMessage} writes them.
 * One thread at a time.
 *
 * <p>Where a message is refused the exception is of the class of its code ({@link AccpException.ParseError}, {@link AccpException.InvalidType}), and
 * {@link AccpException#verdict()} says in SACP's own codes why.
 */
public final class Sacp extends Handle {
    /** What is done with verbs and tools that the library does not have. */
    public enum Reading {
        /** They are errors. */
        STRICT(accp_sacp_reading.ACCP_SACP_STRICT),
        /** They are taken; all else holds. */
        LENIENT(accp_sacp_reading.ACCP_SACP_LENIENT);

        final int number;

        Reading(int number) {
            this.number = number;
        }
    }

    /** What an answer is to be like. */
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
     * A plan that was made whole.
     *
     * @param message the message with it, in full names
     * @param verdict valid, or what nothing makes and so is still missing
     */
    public record Planned(String message, Verdict verdict) {}

    /**
     * An agent that a model is to act as.
     *
     * @param name of one line, as the others
     * @param verbs that it may be asked for, one at least
     * @param tools likewise
     */
    public record Agent(String name, List<String> verbs, List<String> tools) {
        /**
         * Copies both lists.
         *
         * @param name its name
         * @param verbs that it may be asked for
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
     * @param role {@code "interface"} and {@code "formatter"} talk to people; any other is in between, the empty one too
     * @param formatters tools that talk to people too, with names of one line each; may be empty
     * @param msgId of the message, where it has none; null: it goes without
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
         * One of a role alone.
         *
         * @param role of the receiver
         */
        public Receiver(String role) {
            this(role, List.of(), null);
        }
    }

    /**
     * What a message of version 1.0.0 has beyond one of 0.1; used where the message does not say it.
     *
     * @param msgId null: the message has to have one
     * @param sender who sends it
     * @param recipient null: nobody is named
     * @param now before the year 10000
     */
    public record Sender(String msgId, String sender, String recipient, Instant now) {
        /**
         * Refuses null where there must be something.
         *
         * @param msgId the message's id
         * @param sender who sends it
         * @param recipient whom to
         * @param now the time
         */
        public Sender {
            Objects.requireNonNull(sender, "sender");
            Objects.requireNonNull(now, "now");
        }
    }

    /**
     * Makes one with every default.
     *
     * @param library null: one without verbs and tools
     * @throws AccpException ERR_NOMEM
     */
    public Sacp(Library library) throws AccpException {
        this(library, null);
    }

    /**
     * Makes one.
     *
     * @param library null: one without verbs and tools
     * @param options may be null: limits
     * @throws AccpException ERR_NOMEM; ERR_ARG for options that cannot be
     */
    public Sacp(Library library, Options options) throws AccpException {
        super(new State(Config.make(options, config -> make(library, config)), false, Raw::accp_sacp_free));
    }

    private static long make(Library library, long config) throws AccpException {
        return library == null ? Raw.accp_sacp_new(0, config) : library.ask(verbs -> Raw.accp_sacp_new(verbs, config));
    }

    /**
     * Whether a message is one that can be run, strictly.
     *
     * @param message JSON
     * @return the verdict
     * @throws AccpException ERR_NOMEM; E1004 for a lone surrogate. What is wrong with the message the verdict says
     */
    public Verdict validate(String message) throws AccpException {
        return validate(message, Reading.STRICT);
    }

    /**
     * Whether a message is one that can be run.
     *
     * @param message JSON
     * @param reading what is done with verbs and tools that the library does not have
     * @return the verdict
     * @throws AccpException as {@link #validate(String)}
     */
    public Verdict validate(String message, Reading reading) throws AccpException {
        return validate(Texts.in(message, "message"), reading);
    }

    /**
     * Whether a message is one that can be run.
     *
     * @param message JSON in UTF-8
     * @param reading what is done with verbs and tools that the library does not have
     * @return the verdict, for what is not UTF-8 too
     * @throws AccpException ERR_NOMEM
     */
    public Verdict validate(byte[] message, Reading reading) throws AccpException {
        byte[] text = Texts.in(message, "message");
        int number = Objects.requireNonNull(reading, "reading").number;
        return judge(sacp -> Raw.accp_sacp_check(sacp, text, number));
    }

    /**
     * Whether a reply may be sent, strictly: a message, a verdict, or prose where its sender may write that.
     *
     * @param reply what is sent
     * @param role of the sender; {@code "interface"} and {@code "formatter"} may write prose
     * @param asked what the message that it answers asked for; {@link OutFmt#HUMAN} lets anybody write prose
     * @return the verdict
     * @throws AccpException as {@link #validate(String)}
     */
    public Verdict validateReply(String reply, String role, OutFmt asked) throws AccpException {
        return validateReply(reply, role, asked, Reading.STRICT);
    }

    /**
     * Whether a reply may be sent.
     *
     * @param reply what is sent
     * @param role of the sender
     * @param asked what the message that it answers asked for
     * @param reading what is done with verbs and tools that the library does not have
     * @return the verdict
     * @throws AccpException as {@link #validate(String)}
     */
    public Verdict validateReply(String reply, String role, OutFmt asked, Reading reading) throws AccpException {
        byte[] text = Texts.in(reply, "reply"), sender = Texts.in(role, "role");
        int form = Objects.requireNonNull(asked, "asked").number, number = Objects.requireNonNull(reading, "reading").number;
        return judge(sacp -> Raw.accp_sacp_check_reply(sacp, text, sender, form, number));
    }

    /**
     * Whether {@link Library} takes a document.
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
     * The canonical form of a message: compact, members in one order, numbers as they were written.
     *
     * @param message JSON
     * @return JSON
     * @throws AccpException with a verdict where it has not the shape of a message
     */
    public String canonical(String message) throws AccpException {
        return spell(message, accp_sacp_spelling.ACCP_SACP_AS_IS);
    }

    /**
     * The canonical form with the full names of verbs and keys.
     *
     * @param message JSON
     * @return JSON
     * @throws AccpException as {@link #canonical}
     */
    public String expand(String message) throws AccpException {
        return spell(message, accp_sacp_spelling.ACCP_SACP_FULL);
    }

    /**
     * The canonical form with the short names, which {@link #expand} takes back.
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
     * A message as it goes to another agent, in its canonical form: {@code out_fmt} human is left out where the receiver does not talk to people, as who is in between answers raw or
     * in summary.
     *
     * @param message JSON
     * @param to the receiver
     * @return JSON
     * @throws AccpException ERR_ARG: a {@code msg_id} that no message can have, or a formatter's name that is empty or not of one line; with a verdict where it has not the shape of a
     *     message
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
     * Puts messages together into threads, by {@code msg_id} and {@code reply_to}: every one once, before what replies to it, replies and threads in the order of their lines.
     *
     * @param messages a line each, in any order: messages, verdicts with ids, or any objects that have them. Empty lines are passed over
     * @return a list that cannot be changed
     * @throws AccpException with a verdict where a line is no object ({@link AccpException.ParseError}) or an id is none ({@link AccpException.InvalidType}); its byte counts from the
     *     beginning of all lines
     */
    public List<SacpThreadLine> threads(String messages) throws AccpException {
        return SacpThreadLine.read(thread(messages, 0));
    }

    /**
     * The same as JSON.
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
     * @return a line each, two blanks for every depth up to 32
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
     * What is sent as a message of ACCP, which {@link Codec#encode(String)} and {@link Session#send(String)} take. {@link #registryDocument} has its schemas.
     *
     * @param text a message, a verdict, a query to a registry of agents (<code>{"query":…}</code>) or its answer (<code>{"agents":…}</code>)
     * @param agent who says it
     * @return JSON
     * @throws AccpException with a verdict where it is none of these
     */
    public String toMessage(String text, String agent) throws AccpException {
        byte[] said = Texts.in(text, "text"), speaker = Texts.in(agent, "agent");
        return write(sacp -> Raw.accp_sacp_to_message(sacp, said, speaker));
    }

    /**
     * The way back. Nothing is lost; through a frame numbers may be spelt anew and maps reordered.
     *
     * @param message JSON of a message of ACCP
     * @return JSON
     * @throws AccpException with a verdict where it is none of SACP
     */
    public String fromMessage(String message) throws AccpException {
        byte[] text = Texts.in(message, "message");
        return write(sacp -> Raw.accp_sacp_from_message(sacp, text));
    }

    /**
     * Makes a plan whole: a required param that is missing comes from the ctx, from a step before it, or from new steps, the fewest that will do; an empty plan is made for the one
     * output or verb that the goal names.
     *
     * @param message JSON
     * @return the message, and what nothing makes
     * @throws AccpException with a verdict where the message has a fault
     */
    public Planned plan(String message) throws AccpException {
        return plan(message, false);
    }

    /**
     * Makes a plan whole.
     *
     * @param message JSON
     * @param beside steps that take nothing from each other go side by side: for whoever knows that they have no effect on each other
     * @return the message, and what nothing makes
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
     * What a model is told that is to act as an agent and waits for messages, by the template of appendix C.
     *
     * @param agent the agent
     * @return a text
     * @throws AccpException as {@link #prompt(Agent, String)}
     */
    public String prompt(Agent agent) throws AccpException {
        return prompt(agent, "");
    }

    /**
     * What a model is told that is to act as an agent.
     *
     * @param agent the agent
     * @param message JSON of the message that it is to work on; empty: it comes later
     * @return a text
     * @throws AccpException ERR_ARG for a name that is not of one line; with a verdict where the message has not the shape of one
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
     * The protocol in short, for a model that writes or reads messages, and the library's verbs and tools.
     *
     * @return a text
     * @throws AccpException ERR_NOMEM
     */
    public String specification() throws AccpException {
        return Texts.out(ask(Raw::accp_sacp_print_specification));
    }

    /** {@return a document for {@link Registry}, with the schemas by which messages of SACP are sent by position} */
    public static String registryDocument() {
        return Texts.out(Raw.accp_sacp_registry());
    }

    /**
     * A message of version 0.1 as one of 1.0.0, whose steps are objects with ids. Nothing is lost, or it is refused: 1.0.0 has no messages inside messages.
     *
     * @param message JSON
     * @param sender what such a message has beyond one of 0.1
     * @return JSON
     * @throws AccpException with a verdict where 1.0.0 cannot say it; ERR_ARG: no such time
     */
    public String toVersion10(String message, Sender sender) throws AccpException {
        Objects.requireNonNull(sender, "sender");
        byte[][] texts = {Texts.in(message, "message"), Texts.orEmpty(sender.msgId()), Texts.in(sender.sender(), "sender"), Texts.orEmpty(sender.recipient())};
        return write(sacp -> Native.sacpTo10(sacp, texts, sender.now().toEpochMilli()));
    }

    /**
     * The way back: 0.1 has no retries and timeouts of single steps.
     *
     * @param message JSON
     * @return JSON
     * @throws AccpException with a verdict where 0.1 cannot say it
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

    // A call that a verdict explains where it is refused: what is below 0 is not about the message.
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
