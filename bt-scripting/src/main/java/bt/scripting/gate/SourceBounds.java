package bt.scripting.gate;

import bt.base.RejectedException;
import groovyjarjarantlr4.v4.runtime.CharStreams;
import groovyjarjarantlr4.v4.runtime.Token;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.groovy.parser.antlr4.GroovyLangLexer;
import org.apache.groovy.parser.antlr4.GroovySyntaxError;

/**
 * What is checked before the parser runs, with Groovy's own tokens: length, number of tokens, nesting, since the parser's
 * time and stack grow with them; and that each token is one that a script needs.
 */
final class SourceBounds {
    static final int MAX_BYTES = 20 << 10;
    static final int MAX_TOKENS = 4000;
    static final int MAX_NESTING = 32;
    static final int MAX_BRANCHES = 100;

    private static final Set<Integer> OPENING = Set.of(
            GroovyLangLexer.LPAREN, GroovyLangLexer.LBRACE, GroovyLangLexer.LBRACK, GroovyLangLexer.GStringBegin);

    private static final Set<Integer> CLOSING =
            Set.of(GroovyLangLexer.RPAREN, GroovyLangLexer.RBRACE, GroovyLangLexer.RBRACK, GroovyLangLexer.GStringEnd);

    /** The parser looks far ahead at these: 500 of them in a row took it 4 to 9 seconds, 100 take a tenth of one. */
    private static final Set<Integer> BRANCHING = Set.of(
            GroovyLangLexer.LT,
            GroovyLangLexer.QUESTION,
            GroovyLangLexer.IF,
            GroovyLangLexer.ELSE,
            GroovyLangLexer.FOR,
            GroovyLangLexer.WHILE,
            GroovyLangLexer.DO);

    private static final Set<Integer> PLAIN = Set.of(
            GroovyLangLexer.NL,
            GroovyLangLexer.SEMI,
            GroovyLangLexer.COMMA,
            GroovyLangLexer.DOT,
            GroovyLangLexer.COLON,
            GroovyLangLexer.Identifier,
            GroovyLangLexer.CapitalizedIdentifier,
            GroovyLangLexer.StringLiteral,
            GroovyLangLexer.GStringPart,
            GroovyLangLexer.GStringPathPart,
            GroovyLangLexer.RollBackOne,
            GroovyLangLexer.IntegerLiteral,
            GroovyLangLexer.FloatingPointLiteral,
            GroovyLangLexer.BooleanLiteral,
            GroovyLangLexer.NullLiteral,
            GroovyLangLexer.BuiltInPrimitiveType,
            GroovyLangLexer.DEF,
            GroovyLangLexer.VAR,
            GroovyLangLexer.FINAL,
            GroovyLangLexer.IN,
            GroovyLangLexer.NOT_IN,
            GroovyLangLexer.RETURN,
            GroovyLangLexer.BREAK,
            GroovyLangLexer.CONTINUE,
            GroovyLangLexer.NOT,
            GroovyLangLexer.AND,
            GroovyLangLexer.OR,
            GroovyLangLexer.EQUAL,
            GroovyLangLexer.NOTEQUAL,
            GroovyLangLexer.LE,
            GroovyLangLexer.GE,
            GroovyLangLexer.GT,
            GroovyLangLexer.SPACESHIP,
            GroovyLangLexer.INC,
            GroovyLangLexer.DEC,
            GroovyLangLexer.ASSIGN,
            GroovyLangLexer.ADD_ASSIGN,
            GroovyLangLexer.SUB_ASSIGN,
            GroovyLangLexer.MUL_ASSIGN,
            GroovyLangLexer.DIV_ASSIGN,
            GroovyLangLexer.MOD_ASSIGN,
            GroovyLangLexer.ADD,
            GroovyLangLexer.SUB,
            GroovyLangLexer.MUL,
            GroovyLangLexer.DIV,
            GroovyLangLexer.MOD,
            GroovyLangLexer.RANGE_INCLUSIVE,
            GroovyLangLexer.RANGE_EXCLUSIVE_RIGHT);

    private SourceBounds() {}

    static void check(String source) throws RejectedException {
        int bytes = source.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw Refusal.at(
                    1, 1, "the script has " + bytes + " bytes, at most " + MAX_BYTES + " are allowed", "shorten it");
        }
        GroovyLangLexer lexer = new GroovyLangLexer(CharStreams.fromString(source));
        lexer.removeErrorListeners();
        try {
            checkTokens(lexer);
        } catch (GroovySyntaxError e) {
            throw Refusal.at(e.getLine(), e.getColumn(), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Groovy's lexer has no one way to say that a text has no words: an unfinished "${ ends in ANTLR's own
            // error.
            throw Refusal.at(
                    lexer.getLine(), lexer.getCharPositionInLine() + 1, "no word or sign of Groovy begins here");
        }
    }

    private static void checkTokens(GroovyLangLexer lexer) throws RejectedException {
        int nesting = 0;
        int branches = 0;
        int tokens = 0;
        boolean empty = true;
        for (Token token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
            int type = token.getType();
            boolean opening = OPENING.contains(type);
            boolean closing = CLOSING.contains(type);
            boolean branching = BRANCHING.contains(type);
            nesting += opening ? 1 : closing ? -1 : 0;
            branches += branching ? 1 : 0;
            tokens++;
            empty &= type == GroovyLangLexer.NL;
            if (!opening && !closing && !branching && !PLAIN.contains(type)) {
                throw refuse(
                        token,
                        Refusal.quoted(token.getText()) + " is not part of the script language",
                        "correct it there");
            } else if (tokens > MAX_TOKENS) {
                throw refuse(token, "the script has more than " + MAX_TOKENS + " words and signs", "shorten it");
            } else if (nesting > MAX_NESTING) {
                throw refuse(token, "more than " + MAX_NESTING + " brackets deep", "write it as several statements");
            } else if (branches > MAX_BRANCHES) {
                throw refuse(token, "more than " + MAX_BRANCHES + " of if, else, for, while, do, ? and <", "use fewer");
            }
        }
        if (empty) {
            throw Refusal.at(1, 1, "the script is empty", "say what it does");
        }
    }

    private static RejectedException refuse(Token token, String reason, String advice) {
        return Refusal.at(token.getLine(), token.getCharPositionInLine() + 1, reason, advice);
    }
}
