// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The specification's FIND_HOTEL plan, run with three programs as its tools: those of
// docs/examples/hotel, which must be the current directory.

using System.Diagnostics;
// README begin
using Accp;

string library = File.ReadAllText("library.json");
using var verbs = new SacpLibrary(library);
using var sacp = new Sacp(verbs);
(string message, Verdict verdict) = sacp.Plan(File.ReadAllText("request.json"));
if (!verdict.IsValid) throw new InvalidDataException(verdict.Json);

using var run = new PlanRun(message, library, new PlanOptions { Policy = new PlanPolicy { Retries = 2, Timeout = TimeSpan.FromSeconds(30) } });
PlanResult result = await run.RunAsync(new Dictionary<string, PlanTool>
{
    ["H_API"] = async (call, stop) => await RunAsync("./search", call.Params, stop),
    ["RANK"] = async (call, stop) => await RunAsync("./rank", call.Params, stop),
    ["PRES"] = async (call, stop) => await RunAsync("./present", call.Params, stop),
});
Console.WriteLine(result.OutputOrThrow().GetString());
// README end

// A program as a tool: params on its standard input, the result on its standard output, both JSON.
// A cancelled one is killed.
static async Task<PlanAnswer> RunAsync(string program, string input, CancellationToken stop)
{
    using Process process = Process.Start(new ProcessStartInfo(program) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
    await using CancellationTokenRegistration kill = stop.Register(process.Kill);
    await process.StandardInput.WriteAsync(input);
    process.StandardInput.Close();
    string output = await process.StandardOutput.ReadToEndAsync(stop);
    await process.WaitForExitAsync(stop);
    return process.ExitCode == 0 ? PlanAnswer.Json(output) : throw new InvalidOperationException($"{program}: exit status {process.ExitCode}");
}
