package main

import "fmt"

// The codes of errors.md that this service can give, with the sentence that `error` begins with.
var sentences = map[int]string{
	40001: "The request body is not a JSON object.",
	40002: "A parameter has a value that is not allowed.",
	40003: "A required parameter is missing.",
	40004: "Two parameters contradict each other.",
	40005: "This is not a well-formed HTTP request.",
	40101: "The Authorization header is missing.",
	40102: "The Authorization header is malformed.",
	40103: "The access key is unknown or disabled.",
	40104: "The signature does not match the request as it was received.",
	40105: "X-Svc-Date is missing or is not a date of the form YYYYMMDDTHHMMSSZ.",
	40106: "X-Svc-Date is too far from the time of the service.",
	40107: "The Host header must be among the signed headers.",
	40108: "The credential scope is not one of this service.",
	40110: "The device token or the account proof is missing or wrong.",
	40301: "Another device has scanned this message.",
	40302: "The Host header does not name this service.",
	40303: "Pages of this origin may not call this interface.",
	40401: "There is no such address here.",
	40402: "There is no such message.",
	40403: "The user has no credential.",
	40404: "There is nothing of this name here.",
	40501: "This address does not answer to this method.",
	40801: "The request did not arrive in time.",
	40901: "The user has as many credentials as are allowed.",
	40902: "This cannot be done in the present state.",
	40903: "The message was answered differently before.",
	41001: "The result was already read; it is reported once.",
	41002: "The message has expired.",
	41201: "The stored version is not the one the request expects.",
	41301: "The request body is too large.",
	41401: "The request target is too long.",
	41501: "The request body must be sent as application/json.",
	42801: "The request needs If-Match or If-None-Match.",
	43101: "The request headers are too large.",
	50001: "Something went wrong inside the service.",
	50101: "The service does not know this Transfer-Encoding.",
}

// problem is a refusal: its code decides the HTTP status and the first sentence.
type problem struct {
	code   int
	detail string
	data   any
}

// refuse makes a refusal; the detail says what was received and what was expected.
func refuse(code int, format string, args ...any) *problem {
	return &problem{code: code, detail: fmt.Sprintf(format, args...)}
}

// status is the code without its number: the HTTP status × 100 plus a number.
func (p *problem) status() int { return p.code / 100 }

func (p *problem) text() string {
	if p.detail == "" {
		return sentences[p.code]
	}
	return sentences[p.code] + " " + p.detail
}
