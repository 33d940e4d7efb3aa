package local.handset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What a test is called and what it said, as the bench takes it. */
final class Names {
    private static final int FILE_MAX = 75;

    private Names() {}

    /** On one line, of so many characters at most. */
    static String plain(String title, int most) {
        var cut = cut(title.replaceAll("[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]", " ").strip(), most);
        return cut.isEmpty() ? "A test" : cut;
    }

    /** Without a terminal's colors, of so many characters at most. */
    static String failure(String said, int most) {
        return cut(said.replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "").replaceAll("\\p{Cs}", "\ufffd").strip(), most);
    }

    /** Of a file of one test alone, which every file system takes; what can be read in it may be the same of two. */
    static String file(String readable, String unique) {
        var plain = readable.replaceAll("[^\\p{L}\\p{N}._$-]+", "-");
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(unique.getBytes(UTF_8));
            // A character has at most three bytes in UTF-8, or four in two units.
            return plain.substring(Math.max(0, plain.length() - FILE_MAX)) + "-" + HexFormat.of().formatHex(hash, 0, 4);
        } catch (NoSuchAlgorithmException reason) {
            throw new IllegalStateException(reason);
        }
    }

    /** A character is never cut in halves. */
    private static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most ? text : text.substring(0, text.offsetByCodePoints(0, most));
    }
}
