// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// README begin
import { Engine } from 'libaccp';

const here = new Engine(), there = new Engine();
const planner = await here.open('planner'), worker = await there.open('worker');

const frame = await planner.send({ agent: 'planner', intent: 'req', operation: 'schedule', payload: { task: 'impl_auth', priority: 'high' } });
console.log(frame);
await worker.receive(frame);
for (const got of await worker.deliveries()) console.log(got.json);

const context = await worker.context();
console.log(`${context.text}(${context.tokens} tokens)`);
// README end
