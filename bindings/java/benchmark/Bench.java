// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.libaccp.Batch;
import org.libaccp.Codec;
import org.libaccp.Frame;
import org.libaccp.FrameCodec;
import org.libaccp.Json;
import org.libaccp.Kind;
import org.libaccp.Message;
import org.libaccp.Options;
import org.libaccp.Rule;

/** Java against native C, and against Jackson, over the corpus of bench/: warmed up, interleaved, the lower quartile of the rounds. */
public final class Bench {
    private static final int ROUNDS = 60;
    private static final int BATCH = 64;
    private static final ObjectMapper JACKSON = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static List<byte[]> frames;
    private static List<byte[]> compact;
    private static List<byte[]> batches;

    private Bench() {}

    private static native long nativeParse(byte[] all, int[] starts);

    private static native long nativeDecode(byte[] all, int[] starts);

    private static native long nativeBatch(byte[] all, int[] starts);

    /** One pass over the corpus; the sum keeps the work from being left out. */
    private interface Pass {
        long run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        frames = lines(Path.of(args[1], "frames.txt"));
        compact = lines(Path.of(args[1], "compact.ndjson"));
        batches = new ArrayList<>();
        for (int i = 0; i + BATCH <= frames.size(); i += BATCH) {
            batches.add(joined(frames.subList(i, i + BATCH)));
        }
        Map<String, Pass> passes = new LinkedHashMap<>();
        Options refs = new Options().rule(Rule.KEEP_REFS, 1);
        try (FrameCodec reader = new FrameCodec(refs); Codec codec = new Codec(refs); Batch batch = new Batch(refs)) {
            addPasses(passes, reader, codec, batch);
            measure(passes);
        }
    }

    private static void addPasses(Map<String, Pass> passes, FrameCodec reader, Codec codec, Batch batch) throws Exception {
        byte[] all = all(frames);
        int[] starts = starts(frames);
        byte[] allBatches = all(batches);
        int[] batchStarts = starts(batches);
        passes.put("C: parse, every node", () -> nativeParse(all, starts));
        passes.put("Java: parse, every node", () -> {
            long sum = 0;
            for (byte[] frame : frames) {
                sum += visit(reader.parse(frame));
            }
            return sum;
        });
        passes.put("C: batch of 64", () -> nativeBatch(allBatches, batchStarts));
        passes.put("Java: batch of 64", () -> {
            long sum = 0;
            for (byte[] text : batches) {
                sum += batch.decode(text).size();
            }
            return sum;
        });
        passes.put("C: decode to JSON", () -> nativeDecode(all, starts));
        passes.put("Java: decode to JSON", () -> {
            long sum = 0;
            for (byte[] frame : frames) {
                sum += codec.decode(frame).length;
            }
            return sum;
        });
        passes.put("Java: decode to a message", () -> {
            long sum = 0;
            for (byte[] frame : frames) {
                sum += reader.decodeMessage(frame).payload().size();
            }
            return sum;
        });
        passes.put("Java: decode to a message, every field", () -> {
            long sum = 0;
            for (byte[] frame : frames) {
                sum += read(reader.decodeMessage(frame));
            }
            return sum;
        });
        passes.put("Jackson: readTree", () -> {
            long sum = 0;
            for (byte[] json : compact) {
                sum += JACKSON.readTree(json).size();
            }
            return sum;
        });
        passes.put("Jackson: readTree, every field", () -> {
            long sum = 0;
            for (byte[] json : compact) {
                sum += read(JACKSON.readTree(json));
            }
            return sum;
        });
        passes.put("Jackson: readValue(Map)", () -> {
            long sum = 0;
            for (byte[] json : compact) {
                sum += JACKSON.readValue(json, Map.class).size();
            }
            return sum;
        });
    }

    // ---- reading every field ----

    private static long visit(Frame frame) {
        long sum = visit(frame.payload());
        Json meta = frame.metadata();
        return meta == null ? sum : sum + visit(meta);
    }

    private static long visit(Json json) {
        Kind kind = json.kind();
        if (kind != Kind.OBJECT && kind != Kind.ARRAY) {
            return kind.ordinal();
        }
        long sum = json.size();
        for (Json child : json) {
            sum += visit(child);
        }
        return sum;
    }

