// A small site that people enter with a passkey on their phone.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

func main() {
	log.SetFlags(0)
	service, err := newService(need("FIDO_URL"), need("FIDO_KEY"), need("FIDO_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	certificate, err := serverCertificate()
	if err != nil {
		log.Fatal(err)
	}
	site := newSite(service)
	go site.forgetOldThings()

	server := &http.Server{
		Addr:              "127.0.0.1:" + need("PORT"),
		Handler:           site.routes(),
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    32 << 10,
	}
	log.Printf("The site listens on https://%s", server.Addr)
	log.Fatal(server.ListenAndServeTLS("", ""))
}

func need(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatalf("The environment variable %s is missing.", name)
	}
	return value
}

// serverCertificate reads the certificate of RP_TLS_DIR, or makes a CA and a certificate that live as long as the process.
func serverCertificate() (tls.Certificate, error) {
	if dir := os.Getenv("RP_TLS_DIR"); dir != "" {
		return tls.LoadX509KeyPair(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"))
	}
	now := time.Now()
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	ca := &x509.Certificate{
		SerialNumber:          serial(),
		Subject:               pkix.Name{CommonName: "Local CA of go-forms"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(0, 3, 0),
		KeyUsage:              x509.KeyUsageCertSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
		MaxPathLenZero:        true,
	}
	caBytes, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	if err != nil {
		return tls.Certificate{}, err
	}
	// The parsed CA has the key identifier that the server's certificate points to.
	if ca, err = x509.ParseCertificate(caBytes); err != nil {
		return tls.Certificate{}, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf := &x509.Certificate{
		SerialNumber: serial(),
		Subject:      pkix.Name{CommonName: "localhost"},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.AddDate(0, 3, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	leafBytes, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, caKey)
	if err != nil {
		return tls.Certificate{}, err
	}
	if dir := os.Getenv("RP_BUILD"); dir != "" {
		if err := writeCA(dir, caBytes); err != nil {
			return tls.Certificate{}, err
		}
	}
	return tls.Certificate{Certificate: [][]byte{leafBytes, caBytes}, PrivateKey: key}, nil
}

// writeCA renames a finished file, so that nobody reads half of one.
func writeCA(dir string, der []byte) error {
	unfinished := filepath.Join(dir, fmt.Sprintf("ca.pem.%d", os.Getpid()))
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(unfinished, text, 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, filepath.Join(dir, "ca.pem"))
}

func serial() *big.Int {
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		log.Fatal(err)
	}
	return number
}
