<?php
// php sign.php   registers alice with a phone, and signs her in.
// php sign.php METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs.

/** @param list<array{string, string}> $headers */
function sign(string $method, string $url, string $body, array $headers, string $accessKeyId, string $secretKey,
              string $identifier = '', ?string $date = null): array
{
    $date ??= gmdate('Ymd\THis\Z');
    preg_match('~^https?://([^/?]+)([^?]*)(?:\?(.*))?$~', $url, $parts);
    [, $host, $path] = $parts;
    $pairs = [];
    foreach (explode('&', $parts[3] ?? '') as $pair) {
        if ($pair === '') continue;
        [$name, $value] = explode('=', $pair, 2) + [1 => ''];
        $pairs[] = [rawurlencode(rawurldecode($name)), rawurlencode(rawurldecode($value))];
    }
    usort($pairs, fn ($a, $b) => strcmp($a[0], $b[0]) ?: strcmp($a[1], $b[1]));
    $query = implode('&', array_map(fn ($pair) => implode('=', $pair), $pairs));

    $signed = [];
    foreach ([['host', $host], ['x-svc-date', $date], ...$headers] as [$name, $value]) {
        $signed[strtolower($name)][] = trim(preg_replace('/ +/', ' ', $value), ' ');
    }
    ksort($signed, SORT_STRING);
    $names = implode(';', array_keys($signed));
    $lines = '';
    foreach ($signed as $name => $values) $lines .= $name . ':' . implode(',', $values) . "\n";

    $canonical = implode("\n", [strtoupper($method), $path === '' ? '/' : $path, $query, $lines, $names, hash('sha256', $body)]);
    $scope = "fido-server/$identifier";
    $toSign = implode("\n", ['SVC-HMAC-SHA256', $date, $scope, hash('sha256', $canonical)]);
    $signature = hash_hmac('sha256', $toSign, $secretKey);
    return ['X-Svc-Date' => $date, 'Authorization' => "SVC-HMAC-SHA256 $accessKeyId/$scope,$names,$signature"];
}

/** One signed request. What the service refuses ends the program. */
function call(string $method, string $path, ?array $body = null): array
{
    $url = getenv('BASE_URL') . $path;
    $text = $body === null ? '' : json_encode($body);
    $lines = ['Content-Type: application/json'];
    foreach (sign($method, $url, $text, [], getenv('ACCESS_KEY_ID'), getenv('SECRET_KEY')) as $name => $value) {
        $lines[] = "$name: $value";
    }
    $http = ['method' => $method, 'header' => $lines, 'content' => $text, 'ignore_errors' => true, 'timeout' => 10,
             'follow_location' => 0];
    $answer = json_decode((string) file_get_contents($url, false, stream_context_create(['http' => $http])), true);
    if (($answer['code'] ?? null) !== 0) stop(($answer['code'] ?? '') . ' ' . ($answer['error'] ?? '') . " ($method $path)");
    return $answer['data'];
}

/** Shows a code, and waits for what becomes of it. */
function ceremony(string $kind, array $request): array
{
    $url = call('POST', "/rp/$kind/options", $request)['url'];
    echo "Scan with a phone: $url\n";
    do {
        sleep(1);
        $result = call('GET', "/rp/$kind/result?msg_id=" . substr(explode('#', $url)[1], 1));
    } while (in_array($result['status'], ['init', 'bind'], true));
    if ($result['status'] !== 'success') stop("{$result['status']} {$result['error']}");
    return $result;
}

function stop(string $why): never
{
    fwrite(STDERR, "$why\n");
    exit(1);
}

if ($argc === 1) {
    if (getenv('BASE_URL') === false) stop('Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first.');
    $user = ['user_id' => 'alice', 'username' => 'alice'];
    if (call('GET', '/rp/credentials?user_id=alice')['total'] === 0) {
        ceremony('attestation', $user);
        echo "Registered.\n";
    }
    if (ceremony('assertion', $user + ['method' => 'qrcode'])['user_id'] !== 'alice') stop('The answer was for somebody else.');
    echo "Signed in: alice\n";
    exit;
}

[, $method, $url] = $argv;
$headers = array_map(fn ($text) => explode(':', $text, 2), array_slice($argv, 3));
$made = sign($method, $url, stream_get_contents(STDIN), $headers, getenv('ACCESS_KEY_ID'), getenv('SECRET_KEY'),
             getenv('SCOPE_IDENTIFIER') ?: '', getenv('SVC_DATE') ?: null);
foreach ($made as $name => $value) echo "$name: $value\n";
