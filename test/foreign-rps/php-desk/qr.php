<?php
// A small QR encoder: byte mode, error correction L, versions 1 to 9.
declare(strict_types=1);

const QR_LARGEST = 230;
// Per version: correction codewords of a block, number of blocks, data codewords of a block.
const QR_BLOCKS = [1 => [7, 1, 19], [10, 1, 34], [15, 1, 55], [20, 1, 80], [26, 1, 108], [18, 2, 68], [20, 2, 78], [24, 2, 97], [30, 2, 116]];

function qr_svg(string $text): string
{
    $modules = qr_modules($text);
    $size = count($modules);
    $path = '';
    foreach ($modules as $y => $line) {
        foreach ($line as $x => $dark) {
            if ($dark) {
                $path .= 'M' . ($x + 4) . ' ' . ($y + 4) . 'h1v1h-1z';
            }
        }
    }
    $box = $size + 8; // four modules of quiet zone on each side
    $pixels = $box * 6;
    return "<svg role=\"img\" aria-label=\"QR code\" width=\"$pixels\" height=\"$pixels\" viewBox=\"0 0 $box $box\" shape-rendering=\"crispEdges\">"
        . "<rect width=\"$box\" height=\"$box\" fill=\"#fff\"/><path fill=\"#000\" d=\"$path\"/></svg>";
}

/** @return list<list<bool>> rows of modules, true is dark */
function qr_modules(string $text): array
{
    $version = 1;
    while (QR_BLOCKS[$version][1] * QR_BLOCKS[$version][2] - 2 < strlen($text)) {
        $version++;
    }
    $size = 17 + 4 * $version;
    $grid = array_fill(0, $size, array_fill(0, $size, null)); // null: free for data
    $set = function (int $x, int $y, bool $dark) use (&$grid, $size): void {
        if ($x >= 0 && $y >= 0 && $x < $size && $y < $size) {
            $grid[$y][$x] = $dark;
        }
    };
    foreach ([[3, 3], [$size - 4, 3], [3, $size - 4]] as [$cx, $cy]) {
        for ($dy = -4; $dy <= 4; $dy++) {
            for ($dx = -4; $dx <= 4; $dx++) {
                $ring = max(abs($dx), abs($dy));
                $set($cx + $dx, $cy + $dy, $ring !== 2 && $ring !== 4);
            }
        }
    }
    for ($i = 8; $i < $size - 8; $i++) {
        $set($i, 6, $i % 2 === 0);
        $set(6, $i, $i % 2 === 0);
    }
    $last = $size - 7;
    $centres = $version === 1 ? [] : ($version < 7 ? [6, $last] : [6, 8 + 2 * $version, $last]);
    foreach ($centres as $cy) {
        foreach ($centres as $cx) {
            if (($cx === 6 && $cy === 6) || ($cx === 6 && $cy === $last) || ($cx === $last && $cy === 6)) {
                continue; // the finders stand there
            }
            for ($dy = -2; $dy <= 2; $dy++) {
                for ($dx = -2; $dx <= 2; $dx++) {
                    $set($cx + $dx, $cy + $dy, max(abs($dx), abs($dy)) !== 1);
                }
            }
        }
    }
    $format = (0b01000 << 10 | qr_remainder(0b01000 << 10, 0x537)) ^ 0x5412; // level L, mask 0
    for ($i = 0; $i < 15; $i++) {
        $dark = ($format >> $i & 1) === 1;
        $set(8, $i < 6 ? $i : ($i < 8 ? $i + 1 : $size - 15 + $i), $dark);
        $set($i < 8 ? $size - 1 - $i : ($i === 8 ? 7 : 14 - $i), 8, $dark);
    }
    $set(8, $size - 8, true);
    if ($version >= 7) {
        $bits = $version << 12 | qr_remainder($version << 12, 0x1f25);
        for ($i = 0; $i < 18; $i++) {
            $dark = ($bits >> $i & 1) === 1;
            $set(intdiv($i, 3), $size - 11 + $i % 3, $dark);
            $set($size - 11 + $i % 3, intdiv($i, 3), $dark);
        }
    }
    $bytes = qr_codewords($text, $version);
    $bit = 0;
    for ($right = $size - 1, $up = true; $right > 0; $right -= 2, $up = !$up) {
        $right -= $right === 6 ? 1 : 0; // the column of the timing pattern holds no data
        for ($step = 0; $step < $size; $step++) {
            $y = $up ? $size - 1 - $step : $step;
            foreach ([$right, $right - 1] as $x) {
                if ($grid[$y][$x] === null) {
                    $value = ($bytes[$bit >> 3] ?? 0) >> (7 - ($bit & 7)) & 1;
                    $grid[$y][$x] = ($value ^ (($x + $y) % 2 === 0 ? 1 : 0)) === 1;
                    $bit++;
                }
            }
        }
    }
    return $grid;
}

/** The remainder of a division of polynomials over GF(2). */
function qr_remainder(int $value, int $divisor): int
{
    $length = fn (int $number) => strlen(decbin($number));
    while ($value !== 0 && $length($value) >= $length($divisor)) {
        $value ^= $divisor << ($length($value) - $length($divisor));
    }
    return $value;
}

/** @return list<int> data and correction, interleaved */
function qr_codewords(string $text, int $version): array
{
    [$correction, $blocks, $length] = QR_BLOCKS[$version];
    // Mode 0100, eight bits of length, the text, 0000: all of it is shifted by half a byte.
    $hex = '4' . bin2hex(chr(strlen($text)) . $text) . '0';
    $data = array_values(unpack('C*', hex2bin($hex)));
    for ($i = 0; count($data) < $blocks * $length; $i++) {
        $data[] = $i % 2 === 0 ? 0xec : 0x11;
    }
    $generator = [1];
    $root = 1;
    for ($i = 0; $i < $correction; $i++, $root = qr_times($root, 2)) {
        $next = [...$generator, 0];
        foreach ($generator as $j => $factor) {
            $next[$j + 1] ^= qr_times($factor, $root);
        }
        $generator = $next;
    }
    $all = array_chunk($data, $length);
    $checks = [];
    foreach ($all as $block) {
        $rest = [...$block, ...array_fill(0, $correction, 0)];
        for ($i = 0; $i < $length; $i++) {
            $lead = $rest[$i];
            foreach ($generator as $j => $factor) {
                $rest[$i + $j] ^= qr_times($factor, $lead);
            }
        }
        $checks[] = array_slice($rest, $length);
    }
    $out = [];
    foreach ([[$all, $length], [$checks, $correction]] as [$parts, $count]) {
        for ($i = 0; $i < $count; $i++) {
            foreach ($parts as $part) {
                $out[] = $part[$i];
            }
        }
    }
    return $out;
}

function qr_times(int $a, int $b): int
{
    for ($product = 0; $b > 0; $b >>= 1, $a = $a << 1 ^ ($a & 0x80 ? 0x11d : 0)) {
        $product ^= $b & 1 ? $a : 0;
    }
    return $product;
}
