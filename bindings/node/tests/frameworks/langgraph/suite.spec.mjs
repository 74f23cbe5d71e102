// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// LangGraph's own suite for checkpointers, whole. langgraph_suite.test.mjs runs it with vitest.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { AccpSaver } from "libaccp/langgraph";

function both(initializer) {
    validate(initializer);
    deltaChannelHistoryTests(initializer);
}

both({
    checkpointerName: "AccpSaver in memory",
    createCheckpointer: () => new AccpSaver(),
    destroyCheckpointer: (saver) => saver.close(),
});

const folders = new Map();
both({
    checkpointerName: "AccpSaver in SQLite",
    async createCheckpointer() {
        const folder = await mkdtemp(join(tmpdir(), "accp-suite-"));
        const saver = new AccpSaver(`sqlite:${join(folder, "threads.db")}`);
        folders.set(saver, folder);
        return saver;
    },
    async destroyCheckpointer(saver) {
        await saver.close();
        await rm(folders.get(saver), { recursive: true });
    },
});
