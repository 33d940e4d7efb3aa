package main

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fields is a JSON object of a request, its members unread.
type fields map[string]json.RawMessage

// parseObject reads a request's body: anything but a JSON object is 40001.
func parseObject(body []byte) (fields, *problem) {
	f, ok := objectOf(body)
	if !ok {
		return nil, refuse(40001, "")
	}
	return f, nil
}

func objectOf(raw []byte) (fields, bool) {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	if !utf8.Valid(raw) || len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, false
	}
	var f fields
	if err := json.Unmarshal(raw, &f); err != nil || namesTwice(json.NewDecoder(bytes.NewReader(raw))) {
		return nil, false
	}
	return f, true
}

// namesTwice reads one value: whether an object in it names a member twice.
func namesTwice(d *json.Decoder) bool {
	d.UseNumber()
	token, err := d.Token()
	delim, isDelim := token.(json.Delim)
	if err != nil || !isDelim {
		return err != nil
	}
	names := map[json.Token]bool{}
	for d.More() {
		if delim == '{' {
			name, err := d.Token()
			if err != nil || names[name] {
				return true
			}
			names[name] = true
		}
		if namesTwice(d) {
			return true
		}
	}
	_, err = d.Token()
	return err != nil
}

// textOf is the text of a JSON string, and whether it is one of valid Unicode.
func textOf(raw json.RawMessage) (text string, isString, valid bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false, false
	}
	if json.Unmarshal(raw, &text) != nil {
		return "", false, false
	}
	return text, true, !hasLoneSurrogate(raw)
}

// hasLoneSurrogate looks for half a pair among the escapes; the decoder would put U+FFFD in its place.
func hasLoneSurrogate(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		unit, ok := escapedUnit(raw[i:])
		switch {
		case !ok:
			i++
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return true
		case unit >= 0xD800 && unit <= 0xDBFF:
			low, ok := escapedUnit(raw[i+6:])
			if !ok || low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 11
		default:
			i += 5
		}
	}
	return false
}

func escapedUnit(raw []byte) (uint64, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return unit, err == nil
}

// checkText keeps the rules of a text: 1 to max characters, valid Unicode, no control characters; nothing is trimmed.
func checkText(name, value string, max int) *problem {
	if !utf8.ValidString(value) {
		return refuse(40002, "%s is not valid Unicode.", name)
	}
	if n := utf8.RuneCountInString(value); n < 1 || n > max {
		return refuse(40002, "%s has %d characters; 1 to %d are allowed.", name, n, max)
	}
	if strings.IndexFunc(value, unicode.IsControl) >= 0 {
		return refuse(40002, "%s has a control character.", name)
	}
	return nil
}

// required reads a text that must be there.
func (f fields) required(name string, max int) (string, *problem) {
	raw, there := f[name]
	if !there {
		return "", refuse(40003, "%s is missing.", name)
	}
	text, isString, valid := textOf(raw)
	if !isString || !valid {
		return "", refuse(40002, "%s is not a string of valid Unicode.", name)
	}
	return text, checkText(name, text, max)
}

// optional reads a text that may be missing: null and "" count as missing.
func (f fields) optional(name string, max int) (string, *problem) {
	raw, there := f[name]
	if !there || string(raw) == "null" || string(raw) == `""` {
		return "", nil
	}
	return f.required(name, max)
}

// queryValue reads one parameter of the query; given twice with different values, it contradicts itself.
func queryValue(query, name string) (value string, there bool, p *problem) {
	for _, piece := range strings.Split(query, "&") {
		n, v, _ := strings.Cut(piece, "=")
		if percentDecode(n) != name {
			continue
		}
		v = percentDecode(v)
		if there && v != value {
			return "", true, refuse(40004, "%s is given twice, with different values.", name)
		}
		value, there = v, true
	}
	return value, there, nil
}

// percentDecode decodes once; a plus is a plus, and what is no escape stays as it is.
func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(b))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}
