// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.reflect.Array;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.libaccp.internal.accp_node_flag;

/** Writes JSON: values exactly as the library prints them, and Java objects. */
final class JsonText {
    private static final int MOST_DEPTH = 1024;

    private JsonText() {}

    static String print(Json value) {
        StringBuilder out = new StringBuilder();
        print(value.tree, value.node, out);
        return out.toString();
    }

    // Nodes are in the order of the text: one pass with a stack of open ends.
    static void print(Tree tree, int root, StringBuilder out) {
        int[] ends = new int[16];
        boolean[] maps = new boolean[16];
        int depth = 0;
        for (int node = root; node < tree.next(root); node++) {
            if (node > root) {
                depth = close(node, ends, maps, depth, out);
                if (tree.next(node - 1) <= node) {  // else it is the first child of the node before it
                    out.append(',');
                }
                if (maps[depth - 1]) {
                    quote(tree.key(node), out);
                    out.append(':');
                }
            }
            int kind = tree.kind(node);
            if (kind == Kind.ARRAY.number || kind == Kind.OBJECT.number) {
                if (depth == ends.length) {
                    ends = Arrays.copyOf(ends, 2 * depth);
                    maps = Arrays.copyOf(maps, 2 * depth);
                }
                maps[depth] = kind == Kind.OBJECT.number;
                out.append(maps[depth] ? '{' : '[');
                ends[depth++] = tree.next(node);
            } else {
                scalar(tree, node, kind, out);
            }
        }
        close(Integer.MAX_VALUE, ends, maps, depth, out);
    }

    private static int close(int node, int[] ends, boolean[] maps, int depth, StringBuilder out) {
        while (depth > 0 && ends[depth - 1] <= node) {
            out.append(maps[--depth] ? '}' : ']');
        }
        return depth;
    }

    private static void scalar(Tree tree, int node, int kind, StringBuilder out) {
        if (kind == Kind.NULL.number) {
            out.append("null");
        } else if (kind == Kind.BOOLEAN.number) {
            out.append((tree.flags(node) & accp_node_flag.ACCP_NODE_TRUE) != 0);
        } else if (kind == Kind.STRING.number) {
            quote(new Json(tree, node).asString(), out);
        } else if (kind == Kind.REF.number) {
            out.append("{\"$ref\":");
            quote(tree.text(node), out);
            out.append('}');
        } else {
            out.append(tree.text(node));
        }
    }

