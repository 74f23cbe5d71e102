// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Loads the native library from the directory in {@value #PROPERTY}, else from the jar through a
 * temporary directory.
 */
public final class Library {
    static final String PROPERTY = "org.libaccp.library.path";
    private static final String[] FILES = {"libaccp.so.1", "libaccp_java.so"};
    private static final String[] NATS = {"libaccp-nats.so.1"};
    private static final ReentrantLock NATS_LOCK = new ReentrantLock();
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
     * Loads the library for stores in NATS from the jar. libaccp finds it by its name: beside
     * itself, among the loaded libraries, and in the system's paths. If the jar has none or libnats
     * is not installed, opening the store fails with that reason.
     */
    public static void loadNats() {
        NATS_LOCK.lock();  // not synchronized: a virtual thread that waits must not hold its carrier
        try {
            loadNatsOnce();
        } finally {
            NATS_LOCK.unlock();
        }
    }

    private static void loadNatsOnce() {
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

    // A mapped file needs no name, so nothing remains, however the JVM ends.
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
