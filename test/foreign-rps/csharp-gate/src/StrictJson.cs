using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>JSON as RFC 8259 has it, and no member twice. Values are Dictionary, List, string, double, bool and null.</summary>
public sealed class StrictJson
{
    private const int MaxDepth = 16;
    private static readonly Regex Number = new Regex(@"\G-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", RegexOptions.CultureInvariant);
    private readonly string text;
    private int at;

    private StrictJson(string text) { this.text = text; }

    public static object Parse(byte[] octets)
    {
        string text;
        try { text = new UTF8Encoding(false, true).GetString(octets); }
        catch (ArgumentException) { throw new FormatException("not UTF-8"); }
        var parser = new StrictJson(text);
        var value = parser.Value(0);
        parser.Space();
        if (parser.at != text.Length) throw parser.Wrong();
        return value;
    }

    public static string Quote(string text)
    {
        var made = new StringBuilder("\"");
        foreach (var c in text)
        {
            if (c == '"' || c == '\\') made.Append('\\').Append(c);
            else if (c < ' ') made.Append("\\u").Append(((int)c).ToString("x4"));
            else made.Append(c);
        }
        return made.Append('"').ToString();
    }

    private object Value(int depth)
    {
        if (depth > MaxDepth) throw Wrong();
        Space();
        if (at >= text.Length) throw Wrong();
        switch (text[at])
        {
            case '{': return Object(depth);
            case '[': return List(depth);
            case '"': return String();
            case 't': Word("true"); return true;
            case 'f': Word("false"); return false;
            case 'n': Word("null"); return null;
        }
        var match = Number.Match(text, at);
        if (!match.Success) throw Wrong();
        at += match.Length;
        double number;
        // A number beyond the range is an error on one runtime and infinite on another: both are useless.
        if (!double.TryParse(match.Value, NumberStyles.Float, CultureInfo.InvariantCulture, out number) || double.IsInfinity(number)) throw Wrong();
        return number;
    }

    private Dictionary<string, object> Object(int depth)
    {
        var made = new Dictionary<string, object>(StringComparer.Ordinal);
        at++;
        if (Next('}')) return made;
        do
        {
            Space();
            var name = String();
            if (made.ContainsKey(name)) throw new FormatException("a member is given twice");
            if (!Next(':')) throw Wrong();
            made.Add(name, Value(depth + 1));
        } while (Next(','));
        if (!Next('}')) throw Wrong();
        return made;
    }

    private List<object> List(int depth)
    {
        var made = new List<object>();
        at++;
        if (Next(']')) return made;
        do made.Add(Value(depth + 1)); while (Next(','));
        if (!Next(']')) throw Wrong();
        return made;
    }

    private string String()
    {
        if (at >= text.Length || text[at] != '"') throw Wrong();
        var made = new StringBuilder();
        for (at++; at < text.Length; at++)
        {
            var c = text[at];
            if (c == '"')
            {
                at++;
                var done = made.ToString();
                // Half a surrogate pair is no character: UTF-8 cannot hold it.
                try { new UTF8Encoding(false, true).GetByteCount(done); }
                catch (ArgumentException) { throw Wrong(); }
                return done;
            }
            if (c < ' ') throw Wrong();
            if (c != '\\') { made.Append(c); continue; }
            if (++at >= text.Length) throw Wrong();
            var plain = "\"\\/bfnrt".IndexOf(text[at]);
            ushort unit;
            if (plain >= 0) made.Append("\"\\/\b\f\n\r\t"[plain]);
            else if (text[at] == 'u' && at + 4 < text.Length
                && ushort.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out unit))
            {
                made.Append((char)unit);
                at += 4;
            }
            else throw Wrong();
        }
        throw Wrong();
    }

    private bool Next(char wanted)
    {
        Space();
        if (at >= text.Length || text[at] != wanted) return false;
        at++;
        return true;
    }

    private void Word(string word)
    {
        if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Wrong();
        at += word.Length;
    }

    private void Space()
    {
        while (at < text.Length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) at++;
    }

    private FormatException Wrong() { return new FormatException("not JSON at " + at); }
}
