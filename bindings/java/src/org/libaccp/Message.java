// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/**
 * A message: the content of a frame.
 *
 * @param agent the sender
 * @param intent the intent's code, such as {@code "req"}: see {@link Intent}
 * @param operation the operation
 * @param payload an object, or a text
 * @param metadata an object; null if it does not exist
 */
public record Message(String agent, String intent, String operation, Json payload, Json metadata) {
    private static final int HEADER_BYTES = 20;

    /**
     * Checks that required members are not null.
     *
     * @param agent the sender
     * @param intent the intent's code
     * @param operation the operation
     * @param payload an object, or a text
     * @param metadata an object; null if it does not exist
     */
    public Message {
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(intent, "intent");
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(payload, "payload");
    }

    /**
     * Makes a message from Java objects.
     *
     * @param agent the sender
     * @param intent the intent
     * @param operation the operation
     * @param payload as for {@link Json#of}
     * @return the message
     * @throws AccpException as {@link Json#of}
     */
    public static Message of(String agent, Intent intent, String operation, Object payload) throws AccpException {
        Objects.requireNonNull(intent, "intent");
        Objects.requireNonNull(payload, "payload");
        return new Message(agent, intent.code(), operation, Json.of(payload), null);
    }

    /**
     * Reads <code>{"agent":…,"intent":…,"operation":…,"payload":…,"meta":…}</code>. Other members
     * are ignored.
     *
     * @param json the message
     * @return the message
     * @throws AccpException as {@link Json#parse(String)}; E1001 if it is not a message
     */
    public static Message parse(String json) throws AccpException {
        return of(Json.parse(json));
    }

    /**
     * Reads a message.
     *
     * @param json as {@link #parse(String)}, UTF-8
     * @return the message
     * @throws AccpException as {@link #parse(String)}
     */
    public static Message parse(byte[] json) throws AccpException {
        return of(Json.parse(json));
    }

    static Message of(Json json) throws AccpException {
        Json payload = json.get("payload");
        if (payload == null || payload.kind() != Kind.OBJECT && payload.kind() != Kind.STRING) {
            throw AccpException.of(1001, "not a message: its payload is neither an object nor a text");
        }
        Json meta = json.get("meta");
        return new Message(text(json, "agent"), text(json, "intent"), text(json, "operation"), payload, meta == null || meta.size() == 0 ? null : meta);
    }

    private static String text(Json json, String key) throws AccpException {
        Json member = json.get(key);
        if (member == null || member.kind() != Kind.STRING) {
            throw AccpException.of(1001, "not a message: no " + key);
        }
        return member.asString();
    }

    /** Reads the packed form of native/: five lengths, the names, the payload, the metadata. */
    static Message ofPacked(byte[] packed) {
        int agent = Tree.readInt(packed, 0);
        int intent = Tree.readInt(packed, 4);
        int operation = Tree.readInt(packed, 8);
        int payloadAt = HEADER_BYTES + agent + intent + operation;
        int metaAt = payloadAt + Tree.readInt(packed, 12);
        return new Message(name(packed, HEADER_BYTES, agent), name(packed, HEADER_BYTES + agent, intent), name(packed, HEADER_BYTES + agent + intent,
                operation), new Json(Tree.ofValue(packed, payloadAt), 0), Tree.readInt(packed, 16) == 0 ? null : new Json(Tree.ofValue(packed, metaAt), 0));
    }

    private static String name(byte[] packed, int at, int length) {
        return new String(packed, at, length, StandardCharsets.UTF_8);
    }

    /** {@return the message as compact JSON} */
    public String toJson() {
        StringBuilder out = new StringBuilder("{\"agent\":");
        JsonText.quote(agent, out);
        JsonText.quote(intent, out.append(",\"intent\":"));
        JsonText.quote(operation, out.append(",\"operation\":"));
        JsonText.print(payload.tree, payload.node, out.append(",\"payload\":"));
        if (metadata != null) {
            JsonText.print(metadata.tree, metadata.node, out.append(",\"meta\":"));
        }
        return out.append('}').toString();
    }
}
