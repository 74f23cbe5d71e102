// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

/// <summary>
/// A server that plays the model: it reads three logs, requests lines that its context omits, and
/// writes a result.
/// </summary>
internal sealed partial class Model : IDisposable
{
    private static readonly string[] Nights = ["monday", "tuesday", "wednesday"];
    private readonly HttpListener listener = new();
    private int turn = -1;

    public Model()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        Url = $"http://127.0.0.1:{((IPEndPoint)probe.LocalEndpoint).Port}";
        probe.Stop();
        listener.Prefixes.Add(Url + "/");
        listener.Start();
        _ = ServeAsync();
    }

    public string Url { get; }

    public void Dispose() => listener.Close();

    /// <summary>Returns the result of the tool read_log.</summary>
    public static string ReadLog(string night)
    {
        int day = Array.IndexOf(Nights, night);
        return string.Concat(Enumerable.Range(0, 2400).Select(i => $"worker-{i} stopped at {i * 7 % 24:00}:{(i * 13 + day) % 60:00}, {i * 31 % 97 + day} jobs done\n"));
    }

    private async Task ServeAsync()
    {
        while (listener.IsListening)
        {
            HttpListenerContext context = await listener.GetContextAsync();
            JsonNode asked = (await JsonNode.ParseAsync(context.Request.InputStream))!;
            var choice = new JsonObject { ["message"] = Say(asked["messages"]!.ToJsonString()) };
            byte[] answer = Encoding.UTF8.GetBytes(new JsonObject { ["choices"] = new JsonArray(choice) }.ToJsonString());
            await context.Response.OutputStream.WriteAsync(answer);
            context.Response.Close();
        }
    }

    private JsonObject Say(string messages)
    {
        if (++turn < Nights.Length) return Call("I read the next log.", "read_log", new() { ["night"] = Nights[turn] });
        if (turn == Nights.Length) return Call("I need some lines of it.", "resolve", new() { ["ref"] = Ref().Matches(messages)[^1].Value, ["query"] = "11:43" });
        return new() { ["role"] = "assistant", ["content"] = "On Wednesday: " + string.Join(' ', Stopped().Matches(messages).Select(one => one.Groups[1].Value).Distinct()) };
    }

    private JsonObject Call(string text, string name, JsonObject arguments)
    {
        var function = new JsonObject { ["name"] = name, ["arguments"] = arguments.ToJsonString() };
        var call = new JsonObject { ["id"] = $"call_{turn}", ["type"] = "function", ["function"] = function };
        return new() { ["role"] = "assistant", ["content"] = text, ["tool_calls"] = new JsonArray(call) };
    }

    [GeneratedRegex(@"\$cold\.m\d+")]
    private static partial Regex Ref();

    [GeneratedRegex(@"(worker-\d+) stopped at 11:43")]
    private static partial Regex Stopped();
}
