// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
namespace Accp;

/// <summary>The interface of specification 7.1.</summary>
public interface IAccpCodec
{
    /// <summary>Encode a structured message into an ACCP Frame.</summary>
    AccpFrame Encode(AgentMessage message, AccpSession session);

    /// <summary>Decode an ACCP Frame back into a structured message.</summary>
    AgentMessage Decode(AccpFrame frame, AccpSession session);

    /// <summary>Trigger a compression checkpoint.</summary>
    CheckpointResult Checkpoint(AccpSession session);

    /// <summary>Get current token budget usage.</summary>
    TokenBudget GetBudget(AccpSession session);

    /// <summary>Register a custom schema.</summary>
    void RegisterSchema(string name, AccpSchema schema);
}
