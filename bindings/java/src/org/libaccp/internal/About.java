// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp.internal;

import java.nio.charset.StandardCharsets;

/** The program of {@code java -jar accp.jar}: loads the native library and prints its version. */
final class About {
    private About() {}

    public static void main(String[] arguments) {
        System.out.println("libaccp " + new String(Raw.accp_version(), StandardCharsets.US_ASCII) + " for Java " + Runtime.version().feature() + ", " + Library.platform());
    }
}
