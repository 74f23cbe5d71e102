# The specification's grammar (3.1), byte by byte and rule by rule, in its names and order. No host code.
#
# Arrays and maps are recursive. A typed-literal is a string here; the actions decide on whole tokens which strings are literals. The grammar
# accepts raw bytes and a loose @ or :, and the includer's actions reject them if the dialect does not allow them.
#
# The includer defines the actions  mark key_start name_end key_end item array map leave payload meta raw loose  and want_X, which report what
# was expected at an invalid byte. If several apply, the first one counts, which belongs to the largest expression.
%%{
    machine abnf;
    include chars "chars.rl";

    agent_id  = agent_char+ >!want_agent     >mark;
    intent    = ALPHA+      >!want_intent    >mark;
    operation = word_char+  >!want_operation >mark;
    key       = word_char+  >!want_key       >key_start;
    label     = word_char+  >!want_label;
    ref_key   = ( label ( "." label )* ) >mark %name_end;

    escape    = "\\" ( delimiter >!want_delimiter );
    string    = ( safe_char | escape | raw_byte @raw )+;
    loose     = "@" @loose ( agent_char+ >!want_agent ) ( ":" string )?;
    value     = ( string | "~" | "$" ref_key | "[" @array | "{" @map | loose ) >!want_value;
    element   = ( string >item ( ":" @loose string )* | "~" >item | "$" >item ref_key | "[" @array | "{" @map | loose >item )
                >!want_element %!want_comma_array;

    entry     = key ( ":" >!want_key_end @key_end ) value;
    array    := ( ( element ( "," element )* )? "]" @leave ) >!want_first_element;
    map      := ( ( entry %!want_comma_map ( "," entry %!want_comma_map )* )? "}" @leave ) >!want_first_key;

    param     = entry %!want_bar;
    pair      = entry %!want_comma;
    header    = ( "@" >!want_frame ) agent_id ( ">" >!want_agent_end @name_end ) intent;
    payload   = param ( "|" param )*;
    body      = ( ":" >!want_intent_end @name_end ) operation ( "{" >!want_operation_end @payload ) ( ( payload? "}" ) >!want_first_key );
    metadata  = "[" @meta pair ( "," pair )* "]";

    main     := header body ( metadata? >!want_metadata %!want_end );
}%%
