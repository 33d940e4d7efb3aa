#!/usr/bin/env bash
# sign.sh   registers alice with a phone, and signs her in. Wants curl and openssl.
# sign.sh METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs. Wants openssl.
set -euo pipefail
export LC_ALL=C

# One signed request. What the service refuses ends the program.
call() {
  local method=$1 url=$BASE_URL$2 body=${3:-}
  local answer
  answer=$(printf %s "$body" | bash "$0" "$method" "$url" |
    curl -sS --noproxy '*' -m 10 -X "$method" -H @- -H 'Content-Type: application/json' ${body:+--data-binary "$body"} "$url")
  case $answer in '{"code":0,'*) printf %s "$answer" ;; *) printf '%s (%s %s)\n' "$answer" "$method" "$url" >&2; return 1 ;; esac
}

# A text or number of the answer: for JSON in earnest there is jq.
member() { sed -nE "s/.*\"$1\":\"?([^\",}]*).*/\1/p" <<< "$2"; }

# Shows a code, and waits for what becomes of it.
ceremony() {
  local answer url
  answer=$(call POST "/rp/$1/options" "$2")
  url=$(member url "$answer")
  echo "Scan with a phone: $url"
  until case $(member status "$answer") in '' | init | bind) false ;; esac do
    sleep 1
    answer=$(call GET "/rp/$1/result?msg_id=${url#*\#?}")
  done
  result=$answer
  [ "$(member status "$result")" = success ] || { echo "$result" >&2; exit 1; }
}

if [ $# = 0 ]; then
  : "${BASE_URL:?Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first.}"
  credentials=$(call GET '/rp/credentials?user_id=alice')
  if [ "$(member total "$credentials")" = 0 ]; then
    ceremony attestation '{"user_id":"alice","username":"alice"}'
    echo 'Registered.'
  fi
  ceremony assertion '{"user_id":"alice","username":"alice","method":"qrcode"}'
  [ "$(member user_id "$result")" = alice ] || { echo 'The answer was for somebody else.' >&2; exit 1; }
  echo 'Signed in: alice'
  exit
fi

method=${1^^} url=$2
shift 2
date=${SVC_DATE:-$(date -u +%Y%m%dT%H%M%SZ)}
scope=fido-server/${SCOPE_IDENTIFIER:-}
after_scheme=${url#*://}
host=${after_scheme%%[/?]*}
target=${after_scheme#"$host"}
path=${target%%\?*}
query=${target#"$path"}

sha256() { openssl dgst -sha256 -r | cut -d' ' -f1; }
hex() { od -An -v -tx1 | tr -d ' \n'; }

# Decoded once and encoded again, octet by octet.
encode() {
  local octets=${1//\\/\\\\} octet
  for octet in $(printf %b "${octets//%/\\x}" | od -An -v -tx1); do
    case $octet in
      2[de] | 3[0-9] | 4[1-9a-f] | 5[0-9af] | 6[1-9a-f] | 7[0-9ae]) printf %b "\\x$octet" ;;
      *) printf %%%s "${octet^^}" ;;
    esac
  done
}

# One line for each name and value; a tab sorts before everything that a name may hold.
sorted_query() {
  local pair pairs name value
  IFS='&' read -ra pairs <<< "${query#\?}"
  for pair in "${pairs[@]}"; do
    [ -n "$pair" ] || continue
    name=${pair%%=*} value=
    [ "$pair" = "$name" ] || value=${pair#*=}
    printf '%s\t%s\n' "$(encode "$name")" "$(encode "$value")"
  done | sort | tr '\t' '=' | paste -sd '&' -
}

# Names in lower case, values without superfluous spaces, those of one name joined by commas.
headers() {
  printf '%s\n' "host:$host" "x-svc-date:$date" "$@" |
    awk '{ at = index($0, ":"); value = substr($0, at + 1); gsub(/  */, " ", value); sub(/^ /, "", value); sub(/ $/, "", value)
           print tolower(substr($0, 1, at - 1)) ":" value }' |
    sort -s -t : -k 1,1 |
    awk '{ at = index($0, ":"); name = substr($0, 1, at - 1); value = substr($0, at + 1)
           if (name == last) printf ",%s", value
           else printf "%s%s:%s", (NR > 1 ? "\n" : ""), name, value
           last = name } END { print "" }'
}

signed=$(headers "$@")
names=$(cut -d : -f 1 <<< "$signed" | paste -sd ';' -)
canonical=$(printf '%s\n%s\n%s\n%s\n\n%s\n%s' "$method" "${path:-/}" "$(sorted_query)" "$signed" "$names" "$(sha256)")
to_sign=$(printf 'SVC-HMAC-SHA256\n%s\n%s\n%s' "$date" "$scope" "$(printf %s "$canonical" | sha256)")
# Whoever may list this machine's processes sees the key for a moment: for tests only.
signature=$(printf %s "$to_sign" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(printf %s "$SECRET_KEY" | hex)" -r | cut -d' ' -f1)

printf 'X-Svc-Date: %s\n' "$date"
printf 'Authorization: SVC-HMAC-SHA256 %s/%s,%s,%s\n' "$ACCESS_KEY_ID" "$scope" "$names" "$signature"
