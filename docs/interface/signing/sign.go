// go run sign.go   registers alice with a phone, and signs her in.
// go run sign.go METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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

type result struct {
	Status, Error, URL string
	UserID             string `json:"user_id"`
	Total              int
}

// One signed request. What the service refuses ends the program.
func call(method, path, body string) result {
	url := os.Getenv("BASE_URL") + path
	key := Key{os.Getenv("ACCESS_KEY_ID"), os.Getenv("SECRET_KEY"), ""}
	date, authorization := Sign(method, url, []byte(body), nil, key, "")
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	end(err)
	request.Header.Set("X-Svc-Date", date)
	request.Header.Set("Authorization", authorization)
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	end(err)
	defer response.Body.Close()
	var answer struct {
		Code  int
		Data  result
		Error string
	}
	end(json.NewDecoder(response.Body).Decode(&answer))
	if answer.Code != 0 {
		end(fmt.Errorf("%d %s (%s %s)", answer.Code, answer.Error, method, path))
	}
	return answer.Data
}

// Shows a code, and waits for what becomes of it.
func ceremony(kind, request string) result {
	url := call("POST", "/rp/"+kind+"/options", request).URL
	fmt.Println("Scan with a phone:", url)
	_, token, _ := strings.Cut(url, "#")
	now := result{Status: "init"}
	for now.Status == "init" || now.Status == "bind" {
		time.Sleep(time.Second)
		now = call("GET", "/rp/"+kind+"/result?msg_id="+token[1:], "")
	}
	if now.Status != "success" {
		end(fmt.Errorf("%s %s", now.Status, now.Error))
	}
	return now
}

func firstSignIn() {
	if os.Getenv("BASE_URL") == "" {
		end(fmt.Errorf("Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first."))
	}
	if call("GET", "/rp/credentials?user_id=alice", "").Total == 0 {
		ceremony("attestation", `{"user_id":"alice","username":"alice"}`)
		fmt.Println("Registered.")
	}
	signedIn := ceremony("assertion", `{"user_id":"alice","username":"alice","method":"qrcode"}`)
	if signedIn.UserID != "alice" {
		end(fmt.Errorf("The answer was for somebody else."))
	}
	fmt.Println("Signed in: alice")
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) == 1 {
		firstSignIn()
		return
	}
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
