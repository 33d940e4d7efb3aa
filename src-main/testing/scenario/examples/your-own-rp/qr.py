"""A QR code as PNG: bytes, version 6, level L, mask 0 (ISO/IEC 18004), as much as a sample needs."""
import struct, zlib

SIZE, DATA, BLOCKS, CORRECTION = 41, 136, 2, 18
FORMAT = 0b111011111000100  # level L, mask 0


def png(text, scale=6, quiet=4):
    modules = matrix(text.encode())
    side = (SIZE + 2 * quiet) * scale
    blank = b"\0" + b"\xff" * side
    rows = []
    for line in modules:
        row = b"\xff" * quiet * scale
        row += b"".join((b"\0" if dark else b"\xff") * scale for dark in line)
        rows += [b"\0" + row + b"\xff" * quiet * scale] * scale
    pixels = b"".join([blank] * quiet * scale + rows + [blank] * quiet * scale)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def matrix(octets):
    grid = [[None] * SIZE for _ in range(SIZE)]

    def put(row, column, dark):
        if 0 <= row < SIZE and 0 <= column < SIZE:
            grid[row][column] = bool(dark)

    def square(row, column, reach, dark):
        for y in range(-reach, reach + 1):
            for x in range(-reach, reach + 1):
                put(row + y, column + x, dark(max(abs(x), abs(y))))

    for row, column in [(3, 3), (3, SIZE - 4), (SIZE - 4, 3)]:
        square(row, column, 4, lambda ring: ring in (0, 1, 3))
    square(34, 34, 2, lambda ring: ring != 1)
    for i in range(8, SIZE - 8):
        put(6, i, i % 2 == 0)
        put(i, 6, i % 2 == 0)
    around = [(8, i) for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(SIZE - 1 - i, 8) for i in range(7)] + [(8, SIZE - 8 + i) for i in range(8)]
    for i in range(15):
        for row, column in (around[i], apart[i]):
            put(row, column, FORMAT >> (14 - i) & 1)
    put(SIZE - 8, 8, True)

    bits = "".join(f"{octet:08b}" for octet in codewords(octets))
    n, column, up = 0, SIZE - 1, True
    while column > 0:
        column -= column == 6
        for row in range(SIZE - 1, -1, -1) if up else range(SIZE):
            for x in (column, column - 1):
                if grid[row][x] is None:
                    bit = n < len(bits) and bits[n] == "1"
                    grid[row][x] = bit != ((row + x) % 2 == 0)
                    n += 1
        column, up = column - 2, not up
    return grid


def codewords(octets):
    if len(octets) > DATA - 2:
        raise ValueError(f"{len(octets)} bytes do not fit; {DATA - 2} do")
    bits = f"0100{len(octets):08b}" + "".join(f"{octet:08b}" for octet in octets) + "0000"
    data = [int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)]
    data += [(0xEC, 0x11)[i % 2] for i in range(DATA - len(data))]
    length = DATA // BLOCKS
    blocks = [data[i * length : (i + 1) * length] for i in range(BLOCKS)]
    checks = [correction(block) for block in blocks]
    return [octet for group in (blocks, checks) for column in zip(*group) for octet in column]


EXP = [1] * 255
for _i in range(1, 255):
    EXP[_i] = EXP[_i - 1] << 1 ^ (0x11D if EXP[_i - 1] & 128 else 0)
LOG = {value: power for power, value in enumerate(EXP)}


def times(a, b):
    return EXP[(LOG[a] + LOG[b]) % 255] if a and b else 0


def correction(block):
    generator = [1]
    for power in range(CORRECTION):
        longer = generator + [0]
        for i, value in enumerate(generator):
            longer[i + 1] ^= times(value, EXP[power])
        generator = longer
    rest = list(block) + [0] * CORRECTION
    for i in range(len(block)):
        for j, value in enumerate(generator):
            rest[i + j] ^= times(rest[i], value) if j else 0
        rest[i] = 0
    return rest[-CORRECTION:]
