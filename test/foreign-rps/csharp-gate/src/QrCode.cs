using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>A QR code of ISO/IEC 18004: octets, error correction M, versions 1 to 15 (412 octets).</summary>
public sealed class QrCode
{
    private static readonly int[] CheckPerBlock = { 0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24 };
    private static readonly int[] BlockCount = { 0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10 };

    private readonly int version;
    private readonly bool[,] dark, fixedModule;
    public readonly int Size;

    public QrCode(string text)
    {
        var octets = Encoding.UTF8.GetBytes(text);
        version = Enumerable.Range(1, 15).FirstOrDefault(v => DataOctets(v) * 8 >= 4 + CountBits(v) + octets.Length * 8);
        if (version == 0) throw new ArgumentException("The text is too long for a code.");
        Size = version * 4 + 17;
        dark = new bool[Size, Size];
        fixedModule = new bool[Size, Size];
        DrawPatterns();
        DrawData(WithChecks(Data(octets)));
        var best = Enumerable.Range(0, 8).OrderBy(mask => { Mask(mask); var cost = Penalty(); Mask(mask); return cost; }).First();
        Mask(best);
        DrawFormat(best);
    }

    public bool this[int x, int y] { get { return dark[y, x]; } }

    private static int CountBits(int v) { return v < 10 ? 8 : 16; }

    private static int AllOctets(int v)
    {
        var modules = (16 * v + 128) * v + 64;
        if (v >= 2) { var n = v / 7 + 2; modules -= (25 * n - 10) * n - 55; }
        if (v >= 7) modules -= 36;
        return modules / 8;
    }

    private static int DataOctets(int v) { return AllOctets(v) - CheckPerBlock[v] * BlockCount[v]; }

    private byte[] Data(byte[] octets)
    {
        var bits = new List<bool>();
        Action<int, int> add = (value, count) => { for (var i = count - 1; i >= 0; i--) bits.Add((value >> i & 1) == 1); };
        var capacity = DataOctets(version) * 8;
        add(4, 4);
        add(octets.Length, CountBits(version));
        foreach (var octet in octets) add(octet, 8);
        add(0, Math.Min(4, capacity - bits.Count));
        add(0, (8 - bits.Count % 8) % 8);
        for (var pad = 0xEC; bits.Count < capacity; pad ^= 0xEC ^ 0x11) add(pad, 8);
        return Enumerable.Range(0, capacity / 8).Select(i => (byte)Enumerable.Range(0, 8).Sum(b => bits[i * 8 + b] ? 128 >> b : 0)).ToArray();
    }

    /// <summary>The blocks with their Reed-Solomon checks, interleaved.</summary>
    private byte[] WithChecks(byte[] data)
    {
        var blocks = BlockCount[version];
        var checks = CheckPerBlock[version];
        var longBlocks = data.Length % blocks;
        var generator = Generator(checks);
        var parts = new List<byte[]>();
        for (int i = 0, at = 0; i < blocks; i++)
        {
            var length = data.Length / blocks + (i < blocks - longBlocks ? 0 : 1);
            parts.Add(data.Skip(at).Take(length).ToArray());
            at += length;
        }
        var ends = parts.Select(part => Remainder(part, generator)).ToList();
        var made = new List<byte>();
        for (var i = 0; i <= data.Length / blocks; i++) made.AddRange(parts.Where(part => i < part.Length).Select(part => part[i]));
        for (var i = 0; i < checks; i++) made.AddRange(ends.Select(end => end[i]));
        return made.ToArray();
    }

    private static byte[] Generator(int degree)
    {
        var made = new byte[degree];
        made[degree - 1] = 1;
        for (int i = 0, root = 1; i < degree; i++, root = Times(root, 2))
            for (var j = 0; j < degree; j++)
                made[j] = (byte)(Times(made[j], root) ^ (j + 1 < degree ? made[j + 1] : 0));
        return made;
    }

    private static byte[] Remainder(byte[] data, byte[] generator)
    {
        var made = new byte[generator.Length];
        foreach (var octet in data)
        {
            var factor = octet ^ made[0];
            for (var i = 0; i < made.Length; i++) made[i] = (byte)((i + 1 < made.Length ? made[i + 1] : 0) ^ Times(generator[i], factor));
        }
        return made;
    }

    private static int Times(int x, int y)
    {
        var made = 0;
        for (var i = 7; i >= 0; i--) made = (made << 1) ^ ((made >> 7) * 0x11D) ^ ((y >> i & 1) * x);
        return made;
    }

    private void Set(int x, int y, bool value) { dark[y, x] = value; fixedModule[y, x] = true; }

