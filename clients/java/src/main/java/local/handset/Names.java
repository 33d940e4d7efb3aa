package local.handset;

/** What a test is called and what it said, as the bench takes it. */
final class Names {
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

    /** A character is never cut in halves. */
    private static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most ? text : text.substring(0, text.offsetByCodePoints(0, most));
    }
}
