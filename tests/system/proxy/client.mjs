// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sends a request (POST if it has a body) and returns the JSON of its response. Fails with the URL and the reason.
export async function ask(url, body, headers = {}) {
    const request = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(url, request).catch((error) => {
        throw new Error(`${url}: ${error.cause?.message ?? error.message}`);
    });
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    return answer.json();
}
