// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>The progress of a plan.</summary>
public enum PlanState
{
    /// <summary>It has not ended.</summary>
    GoingOn = 0,
    /// <summary>All is done.</summary>
    Done = 1,
    /// <summary>A step failed, or the plan was cancelled.</summary>
    Failed = 2,
    /// <summary>Nothing ran: the message is not valid or was run before.</summary>
    Refused = 3,
}

/// <summary>The progress of a part of a plan.</summary>
public enum PlanStepState
{
    /// <summary>It has not started.</summary>
    Pending = 0,
    /// <summary>It has started.</summary>
    InProgress = 1,
    /// <summary>It is done.</summary>
    Done = 2,
    /// <summary>It failed.</summary>
    Failed = 3,
}

/// <summary>The kind of a part of a plan.</summary>
public enum PlanStepKind
{
    /// <summary>A step.</summary>
    Step = 0,
    /// <summary>Branches side by side.</summary>
    Parallel = 1,
    /// <summary>A branch that is a list of parts.</summary>
    Branch = 2,
}

/// <summary>A part of a plan.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="State">The progress; it never goes back.</param>
/// <param name="Tries">Number of calls of tools for it, including late and unanswered ones.</param>
/// <param name="Path">Its path: <c>2.1</c>.</param>
/// <param name="Verb">The verb of a step; otherwise empty, as for Tool.</param>
/// <param name="Tool">The current or the last one.</param>
public sealed record PlanStep(PlanStepKind Kind, PlanStepState State, int Tries, string Path, string Verb, string Tool);

/// <summary>The kind of an action.</summary>
public enum PlanEffectKind
{
    /// <summary>
    /// Wait for a result, or until <see cref="PlanRun.Due"/> and then call <see
    /// cref="PlanRun.Tick"/>.
    /// </summary>
    Nothing = 0,
    /// <summary>Call a tool and report its result.</summary>
    Call = 1,
    /// <summary>The result of this call is no longer needed.</summary>
    Stop = 2,
    /// <summary>The last: the plan has ended.</summary>
    Ended = 3,
    /// <summary>Make a record durable before any later action.</summary>
    Record = 4,
}

/// <summary>The reason for a failed call.</summary>
public enum PlanCause
{
    /// <summary>The tool failed.</summary>
    ToolFailed = 1,
    /// <summary>It took too long.</summary>
    TimedOut = 2,
    /// <summary>Nobody has this tool.</summary>
    NoAgent = 3,
}

/// <summary>A call of a tool.</summary>
/// <param name="Number">Unique number of the call in this run.</param>
/// <param name="Path">The path of the step: <c>2.1</c>.</param>
/// <param name="Verb">Its full name.</param>
/// <param name="Tool">The step's own, or a fallback.</param>
/// <param name="Params">JSON, with references replaced.</param>
/// <param name="Key">Equal for each try of this tool for this step of this run, also after a
/// restart; unique otherwise: for tools that must do a thing once.</param>
/// <param name="Due">When it times out.</param>
public sealed record PlanCall(long Number, string Path, string Verb, string Tool, string Params, string Key, DateTimeOffset Due)
{
    /// <summary>The params, read.</summary>
    public JsonElement ParamsJson => Utf8Text.Element(Encoding.UTF8.GetBytes(Params));
}

/// <summary>An action that <see cref="PlanRun.Next"/> returns.</summary>
/// <param name="Kind">The kind of the action.</param>
/// <param name="Call">The call to make; null for other kinds.</param>
/// <param name="Number">The number of the call to make or to stop.</param>
/// <param name="Record">The record to make durable; empty for other kinds.</param>
public sealed record PlanEffect(PlanEffectKind Kind, PlanCall? Call, long Number, string Record);

