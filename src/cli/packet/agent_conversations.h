// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds the conversation of a coding agent in the files where the agent keeps it.
//
//     claude-code  CLAUDE_CONFIG_DIR or ~/.claude: projects/DIRECTORY/ID.jsonl
//     codex        CODEX_HOME or ~/.codex: sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl
//     opencode     XDG_DATA_HOME or ~/.local/share: opencode/opencode.db
//     gemini       ~/.gemini: tmp/NAME/chats/session-TIME-ID.jsonl, with tmp/NAME/.project_root
//     pi           PI_CODING_AGENT_DIR or ~/.pi/agent: sessions/DIRECTORY/TIME_ID.jsonl
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

struct AgentConversation {
    std::string agent;  // its name, which is also that of the format of `text`
    std::string where;  // the file, and for opencode the session in it
    std::string text;
};

// Removes the last line of a file that an agent is writing, if its end is missing.
std::string whole_lines(std::string text);

// Returns whether a word is auto or the name of such an agent.
bool is_agent_word(std::string_view word);
// "auto, claude-code, …"
std::string agent_words();

// Finds the conversation that an agent has in the directory or in one above it; of several the one
// that was changed last. `agent`: auto for any agent. Then the agent that runs this command comes
// first; agents set a variable for their commands. `id`: only the session with this id; may be
// empty. Throws Failure, with the places that were searched, if it finds none.
AgentConversation find_agent_conversation(std::string_view agent, const std::string &directory,
                                          const std::string &id = {});

}  // namespace cli
