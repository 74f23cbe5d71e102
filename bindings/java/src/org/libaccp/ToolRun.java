// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;

/** One call of a tool. If its result is no longer needed, it is interrupted and reports nothing. */
final class ToolRun {
    /** The result: a text, of an agent with a role or JSON; or a failure. */
    record Answer(String role, String text, Throwable failure) {
        static Answer failed(Throwable failure) {
            return new Answer(null, null, failure);
        }
    }

    private final ToolCall call;
    private final Work work;

    ToolRun(Tool tool, ToolCall call, BiConsumer<ToolRun, Answer> tell) {
        this.call = call;
        work = new Work(() -> start(tool), answer -> tell.accept(this, answer));
    }

    // Its stage is cancelled even if the call was stopped before the tool returned it.
    private Object start(Tool tool) throws Exception {
        Object value = tool.call(call);
        if (value instanceof CompletionStage<?> stage) {
            call.stopped().whenComplete((nothing, failure) -> giveUp(stage));
        }
        return value;
    }

    ToolCall call() {
        return call;
    }

    Runnable work() {
        return work;
    }

    void stop() {
        work.cancel(true);
        call.stopped().complete(null);
    }

    /** Returns valid text: the message of a tool's exception may contain a lone surrogate. */
    static String text(String said) {
        return new String(said.getBytes(java.nio.charset.StandardCharsets.UTF_8), java.nio.charset.StandardCharsets.UTF_8);
    }

    private interface Told {
        void answer(Answer answer);
    }

    // It reports its end, so that no interrupt of its own reaches later work.
    private final class Work extends FutureTask<Object> {
        private final Told told;

        Work(Callable<Object> tool, Told told) {
            super(tool);
            this.told = told;
        }

        @Override
        protected void done() {
            if (isCancelled()) {
                return;
            }
            try {
                tell(get());
            } catch (ExecutionException e) {
                told.answer(Answer.failed(e.getCause()));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);  // it has ended
            }
        }

        private void tell(Object value) {
            if (value instanceof CompletionStage<?> stage) {
                stage.whenComplete((later, failure) -> told.answer(failure == null ? answer(later) : Answer.failed(plain(failure))));
            } else {
                told.answer(answer(value));
            }
        }
    }

    private static void giveUp(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException e) {
            // it continues, and its result is dropped
        }
    }

    private static Throwable plain(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static Answer answer(Object value) {
        try {
            if (value instanceof Tool.Reply reply) {
                return said(reply.role(), reply.text());
            }
            StringBuilder out = new StringBuilder();
            JsonText.write(value, out);
            return said(null, out.toString());
        } catch (AccpException | RuntimeException e) {
            return Answer.failed(e);
        }
    }

    /** A lone surrogate is the tool's failure, not the run's. */
    private static Answer said(String role, String text) throws AccpException {
        Texts.orEmpty(role);
        Texts.orEmpty(text);
        return new Answer(role, text, null);
    }
}
