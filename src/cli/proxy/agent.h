// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An agent that runs behind the proxy: its command line and environment, and its process.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/proxy/run_upstreams.h"

namespace cli {

struct AgentLaunch {
    std::vector<std::string> words;  // the command line
    // Variables to set.
    std::vector<std::pair<std::string, std::string>> environment;
    std::string temporary_file;  // to remove when the agent has ended; empty: none
};

// Adds the words and variables that make this agent use the proxy at `base`, such as
// http://127.0.0.1:7118. Every agent gets the variables of the providers' SDKs; known agents get
// more. `has_gateway`: the proxy forwards calls for Anthropic to another address than Anthropic's.
// Throws Failure if the agent cannot be pointed at a proxy in this way.
AgentLaunch launch_behind(const std::vector<std::string> &command, const std::string &base,
                          const RunUpstreams &upstreams, bool has_gateway);

class AgentProcess {
public:
    // Starts it with this process's input and output. Throws Failure if it cannot be started.
    explicit AgentProcess(const AgentLaunch &launch);
    // Waits for its end. Returns the exit status; 128 and the signal if one ended it.
    int wait();
    void signal(int number) const;

private:
    pid_t child_ = 0;
};

}  // namespace cli
