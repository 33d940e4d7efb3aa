package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf8"
)

// A reader of CBOR in CTAP2's canonical form: shortest lengths, nothing indefinite, no tags, keys in order.
// What comes out is int64, []byte, string, []any, map[any]any, bool, nil or float64 (of any width, as its bits).

var errCBOR = errors.New("not canonical CBOR")

const cborDepth = 8

// decodeCBOR reads one item and gives back what stands behind it.
func decodeCBOR(data []byte) (value any, rest []byte, err error) {
	return cborItem(data, cborDepth)
}

func cborHead(data []byte) (major byte, n uint64, rest []byte, err error) {
	if len(data) == 0 {
		return 0, 0, nil, errCBOR
	}
	major, info := data[0]>>5, data[0]&31
	data = data[1:]
	if info < 24 {
		return major, uint64(info), data, nil
	}
	if info > 27 { // reserved, or of indefinite length
		return 0, 0, nil, errCBOR
	}
	width := 1 << (info - 24)
	if len(data) < width {
		return 0, 0, nil, errCBOR
	}
	padded := make([]byte, 8)
	copy(padded[8-width:], data[:width])
	n = binary.BigEndian.Uint64(padded)
	smallest := map[int]uint64{1: 24, 2: 1 << 8, 4: 1 << 16, 8: 1 << 32}[width]
	if major != 7 && n < smallest {
		return 0, 0, nil, errCBOR
	}
	return major, n, data[width:], nil
}

func cborItem(data []byte, depth int) (any, []byte, error) {
	if depth == 0 {
		return nil, nil, errCBOR
	}
	width := len(data)
	major, n, rest, err := cborHead(data)
	if err != nil {
		return nil, nil, err
	}
	if major <= 1 && n > 1<<63-1 || major >= 2 && major <= 5 && n > uint64(len(rest)) {
		return nil, nil, errCBOR
	}
	switch major {
	case 0:
		return int64(n), rest, nil
	case 1:
		return -1 - int64(n), rest, nil
	case 2:
		return append([]byte{}, rest[:n]...), rest[n:], nil
	case 3:
		if !utf8.Valid(rest[:n]) {
			return nil, nil, errCBOR
		}
		return string(rest[:n]), rest[n:], nil
	case 4:
		items := make([]any, 0, n)
		for ; n > 0; n-- {
			var item any
			if item, rest, err = cborItem(rest, depth-1); err != nil {
				return nil, nil, err
			}
			items = append(items, item)
		}
		return items, rest, nil
	case 5:
		return cborMap(rest, n, depth)
	case 7:
		switch width - len(rest) {
		case 1:
			if n == 20 || n == 21 {
				return n == 21, rest, nil
			}
			if n == 22 || n == 23 {
				return nil, rest, nil
			}
		case 3, 5, 9:
			return float64(n), rest, nil
		}
	}
	return nil, nil, errCBOR
}

func cborMap(rest []byte, n uint64, depth int) (any, []byte, error) {
	out := make(map[any]any, n)
	var before []byte
	for ; n > 0; n-- {
		key, behind, err := cborItem(rest, depth-1)
		if err != nil {
			return nil, nil, err
		}
		raw := rest[:len(rest)-len(behind)]
		switch key.(type) {
		case int64, string:
		default:
			return nil, nil, errCBOR
		}
		if before != nil && !keyBefore(before, raw) { // out of order, or twice
			return nil, nil, errCBOR
		}
		before = raw
		if out[key], rest, err = cborItem(behind, depth-1); err != nil {
			return nil, nil, err
		}
	}
	return out, rest, nil
}

// keyBefore is CTAP2's order: lower major type, then shorter, then byte by byte.
func keyBefore(a, b []byte) bool {
	if a[0]>>5 != b[0]>>5 {
		return a[0]>>5 < b[0]>>5
	}
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Compare(a, b) < 0
}
