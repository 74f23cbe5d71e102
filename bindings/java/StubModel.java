// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.libaccp.AccpException;
import org.libaccp.Json;

/**
 * A server that plays the model: it reads three logs, requests lines that its context omits, and
 * writes a result.
 */
final class StubModel implements AutoCloseable {
    private static final List<String> NIGHTS = List.of("monday", "tuesday", "wednesday");

    private final HttpServer server;
    private int turn = -1;

    StubModel() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/messages", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** Returns the result of the tool read_log. */
    static String readLog(String night) {
        int day = NIGHTS.indexOf(night);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 2400; i++) {
            lines.append(String.format("worker-%d stopped at %02d:%02d, %d jobs done\n", i, i * 7 % 24, (i * 13 + day) % 60, i * 31 % 97 + day));
        }
        return lines.toString();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String messages = Json.parse(exchange.getRequestBody().readAllBytes()).get("messages").toString();
            int marks = messages.split("cache_control", -1).length - 1;
            byte[] answer = Json.of(AgentLoop.object("role", "assistant", "content", say(messages))).toBytes();
            exchange.sendResponseHeaders(marks >= 1 && marks <= 4 ? 200 : 400, answer.length);  // as many as the interface takes
            exchange.getResponseBody().write(answer);
        } catch (AccpException e) {
            throw new IOException(e);
        }
    }

    private List<Object> say(String messages) {
        turn++;
        if (turn < NIGHTS.size()) {
            return call("I read the next log.", "read_log", AgentLoop.object("night", NIGHTS.get(turn)));
        } else if (turn == NIGHTS.size()) {
            List<String> refs = new ArrayList<>(found("(\\$cold\\.m\\d+)", messages));
            return call("I need some lines of it.", "resolve", AgentLoop.object("ref", refs.get(refs.size() - 1), "query", "11:43"));
        }
        return List.of(AgentLoop.object("type", "text", "text", "On Wednesday: " + String.join(" ", found("(worker-\\d+) stopped at 11:43", messages))));
    }

    private List<Object> call(String text, String name, Map<String, Object> input) {
        return List.of(AgentLoop.object("type", "text", "text", text),
                AgentLoop.object("type", "tool_use", "id", "toolu_" + turn, "name", name, "input", input));
    }

    private static Set<String> found(String pattern, String text) {
        Set<String> all = new LinkedHashSet<>();
        Pattern.compile(pattern).matcher(text).results().map((MatchResult one) -> one.group(1)).forEach(all::add);
        return all;
    }
}
