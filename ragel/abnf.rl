# The specification's grammar (3.1), byte by byte and rule by rule, in its names and order. No host code.
#
# Arrays and maps call themselves. typed-literal is string here: which strings are literals is decided on whole tokens. Dialects: a raw byte
# and a loose @ or : stand in the grammar, and the includer's actions refuse them where the dialect does not have them.
#
# The includer defines the actions  mark key_start name_end key_end item array map leave payload meta raw loose
%%{
    machine abnf;
    include chars "chars.rl";

    agent_id  = agent_char+ >mark;
    intent    = ALPHA+      >mark;
    operation = word_char+  >mark;
    key       = word_char+  >key_start;
    ref_key   = ( word_char+ ( "." word_char+ )* ) >mark %name_end;

    string    = ( safe_char | escaped_char | raw_byte @raw )+;
    loose     = "@" @loose agent_char+ ( ":" string )?;
    value     = string | "~" | "$" ref_key | "[" @array | "{" @map | loose;
    element   = string >item ( ":" @loose string )* | "~" >item | "$" >item ref_key | "[" @array | "{" @map | loose >item;

    array    := ( element ( "," element )* )? "]" @leave;
    map      := ( key ":" @key_end value ( "," key ":" @key_end value )* )? "}" @leave;

    param     = key ":" @key_end value;
    header    = "@" agent_id ">" @name_end intent;
    payload   = param ( "|" param )*;
    body      = ":" @name_end operation "{" @payload payload? "}";
    metadata  = "[" @meta param ( "," param )* "]";

    main     := header body metadata?;
}%%
