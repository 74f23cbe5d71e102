// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
//
// Times JSON.parse() and a schema compiled by ajv with the message of the row "judge a message": node bench/sacp_peers.cjs NODE_MODULES, after `npm install ajv`
// there. Run it by hand, just before or after accp_bench on the same machine. Prints nanoseconds of processor time per message, the median of passes after warming
// up.
'use strict';
const fs = require('fs');
const path = require('path');
const Ajv = require(path.resolve(process.argv[2], 'ajv/dist/2020'));

const root = path.join(__dirname, '..');
const vectors = fs.readFileSync(path.join(root, 'tests/sacp/message/vectors/validate.jsonl'), 'utf8').split('\n').filter(Boolean).map(JSON.parse);
const text = JSON.stringify(vectors.find((each) => each.name === 'seed-find-hotel-strict').message);
const schema = JSON.parse(fs.readFileSync(path.join(root, 'data/sacp/sacp-0.1.schema.json'), 'utf8'));
const validate = new Ajv({ strict: false }).compile(schema);
if (!validate(JSON.parse(text))) throw new Error('the message is refused');

function measure(name, work) {
    const rounds = 200000;
    const pass = () => {
        let good = 0;
        const begin = process.cpuUsage();
        for (let i = 0; i < rounds; ++i) good += work() ? 1 : 0;
        if (good !== rounds) throw new Error(name);
        const { user, system } = process.cpuUsage(begin);
        return (user + system) * 1000 / rounds;
    };
    for (let i = 0; i < 3; ++i) pass();
    const times = Array.from({ length: 9 }, pass).sort((a, b) => a - b);
    console.log(name.padEnd(28), times[4].toFixed(0), 'ns');
}

measure('JSON.parse', () => JSON.parse(text));
measure('JSON.parse and ajv', () => validate(JSON.parse(text)));
