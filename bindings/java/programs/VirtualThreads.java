// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.libaccp.Engine;
import org.libaccp.Json;
import org.libaccp.Options;
import org.libaccp.PlanDriver;
import org.libaccp.PlanRequest;
import org.libaccp.PlanRun;
import org.libaccp.Session;
import org.libaccp.Tool;

/**
 * Calls that wait on virtual threads must leave their carrier to others: with one carrier
 * (-Djdk.virtualThreadScheduler.parallelism=1 and maxPoolSize=1), the thread that ends the wait runs only then. Needs
 * JDK 21. Exits with 1 after two minutes.
 */
final class VirtualThreads {
    private static final String MESSAGE = "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{}}";

    public static void main(String[] args) throws Exception {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(120_000);
            } catch (InterruptedException e) {
                return;
            }
            System.out.println("the threads wait for ever");
            Runtime.getRuntime().halt(1);
        });
        CountDownLatch inside = new CountDownLatch(1), open = new CountDownLatch(1);
        Options options = new Options().resolver(ref -> {
            inside.countDown();
            open.await();
            return "1".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        });
        try (Engine engine = Engine.open(options); Session session = engine.session("s")) {
            Thread holder = Thread.ofPlatform().start(() -> attempt(() -> session.receive("@a>req:x{k:$warm.there}[mid:a00000000001,seq:1]")));
            inside.await();
            List<Thread> waiting = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                waiting.add(Thread.ofVirtual().start(() -> attempt(() -> session.append(MESSAGE))));
            }
            Thread.ofVirtual().start(open::countDown);
            holder.join();
            for (Thread one : waiting) {
                one.join();
            }
            check(session.recordCount() == 1001, session.recordCount() + " records");
        }

        // A branch waits for the other one, on the same carrier.
        CountDownLatch met = new CountDownLatch(2);
        Tool meets = call -> {
            met.countDown();
            check(met.await(60, TimeUnit.SECONDS), "the branches do not run at once");
            return Json.of("met");
        };
        String plan = "{\"g\":\"G\",\"plan\":[{\"parallel\":[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]},[\"join\",\"J\",{}]]}";
        Map<String, Tool> tools = Map.of("A", meets, "B", meets, "J", call -> Json.of("joined"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                PlanRun run = new PlanRun(new PlanRequest(plan).lenient()); PlanDriver driver = PlanDriver.start(run, tools::get, threads)) {
            check(driver.await().orThrow().asString().equals("joined"), "not joined");
        }
        System.out.println("no carrier was held");
        System.exit(0);
    }

    private interface Attempt {
        void run() throws Exception;
    }

    private static void attempt(Attempt what) {
        try {
            what.run();
        } catch (Exception e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
