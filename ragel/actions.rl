# The common part of lexer.rl and lexer_compat.rl: the alphabet, and the names of the includer's actions.
%%{
    machine actions;
    alphtype unsigned char;
    getkey (codes[*p] & 0x7F);  # without kNonDigit, which the actions test

    action agent { ON_AGENT }
    action agent_other { ON_AGENT_OTHER }
    action intent { ON_INTENT }
    action operation { ON_OPERATION }
    action payload_end { ON_PAYLOAD_END }
    action meta { ON_META }
    action meta_end { ON_META_END }
    action key { ON_KEY }
    action word { ON_WORD }
    action text { ON_TEXT }
    action null { ON_NULL }
    action ref { ON_REF }
    action array { ON_ARRAY fcall array; }
    action map { ON_MAP fcall map; }
    action accept { ON_ACCEPT }
    action leave { ON_LEAVE fret; }
}%%
