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
    private static final String[] NATS = {"libaccp-nats.so.1"};
    private static boolean hasNats;

    private Library() {}

    static void load() {
        String directory = System.getProperty(PROPERTY);
        if (directory != null) {
            loadFrom(Path.of(directory).toAbsolutePath(), FILES);
        } else {
            unpackAndLoad(FILES);
        }
    }

    /**
     * Loads what opens stores in NATS, out of the jar. The library looks for it by its name: beside itself, among what is loaded, and where the system's loader looks. Where the jar has none, or libnats is not
     * installed, it says so when it opens the store.
     */
    public static synchronized void loadNats() {
        if (!hasNats && System.getProperty(PROPERTY) == null && Library.class.getResource(resource(NATS[0])) != null) {
            try {
                unpackAndLoad(NATS);
                hasNats = true;
            } catch (UnsatisfiedLinkError e) {
                System.getLogger("org.libaccp").log(System.Logger.Level.DEBUG, "libaccp-nats.so.1 of the jar cannot be loaded", e);
            }
        }
    }

    private static void loadFrom(Path directory, String[] files) {
        for (String name : files) {
            System.load(directory.resolve(name).toString());
        }
    }

    private static String resource(String name) {
        return "/native/" + platform() + "/" + name;
    }

    // A file that is mapped needs no name: nothing is left behind, however the JVM ends.
    private static void unpackAndLoad(String[] files) {
        try {
            Path directory = Files.createTempDirectory("libaccp").toAbsolutePath();
            try {
                for (String name : files) {
                    try (InputStream in = Library.class.getResourceAsStream(resource(name))) {
                        if (in == null) {
                            throw new UnsatisfiedLinkError("no " + resource(name) + " in the jar: set the system property " + PROPERTY);
                        }
                        Files.copy(in, directory.resolve(name));
                    }
                }
                loadFrom(directory, files);
            } finally {
                for (String name : files) {
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

    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT);
        String machine = System.getProperty("os.arch");
        return (system.startsWith("linux") ? "linux" : system) + "-" + (machine.equals("amd64") ? "x86_64" : machine);
    }
}
