package local.handset;

/** What a test is called, as the bench takes it. */
final class Names {
    private Names() {}

    /** On one line, of so many characters at most; a character is never cut in halves. */
    static String plain(String title, int most) {
        var kept = title.replaceAll("[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]", " ").strip();
        var cut = kept.codePointCount(0, kept.length()) <= most ? kept : kept.substring(0, kept.offsetByCodePoints(0, most));
        return cut.isEmpty() ? "A test" : cut;
    }
}
