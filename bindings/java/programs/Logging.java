// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.libaccp.Engine;
import org.libaccp.Options;
import org.libaccp.Session;

/**
 * A finder of loggers gets what {@code Engine.Events.to} writes to {@code System.getLogger}. SLF4J 2 binds to the
 * platform in this way (its slf4j-jdk-platform-logging.jar), and so does Log4j; Debian 12 has neither.
 */
final class Logging {
    static final List<String> LINES = new ArrayList<>();

    /** Named by META-INF/services/java.lang.System$LoggerFinder. */
    public static final class Finder extends System.LoggerFinder {
        @Override
        public System.Logger getLogger(String name, Module module) {
            return new System.Logger() {
                @Override
                public String getName() {
                    return name;
                }

                @Override
                public boolean isLoggable(Level level) {
                    return level.getSeverity() >= Level.DEBUG.getSeverity();
                }

                @Override
                public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
                    LINES.add(name + " " + level + " " + text);
                }

                @Override
                public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
                    LINES.add(name + " " + level + " " + format);
                }
            };
        }
    }

    public static void main(String[] args) throws Exception {
        try (Engine engine = Engine.open(new Options().events(Engine.Events.to(System.getLogger("org.libaccp")))); Session session = engine.session("s")) {
            session.append("{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{}}");
        }
        LINES.removeIf(line -> !line.startsWith("org.libaccp "));
        if (LINES.size() != 1 || !LINES.get(0).startsWith("org.libaccp DEBUG accp appended session=s")) {
            throw new AssertionError(LINES.toString());
        }
    }
}