    private static long read(Message message) {
        long sum = message.agent().length() + message.intent().length() + message.operation().length() + read(message.payload());
        return message.metadata() == null ? sum : sum + read(message.metadata());
    }

    private static long read(Json json) {
        switch (json.kind()) {
            case OBJECT: case ARRAY: {
                long sum = 0;
                for (Json child : json) {
                    sum += read(child);
                }
                return sum;
            }
            case STRING: case REF: return json.asString().length();
            case INTEGER: return json.asLong();
            case DECIMAL: case NUMBER: return json.asBigDecimal().scale();
            default: return 1;
        }
    }

    private static long read(JsonNode json) {
        if (json.isContainerNode()) {
            long sum = 0;
            for (JsonNode child : json) {
                sum += read(child);
            }
            return sum;
        }
        return json.isTextual() ? json.textValue().length() : json.isIntegralNumber() ? json.longValue() : json.isNumber() ? json.decimalValue().scale() : 1;
    }

    // ---- measuring ----

    private static void measure(Map<String, Pass> passes) throws Exception {
        for (int i = 0; i < 150; i++) {
            for (Pass pass : passes.values()) {
                pass.run();
            }
        }
        Map<String, long[]> times = new LinkedHashMap<>();
        passes.keySet().forEach(name -> times.put(name, new long[ROUNDS]));
        for (int round = 0; round < ROUNDS; round++) {
            for (Map.Entry<String, Pass> pass : passes.entrySet()) {
                long before = System.nanoTime();
                pass.getValue().run();
                times.get(pass.getKey())[round] = System.nanoTime() - before;
            }
        }
        System.out.printf("%d frames of %d bytes, the same as compact JSON %d bytes%n", frames.size(), all(frames).length / frames.size(),
                all(compact).length / compact.size());
        System.out.printf("%-42s %10s %10s%n", "", "ns/frame", "bytes/frame");
        Map<String, Double> quartile = new LinkedHashMap<>();
        for (Map.Entry<String, Pass> pass : passes.entrySet()) {
            int count = pass.getKey().endsWith("64") ? batches.size() * BATCH : frames.size();
            long[] sorted = times.get(pass.getKey());
            Arrays.sort(sorted);
            quartile.put(pass.getKey(), (double) sorted[ROUNDS / 4] / count);
            System.out.printf("%-42s %10.0f %10d%n", pass.getKey(), quartile.get(pass.getKey()), allocated(pass.getValue()) / count);
        }
        ratio(quartile, "Java: batch of 64", "C: batch of 64", 1.15);
        ratio(quartile, "Java: parse, every node", "C: parse, every node", 3);
        ratio(quartile, "Java: decode to a message, every field", "Jackson: readTree, every field", 1);
        ratio(quartile, "Java: decode to a message, every field", "Jackson: readValue(Map)", 1);
    }

    private static void ratio(Map<String, Double> quartile, String ours, String theirs, double must) {
        double ratio = quartile.get(ours) / quartile.get(theirs);
        System.out.printf("%s / %s: %.2f (must %.2f: %s)%n", ours, theirs, ratio, must, ratio <= must ? "met" : "NOT met");
    }

    private static long allocated(Pass pass) throws Exception {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        pass.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    // ---- texts ----

    private static List<byte[]> lines(Path path) throws IOException {
        List<byte[]> lines = new ArrayList<>();
        Files.readAllLines(path).forEach(line -> lines.add(line.getBytes(StandardCharsets.UTF_8)));
        return lines;
    }

    private static byte[] joined(List<byte[]> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(new String(line, StandardCharsets.UTF_8)).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int[] starts(List<byte[]> texts) {
        int[] starts = new int[texts.size() + 1];
        for (int i = 0; i < texts.size(); i++) {
            starts[i + 1] = starts[i] + texts.get(i).length;
        }
        return starts;
    }

    private static byte[] all(List<byte[]> texts) {
        int[] starts = starts(texts);
        byte[] all = new byte[starts[texts.size()]];
        for (int i = 0; i < texts.size(); i++) {
            System.arraycopy(texts.get(i), 0, all, starts[i], texts.get(i).length);
        }
        return all;
    }
}
