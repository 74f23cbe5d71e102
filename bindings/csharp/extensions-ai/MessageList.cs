// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>
/// A list of messages in the form of OpenAI, for the engine, and the way back: the engine's context
/// as messages, in which everything that the engine did not change is the original object.
/// </summary>
/// <remarks>
/// Each call and its result get an id of their own (<c>c1</c>, <c>c2</c>, …), because providers may
/// repeat ids. A message without calls and results has the member <c>accp</c> with its index, which
/// the engine returns unchanged. A content other than text, call and result is a short placeholder
/// in the text; thoughts and usage are left out. Equal lists give equal bytes.
/// </remarks>
internal sealed class MessageList
{
    private const string IndexMember = "accp";

    // The content of a call or a result, and what the engine got for it; null: it is not only text.
    private readonly record struct Place(int Message, int Content, string? Text);

    private readonly IReadOnlyList<ChatMessage> messages;
    private readonly MessageForm form;
    private readonly ArrayBufferWriter<byte> json = new(4096);
    private readonly List<int> ends = [];
    private readonly Dictionary<string, Place> calls = [], results = [];
    private readonly HashSet<(int Message, int Content)> placed = []; // in calls or results
    private readonly string?[] texts; // of each message that is an item of its own; null: it has only results
    private int openingEnd;
    private bool endsWithCalls; // the list so far

    internal MessageList(IReadOnlyList<ChatMessage> messages, MessageForm form)
    {
        this.messages = messages;
        this.form = form;
        texts = new string?[messages.Count];
        Write();
    }

    internal ReadOnlyMemory<byte> Json => json.WrittenMemory;