/// <summary>
/// The result of a <see cref="PlanTool"/>: a value (<see cref="Of"/>), JSON (<see cref="Json"/>, a
/// <see cref="JsonElement"/>), or another of the methods of this type. It has no conversion from a
/// string, because it could be a text or JSON.
/// </summary>
public readonly struct PlanAnswer
{
    internal enum Form { Output, Reply, Failure, Later }

    private PlanAnswer(Form kind, byte[]? text, string said = "", PlanCause cause = PlanCause.ToolFailed)
    {
        Kind = kind;
        Text = text ?? throw new ArgumentNullException(nameof(text), "a tool's answer is JSON text, and not null: \"null\" is null");
        Said = said ?? throw new ArgumentNullException(nameof(said));
        if (Utf8.FindLoneSurrogate(said) >= 0) throw Utf8.LoneSurrogate(0);
        Cause = cause;
    }

    internal Form Kind { get; }
    internal byte[]? Text { get; }  // null: a default answer
    internal string? Said { get; }  // the role of the agent, or the reason of a failure
    internal PlanCause Cause { get; }

    /// <summary>JSON text: <c>"[1,2]"</c>, or UTF-8.</summary>
    /// <exception cref="AccpParseErrorException">Invalid JSON, with its byte.</exception>
    /// <exception cref="AccpInvalidTypeException">A string with a lone surrogate.</exception>
    public static PlanAnswer Json(Utf8Text json)
    {
        json.Check(nameof(json));
        Utf8Text.CheckJson(json.Bytes);
        return new PlanAnswer(Form.Output, json.Bytes.ToArray());
    }

    /// <summary>JSON.</summary>
    public static implicit operator PlanAnswer(JsonElement json) => new(Form.Output, Utf8Text.FromJson(json).Bytes.ToArray());

    /// <summary>
    /// A value, as the payload of an <see cref="AgentMessage"/> may have: a text, a number, a
    /// dictionary, an object of your own.
    /// </summary>
    /// <exception cref="AccpInvalidTypeException">It has no JSON form; the reason begins with its
    /// path.</exception>
    public static PlanAnswer Of(object? value) => new(Form.Output, JsonValues.Json(value));

    /// <summary>
    /// The SACP message of an agent with this role. An IN_PROGRESS message ends nothing: the call
    /// then times out.
    /// </summary>
    public static PlanAnswer Reply(string role, string reply) => new(Form.Reply, Utf8.Encode(reply), role);

    /// <summary>
    /// No result yet: an agent was requested, and its reply is passed to <see
    /// cref="PlanRun.Receive"/>. The call can still time out.
    /// </summary>
    public static PlanAnswer Later { get; } = new(Form.Later, []);

    /// <summary>A failure, as if the tool had thrown.</summary>
    public static PlanAnswer Failed(string reason, PlanCause cause = PlanCause.ToolFailed) => new(Form.Failure, [], reason, cause);
}

/// <summary>
/// A tool. It is called on the thread pool, several calls at once. An exception is a failure of the
/// tool; the policy then tries it or another tool again. A <see cref="TimeoutException"/> is a
/// timeout. The token is cancelled when the result is no longer needed: after a timeout or when the
/// plan is cancelled.
/// </summary>
public delegate ValueTask<PlanAnswer> PlanTool(PlanCall call, CancellationToken cancellationToken);

/// <summary>A call whose tool threw.</summary>
/// <param name="Call">The call.</param>
/// <param name="Exception">The exception.</param>
public sealed record PlanFailure(PlanCall Call, Exception Exception);

/// <summary>The result of a plan.</summary>
/// <param name="State">Done, failed or refused.</param>
/// <param name="Json">Everything: <c>{"state":"DONE","result":{"output":…,"step_results":{…}}}</c>,
/// FAILED with an error, or the verdict of a refused message.</param>
/// <param name="Trace">All attempts, a JSON array, in the order of the steps' paths.</param>
/// <param name="Failures">The exceptions of tools in their order.</param>
public sealed record PlanResult(PlanState State, string Json, string Trace, IReadOnlyList<PlanFailure> Failures)
{
    private JsonElement Read() => Utf8Text.Element(Encoding.UTF8.GetBytes(Json));

    /// <summary>The output of the plan; null if it is not done.</summary>
    public JsonElement? Output => State == PlanState.Done ? Read().GetProperty("result").GetProperty("output") : null;

    /// <summary>The output of the plan.</summary>
    /// <exception cref="AccpException"> The plan failed or was refused: the class of its code, with
    /// <see cref="AccpException.Verdict"/>, and the exception of the step's tool as its inner
    /// exception; an <see cref="AggregateException"/> if that step's tools threw more than
    /// once.</exception>
    public JsonElement OutputOrThrow() => Output ?? throw Failure(Error!);

    private AccpException Failure(Verdict error)
    {
        List<Exception> thrown = [];
        foreach (PlanFailure failure in Failures)
            if (failure.Call.Path == error.Step) thrown.Add(failure.Exception);
        Exception? cause = thrown.Count > 1 ? new AggregateException(thrown) : thrown.Count == 1 ? thrown[0] : null;
        string reason = LastReason(error.Step), text = reason.Length == 0 ? error.Details : $"{error.Details}: {reason}";
        AccpException made = AccpExceptions.Make((int)SacpCodes.Status(error.Code), error.Offset, text, cause);
        made.Verdict = error;
        return made;
    }

    // The reason of the newest failed attempt at a step.
    private string LastReason(string step)
    {
        string reason = "";
        foreach (JsonElement attempt in Utf8Text.Element(Encoding.UTF8.GetBytes(Trace)).EnumerateArray())
            if (attempt.GetProperty("step").GetString() == step) reason = attempt.TryGetProperty("reason", out JsonElement why) ? why.GetString() ?? "" : "";
        return reason;
    }

    /// <summary>The outputs of finished steps by their paths.</summary>
    public IReadOnlyDictionary<string, JsonElement> StepResults
    {
        get
        {
            var results = new Dictionary<string, JsonElement>();
            if (State == PlanState.Refused) return results;
            foreach (JsonProperty step in Read().GetProperty("result").GetProperty("step_results").EnumerateObject()) results[step.Name] = step.Value;
            return results;
        }
    }

    /// <summary>Why it failed or was refused; null if it is done.</summary>
    public Verdict? Error => State switch
    {
        PlanState.Failed => Verdict.Parse(Read().GetProperty("result").GetProperty("error"), 0),
        PlanState.Refused => Verdict.Parse(Read(), 0),
        _ => null,
    };
}
