# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Completions of the command accp for bash.

# Prints the options of an action of context.
_accp_context_options() {
    case $1 in
        generate) echo --pane --help --json --session --store --conversation --code --index --from --depth --model --model-seconds --model-tokens --no-cache --items --strict-budget --extract --extract-seconds --embedder --budget --agent --revision --directory --config --now --keep-secrets --tokenizer --pattern --limit ;;
        spawn) echo --help --session --store --conversation --code --index --from --depth --model --model-seconds --model-tokens --no-cache --extract --extract-seconds --embedder --budget --agent --pane --revision --directory --config --now --keep-secrets --tokenizer --pattern --limit ;;
        validate) echo --json --help --code --index --no-verify --tokenizer --pattern --limit ;;
        seal) echo --help --json --keep-secrets --tokenizer --pattern --limit ;;
        preview) echo --help --json --budget --pane --shared --no-verify --directory --config --keep-secrets --tokenizer --pattern --limit ;;
        query) echo --help --json --of --embedder --no-verify --tokenizer --pattern --limit ;;
        compress) echo --help --json --relevance --task --threshold --embedder --patterns --merge --age --recent --older --no-verify --keep-secrets --tokenizer --pattern --limit ;;
        revise) echo --help --json --note --no-verify --keep-secrets --tokenizer --pattern --limit ;;
        log | diff) echo --help --json --no-verify --tokenizer --pattern --limit ;;
        read) echo --help --json --pane --shared --directory --config --store --now --keep-secrets --tokenizer --pattern --limit ;;
        edit) echo --help --json --agent --pane --shared --revision --directory --config --store --now --keep-secrets --tokenizer --pattern --limit ;;
        push) echo --help --json --agent --pane --shared --revision --directory --config --now --keep-secrets --tokenizer --pattern --limit ;;
        refresh) echo --help --json --note --session --store --conversation --code --index --from --depth --model --model-seconds --model-tokens --no-cache --extract --extract-seconds --embedder --budget --agent --pane --revision --directory --config --now --keep-secrets --tokenizer --pattern --limit ;;
        clear) echo --help --json --pane --directory --config --store --now --limit ;;
        restore) echo --help --json --pane --directory --config --store --limit ;;
        feedback) echo --help --json --pane --gap --unused --directory --config --limit ;;
        record) echo --help --json --pane --gap --unused --kind --success --fail --frame --cid --depth --tokens --whole --explored --directory --config --store --now --limit ;;
        stats) echo --help --json --compare --directory --config --store --limit ;;
        advise) echo --help --json --kind --directory --config --store --limit ;;
        hook) echo --help --code --index --depth --model --model-seconds --model-tokens --no-cache --extract --extract-seconds --embedder --budget --directory --config --now --keep-secrets --tokenizer --pattern --limit ;;
        setup) echo --help --dry-run --remove --directory ;;
        roles) echo --help --json --orchestrator --worker ;;
        *) echo --help ;;
    esac
}

# Prints the options of an action of sacp.
_accp_sacp_options() {
    case $1 in
        validate) echo --help --library --lenient --strict --reply --limit ;;
        expand | compact | canon) echo --help --library --pretty --limit ;;
        compose) echo --help --library --role --formatter --msg-id --limit ;;
        ask) echo --help --phrases --library --model --limit ;;
        format) echo --help --template --locale --zone --limit ;;
        threads) echo --help --indent --limit ;;
        states) echo --help --limit ;;
        frame) echo --help --agent --registry --ext --limit ;;
        unframe) echo --help --registry --ext --limit ;;
        query) echo --help --registry --store --now --lexical --limit ;;
        plan) echo --help --library --beside --limit ;;
        spawn) echo --help --library --registry --store --now --lenient --strict --request --allow --retries --limit ;;
        feasibility) echo --help --library --registry --store --now --lenient --strict --limit ;;
        adapt) echo --help --library --to --agent --now --limit ;;
        agent) echo --help --name --tool --library --policy --lenient --store --limit ;;
        run) echo --help --tool --agent --registry --library --policy --lenient --store --session --trace --graph --limit ;;
        trace) echo --help --library-dir --limit ;;
        prompt) echo --help --agent --verb --tool --tokenizer --pattern --limit ;;
        spec) echo --help --library --tokenizer --pattern --limit ;;
        *) echo --help ;;
    esac
}