    /// <summary>Identifies the messages up to the first of a user.</summary>
    internal string OpeningHash(string? instructions)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(Encoding.UTF8.GetBytes(instructions ?? ""));
        hash.AppendData(Json.Span[..openingEnd]);
        return Name(hash.GetHashAndReset());
    }

    /// <summary>Identifies the items up to the one at a byte of <see cref="Json"/>; null: the byte is after the last.</summary>
    internal string? PrefixHash(long offset)
    {
        int item = ends.FindIndex(end => offset < end);
        return item < 0 ? null : Name(SHA256.HashData(Json.Span[..ends[item]]));
    }

    private static string Name(byte[] hash) => Convert.ToHexString(hash, 0, 8);

    private void Write()
    {
        var waiting = new Dictionary<string, string>(); // the newest call of an id, until its result or the next words of the model
        using var writer = new Utf8JsonWriter(json, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true });
        writer.WriteStartArray();
        for (int i = 0; i < messages.Count; ++i) WriteMessage(writer, i, waiting);
        writer.WriteEndArray();
        writer.Flush();
        if (openingEnd == 0) openingEnd = json.WrittenCount;
    }

    private void WriteMessage(Utf8JsonWriter writer, int index, Dictionary<string, string> waiting)
    {
        ChatMessage message = messages[index];
        bool isAssistant = message.Role == ChatRole.Assistant;
        var text = new StringBuilder();
        var made = new List<string>(); // the calls of this message
        if (isAssistant && !(endsWithCalls && message.Contents.Any(one => one is FunctionCallContent))) waiting.Clear();
        bool hasResults = false;
        for (int i = 0; i < message.Contents.Count; ++i)
        {
            switch (message.Contents[i])
            {
                case FunctionResultContent result when waiting.Remove(result.CallId, out string? id):
                    hasResults = true;
                    string? got = TextOf(result);
                    results[id] = new Place(index, i, got);
                    placed.Add((index, i));
                    WriteResult(writer, id, got ?? Placeholder(result));
                    break;
                case FunctionCallContent call when isAssistant:
                    string name = $"c{calls.Count + 1}";
                    waiting[call.CallId] = name;
                    made.Add(name);
                    calls[name] = new Place(index, i, ArgumentsOf(call));
                    placed.Add((index, i));
                    break;
                case TextContent one:
                    text.Append(one.Text);
                    break;
                case TextReasoningContent or UsageContent:
                    break;
                case AIContent other:
                    Append(text, Placeholder(other));
                    break;
            }
        }
        endsWithCalls = made.Count > 0;
        if (hasResults && made.Count == 0 && text.Length == 0) return;
        texts[index] = Sanitized(text.ToString());
        WriteWords(writer, index, made);
    }

    private void WriteResult(Utf8JsonWriter writer, string id, string text)
    {
        writer.WriteStartObject();
        writer.WriteString("role", "tool");
        writer.WriteString("tool_call_id", id);
        writer.WriteString("content", text);
        End(writer);
    }

    private void WriteWords(Utf8JsonWriter writer, int index, List<string> made)
    {
        ChatRole role = messages[index].Role;
        string name = role == ChatRole.System || role == ChatRole.Assistant ? role.Value : role.Value == "developer" ? "developer" : "user";
        writer.WriteStartObject();
        writer.WriteString("role", name);
        if (made.Count == 0 || texts[index]!.Length > 0) writer.WriteString("content", texts[index]);
        else writer.WriteNull("content");
        if (made.Count == 0)
        {
            writer.WriteNumber(IndexMember, index);
        }
        else
        {
            writer.WriteStartArray("tool_calls");
            foreach (string id in made)
            {
                Place place = calls[id];
                writer.WriteStartObject();
                writer.WriteString("id", id);
                writer.WriteString("type", "function");
                writer.WriteStartObject("function");
                writer.WriteString("name", ((FunctionCallContent)messages[index].Contents[place.Content]).Name);
                writer.WriteString("arguments", place.Text);
                writer.WriteEndObject();
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
        }
        End(writer);
        if (name == "user" && openingEnd == 0) openingEnd = ends[^1];
    }

    private void End(Utf8JsonWriter writer)
    {
        writer.WriteEndObject();
        writer.Flush();
        ends.Add(json.WrittenCount);
    }

    private static void Append(StringBuilder text, string line)
    {
        if (text.Length > 0) text.Append('\n');
        text.Append(line);
    }

    private string Placeholder(AIContent content) => content switch
    {
        FunctionResultContent result => TextOf(result) ?? "[result]",
        DataContent data => FormattableString.Invariant($"[{data.MediaType}, {data.Data.Length} bytes]"),
        UriContent uri => $"[{uri.MediaType} {uri.Uri}]",
        ErrorContent error => error.Message,
        _ => $"[{content.GetType().Name}]",
    };

    // A lone surrogate cannot be sent. The engine must see the text that it will return.
    private static string Sanitized(string text)
    {
        foreach (char one in text.AsSpan())
            if (char.IsSurrogate(one)) return Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));
        return text;
    }

    // Returns the text of a result as a model reads it; null: it is not only text.
    private string? TextOf(FunctionResultContent content)
    {
        string? text = content.Result switch
        {
            null => "",
            string one => one,
            TextContent one => one.Text,
            JsonElement { ValueKind: JsonValueKind.String } one => one.GetString(),
            JsonElement one => one.GetRawText(),
            AIContent => null,
            IEnumerable<AIContent> all => all.All(one => one is TextContent) ? string.Concat(all) : null,
            object any => MessageForm.Write(any, form.Results),
        };
        return text == null ? null : Sanitized(text);
    }

    private string ArgumentsOf(FunctionCallContent call) =>
        call.Arguments == null ? "{}" : Sanitized(MessageForm.Write(call.Arguments, form.Arguments) ?? "{}");

    /// <summary>Applies the engine's context to the messages.</summary>
    /// <param name="context">The messages of <see cref="EngineSession.ContextMessages(AccpInterface, long)"/> for openai.</param>
    /// <param name="changed">How many messages are not the originals, or are missing.</param>
    internal IReadOnlyList<ChatMessage> Apply(ReadOnlyMemory<byte> context, out int changed)
    {
        using JsonDocument document = JsonDocument.Parse(context);
        var reading = new ContextReading(this);
        IReadOnlyList<ChatMessage> made = reading.Read(document.RootElement) ? reading.Build() : OnlyResults(document.RootElement);
        var kept = new HashSet<ChatMessage>(made, ReferenceEqualityComparer.Instance);
        changed = messages.Count(one => !kept.Contains(one));
        return made;
    }

    // Replaces the texts of results, and nothing else.
    private List<ChatMessage> OnlyResults(JsonElement context)
    {
        var made = new List<ChatMessage>(messages);
        foreach (JsonElement item in context.EnumerateArray())
        {
            if (!IsResult(item, out Place place, out string text) || text == (place.Text ?? text)) continue;
            ChatMessage old = made[place.Message];
            if (ReferenceEquals(old, messages[place.Message])) made[place.Message] = old = WithContents(old, old.Contents);
            old.Contents[place.Content] = WithResult((FunctionResultContent)old.Contents[place.Content], text);
        }
        return made;
    }

    private bool IsResult(JsonElement item, out Place place, out string text)
    {
        place = default;
        text = "";
        if (!item.TryGetProperty("tool_call_id", out JsonElement id) || !results.TryGetValue(id.GetString()!, out place)) return false;
        JsonElement content = item.GetProperty("content");
        if (content.ValueKind != JsonValueKind.String) return false;
        text = content.GetString()!;
        return true;
    }

    private static ChatMessage WithContents(ChatMessage message, IEnumerable<AIContent> contents)
    {
        ChatMessage made = message.Clone();
        made.Contents = contents.ToList();
        made.RawRepresentation = null; // a provider's client may send it in place of the contents
        return made;
    }

    private static FunctionResultContent WithResult(FunctionResultContent old, string text) =>
        new(old.CallId, text) { Exception = old.Exception, AdditionalProperties = old.AdditionalProperties, Annotations = old.Annotations };

    // Reads the items of a context in order, and collects what each message keeps.
    private sealed class ContextReading(MessageList list)
    {
        private sealed class Kept
        {
            internal readonly HashSet<int> Contents = []; // its calls and results
            internal readonly Dictionary<int, AIContent> Replaced = [];
            internal string? Text; // in place of its texts; null: they stay
        }

        private readonly Dictionary<int, Kept> kept = [];
        private readonly List<(int Index, ChatMessage? Made)> order = []; // Made: a message of the engine
        private readonly HashSet<int> named = [];

        // False: the items are not in the order of the messages.
        internal bool Read(JsonElement context)
        {
            foreach (JsonElement item in context.EnumerateArray())
                if (item.TryGetProperty(IndexMember, out JsonElement index)) named.Add(index.GetInt32());
            int next = 0;
            foreach (JsonElement item in context.EnumerateArray())
                if (!ReadItem(item, ref next)) return false;
            return ArePaired();
        }

        private bool ReadItem(JsonElement item, ref int next)
        {
            string role = item.GetProperty("role").GetString()!;
            if (role == "tool")
            {
                if (list.IsResult(item, out Place place, out string text)) return Keep(place, list.results, text, ref next);
                // a call without a result has one in the context, but none in the list
                return item.GetProperty("tool_call_id").GetString() is string id && list.calls.ContainsKey(id) && !list.results.ContainsKey(id);
            }
            if (item.TryGetProperty("tool_calls", out JsonElement made)) return ReadCalls(item, made, ref next);
            if (item.GetProperty("content").ValueKind != JsonValueKind.String) return false;
            string words = item.GetProperty("content").GetString()!;
            if (item.TryGetProperty(IndexMember, out JsonElement index)) return KeepText(index.GetInt32(), words, ref next);
            // a shortened message without its index takes the place of the next one of its role
            int same = next;
            while (same < list.messages.Count && (list.texts[same] == null || named.Contains(same) || kept.ContainsKey(same))) ++same;
            if (same < list.messages.Count && list.messages[same].Role.Value == role && role != "user" && !HasCalls(same)) return KeepText(same, words, ref next);
            order.Add((-1, new ChatMessage(new ChatRole(role), words)));
            return true;
        }

        private bool HasCalls(int index) => list.messages[index].Contents.Any(one => one is FunctionCallContent);

        private bool ReadCalls(JsonElement item, JsonElement made, ref int next)
        {
            var of = new HashSet<int>();
            foreach (JsonElement call in made.EnumerateArray())
            {
                if (!list.calls.TryGetValue(call.GetProperty("id").GetString()!, out Place place)) return false;
                of.Add(place.Message);
                if (!Keep(place, list.calls, call.GetProperty("function").GetProperty("arguments").GetString()!, ref next)) return false;
            }
            if (of.Count != 1) return true; // the engine joins messages without texts
            string words = item.TryGetProperty("content", out JsonElement content) && content.ValueKind == JsonValueKind.String ? content.GetString()! : "";
            int index = of.First();
            if (words != list.texts[index] && kept[index].Text == null) kept[index].Text = words;
            return true;
        }

        private bool KeepText(int index, string words, ref int next)
        {
            if (!Enter(index, ref next)) return false;
            if (words != list.texts[index]) kept[index].Text = words;
            return true;
        }

        private bool Keep(Place place, Dictionary<string, Place> places, string text, ref int next)
        {
            if (!Enter(place.Message, ref next)) return false;
            Kept one = kept[place.Message];
            one.Contents.Add(place.Content);
            if (text == (place.Text ?? text)) return true;
            one.Replaced[place.Content] = places == list.results
                ? WithResult((FunctionResultContent)list.messages[place.Message].Contents[place.Content], text)
                : WithArguments((FunctionCallContent)list.messages[place.Message].Contents[place.Content], text);
            return true;
        }

        private static FunctionCallContent WithArguments(FunctionCallContent old, string json)
        {
            var arguments = new Dictionary<string, object?>();
            using JsonDocument document = JsonDocument.Parse(json);
            foreach (JsonProperty one in document.RootElement.EnumerateObject()) arguments[one.Name] = one.Value.Clone();
            return new FunctionCallContent(old.CallId, old.Name, arguments)
            {
                InformationalOnly = old.InformationalOnly, AdditionalProperties = old.AdditionalProperties, Annotations = old.Annotations,
            };
        }

        private bool Enter(int index, ref int next)
        {
            if (index < next - 1 || index < 0 || index >= list.messages.Count) return false;
            next = index + 1;
            if (kept.TryAdd(index, new Kept())) order.Add((index, null));
            return true;
        }

        // A provider refuses a call without its result, and a result without its call.
        private bool ArePaired()
        {
            foreach ((string id, Place result) in list.results)
                if (IsKept(result) != IsKept(list.calls[id])) return false;
            return true;
        }

        private bool IsKept(Place place) => kept.TryGetValue(place.Message, out Kept? one) && one.Contents.Contains(place.Content);

        internal List<ChatMessage> Build() => order.ConvertAll(one => one.Made ?? Build(one.Index, kept[one.Index]));

        private ChatMessage Build(int index, Kept one)
        {
            ChatMessage message = list.messages[index];
            bool isWhole = one.Text == null && one.Replaced.Count == 0;
            for (int i = 0; isWhole && i < message.Contents.Count; ++i) isWhole = IsThere(index, one, i);
            if (isWhole) return message;
            var contents = new List<AIContent>();
            bool hasText = one.Text is null or "";
            for (int i = 0; i < message.Contents.Count; ++i)
            {
                if (one.Replaced.TryGetValue(i, out AIContent? replaced))
                {
                    contents.Add(replaced);
                }
                else if (one.Text != null && message.Contents[i] is TextContent)
                {
                    if (!hasText) contents.Add(new TextContent(one.Text));
                    hasText = true;
                }
                else if (IsThere(index, one, i))
                {
                    contents.Add(message.Contents[i]);
                }
            }
            return WithContents(message, contents);
        }

        private bool IsThere(int index, Kept one, int content) => !list.placed.Contains((index, content)) || one.Contents.Contains(content);
    }
}
