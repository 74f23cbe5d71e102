# The terminals of the specification's grammar (3.1) with their names, one byte class for each.
%%{
    machine chars;

    ALPHA = [A-Za-z];
    DIGIT = [0-9];
    VCHAR = 0x21..0x7E;

    delimiter    = "@" | ">" | ":" | "{" | "}" | "[" | "]" | "|" | "$" | "," | "~" | "\\";
    safe_char    = VCHAR - delimiter;
    escaped_char = "\\" delimiter;
    word_char    = ALPHA | DIGIT | "_";
    agent_char   = word_char | "-";
    raw_byte     = 0x80..0xFF;  # u8 dialect
}%%
