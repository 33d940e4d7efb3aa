package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

var errJSON = errors.New("the body is not a JSON object of the strict kind")

// strictObject reads one JSON object. encoding/json takes the last of two members of one name, matches names in any case and
// mends wrong UTF-8; here the tokens are walked, names are compared exactly, and all of that is an error.
func strictObject(body []byte) (map[string]any, error) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, errJSON
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	value, err := strictValue(decoder)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errJSON
	}
	return object, nil
}

func strictValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for decoder.More() {
			token, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			name, ok := token.(string)
			if _, twice := object[name]; !ok || twice {
				return nil, errJSON
			}
			if object[name], err = strictValue(decoder); err != nil {
				return nil, err
			}
		}
		_, err = decoder.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := strictValue(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = decoder.Token()
		return list, err
	}
	return token, nil
}
