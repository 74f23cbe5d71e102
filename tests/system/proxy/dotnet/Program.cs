// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Small agents with the official .NET SDKs. Each line of standard input, such as "messages streamed http://127.0.0.1:7118", plays a conversation to its end with
// the model at this address: it runs the tool Read, and after twelve steps an hour passes. Prints the text of each step as a list in JSON.
using System.ClientModel;
using System.ClientModel.Primitives;
using System.Text;
using System.Text.Json;
using Anthropic;
using Anthropic.Models.Messages;
using OpenAI.Chat;
using OpenAI.Responses;

const string Prompt = "ALPHA Read all files.";
const string Schema = """{"type":"object","properties":{"file_path":{"type":"string"}},"required":["file_path"]}""";
const int StepsBeforePause = 12;

var baseUrl = "";
var clock = new ClockHandler();
var http = new HttpClient(clock);
var instructions = string.Join(' ', Enumerable.Repeat("You are a coding agent.", 600));
while (Console.ReadLine() is { } line)
{
    var words = line.Split(' ');
    var streamed = words[1] == "streamed";
    baseUrl = words[2];
    List<string> shown = [];
    Func<Task> play = words[0] switch
    {
        "messages" => () => PlayMessages(shown, streamed),
        "chat" => () => PlayChat(shown, streamed),
        "responses" => () => PlayResponses(shown, streamed),
        _ => throw new ArgumentException($"'{line}' is no conversation: messages, chat or responses, whole or streamed, and an address"),
    };
    await play();
    clock.Advance(TimeSpan.FromDays(1)); // the next conversation begins with a cold cache
    Console.WriteLine(JsonSerializer.Serialize(shown));
}

void NoteStep(List<string> shown, string text)
{
    shown.Add(text);
    if (shown.Count == StepsBeforePause) clock.Advance(TimeSpan.FromHours(1));
}

// Returns the result of the tool Read: some 900 tokens, different for each path.
static string Read(string path) =>
    string.Join('\n', Enumerable.Range(0, 80).Select(line => $"line {line} of {path}: value_{line} = {path.Length * 131 + line * 17}"));

static string PathIn(string json) => JsonDocument.Parse(json).RootElement.GetProperty("file_path").GetString()!;

async Task PlayMessages(List<string> shown, bool streamed)
{
    var client = new AnthropicClient { BaseUrl = baseUrl, ApiKey = "made-up", HttpClient = http, MaxRetries = 0 };
    List<MessageParam> messages = [new UserMessageParam(Prompt)];
    for (var goesOn = true; goesOn;)
    {
        var parameters = new MessageCreateParams
        {
            Model = "claude-sonnet-4-5",
            MaxTokens = 5000,
            System = new List<TextBlockParam> { new() { Text = instructions, CacheControl = new CacheControlEphemeral() } },
            Thinking = new ThinkingConfigEnabled { BudgetTokens = 1024 },
            Tools = [new Tool { Name = "Read", InputSchema = JsonSerializer.Deserialize<InputSchema>(Schema)! }],
            Messages = messages,
        };
        var message = streamed ? await client.Messages.CreateStreaming(parameters).Aggregate() : await client.Messages.Create(parameters);
        var text = new StringBuilder();
        List<ContentBlockParam> results = [];
        foreach (var block in message.Content)
        {
            if (block.TryPickText(out var part)) text.Append(part.Text).Append('\n');
            if (!block.TryPickToolUse(out var use)) continue;
            if (use.Name != "Read") throw new InvalidOperationException($"the client has no tool {use.Name}");
            results.Add(new ToolResultBlockParam { ToolUseID = use.ID, Content = Read(use.Input["file_path"].GetString()!) });
        }
        NoteStep(shown, text.ToString().TrimEnd());
        // The message goes back as the SDK has read it.
        var content = JsonSerializer.Deserialize<List<ContentBlockParam>>(JsonSerializer.Serialize(message.Content))!;
        messages.Add(new AssistantMessageParam(content));
        goesOn = results.Count > 0;
        if (goesOn) messages.Add(new UserMessageParam(results));
    }
}

