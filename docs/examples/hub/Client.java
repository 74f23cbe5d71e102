// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Posts the frame that its argument is to a hub, and prints the answer: {@code java Client.java 'FRAME'}. */
public final class Client {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:7117/accp/v1/frames"))
            .header("Content-Type", "application/accp")
            .POST(BodyPublishers.ofString(args[0]))
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body()); // 204: it has no answer
    }
}
