// The byte machine that finds the error in a rejected frame. Its actions are macros of the includer, src/frame/locate.cc.
%%{
    machine locate;
    alphtype unsigned char;

    action mark { ON_MARK }
    action key_start { ON_KEY_START }
    action name_end { ON_NAME_END }
    action key_end { ON_KEY_END }
    action item { ON_ITEM }
    action array { ON_ARRAY fcall array; }
    action map { ON_MAP fcall map; }
    action leave { ON_LEAVE fret; }
    action payload { ON_PAYLOAD }
    action meta { ON_META }
    action raw { ON_RAW }
    action loose { ON_LOOSE }

    action want_frame { ON_WANT(frame) }
    action want_agent { ON_WANT(agent) }
    action want_agent_end { ON_WANT(agent_end) }
    action want_intent { ON_WANT(intent) }
    action want_intent_end { ON_WANT(intent_end) }
    action want_operation { ON_WANT(operation) }
    action want_operation_end { ON_WANT(operation_end) }
    action want_first_key { ON_WANT(first_key) }
    action want_key { ON_WANT(key) }
    action want_key_end { ON_WANT(key_end) }
    action want_value { ON_WANT(value) }
    action want_label { ON_WANT(label) }
    action want_delimiter { ON_WANT(delimiter) }
    action want_bar { ON_WANT(bar) }
    action want_comma { ON_WANT(comma) }
    action want_first_element { ON_WANT(first_element) }
    action want_element { ON_WANT(element) }
    action want_comma_array { ON_WANT(comma_array) }
    action want_comma_map { ON_WANT(comma_map) }
    action want_metadata { ON_WANT(metadata) }
    action want_end { ON_WANT(end) }

    include abnf "abnf.rl";

    write data noerror nofinal noentry;
    write init;
    write exec;
}%%
