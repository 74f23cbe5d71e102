// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.accp_node_flag;

/**
 * An exact JSON value: numbers keep their digits, objects their order. Immutable; a member is a
 * view of its parent without a copy. The values of a {@link Frame} have this class too; they may be
 * references.
 *
 * <p>Iteration covers the elements of an array or the values of an object, and is empty for any
 * other value.
 */
public final class Json implements Iterable<Json> {
    /**
     * {@link #toJava()} does not convert a number of more digits: a BigInteger costs the square of
     * its length.
     */
    static final int MOST_DIGITS = 10_000;

    final Tree tree;
    final int node;
    private final boolean member;
    private volatile byte[] hashForm;

    /** A root or a separate value. */
    Json(Tree tree, int node) {
        this(tree, node, false);
    }

    private Json(Tree tree, int node, boolean member) {
        this.tree = tree;
        this.node = node;
        this.member = member;
    }

    /**
     * Reads a JSON text (RFC 8259). A duplicate key in an object is an error.
     *
     * @param json the text
     * @return its value
     * @throws AccpException E1001: not JSON, or over a limit; E1004: invalid UTF-8, a lone
     *     surrogate, or too deep
     */
    public static Json parse(String json) throws AccpException {
        return read(Texts.in(json, "json"));
    }

    /**
     * Reads a JSON text.
     *
     * @param json UTF-8
     * @return its value
     * @throws AccpException as {@link #parse(String)}
     */
    public static Json parse(byte[] json) throws AccpException {
        return read(Texts.in(json, "json"));
    }

    /**
     * Reads a JSON text.
     *
     * @param json UTF-8, from its position to its limit
     * @return its value
     * @throws AccpException as {@link #parse(String)}
     */
    public static Json parse(ByteBuffer json) throws AccpException {
        return read(Texts.in(json, "json"));
    }

    /**
     * Reads a JSON text with the given limits.
     *
     * @param json the text
     * @param options may be null: json_bytes, json_depth and memory_bytes
     * @return its value
     * @throws AccpException as {@link #parse(String)}
     */
    public static Json parse(String json, Options options) throws AccpException {
        byte[] text = Texts.in(json, "json");
        return ofPacked(FrameCodec.withValue(options, value -> Native.jsonParse(value, text)));
    }

    static Json read(Object json) throws AccpException {
        int bytes = json instanceof byte[] ? ((byte[]) json).length : ((ByteBuffer) json).capacity();
        return ofPacked(FrameCodec.withValue(bytes, value -> Native.jsonParse(value, json)));
    }

    static Json ofPacked(byte[] packed) {
        return new Json(Tree.ofValue(packed, 0), 0);
    }

    /**
     * Makes a value from Java objects: {@code null}, {@code Boolean}, {@code CharSequence},
     * {@code Character}, a {@code Number} (a double must be finite), a {@code Map} with strings or
     * enums as keys, an {@code Iterable}, any array, or a {@code Json}. A {@code Record} becomes an
     * object of its components, an {@code Enum} its name, an {@code Optional} its content or null.
     * {@code java.time} objects, a {@code UUID} and a {@code URI} become their text. Nesting is
     * limited to 1,024.
     *
     * @param java the object; may be null
     * @return the value
     * @throws AccpException E1004 for a lone surrogate
     * @throws IllegalArgumentException for any other object or depth, with its path
     */
    public static Json of(Object java) throws AccpException {
        StringBuilder out = new StringBuilder();
        JsonText.write(java, out);
        return parse(out.toString());
    }

    /** {@return the kind of this value} */
    public Kind kind() {
        return Kind.of(tree.kind(node));
    }

    /** {@return whether this is null} */
    public boolean isNull() {
        return tree.kind(node) == Kind.NULL.number;
    }

    /** {@return whether this is a number of any kind} */
    public boolean isNumber() {
        int kind = tree.kind(node);
        return kind >= Kind.INTEGER.number && kind <= Kind.NUMBER.number;
    }

