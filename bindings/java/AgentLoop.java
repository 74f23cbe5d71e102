// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.libaccp.AccpException;
import org.libaccp.Counter;
import org.libaccp.Engine;
import org.libaccp.Interface;
import org.libaccp.Json;
import org.libaccp.Session;
import org.libaccp.Tokenizer;

/**
 * A model with tools, at an interface like Anthropic's: {@code AgentLoop [URL MODEL]}, with the key
 * in {@code $API_KEY}. The program appends each message to a session and sends the session's
 * context instead of the whole history, with cache marks. The model fetches omitted text with the
 * tool {@code resolve}, which needs one call in the program. Without a URL a stub in this process
 * plays the model: StubModel.java.
 */
public final class AgentLoop {
    private static final String OPENING = """
            {"system":"You look after a build farm. Answer in one sentence.","messages":[{"role":"user",
            "content":"Which workers stopped at 11:43 on Wednesday? There are logs of monday, tuesday and wednesday."}]}""";
    private static final String READ_LOG = """
            {"name":"read_log","description":"The log of a night.",
            "input_schema":{"type":"object","properties":{"night":{"type":"string"}},"required":["night"]}}""";

    private AgentLoop() {}

    /** Prints the model's text and the cost of each request. */
    public static void main(String[] args) throws Exception {
        StubModel stub = args.length < 2 ? new StubModel() : null;
        String url = stub == null ? args[0] : stub.url();
        try (stub; Costs costs = new Costs(); Engine engine = Engine.open(); Session session = engine.session("talk")) {
            // README begin
            List<Json> tools = List.of(Json.parse(READ_LOG), Json.parse(Interface.ANTHROPIC.tool()));
            for (String said = OPENING; said != null;) {
                session.appendMessages(Interface.ANTHROPIC, said);
                String messages = session.contextMessages(Interface.ANTHROPIC, 0).json();
                costs.add(said, messages);
                Map<String, Object> body = new LinkedHashMap<>(Json.parse(messages).members());  // "system", "messages"
                body.putAll(object("model", stub == null ? args[1] : "stub", "max_tokens", 1000, "tools", tools));
                said = follow(session, post(url + "/v1/messages", Json.of(body)));
            }
            // README end
            System.out.printf("%d tokens in all; the history each time would have been %d%n", costs.sent, costs.resent);
        }
    }

    /** Compares the tokens of the requests with the tokens of the full history in each. */
    private static final class Costs implements AutoCloseable {
        private final Tokenizer tokenizer = new Tokenizer("o200k_base");
        private final Counter counter = new Counter(tokenizer);
        private String history = "";
        private long sent;
        private long resent;

        Costs() throws AccpException {}

        void add(String said, String request) throws AccpException {
            history += said;
            long now = counter.count(request);
            long whole = counter.count(history);
            sent += now;
            resent += whole;
            System.out.printf("a request of %d tokens; the history has %d%n", now, whole);
        }

        @Override
        public void close() {
            counter.close();
            tokenizer.close();
        }
    }

    /**
     * Runs the tools that the model called: returns the model's message with the results; null if
     * it called none.
     */
    private static String follow(Session session, Json came) throws AccpException {
        List<Object> results = new ArrayList<>();
        for (Json part : came.get("content")) {
            if (part.get("type").asString().equals("text")) {
                System.out.println("model: " + part.get("text").asString());
            } else if (part.get("type").asString().equals("tool_use")) {
                Json input = part.get("input");
                System.out.println("       " + part.get("name").asString() + " " + input);
                String result = part.get("name").asString().equals("resolve") ? session.answer(input) : StubModel.readLog(input.get("night").asString());
                results.add(object("type", "tool_result", "tool_use_id", part.get("id"), "content", result));
            }
        }
        return results.isEmpty() ? null : Json.of(List.of(object("role", "assistant", "content", came.get("content")),
                object("role", "user", "content", results))).toString();
    }

    /** A JSON object: names and values in turn. */
    static Map<String, Object> object(Object... members) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            made.put((String) members[i], members[i + 1]);
        }
        return made;
    }

    /** Sends a request and returns the model's message. */
    private static Json post(String url, Json body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").header("anthropic-version", "2023-06-01")
                .header("x-api-key", System.getenv().getOrDefault("API_KEY", "none")).POST(HttpRequest.BodyPublishers.ofByteArray(body.toBytes())).build();
        HttpResponse<byte[]> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.statusCode() + ": " + new String(response.body(), java.nio.charset.StandardCharsets.UTF_8));
        }
        return Json.parse(response.body());
    }
}