async Task PlayChat(List<string> shown, bool streamed)
{
    var client = new ChatClient("gpt-5.1", new ApiKeyCredential("made-up"), new() { Endpoint = new Uri($"{baseUrl}/v1"), Transport = new HttpClientPipelineTransport(http) });
    List<ChatMessage> messages = [new SystemChatMessage(instructions), new UserChatMessage(Prompt)];
    var options = new ChatCompletionOptions { Tools = { ChatTool.CreateFunctionTool("Read", "Reads a file.", BinaryData.FromString(Schema)) } };
    for (var goesOn = true; goesOn;)
    {
        var (text, calls) = streamed ? await CompleteStreamed(client, messages, options) : await Complete(client, messages, options);
        NoteStep(shown, text);
        var answer = calls.Count > 0 ? new AssistantChatMessage(calls) : new AssistantChatMessage(text);
        if (calls.Count > 0 && text.Length > 0) answer.Content.Add(ChatMessageContentPart.CreateTextPart(text));
        messages.Add(answer);
        foreach (var call in calls)
        {
            if (call.FunctionName != "Read") throw new InvalidOperationException($"the client has no tool {call.FunctionName}");
            messages.Add(new ToolChatMessage(call.Id, Read(PathIn(call.FunctionArguments.ToString()))));
        }
        goesOn = calls.Count > 0;
    }
}

static async Task<(string, IReadOnlyList<ChatToolCall>)> Complete(ChatClient client, List<ChatMessage> messages, ChatCompletionOptions options)
{
    ChatCompletion completion = await client.CompleteChatAsync(messages, options);
    return (string.Concat(completion.Content.Select(part => part.Text)), completion.ToolCalls);
}

static async Task<(string, IReadOnlyList<ChatToolCall>)> CompleteStreamed(ChatClient client, List<ChatMessage> messages, ChatCompletionOptions options)
{
    var text = new StringBuilder();
    var calls = new SortedDictionary<int, (string Id, string Name, StringBuilder Arguments)>();
    await foreach (var update in client.CompleteChatStreamingAsync(messages, options))
    {
        foreach (var part in update.ContentUpdate) text.Append(part.Text);
        foreach (var call in update.ToolCallUpdates)
        {
            if (!calls.ContainsKey(call.Index)) calls[call.Index] = (call.ToolCallId, call.FunctionName, new());
            calls[call.Index].Arguments.Append(call.FunctionArgumentsUpdate);
        }
    }
    return (text.ToString(), calls.Values.Select(call => ChatToolCall.CreateFunctionToolCall(call.Id, call.Name, BinaryData.FromString(call.Arguments.ToString()))).ToList());
}

async Task PlayResponses(List<string> shown, bool streamed)
{
    var client = new ResponsesClient(new ApiKeyCredential("made-up"), new ResponsesClientOptions { Endpoint = new Uri($"{baseUrl}/v1"), Transport = new HttpClientPipelineTransport(http) });
    List<ResponseItem> items = [ResponseItem.CreateUserMessageItem(Prompt)];
    for (var goesOn = true; goesOn;)
    {
        var options = new CreateResponseOptions
        {
            Model = "gpt-5.1",
            Instructions = instructions,
            StoredOutputEnabled = false,
            StreamingEnabled = streamed,
            IncludedProperties = { IncludedResponseProperty.ReasoningEncryptedContent },
            Tools = { ResponseTool.CreateFunctionTool("Read", BinaryData.FromString(Schema), strictModeEnabled: false, functionDescription: "Reads a file.") },
        };
        foreach (var item in items) options.InputItems.Add(item);
        ResponseResult? response = null;
        if (streamed)
            await foreach (var update in await client.CreateResponseStreamingAsync(options))
                response = update is StreamingResponseCompletedUpdate completed ? completed.Response : response;
        else response = await client.CreateResponseAsync(options);
        NoteStep(shown, response!.GetOutputText() ?? "");
        goesOn = false;
        foreach (var item in response.OutputItems)
        {
            items.Add(item);
            if (item is not FunctionCallResponseItem call) continue;
            if (call.FunctionName != "Read") throw new InvalidOperationException($"the client has no tool {call.FunctionName}");
            goesOn = true;
        }
        foreach (var call in response.OutputItems.OfType<FunctionCallResponseItem>())
            items.Add(ResponseItem.CreateFunctionCallOutputItem(call.CallId, Read(PathIn(call.FunctionArguments.ToString()))));
    }
}

// Sets the time of each request, for the proxy and for the stand-in.
sealed class ClockHandler() : DelegatingHandler(new HttpClientHandler())
{
    private long _nowMs = 1_000_000_000_000;

    public void Advance(TimeSpan time) => _nowMs += (long)time.TotalMilliseconds;

    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Advance(TimeSpan.FromSeconds(10));
        request.Headers.TryAddWithoutValidation("x-test-now-ms", _nowMs.ToString());
        return base.SendAsync(request, cancellationToken);
    }
}