    /**
     * {@return true or false}
     *
     * @throws IllegalStateException if this is not a boolean
     */
    public boolean asBoolean() {
        require(Kind.BOOLEAN);
        return (tree.flags(node) & accp_node_flag.ACCP_NODE_TRUE) != 0;
    }

    /**
     * {@return the text of a string, of a reference without its {@code $}, or of a number with its
     * original spelling}
     *
     * @throws IllegalStateException for any other value
     */
    public String asString() {
        int kind = tree.kind(node);
        if (kind < Kind.INTEGER.number || kind > Kind.REF.number) {
            throw new IllegalStateException("a value of kind " + kind() + " has no text");
        }
        return (tree.flags(node) & accp_node_flag.ACCP_NODE_ESCAPED) != 0 ? tree.unescaped(node) : tree.text(node);
    }

    /**
     * {@return the number, exactly}
     *
     * @throws IllegalStateException if this is not a number
     * @throws ArithmeticException if its exponent is beyond a BigDecimal: {@link #asString()} has
     *     its text
     */
    public BigDecimal asBigDecimal() {
        requireNumber();
        try {
            return new BigDecimal(tree.text(node));
        } catch (NumberFormatException e) {
            throw (ArithmeticException) new ArithmeticException("an exponent beyond BigDecimal").initCause(e);
        }
    }

    /**
     * {@return the whole number, exactly}
     *
     * @throws IllegalStateException if this is not a number
     * @throws ArithmeticException if it is not whole, or has more than 10,000 digits with its
     *     exponent
     */
    public BigInteger asBigInteger() {
        if (tree.kind(node) == Kind.INTEGER.number) {
            return new BigInteger(tree.text(node));
        }
        BigDecimal number = asBigDecimal();
        if (number.scale() < -MOST_DIGITS) {
            throw new ArithmeticException("an exponent that makes a very long number");
        }
        return number.toBigIntegerExact();
    }

    /**
     * {@return the whole number}
     *
     * @throws IllegalStateException if this is not a number
     * @throws ArithmeticException if it is not whole, or beyond a long
     */
    public long asLong() {
        if (tree.kind(node) == Kind.INTEGER.number && tree.length(node) <= 18) {
            return tree.integer(node);
        }
        return asBigInteger().longValueExact();
    }

    /**
     * {@return the whole number}
     *
     * @throws IllegalStateException if this is not a number
     * @throws ArithmeticException if it is not whole, or beyond an int
     */
    public int asInt() {
        return Math.toIntExact(asLong());
    }

    /**
     * {@return the nearest double; infinite if it is out of range}
     *
     * @throws IllegalStateException if this is not a number
     */
    public double asDouble() {
        requireNumber();
        return Double.parseDouble(tree.text(node));
    }

    /**
     * {@return the number of elements of an array or members of an object; 0 for any other value}
     */
    public int size() {
        int kind = tree.kind(node);
        return kind == Kind.ARRAY.number || kind == Kind.OBJECT.number ? tree.length(node) : 0;
    }

    /**
     * Returns a member of an object. Cost: linear in the number of members.
     *
     * @param key its key
     * @return the member, or null if it does not exist or this is not an object
     */
    public Json get(String key) {
        Objects.requireNonNull(key, "key");
        if (tree.kind(node) != Kind.OBJECT.number) {
            return null;
        }
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        int end = tree.next(node);
        for (int child = node + 1; child < end; child = tree.next(child)) {
            if (tree.hasKey(child, bytes)) {
                return new Json(tree, child, true);
            }
        }
        return null;
    }

    /**
     * Returns an element of an array. Cost: linear in the index; use iteration to visit all.
     *
     * @param index from 0
     * @return the element
     * @throws IndexOutOfBoundsException if the element does not exist
     */
    public Json get(int index) {
        if (tree.kind(node) != Kind.ARRAY.number || index < 0 || index >= tree.length(node)) {
            throw new IndexOutOfBoundsException(index);
        }
        int child = node + 1;
        for (int i = 0; i < index; i++) {
            child = tree.next(child);
        }
        return new Json(tree, child);
    }

