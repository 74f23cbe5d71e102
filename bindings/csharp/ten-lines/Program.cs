// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// README begin
using Accp;

using AccpEngine here = new(), there = new();
using EngineSession planner = here.Open("planner"), worker = there.Open("worker");

string frame = planner.Send("""{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","priority":"high"}}""");
Console.WriteLine(frame);
worker.Receive(frame);
foreach (Delivery got in worker.Deliveries()) Console.WriteLine(got.Json);

SessionContext context = worker.Context();
Console.WriteLine($"{context.Text}({context.Tokens} tokens)");
// README end
