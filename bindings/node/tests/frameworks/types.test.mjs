// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A program in TypeScript uses all drop-ins with the frameworks' own types.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

test("the types of the drop-ins fit those of the frameworks", async () => {
    const [error, stdout] = await new Promise((resolve) =>
        execFile(process.execPath, [join(here, "../../node_modules/typescript/bin/tsc"), "-p", join(here, "types")], (...all) => resolve(all)),
    );
    assert.equal(error, null, stdout.slice(0, 3000));
});