# Prints the options of a command, or of its action.
_accp_options() {
    case $1 in
        parse | canon) echo --help --dialect --limit ;;
        stats) echo --help --spell --tokenizer --pattern --baseline --json --abbrev --ignore --ext --limit ;;
        inspect) echo --help --dialect --limit --tokenizer --pattern ;;
        tokens) echo --help --tokenizer --pattern --lines --jsonl --ids --special --limit ;;
        encode) echo --help --registry --profile --schema --mark-defaults --any-intent --log --redact --strict --ext --abbrev --envelope --trace --ignore --keep-refs --limit --first-seq --ts --letter --issuer --max-tokens --split --spell --tokenizer --pattern ;;
        decode) echo --help --dialect --registry --profile --schema --mark-defaults --any-intent --log --redact --strict --untrusted --ext --abbrev --envelope --trace --ignore --keep-refs --limit --split ;;
        render) echo --help --parse --untrusted --one-line --envelope --abbrev --ignore --ext --dialect --limit ;;
        conformance) echo --help --level --file --row --table ;;
        registry) echo --help --profile --train --registry --ignore --tokenizer --pattern --limit ;;
        session) echo --help --store --session --budget --agent --from --untrusted --untrusted-agents --now --rule --rules --as --blocks --packet --reset --carry --reply --project --depth --report --json --plot --contexts --to --compare --chain --requeue --registry --profile --strict --ignore --ext --spell --tokenizer --pattern --limit ;;
        store) echo --help --keep --vacuum --json --plugin --limit ;;
        context) _accp_context_options "$2" ;;
        sacp) _accp_sacp_options "$2" ;;
        mcp) echo --help --tools --untrusted --agents --registry --rule --model --model-seconds --model-tokens --no-cache --embedder --library --directory --config --code --index --url --header --ca --timeout --max-result --on-demand --bounds --report --store --session --tokenizer --pattern --limit ;;
        serve) echo --help --listen --tokens --cert --key --public-url --origins --wait --max-connections --rate --max-sessions --spawn --model --model-seconds --model-tokens --no-cache --log --store --session --registry --profile --ext --rule --tokenizer --pattern --limit --agents --sessions --name --trusted --read-only ;;
        proxy) echo --help --address --port --upstream --token-file --origins --ca --max-body --max-connections --connect-timeout --idle-timeout --log --store --calls --holdout --untouched --prices --clock-header --no-resolve --no-page --json --plot --marks --dry-run --service ;;
        unfold) echo --help --limit ;;
        *) echo --help --version ;;
    esac
}

_accp() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} action=${COMP_WORDS[2]}
    local limits='frame_bytes= params= items= key_bytes= depth= json_bytes= json_depth= memory_bytes='
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "encode decode inspect stats session context parse canon render tokens unfold registry conformance sacp store serve proxy mcp help $(_accp_options)" -- "$word")
        return
    fi
    case $before in
        --dialect) mapfile -t COMPREPLY < <(compgen -W 'strict compat u8' -- "$word") ;;
        --ext) mapfile -t COMPREPLY < <(compgen -W 'q1 t1 p1 u8 w1 none' -- "$word") ;;
        --spell) mapfile -t COMPREPLY < <(compgen -W 'wire cheapest' -- "$word") ;;
        --level) mapfile -t COMPREPLY < <(compgen -W '1 2 3' -- "$word") ;;
        --tokenizer) mapfile -t COMPREPLY < <(compgen -W 'o200k_base cl100k_base approx' -- "$word") ;;
        registry) mapfile -t COMPREPLY < <(compgen -W "show hash add diff learn $(_accp_options "$command")" -- "$word") ;;
        session) mapfile -t COMPREPLY < <(compgen -W "append receive send negotiate context tool answer budget checkpoint state log resolve put erase grant revoke expire retry abandon packet end list replay dead $(_accp_options "$command")" -- "$word") ;;
        store) mapfile -t COMPREPLY < <(compgen -W "status stats verify export import prune conformance $(_accp_options "$command")" -- "$word") ;;
        context) mapfile -t COMPREPLY < <(compgen -W "generate spawn validate seal preview query compress revise log diff read edit push refresh clear restore feedback record stats advise roles hook setup $(_accp_options "$command")" -- "$word") ;;
        sacp) mapfile -t COMPREPLY < <(compgen -W "validate expand compact canon compose threads ask format states frame unframe query plan feasibility spawn adapt run agent trace prompt spec $(_accp_options "$command")" -- "$word") ;;
        proxy) mapfile -t COMPREPLY < <(compgen -W "run report setup undo doctor $(_accp_options "$command")" -- "$word") ;;
        setup | undo | doctor)
            [[ $command == context ]] && mapfile -t COMPREPLY < <(compgen -W "claude-code codex opencode agents $(_accp_options "$command" "$before")" -- "$word")
            [[ $command == proxy ]] && mapfile -t COMPREPLY < <(compgen -W "aider claude cline codex gemini opencode openhands pi qwen $(_accp_options "$command")" -- "$word")
            ;;
        serve) mapfile -t COMPREPLY < <(compgen -W "token $(_accp_options "$command")" -- "$word") ;;
        mcp) mapfile -t COMPREPLY < <(compgen -W "wrap $(_accp_options "$command")" -- "$word") ;;
        --profile) mapfile -t COMPREPLY < <(compgen -W 'chat tool transaction stream workflow all none' -- "$word") ;;
        --depth) mapfile -t COMPREPLY < <(compgen -W 'minimal standard deep' -- "$word") ;;
        --letter) mapfile -t COMPREPLY < <(compgen -W 'a b c d e f' -- "$word") ;;
        --limit) mapfile -t COMPREPLY < <(compgen -W "$limits" -- "$word") ;;
        --ignore | --schema | --first-seq | --ts | --issuer | --system) ;;
        *)
            if [[ $word == -* && $before != --file && $before != --registry ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$(_accp_options "$command" "$action")" -- "$word")
            else
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
            fi
            ;;
    esac
}

complete -o filenames -F _accp accp
