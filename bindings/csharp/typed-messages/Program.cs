// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// README begin
using Accp;

await using AccpCodec plannerCodec = new(), workerCodec = new();
AccpSession planner = await plannerCodec.OpenSessionAsync("sprint-12"), worker = await workerCodec.OpenSessionAsync("sprint-12");

var ticket = new Ticket(4711, "Login fails for naïve users", Severity.High, new DateOnly(2026, 11, 30));
AccpFrame frame = await plannerCodec.EncodeAsync(new AgentMessage("planner", AccpIntent.Req, "triage", new() { ["ticket"] = ticket }), planner);
string wire = frame.ToString();

// The other process receives it from a peer that may use only the name planner.
AgentMessage asked = await workerCodec.DecodeAsync(AccpFrame.Parse(wire), worker, new AccpPeer("planner"));
Ticket got = asked.Get<Ticket>("ticket")!;
Console.WriteLine($"{got.Id} {got.Severity}: {got.Title}, due {got.Due:O}");

try
{
    await plannerCodec.EncodeAsync(new AgentMessage("planner", AccpIntent.Req, "triage", new() { ["hours"] = new[] { 1.5, double.NaN } }), planner);
}
catch (AccpInvalidTypeException wrong)
{
    Console.WriteLine($"{wrong.Code} {wrong.Reason}");
}

enum Severity { Low, High }

record Ticket(int Id, string Title, Severity Severity, DateOnly Due);
// README end