    static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"': out.append("\\\""); break;
                case '\\': out.append("\\\\"); break;
                case '\b': out.append("\\b"); break;
                case '\f': out.append("\\f"); break;
                case '\n': out.append("\\n"); break;
                case '\r': out.append("\\r"); break;
                case '\t': out.append("\\t"); break;
                default:
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
            }
        }
        out.append('"');
    }

    /**
     * Writes Java objects. Records are objects of their components, enums their names, an Optional
     * its content (else null); times, UUIDs and URIs are their text. If an object has no JSON form,
     * the exception has its path.
     */
    static void write(Object java, StringBuilder out) {
        write(java, out, new ArrayDeque<>());
    }

    private static void write(Object java, StringBuilder out, Deque<Object> path) {
        if (path.size() > MOST_DEPTH) {
            throw refused("more than 1,024 deep", path);
        }
        if (java == null) {
            out.append("null");
        } else if (java instanceof Boolean || java instanceof Json || isExact(java)) {
            out.append(java);
        } else if (isText(java)) {
            quote(java.toString(), out);
        } else if (java instanceof Enum) {
            quote(((Enum<?>) java).name(), out);
        } else if (isOptional(java)) {
            write(held(java), out, path);
        } else if (java instanceof Map) {
            writeMap((Map<?, ?>) java, out, path);
        } else if (java instanceof SacpMessage) {
            writeMap(((SacpMessage) java).members(), out, path);
        } else if (java instanceof Record) {
            writeMap(components((Record) java, path), out, path);
        } else if (java instanceof Iterable && !(java instanceof Path)) {
            writeList((Iterable<?>) java, out, path);
        } else if (java.getClass().isArray()) {
            writeList(elements(java), out, path);
        } else {
            throw refused("JSON has nothing for a " + java.getClass().getName() + (java instanceof Number ? " of " + java : ""), path);
        }
    }

    private static IllegalArgumentException refused(String why, Deque<Object> path) {
        StringBuilder at = new StringBuilder();
        path.stream().limit(20).forEach(step -> at.append(step instanceof Integer ? "[" + step + "]" : (at.length() == 0 ? "" : ".") + step));
        return new IllegalArgumentException(at.length() == 0 ? why : why + ", at " + at);
    }

    private static boolean isExact(Object java) {
        return java instanceof Integer || java instanceof Long || java instanceof Short || java instanceof Byte || java instanceof BigInteger
                || java instanceof BigDecimal || java instanceof Double && Double.isFinite((Double) java)
                || java instanceof Float && Float.isFinite((Float) java);
    }

    private static boolean isText(Object java) {
        return java instanceof CharSequence || java instanceof Character || java instanceof TemporalAccessor || java instanceof TemporalAmount
                || java instanceof UUID || java instanceof URI;
    }

    private static boolean isOptional(Object java) {
        return java instanceof Optional || java instanceof OptionalInt || java instanceof OptionalLong || java instanceof OptionalDouble;
    }

    private static Object held(Object optional) {
        if (optional instanceof Optional) {
            return ((Optional<?>) optional).orElse(null);
        }
        if (optional instanceof OptionalInt) {
            OptionalInt number = (OptionalInt) optional;
            return number.isPresent() ? (Object) number.getAsInt() : null;
        }
        if (optional instanceof OptionalLong) {
            OptionalLong number = (OptionalLong) optional;
            return number.isPresent() ? (Object) number.getAsLong() : null;
        }
        OptionalDouble number = (OptionalDouble) optional;
        return number.isPresent() ? (Object) number.getAsDouble() : null;
    }

    private static Map<String, Object> components(Record java, Deque<Object> path) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (RecordComponent component : java.getClass().getRecordComponents()) {
            Method accessor = component.getAccessor();
            try {
                if (!accessor.canAccess(java)) {
                    accessor.setAccessible(true);  // a private record
                }
                all.put(component.getName(), accessor.invoke(java));
            } catch (InvocationTargetException e) {
                throw (IllegalArgumentException) refused(component.getName() + "() has thrown", path).initCause(e.getCause());
            } catch (IllegalAccessException | InaccessibleObjectException e) {
                throw (IllegalArgumentException) refused("the record " + java.getClass().getName() + " is not open to org.libaccp", path).initCause(e);
            }
        }
        return all;
    }

    private static List<Object> elements(Object array) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            all.add(Array.get(array, i));
        }
        return all;
    }

    private static void writeMap(Map<?, ?> map, StringBuilder out, Deque<Object> path) {
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object key = entry.getKey();
            if (!(key instanceof String || key instanceof Enum)) {
                throw refused("a key that is neither a String nor an enum: " + key, path);
            }
            String name = key instanceof Enum ? ((Enum<?>) key).name() : (String) key;
            out.append(before);
            quote(name, out);
            out.append(':');
            path.addLast(name);
            write(entry.getValue(), out, path);
            path.removeLast();
            before = ',';
        }
        out.append(before == '{' ? "{}" : "}");
    }

    private static void writeList(Iterable<?> list, StringBuilder out, Deque<Object> path) {
        char before = '[';
        int index = 0;
        for (Object element : list) {
            out.append(before);
            path.addLast(index++);
            write(element, out, path);
            path.removeLast();
            before = ',';
        }
        out.append(before == '[' ? "[]" : "]");
    }
}
