// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;

/** The vectors that all languages share: the directories that the property accp.vectors names, one JSON object a line. */
final class Vectors {
    private Vectors() {}

    /** The requirements of one vector. */
    interface Check {
        void of(Json vector) throws Exception;
    }

    /** A test a line of every file of that name. */
    static List<DynamicTest> each(String file, Check check) throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String directory : System.getProperty("accp.vectors").split(":")) {
            Path path = Path.of(directory, file);
            if (!Files.exists(path)) {
                continue;
            }
            int number = 0;
            for (String line : Files.readAllLines(path)) {
                if (!line.isEmpty()) {
                    tests.add(DynamicTest.dynamicTest(file + " " + ++number, () -> check.of(Json.parse(line))));
                }
            }
        }
        return tests;
    }
}