    private void DrawPatterns()
    {
        for (var i = 0; i < Size; i++) { Set(6, i, i % 2 == 0); Set(i, 6, i % 2 == 0); }
        foreach (var corner in new[] { new[] { 3, 3 }, new[] { Size - 4, 3 }, new[] { 3, Size - 4 } })
            for (var dy = -4; dy <= 4; dy++)
                for (var dx = -4; dx <= 4; dx++)
                {
                    int x = corner[0] + dx, y = corner[1] + dy, ring = Math.Max(Math.Abs(dx), Math.Abs(dy));
                    if (x >= 0 && x < Size && y >= 0 && y < Size) Set(x, y, ring != 2 && ring != 4);
                }
        var places = AlignmentPlaces();
        var last = places.Length - 1;
        for (var i = 0; i <= last; i++)
            for (var j = 0; j <= last; j++)
            {
                if (i == 0 && j == 0 || i == 0 && j == last || i == last && j == 0) continue;
                for (var dy = -2; dy <= 2; dy++)
                    for (var dx = -2; dx <= 2; dx++) Set(places[i] + dx, places[j] + dy, Math.Max(Math.Abs(dx), Math.Abs(dy)) != 1);
            }
        DrawFormat(0);
        if (version < 7) return;
        var rest = version;
        for (var i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1F25);
        for (var i = 0; i < 18; i++)
        {
            var bit = ((version << 12 | rest) >> i & 1) == 1;
            Set(Size - 11 + i % 3, i / 3, bit);
            Set(i / 3, Size - 11 + i % 3, bit);
        }
    }

    private int[] AlignmentPlaces()
    {
        if (version == 1) return new int[0];
        var count = version / 7 + 2;
        var step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2;
        return new[] { 6 }.Concat(Enumerable.Range(0, count - 1).Select(i => Size - 7 - (count - 2 - i) * step)).ToArray();
    }

    private void DrawFormat(int mask)
    {
        // The two bits of level M are zero.
        var rest = mask;
        for (var i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
        var bits = (mask << 10 | rest) ^ 0x5412;
        Func<int, bool> bit = i => (bits >> i & 1) == 1;
        for (var i = 0; i <= 5; i++) Set(8, i, bit(i));
        Set(8, 7, bit(6));
        Set(8, 8, bit(7));
        Set(7, 8, bit(8));
        for (var i = 9; i < 15; i++) Set(14 - i, 8, bit(i));
        for (var i = 0; i < 8; i++) Set(Size - 1 - i, 8, bit(i));
        for (var i = 8; i < 15; i++) Set(8, Size - 15 + i, bit(i));
        Set(8, Size - 8, true);
    }

    private void DrawData(byte[] octets)
    {
        var at = 0;
        for (var right = Size - 1; right >= 1; right -= 2)
        {
            if (right == 6) right = 5;
            var up = ((right + 1) & 2) == 0;
            for (var step = 0; step < Size; step++)
                for (var j = 0; j < 2; j++)
                {
                    int x = right - j, y = up ? Size - 1 - step : step;
                    if (fixedModule[y, x] || at >= octets.Length * 8) continue;
                    dark[y, x] = (octets[at >> 3] >> (7 - (at & 7)) & 1) == 1;
                    at++;
                }
        }
    }

    private void Mask(int mask)
    {
        for (var y = 0; y < Size; y++)
            for (var x = 0; x < Size; x++)
            {
                if (fixedModule[y, x]) continue;
                int[] values = { (x + y) % 2, y % 2, x % 3, (x + y) % 3, (x / 3 + y / 2) % 2, x * y % 2 + x * y % 3, (x * y % 2 + x * y % 3) % 2, ((x + y) % 2 + x * y % 3) % 2 };
                dark[y, x] ^= values[mask] == 0;
            }
    }

    /// <summary>How hard the code is to read: long runs, squares, what looks like a finder, and too much of one colour.</summary>
    private int Penalty()
    {
        var cost = 0;
        var all = Enumerable.Range(0, Size).ToArray();
        var lines = all.Select(y => string.Concat(all.Select(x => dark[y, x] ? '1' : '0')))
            .Concat(all.Select(x => string.Concat(all.Select(y => dark[y, x] ? '1' : '0'))));
        foreach (var line in lines)
        {
            foreach (Match run in Regex.Matches(line, "0{5,}|1{5,}")) cost += run.Length - 2;
            cost += 40 * Regex.Matches(line, "(?=10111010000|00001011101)").Count;
        }
        for (var y = 1; y < Size; y++)
            for (var x = 1; x < Size; x++)
                if (dark[y, x] == dark[y - 1, x] && dark[y, x] == dark[y, x - 1] && dark[y, x] == dark[y - 1, x - 1]) cost += 3;
        var share = dark.Cast<bool>().Count(value => value) * 100 / (Size * Size);
        return cost + Math.Abs(share - 50) / 5 * 10;
    }
}
