<?php
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

[, $method, $url] = $argv;
$headers = array_map(fn ($text) => explode(':', $text, 2), array_slice($argv, 3));
$made = sign($method, $url, stream_get_contents(STDIN), $headers, getenv('ACCESS_KEY_ID'), getenv('SECRET_KEY'),
             getenv('SCOPE_IDENTIFIER') ?: '', getenv('SVC_DATE') ?: null);
foreach ($made as $name => $value) echo "$name: $value\n";
