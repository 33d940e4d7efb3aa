// go run sign.go METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
)

type Key struct{ AccessKeyID, SecretKey, Identifier string }

var (
	address = regexp.MustCompile(`^https?://([^/?]+)([^?]*)(?:\?(.*))?$`)
	spaces  = regexp.MustCompile(` +`)
)

// Sign returns X-Svc-Date and Authorization. An empty date is now.
func Sign(method, url string, body []byte, headers [][2]string, key Key, date string) (string, string) {
	if date == "" {
		date = time.Now().UTC().Format("20060102T150405Z")
	}
	parts := address.FindStringSubmatch(url)
	host, path := parts[1], parts[2]
	if path == "" {
		path = "/"
	}

	var pairs [][2]string
	for _, pair := range strings.Split(parts[3], "&") {
		if pair != "" {
			name, value, _ := strings.Cut(pair, "=")
			pairs = append(pairs, [2]string{encode(name), encode(value)})
		}
	}
	sort.Slice(pairs, func(i, j int) bool {
		a, b := pairs[i], pairs[j]
		return a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
	})
	var query []string
	for _, pair := range pairs {
		query = append(query, pair[0]+"="+pair[1])
	}

	signed := map[string][]string{}
	for _, header := range append([][2]string{{"host", host}, {"x-svc-date", date}}, headers...) {
		name := strings.ToLower(header[0])
		signed[name] = append(signed[name], strings.Trim(spaces.ReplaceAllString(header[1], " "), " "))
	}
	var names []string
	for name := range signed {
		names = append(names, name)
	}
	sort.Strings(names)
	lines := ""
	for _, name := range names {
		lines += name + ":" + strings.Join(signed[name], ",") + "\n"
	}

	list := strings.Join(names, ";")
	canonical := strings.Join([]string{strings.ToUpper(method), path, strings.Join(query, "&"), lines, list, hash(body)}, "\n")
	scope := "fido-server/" + key.Identifier
	mac := hmac.New(sha256.New, []byte(key.SecretKey))
	io.WriteString(mac, strings.Join([]string{"SVC-HMAC-SHA256", date, scope, hash([]byte(canonical))}, "\n"))
	signature := hex.EncodeToString(mac.Sum(nil))
	return date, fmt.Sprintf("SVC-HMAC-SHA256 %s/%s,%s,%s", key.AccessKeyID, scope, list, signature)
}

// Decoded once and encoded again, octet by octet.
func encode(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		octet := text[i]
		if octet == '%' && i+2 < len(text) {
			if decoded, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				octet = byte(decoded)
				i += 2
			}
		}
		if 'a' <= octet && octet <= 'z' || 'A' <= octet && octet <= 'Z' || '0' <= octet && octet <= '9' ||
			strings.IndexByte("-._~", octet) >= 0 {
			out.WriteByte(octet)
		} else {
			fmt.Fprintf(&out, "%%%02X", octet)
		}
	}
	return out.String()
}

func hash(octets []byte) string {
	sum := sha256.Sum256(octets)
	return hex.EncodeToString(sum[:])
}

func main() {
	body, _ := io.ReadAll(os.Stdin)
	var headers [][2]string
	for _, text := range os.Args[3:] {
		name, value, _ := strings.Cut(text, ":")
		headers = append(headers, [2]string{name, value})
	}
	key := Key{os.Getenv("ACCESS_KEY_ID"), os.Getenv("SECRET_KEY"), os.Getenv("SCOPE_IDENTIFIER")}
	date, authorization := Sign(os.Args[1], os.Args[2], body, headers, key, os.Getenv("SVC_DATE"))
	fmt.Printf("X-Svc-Date: %s\nAuthorization: %s\n", date, authorization)
}
