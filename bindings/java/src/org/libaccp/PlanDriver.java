// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Runs a plan with functions as tools: steps in order, the branches of a parallel at once; failed
 * and late tools are tried again and replaced, as the policy defines. No thread waits for them. A
 * failed plan is a {@link PlanResult}; {@link #result} fails if the run cannot continue: with the
 * exception of its store, of its recorder, or of a closed run. Another run of the same session then
 * continues from the log.
 *
 * <p>{@link #cancel}, {@link #close} and cancelling {@link #result} cancel the plan: no other tool
 * is called, and running ones are interrupted.
 */
public final class PlanDriver implements AutoCloseable {
    private static final Executor THREADS = Executors.newCachedThreadPool(work -> daemon(work, "accp-tool"));
    private static final ScheduledThreadPoolExecutor TIMES = new ScheduledThreadPoolExecutor(1, work -> daemon(work, "accp-timer"));

    static {
        TIMES.setRemoveOnCancelPolicy(true);
    }

    private interface Event {
        void happen() throws AccpException;
    }

    private final PlanRun run;
    private final boolean ownsRun;
    private final Function<String, ? extends Tool> tools;
    private final Executor executor;
    private final CompletableFuture<PlanResult> result = new CompletableFuture<>();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();  // the thread that sets it to 1 handles the events until it is 0 again

    // The fields below belong to the thread that handles the events:
    private final Map<Long, ToolRun> calls = new HashMap<>();
    private final List<PlanResult.Failure> failures = new ArrayList<>();
    private ScheduledFuture<?> timer;
    private Instant timerAt;
    private boolean cancelled;
    private boolean ended;

    private PlanDriver(PlanRun run, boolean ownsRun, Function<String, ? extends Tool> tools, Executor executor) {
        this.run = run;
        this.ownsRun = ownsRun;
        this.tools = tools;
        this.executor = executor;
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Runs a plan. Tools run on their own daemon threads.
     *
     * @param request the inputs
     * @param tools by their names
     * @return a running driver
     * @throws AccpException as {@link PlanRun#PlanRun(PlanRequest, Options)}
     */
    public static PlanDriver start(PlanRequest request, Map<String, ? extends Tool> tools) throws AccpException {
        Objects.requireNonNull(tools, "tools");
        return begin(new PlanRun(request), true, tools::get, THREADS);
    }

    /**
     * Drives a run, which stays open.
     *
     * @param run without another driver; any thread may cancel it
     * @param tools returns the tool of a name, or null for an unknown tool
     * @param executor its threads call the tools, so it needs as many as tools may run at once
     * @return a running driver
     * @throws IllegalStateException another driver uses it
     */
    public static PlanDriver start(PlanRun run, Function<String, ? extends Tool> tools, Executor executor) {
        return begin(Objects.requireNonNull(run, "run"), false, Objects.requireNonNull(tools, "tools"), Objects.requireNonNull(executor, "executor"));
    }

    private static PlanDriver begin(PlanRun run, boolean ownsRun, Function<String, ? extends Tool> tools, Executor executor) {
        PlanDriver made = new PlanDriver(run, ownsRun, tools, executor);
        if (!run.driver.compareAndSet(null, made)) {
            throw new IllegalStateException("the plan is driven already");
        }
        made.result.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                made.cancel();
            }
        });
        made.wake();
        return made;
    }

    /** {@return the result of the plan; cancelling it cancels the plan} */
    public CompletableFuture<PlanResult> result() {
        return result;
    }

    /**
     * Waits for the end. If the thread is interrupted, the plan is cancelled.
     *
     * @return the result of the plan
     * @throws AccpException the run could not continue
     * @throws InterruptedException the thread was interrupted
     * @throws ExecutionException with the recorder's exception, or because the run was closed
     */
    public PlanResult await() throws AccpException, InterruptedException, ExecutionException {
        try {
            return result.get();
        } catch (InterruptedException e) {
            cancel();
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AccpException refused) {
                throw refused;
            }
            throw e;
        }
    }

    /** Cancels the plan: {@link #result} is then a failed one, unless the plan has ended before. */
    public void cancel() {
        happen(() -> {
            cancelled = true;
            run.cancel(Instant.now());
        });
    }

    /** Cancels the plan. */
    @Override
    public void close() {
        cancel();
    }

    /** Reports that there may be new actions. */
    void wake() {
        happen(() -> {});
    }

    private void happen(Event event) {
        events.add(event);
        if (pending.getAndIncrement() != 0) {
            return;
        }
        int seen;
        do {
            seen = pending.get();
            handle();
        } while (pending.addAndGet(-seen) != 0);
    }

    private void handle() {
        try {
            for (Event event; !ended && (event = events.poll()) != null;) {
                event.happen();
            }
            if (!ended) {
                takeEffects();
            }
        } catch (Exception | Error failure) {
            end(null, failure);
        }
        if (ended) {
            events.clear();
        }
    }

    // Executes the current actions.
    private void takeEffects() throws Exception {
        for (;;) {
            PlanRun.Effect effect = run.next(Instant.now());
            switch (effect.kind()) {
                case CALL -> call(effect);
                case STOP -> timedOut(calls.remove(effect.call()));
                case RECORD -> run.recorder.keep(effect.text());
                case ENDED -> {
                    end(PlanResult.of(run.state(), run.finalJson(), failures), null);
                    return;
                }
                default -> {
                    setTimer();
                    return;
                }
            }
        }
    }

    private void setTimer() {
        Instant due = run.due();
        if (Objects.equals(due, timerAt)) {
            return;
        }
        if (timer != null) {
            timer.cancel(false);
        }
        timerAt = due;
        timer = due == null ? null : TIMES.schedule(this::timeHasCome, Math.max(0, Duration.between(Instant.now(), due).toMillis() + 1), TimeUnit.MILLISECONDS);
    }

    // Not on the thread that all timers share.
    private void timeHasCome() {
        Event tick = () -> {
            timerAt = null;
            run.tick(Instant.now());
        };
        try {
            executor.execute(() -> happen(tick));
        } catch (RejectedExecutionException e) {
            happen(tick);
        }
    }

    private void call(PlanRun.Effect effect) throws AccpException {
        ToolCall call = new ToolCall(effect.call(), effect.path(), effect.verb(), effect.tool(), effect.text(), effect.key(), effect.due(), new CompletableFuture<>());
        Tool tool = tools.apply(effect.tool());
        ToolRun running = new ToolRun(tool, call, (answered, answer) -> happen(() -> answered(effect.call(), answered, answer)));
        calls.put(effect.call(), running);
        if (tool == null) {
            answered(effect.call(), running, ToolRun.Answer.failed(new AccpException.ToolNotFound("no tool of this name: " + effect.tool())));
            return;
        }
        try {
            executor.execute(running.work());
        } catch (RejectedExecutionException e) {
            answered(effect.call(), running, ToolRun.Answer.failed(e));
        }
    }

    private void answered(long number, ToolRun answered, ToolRun.Answer answer) throws AccpException {
        if (calls.remove(number) == null) {
            return;  // no longer needed
        }
        answered.call().stopped().complete(null);
        String tool = answered.call().tool();
        Throwable failure = answer.failure();
        if (failure != null) {
            failures.add(new PlanResult.Failure(answered.call(), failure));
            PlanRun.Cause cause = failure instanceof AccpException.ToolNotFound ? PlanRun.Cause.NO_AGENT : PlanRun.Cause.TOOL_FAILED;
            run.fail(number, tool, cause, ToolRun.text(failure.toString()), Instant.now());
        } else if (answer.role() != null) {
            run.reply(number, tool, answer.role(), answer.text(), Instant.now());
        } else {
            run.complete(number, tool, answer.text(), Instant.now());
        }
    }

    private void timedOut(ToolRun call) {
        if (call != null && !cancelled && !Instant.now().isBefore(call.call().due())) {
            failures.add(new PlanResult.Failure(call.call(), new TimeoutException("no answer in time")));
        }
        stop(call);
    }

    private static void stop(ToolRun call) {
        if (call != null) {
            call.stop();
        }
    }

    private void end(PlanResult value, Throwable failure) {
        ended = true;
        if (timer != null) {
            timer.cancel(false);
        }
        calls.values().forEach(PlanDriver::stop);
        calls.clear();
        run.driver.set(null);
        if (ownsRun) {
            run.close();
        }
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }
}
