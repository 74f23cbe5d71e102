# The alphabet of the symbol machine: see src/frame/symbols.h.
#
# e_X: the delimiter X with no text before it; w_X: with a word ([A-Za-z0-9_]+) before it; o_X: with other text; t_X: with any text.
%%{
    machine symbols;

    e_at     = 0x01;  w_at     = 0x11;  o_at     = 0x31;
    e_gt     = 0x04;  w_gt     = 0x14;  o_gt     = 0x34;  t_gt     = w_gt | o_gt;
    e_colon  = 0x00;  w_colon  = 0x10;  o_colon  = 0x30;  t_colon  = w_colon | o_colon;
    e_lbrace = 0x0B;  w_lbrace = 0x1B;  o_lbrace = 0x3B;
    e_rbrace = 0x0D;  w_rbrace = 0x1D;  o_rbrace = 0x3D;  t_rbrace = w_rbrace | o_rbrace;
    e_lbrack = 0x08;  w_lbrack = 0x18;  o_lbrack = 0x38;
    e_rbrack = 0x0A;  w_rbrack = 0x1A;  o_rbrack = 0x3A;  t_rbrack = w_rbrack | o_rbrack;
    e_pipe   = 0x0C;  w_pipe   = 0x1C;  o_pipe   = 0x3C;  t_pipe   = w_pipe | o_pipe;
    e_comma  = 0x0F;  w_comma  = 0x1F;  o_comma  = 0x3F;  t_comma  = w_comma | o_comma;
    e_dollar = 0x07;
    e_tilde  = 0x0E;
    e_end    = 0x40;  # added after the last symbol, so that the machine need not check for the end
}%%
