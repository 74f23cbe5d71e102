# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Completions of the command accp for bash.

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
        session) echo --help --store --session --budget --agent --from --untrusted --untrusted-agents --now --rule --rules --as --blocks --report --json --plot --contexts --to --compare --chain --requeue --no-name-lists --registry --profile --strict --ignore --ext --spell --tokenizer --pattern --limit ;;
        store) echo --help --keep --limit ;;
        context) echo --help --json --no-verify --conversation --code --from --depth --budget --agent --now --of --relevance --task --threshold --patterns --merge --age --recent --older --note --pane --shared --directory --config --store --revision --gap --unused --kind --success --fail --frame --cid --tokens --whole --explored --compare --orchestrator --worker --tokenizer --pattern --limit ;;
        sacp) echo --help --library --library-dir --policy --tool --lenient --store --session --trace --graph --limit ;;
        unfold) echo --help --limit ;;
        *) echo --help --version ;;
    esac
}

_accp() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local limits='frame_bytes= params= items= key_bytes= depth= json_bytes= json_depth= memory_bytes='
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "parse canon encode decode render inspect tokens stats registry session store conformance context sacp unfold $(_accp_options)" -- "$word")
        return
    fi
    case $before in
        --dialect) mapfile -t COMPREPLY < <(compgen -W 'strict compat u8' -- "$word") ;;
        --ext) mapfile -t COMPREPLY < <(compgen -W 'q1 t1 p1 u8 w1 none' -- "$word") ;;
        --spell) mapfile -t COMPREPLY < <(compgen -W 'wire cheapest' -- "$word") ;;
        --level) mapfile -t COMPREPLY < <(compgen -W '1 2 3' -- "$word") ;;
        --tokenizer) mapfile -t COMPREPLY < <(compgen -W 'o200k_base cl100k_base approx' -- "$word") ;;
        registry) mapfile -t COMPREPLY < <(compgen -W "show hash add diff learn $(_accp_options "$command")" -- "$word") ;;
        session) mapfile -t COMPREPLY < <(compgen -W "append receive send negotiate context tool answer budget checkpoint state log resolve put erase grant revoke expire retry abandon end list replay dead $(_accp_options "$command")" -- "$word") ;;
        store) mapfile -t COMPREPLY < <(compgen -W "stats verify export import prune $(_accp_options "$command")" -- "$word") ;;
        context) mapfile -t COMPREPLY < <(compgen -W "generate validate seal preview query compress revise log diff read edit push refresh clear feedback record stats advise roles $(_accp_options "$command")" -- "$word") ;;
        sacp) mapfile -t COMPREPLY < <(compgen -W "run trace $(_accp_options "$command")" -- "$word") ;;
        --profile) mapfile -t COMPREPLY < <(compgen -W 'chat tool transaction stream workflow all none' -- "$word") ;;
        --depth) mapfile -t COMPREPLY < <(compgen -W 'minimal standard deep' -- "$word") ;;
        --letter) mapfile -t COMPREPLY < <(compgen -W 'a b c d e f' -- "$word") ;;
        --limit) mapfile -t COMPREPLY < <(compgen -W "$limits" -- "$word") ;;
        --ignore | --schema | --first-seq | --ts | --issuer) ;;
        *)
            if [[ $word == -* && $before != --file && $before != --registry ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$(_accp_options "$command")" -- "$word")
            else
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
            fi
            ;;
    esac
}

complete -o filenames -F _accp accp
