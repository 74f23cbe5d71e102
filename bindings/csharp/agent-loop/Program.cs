// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A model with tools, at an interface like OpenAI's: agent-loop [URL MODEL], with the key in
// $API_KEY. The program appends each message to a session and sends the session's context instead
// of the whole history. The model fetches omitted text with the tool `resolve`, which needs one
// call in the program. Without a URL a stub in this process plays the model: Model.cs.
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using Accp;

const string Opening = """
    [{"role":"system","content":"You look after a build farm. Answer in one sentence."},
    {"role":"user","content":"Which workers stopped at 11:43 on Wednesday? There are logs of monday, tuesday and wednesday."}]
    """;
const string ReadLog = """
    {"type":"function","function":{"name":"read_log","description":"The log of a night.",
    "parameters":{"type":"object","properties":{"night":{"type":"string"}},"required":["night"]}}}
    """;

using Model? stub = args.Length < 2 ? new Model() : null;
(string url, string model) = stub == null ? (args[0], args[1]) : (stub.Url, "stub");
using var client = new HttpClient();
client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("API_KEY") ?? "none");
using var costs = new Costs();

// README begin
using var engine = new AccpEngine();
using EngineSession session = engine.Open("talk");
var tools = new JsonArray(JsonNode.Parse(ReadLog), JsonNode.Parse(AccpInterface.OpenAI.Tool()!));
string? said = Opening;
while (said != null)
{
    await session.AppendMessagesAsync(AccpInterface.OpenAI, said);
    SessionMessages messages = await session.ContextMessagesAsync(AccpInterface.OpenAI);
    costs.Add(said, messages.Utf8Json);
    var body = new JsonObject { ["model"] = model, ["messages"] = JsonNode.Parse(messages.Json), ["tools"] = tools.DeepClone() };
    said = await FollowAsync(await PostAsync(url + "/chat/completions", body));
}
// README end
Console.WriteLine($"{costs.Sent} tokens in all; the history each time would have been {costs.Resent}");

// Runs the tools that the model called: returns the model's message with the results; null if it
// called none.
async Task<string?> FollowAsync(JsonNode message)
{
    Console.WriteLine($"model: {message["content"]}");
    if (message["tool_calls"] is not JsonArray calls) return null;
    var all = new JsonArray(message.DeepClone());
    foreach (JsonNode? call in calls)
    {
        string name = call!["function"]!["name"]!.GetValue<string>(), arguments = call["function"]!["arguments"]!.GetValue<string>();
        Console.WriteLine($"       {name} {arguments}");
        string result = name == "resolve" ? await session.AnswerAsync(arguments) : Model.ReadLog(JsonNode.Parse(arguments)!["night"]!.GetValue<string>());
        all.Add(new JsonObject { ["role"] = "tool", ["tool_call_id"] = call["id"]!.DeepClone(), ["content"] = result });
    }
    return all.ToJsonString();
}

// Sends a request and returns the model's message.
async Task<JsonNode> PostAsync(string to, JsonObject body)
{
    using HttpResponseMessage response = await client.PostAsJsonAsync(to, body);
    response.EnsureSuccessStatusCode();
    return JsonNode.Parse(await response.Content.ReadAsStringAsync())!["choices"]![0]!["message"]!;
}

// Compares the tokens of the requests with the tokens of the full history in each.
internal sealed class Costs : IDisposable
{
    private readonly AccpTokenizer tokenizer;
    private readonly TokenCounter counter;
    private string history = "";

    public Costs() => counter = new TokenCounter(tokenizer = AccpTokenizer.Open("o200k_base"));

    public long Sent { get; private set; }

    public long Resent { get; private set; }

    public void Add(string said, ReadOnlyMemory<byte> request)
    {
        history += said;
        long sent = counter.Count(request), whole = counter.Count(history);
        (Sent, Resent) = (Sent + sent, Resent + whole);
        Console.WriteLine($"a request of {sent} tokens; the history has {whole}");
    }

    public void Dispose()
    {
        counter.Dispose();
        tokenizer.Dispose();
    }
}
