// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads the native library: from the directory that {@value #PROPERTY} names, else out of the jar, by way of a temporary directory. */
public final class Library {
    static final String PROPERTY = "org.libaccp.library.path";
    private static final String[] FILES = {"libaccp.so.1", "libaccp_java.so"};

    private Library() {}

    static void load() {
        String directory = System.getProperty(PROPERTY);
        if (directory != null) {
            loadFrom(Path.of(directory).toAbsolutePath());
        } else {
            unpackAndLoad();
        }
    }

    private static void loadFrom(Path directory) {
        for (String name : FILES) {
            System.load(directory.resolve(name).toString());
        }
    }

    // A file that is mapped needs no name: nothing is left behind, however the JVM ends.
    private static void unpackAndLoad() {
        String resources = "/native/" + platform() + "/";
        try {
            Path directory = Files.createTempDirectory("libaccp").toAbsolutePath();
            try {
                for (String name : FILES) {
                    try (InputStream in = Library.class.getResourceAsStream(resources + name)) {
                        if (in == null) {
                            throw new UnsatisfiedLinkError("no " + resources + name + " in the jar: set the system property " + PROPERTY);
                        }
                        Files.copy(in, directory.resolve(name));
                    }
                }
                loadFrom(directory);
            } finally {
                for (String name : FILES) {
                    Files.deleteIfExists(directory.resolve(name));
                }
                Files.delete(directory);
            }
        } catch (IOException e) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("the native library could not be unpacked; set the system property " + PROPERTY);
            error.initCause(e);
            throw error;
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT);
        String machine = System.getProperty("os.arch");
        return (system.startsWith("linux") ? "linux" : system) + "-" + (machine.equals("amd64") ? "x86_64" : machine);
    }
}
