#!/usr/bin/env bash
# Makes the certificates of TLSTests anew, with OpenSSL 3. The keys are of no server.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
readonly days=36500
curve=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

# authority NAME: a certificate that signs others.
authority() {
    openssl req -x509 "${curve[@]}" -days $days -subj "/CN=Test Authority" -addext basicConstraints=critical,CA:TRUE \
        -keyout "$1.key" -out "$1.pem"
}

# leaf NAME HOST DAYS: the server's certificate for a host, signed by root.
leaf() {
    openssl req -new -key server.key -subj "/CN=$2" -addext basicConstraints=critical,CA:FALSE \
        -addext "subjectAltName=DNS:$2" -out leaf.csr
    openssl x509 -req -in leaf.csr -CA root.pem -CAkey root.key -days "$3" -copy_extensions copy -out "$1.pem"
}

authority root
authority stranger
openssl ecparam -name prime256v1 -genkey -noout -out server.key
openssl pkey -in server.key -pubout -outform DER | openssl dgst -sha256 -binary | base64 >server.pin
openssl x509 -in stranger.pem -pubkey -noout | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary |
    base64 >stranger.pin
leaf localhost localhost $days
leaf another-host other.example $days
leaf expired localhost -1
rm -f leaf.csr root.key stranger.key ./*.srl
