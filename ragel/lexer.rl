// The machine of the strict and u8 dialects. Its actions are macros of the includer, src/frame/machine.cc. They only record positions.
%%{
    machine lexer;
    include actions "actions.rl";

    nothing = any - any;
    loose_pipe = nothing;
    loose_rbrace = nothing;
    loose_comma = nothing;
    loose_rbrack = nothing;
    loose_item = nothing;
    loose_last = nothing;

    include frame "frame.rl";

    write data noerror nofinal noentry;
    write init;
    write exec noend;
}%%
