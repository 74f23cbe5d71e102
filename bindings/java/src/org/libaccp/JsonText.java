// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import org.libaccp.internal.accp_node_flag;

/** Writing JSON: of values, byte for byte as the library prints them, and of Java's own objects. */
final class JsonText {
    private static final int MOST_DEPTH = 1024;

    private JsonText() {}

    static String print(Json value) {
        StringBuilder out = new StringBuilder();
        print(value.tree, value.node, out);
        return out.toString();
    }

    // Nodes lie in the order of the text: one pass, with the ends of what is open on a stack.
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

    static void write(Object java, StringBuilder out, int depth) {
        if (depth > MOST_DEPTH) {
            throw new IllegalArgumentException("more than 1,024 deep");
        }
        if (java == null) {
            out.append("null");
        } else if (java instanceof String) {
            quote((String) java, out);
        } else if (java instanceof Boolean || java instanceof Json || isExact(java)) {
            out.append(java);
        } else if (java instanceof Map) {
            writeMap((Map<?, ?>) java, out, depth);
        } else if (java instanceof Iterable) {
            writeList((Iterable<?>) java, out, depth);
        } else if (java instanceof Object[]) {
            writeList(Arrays.asList((Object[]) java), out, depth);
        } else {
            throw new IllegalArgumentException("JSON has nothing for a " + java.getClass().getName() + (java instanceof Number ? " of " + java : ""));
        }
    }

    private static boolean isExact(Object java) {
        return java instanceof Integer || java instanceof Long || java instanceof Short || java instanceof Byte || java instanceof BigInteger
                || java instanceof BigDecimal || java instanceof Double && Double.isFinite((Double) java)
                || java instanceof Float && Float.isFinite((Float) java);
    }

    private static void writeMap(Map<?, ?> map, StringBuilder out, int depth) {
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!(entry.getKey() instanceof String)) {
                throw new IllegalArgumentException("a key that is no String");
            }
            out.append(before);
            quote((String) entry.getKey(), out);
            out.append(':');
            write(entry.getValue(), out, depth + 1);
            before = ',';
        }
        out.append(before == '{' ? "{}" : "}");
    }

    private static void writeList(Iterable<?> list, StringBuilder out, int depth) {
        char before = '[';
        for (Object element : list) {
            out.append(before);
            write(element, out, depth + 1);
            before = ',';
        }
        out.append(before == '[' ? "[]" : "]");
    }
}
