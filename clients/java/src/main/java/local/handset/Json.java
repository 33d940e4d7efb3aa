package local.handset;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A value of JSON, read by name; the JDK has no reader of its own. What is not there is {@link #isNull()}. */
public final class Json {
    private static final Json NULL = new Json(null);
    private static final int DEEPEST = 200;

    /** A Map, List, String, Number, Boolean or null. */
    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    /** Of a tree of Map, List, String, Number, Boolean and null. */
    public static Json of(Object value) {
        return value == null ? NULL : value instanceof Json json ? json : new Json(value);
    }

    public Json get(String name) {
        return value instanceof Map<?, ?> map ? of(map.get(name)) : NULL;
    }

    public boolean has(String name) {
        return value instanceof Map<?, ?> map && map.containsKey(name);
    }

    public boolean isNull() {
        return value == null;
    }

    public List<Json> list() {
        if (!(value instanceof List<?> list)) throw wrong("a list");
        return list.stream().map(Json::of).toList();
    }

    public String text() {
        if (!(value instanceof String text)) throw wrong("a text");
        return text;
    }

    public String text(String otherwise) {
        return value instanceof String text ? text : otherwise;
    }

    public long number() {
        if (!(value instanceof Number number)) throw wrong("a number");
        return number.longValue();
    }

    public boolean flag() {
        if (!(value instanceof Boolean flag)) throw wrong("true or false");
        return flag;
    }

    private HandsetException wrong(String expected) {
        return new HandsetException("expected " + expected + ", got " + this);
    }

    /** As JSON. */
    @Override
    public String toString() {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Json json) write(json.value, out);
        else if (value instanceof Map<?, ?> map) {
            var members = map.entrySet().stream().map(member -> write(member.getKey()) + ":" + write(member.getValue()));
            out.append(members.collect(Collectors.joining(",", "{", "}")));
        } else if (value instanceof List<?> list) {
            out.append(list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]")));
        } else if (value instanceof String text) quote(text, out);
        else out.append(value);
    }

    private static String write(Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (var at : text.toCharArray()) {
            if (at == '"' || at == '\\') out.append('\\').append(at);
            else if (at < ' ') out.append("\\u%04x".formatted((int) at));
            else out.append(at);
        }
        out.append('"');
    }

    /** Reads one document; what is none is an IllegalArgumentException that says where. */
    public static Json parse(String text) {
        var reader = new Reader(text);
        var value = reader.value(0);
        reader.space();
        if (reader.at < text.length()) throw reader.wrong("the end");
        return of(value);
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Object value(int depth) {
            if (depth > DEEPEST) throw wrong("a document less deep");
            space();
            switch (at < text.length() ? text.charAt(at) : ' ') {
                case '{':
                    return object(depth);
                case '[':
                    return list(depth);
                case '"':
                    return string();
                case 't':
                    return word("true", true);
                case 'f':
                    return word("false", false);
                case 'n':
                    return word("null", null);
                default:
                    return number();
            }
        }

        private Map<String, Object> object(int depth) {
            var members = new LinkedHashMap<String, Object>();
            at++;
            space();
            if (taken('}')) return members;
            do {
                space();
                if (at >= text.length() || text.charAt(at) != '"') throw wrong("a name");
                var name = string();
                space();
                if (!taken(':')) throw wrong("a colon");
                members.put(name, value(depth + 1));
                space();
            } while (taken(','));
            if (!taken('}')) throw wrong("a comma or }");
            return members;
        }

        private List<Object> list(int depth) {
            var values = new ArrayList<Object>();
            at++;
            space();
            if (taken(']')) return values;
            do {
                values.add(value(depth + 1));
                space();
            } while (taken(','));
            if (!taken(']')) throw wrong("a comma or ]");
            return values;
        }

        private String string() {
            var out = new StringBuilder();
            for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
                var here = text.charAt(at);
                if (here < ' ') throw wrong("a text without control characters");
                out.append(here == '\\' ? escaped() : here);
            }
            if (!taken('"')) throw wrong("the end of a text");
            return out.toString();
        }

        private char escaped() {
            at++;
            var here = at < text.length() ? text.charAt(at) : ' ';
            var plain = "\"\\/bfnrt".indexOf(here);
            if (plain >= 0) return "\"\\/\b\f\n\r\t".charAt(plain);
            if (here != 'u' || at + 4 >= text.length()) throw wrong("an escape");
            try {
                at += 4;
                return (char) Integer.parseUnsignedInt(text, at - 3, at + 1, 16);
            } catch (NumberFormatException reason) {
                throw wrong("four hex digits");
            }
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) throw wrong(word);
            at += word.length();
            return value;
        }

        private Number number() {
            var from = at;
            while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
            var digits = text.substring(from, at);
            try {
                if (digits.matches("-?\\d{1,18}")) return Long.parseLong(digits);
                return Double.parseDouble(digits);
            } catch (NumberFormatException reason) {
                at = from;
                throw wrong("a value");
            }
        }

        private boolean taken(char wanted) {
            if (at >= text.length() || text.charAt(at) != wanted) return false;
            at++;
            return true;
        }

        void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException("no JSON: expected " + expected + " at character " + at);
        }
    }
}