    /** {@return the key of this value in its object; null elsewhere} */
    public String key() {
        return member ? tree.key(node) : null;
    }

    /** {@return the members of an object, in their order; empty for any other value} */
    public Map<String, Json> members() {
        Map<String, Json> members = new LinkedHashMap<>();
        if (tree.kind(node) == Kind.OBJECT.number) {
            int end = tree.next(node);
            for (int child = node + 1; child < end; child = tree.next(child)) {
                members.put(tree.key(child), new Json(tree, child, true));
            }
        }
        return members;
    }

    @Override
    public Iterator<Json> iterator() {
        int end = size() == 0 ? node + 1 : tree.next(node);
        boolean map = tree.kind(node) == Kind.OBJECT.number;
        return new Iterator<>() {
            private int at = node + 1;

            @Override
            public boolean hasNext() {
                return at < end;
            }

            @Override
            public Json next() {
                if (at >= end) {
                    throw new NoSuchElementException();
                }
                Json found = new Json(tree, at, map);
                at = tree.next(at);
                return found;
            }
        };
    }

    /**
     * Converts to Java objects: null, Boolean, String, BigInteger, BigDecimal, List or Map (in its
     * order), nested. A reference, and a number with more than 10,000 digits or an exponent beyond
     * a BigDecimal, stays a {@code Json}. The lists and maps may be changed.
     *
     * @return the value, null for null
     */
    public Object toJava() {
        switch (kind()) {
            case NULL: return null;
            case BOOLEAN: return asBoolean();
            case STRING: return asString();
            case REF: return this;
            case ARRAY: {
                List<Object> list = new ArrayList<>(size());
                forEach(element -> list.add(element.toJava()));
                return list;
            }
            case OBJECT: {
                Map<String, Object> map = new LinkedHashMap<>();
                members().forEach((key, member) -> map.put(key, member.toJava()));
                return map;
            }
            default: return number();
        }
    }

    private Object number() {
        if (tree.length(node) > MOST_DIGITS) {
            return this;
        }
        try {
            return tree.kind(node) == Kind.INTEGER.number ? new BigInteger(tree.text(node)) : asBigDecimal();
        } catch (ArithmeticException e) {
            return this;
        }
    }

    /**
     * Returns the text for comparing and hashing values: RFC 8785 with numbers from their exact
     * digits.
     *
     * @return UTF-8; a copy
     * @throws AccpException E1004 for an exponent of more than 18 digits
     */
    public byte[] hashForm() throws AccpException {
        return hash().clone();
    }

    private byte[] hash() throws AccpException {
        if (hashForm == null) {
            byte[] json = toBytes();
            hashForm = FrameCodec.withValue(json.length, value -> Native.jsonHashForm(value, json));
        }
        return hashForm;
    }

    /** {@return compact JSON, as {@link #toString()}, in UTF-8} */
    public byte[] toBytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * {@return compact JSON: no white space, keys in their order, numbers unchanged, references as <code>{"$ref":"warm.key"}</code>}
     */
    @Override
    public String toString() {
        return JsonText.print(this);
    }

    /**
     * {@return whether the other is an equal value; the order of keys and the spelling of numbers do not matter}
     */
    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Json)) {
            return false;
        }
        try {
            return Arrays.equals(hash(), ((Json) other).hash());
        } catch (AccpException e) {
            return toString().equals(other.toString());
        }
    }

    @Override
    public int hashCode() {
        try {
            return Arrays.hashCode(hash());
        } catch (AccpException e) {
            return 0;  // of two equal values, both or none have a hash form
        }
    }

    private void require(Kind kind) {
        if (tree.kind(node) != kind.number) {
            throw new IllegalStateException("a value of kind " + kind() + ", not " + kind);
        }
    }

    private void requireNumber() {
        if (!isNumber()) {
            throw new IllegalStateException("a value of kind " + kind() + " is no number");
        }
    }

}
