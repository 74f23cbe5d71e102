// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
//
// Counts the texts of a file with an npm package and prints, for each set of them, "NAME nanoseconds-a-text tokens": the median of passes after
// warming up. node token_peers.cjs PACKAGE NODE_MODULES FILE; token_rows.cc writes the file.
'use strict';
const fs = require('fs');
const path = require('path');
const [name, modules, file] = process.argv.slice(2);
const load = (request) => require(path.resolve(modules, request));

const counters = {
    tiktoken: () => {
        const encoding = load('tiktoken').get_encoding('o200k_base');
        return (text) => encoding.encode_ordinary(text).length;
    },
    'gpt-tokenizer': () => load('gpt-tokenizer/cjs/encoding/o200k_base').countTokens,
};

// "NAME COUNT\n", then for each text "BYTES\n" and the bytes.
function readSets(data) {
    const sets = [];
    let at = 0;
    const line = () => {
        const end = data.indexOf(10, at);
        const text = data.toString('latin1', at, end);
        at = end + 1;
        return text;
    };
    while (at < data.length) {
        const [set, count] = line().split(' ');
        const texts = [];
        for (let i = 0; i < +count; ++i) {
            const size = +line();
            texts.push(data.toString('utf8', at, at + size));
            at += size;
        }
        sets.push([set, texts]);
    }
    return sets;
}

const count = counters[name]();
for (const [set, texts] of readSets(fs.readFileSync(file))) {
    const pass = () => {
        const begin = process.hrtime.bigint();
        let tokens = 0;
        for (const text of texts) tokens += count(text);
        return [Number(process.hrtime.bigint() - begin) / texts.length, tokens];
    };
    for (let i = 0; i < 3; ++i) pass();
    const times = Array.from({ length: 9 }, () => pass()[0]).sort((a, b) => a - b);
    console.log(set, times[4], pass()[1]);
}
