// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two agents in one console program, each with its own codec, as in two processes: the planner
// sends a ticket, the worker replies, both print the context for a model, and a checkpoint closes
// the phase.
using System.Text.Json;
using Accp;

var ticket = new AccpSchema("TK", ["id", "title", "severity"])
{
    Defaults = new Dictionary<string, object?> { ["severity"] = "low" },
    Types = new Dictionary<string, SchemaFieldType> { ["id"] = SchemaFieldType.Integer },
    Required = ["id"],
    Bind = ["req:triage"],
};

using AccpCodec plannerCodec = new(), workerCodec = new();
plannerCodec.RegisterSchema("ticket", ticket);
workerCodec.RegisterSchema("ticket", ticket);
AccpSession planner = plannerCodec.OpenSession("sprint-12"), worker = workerCodec.OpenSession("sprint-12");

// The planner sends a request; `severity` has its default and is not sent.
AccpFrame request = plannerCodec.Encode(
    new AgentMessage("planner", AccpIntent.Req, "triage", new() { ["id"] = 4711, ["title"] = "Login fails for naïve users", ["severity"] = "low" }), planner);
Console.WriteLine($"planner sends   {Wire(request)}");

// The worker receives a text, and converts it to a message.
AgentMessage asked = workerCodec.Decode(AccpFrame.Parse(request.ToString()), worker);
Console.WriteLine($"worker reads    {JsonSerializer.Serialize(asked.Payload, new JsonSerializerOptions { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping })}");

AccpFrame answer = workerCodec.Encode(
    new AgentMessage("worker", AccpIntent.Done, "triage", new() { ["id"] = 4711, ["cause"] = "src/auth/login.cc:118", ["hours"] = 1.5m },
        new() { ["cid"] = request.Metadata!["mid"] }), worker);
Console.WriteLine($"worker answers  {Wire(answer)}");
AgentMessage got = plannerCodec.Decode(answer, planner);
Console.WriteLine($"planner reads   {got.Payload["cause"]}, {got.Payload["hours"]} hours");

// A repeated frame is applied once.
try
{
    plannerCodec.Decode(answer, planner);
}
catch (AccpDuplicateException twice)
{
    Console.WriteLine($"sent again      {twice.Code} {twice.Reason}");
}

CheckpointResult checkpoint = plannerCodec.Checkpoint(planner);
TokenBudget budget = plannerCodec.GetBudget(checkpoint.Session);
Console.WriteLine($"checkpoint {checkpoint.Version}    ${checkpoint.Reference}, {budget.TotalUsed} tokens in all");
Console.WriteLine("the model is given");
foreach (string line in plannerCodec.GetContext(planner).Text.Split('\n', StringSplitOptions.RemoveEmptyEntries)) Console.WriteLine("  " + line);

// Without the parts that differ in every run.
static string Wire(AccpFrame frame) => frame.ToString().Split('[')[0];
