// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Remembers thoughts, reasoning and responses that the stand-in has sent, because clients must send them back unchanged. Seals are checked without stored
// values; everything else is lost at a restart, and not enforced afterwards.
import { seal } from "./canonical.mjs";

const kReasoning = "reasoning";

export class Issued {
    #thoughts = new Map(); // tool_use id: the thinking blocks of its message
    #reasoning = new Map(); // id of an item: id of the reasoning before it
    #responses = new Map(); // id of a stored response: its items, those of the request included

    thinkingBlock(text) {
        return { type: "thinking", thinking: text, signature: seal("thinking", text) };
    }
    isGenuine(block) {
        return block.type === "thinking" && block.signature === seal("thinking", block.thinking);
    }
    keepThoughts(content) {
        const thoughts = content.filter(({ type }) => type === "thinking");
        for (const { type, id } of content) if (type === "tool_use") this.#thoughts.set(id, thoughts);
    }
    thoughtsBefore(id) {
        return this.#thoughts.get(id);
    }

    sealReasoning(id, text) {
        const data = Buffer.from(JSON.stringify([kReasoning, id, text])).toString("base64url");
        return `${data}.${seal(data)}`;
    }
    openReasoning(sealed) {
        const [data, end] = String(sealed).split(".");
        return seal(data) === end ? JSON.parse(Buffer.from(data, "base64url"))[1] : undefined;
    }
    keepItems(output) {
        const reasoning = output.find(({ type }) => type === "reasoning")?.id;
        if (reasoning) for (const item of output) if (item.type !== "reasoning") this.#reasoning.set(item.id, reasoning);
    }
    reasoningBefore(id) {
        return this.#reasoning.get(id);
    }
    keepResponse(id, items) {
        this.#responses.set(id, items);
    }
    itemsOf(response) {
        return this.#responses.get(response);
    }
}
