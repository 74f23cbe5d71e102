// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One text for requests that mean the same to a provider, digests, and the size of a text in tokens.
import { createHash, createHmac } from "node:crypto";

// Providers show these values to the model in the order in which the client wrote the keys, so a different order is a different prompt.
const kVerbatim = new Set(["input", "input_schema", "parameters"]);

// Returns compact JSON with sorted keys and without cache marks.
export function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
    const keys = Object.keys(value)
        .filter((key) => key !== "cache_control" && value[key] !== undefined)
        .sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${kVerbatim.has(key) ? JSON.stringify(value[key]) : canonical(value[key])}`).join(",")}}`;
}

export const digest = (...texts) => createHash("sha256").update(texts.join("\0")).digest("hex");

// By this seal the stand-in recognises values that it has issued, also after a restart. The key need not be secret.
export const seal = (...texts) => createHmac("sha256", "accp stand-in").update(texts.join("\0")).digest("base64url");

// The estimate for every provider here: a token is four bytes.
export const kBytesPerToken = 4;
export const tokensOf = (text) => Math.ceil(Buffer.byteLength(text) / kBytesPerToken);
