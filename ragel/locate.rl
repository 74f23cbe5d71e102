// The byte machine that finds where a refused frame went wrong. Actions are macros of the includer, src/frame/locate.cc.
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

    include abnf "abnf.rl";

    write data noerror nofinal noentry;
    write init;
    write exec;
}%%
