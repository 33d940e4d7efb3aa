using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>
/// One HTTP request on a connection of its own. HttpWebRequest has no limit for the whole of a response, so this one counts time and octets itself.
/// It follows no redirect, keeps no cookie and unpacks nothing.
/// </summary>
public sealed class Wire : IDisposable
{
    private const int MaxHead = 16 * 1024;
    private const int MaxBody = 64 * 1024;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(3);

    private readonly Stopwatch watch = Stopwatch.StartNew();
    private readonly byte[] buffer = new byte[8192];
    private Socket socket;
    private int from, to;

    public int Status { get; private set; }
    public byte[] Body { get; private set; }

    /// <summary>Throws IOException or SocketException when there is no whole, well-formed response in time.</summary>
    public static Wire Exchange(Uri address, string method, string target, IDictionary<string, string> headers, byte[] body)
    {
        using (var wire = new Wire())
        {
            wire.Connect(address.DnsSafeHost, address.Port);
            var head = method + " " + target + " HTTP/1.1\r\n" + string.Concat(headers.Select(h => h.Key + ": " + h.Value + "\r\n"))
                + "Accept: application/json\r\nConnection: close\r\n" + (body.Length > 0 ? "Content-Length: " + body.Length + "\r\n" : "") + "\r\n";
            wire.socket.SendTimeout = wire.Left();
            wire.socket.Send(Encoding.ASCII.GetBytes(head).Concat(body).ToArray());
            wire.Read();
            return wire;
        }
    }

    public void Dispose() { if (socket != null) socket.Close(); }

    private int Left()
    {
        var left = (int)(Limit - watch.Elapsed).TotalMilliseconds;
        if (left <= 0) throw new IOException("no response in time");
        return left;
    }

    private void Connect(string host, int port)
    {
        var lookup = Dns.BeginGetHostAddresses(host, null, null);
        if (!lookup.AsyncWaitHandle.WaitOne(Left())) throw new IOException("no address in time");
        foreach (var address in Dns.EndGetHostAddresses(lookup))
        {
            socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            try
            {
                var attempt = socket.BeginConnect(new IPEndPoint(address, port), null, null);
                if (!attempt.AsyncWaitHandle.WaitOne(Left())) throw new IOException("no connection in time");
                socket.EndConnect(attempt);
                return;
            }
            catch (SocketException) { socket.Close(); }
        }
        throw new IOException("no connection");
    }

    private void Read()
    {
        for (var informational = 0; ; informational++)
        {
            var budget = MaxHead;
            var first = Regex.Match(Line(ref budget), @"^HTTP/1\.[01] ([1-5][0-9][0-9])(?: .*)?$");
            if (!first.Success) throw new IOException("not HTTP");
            Status = int.Parse(first.Groups[1].Value, CultureInfo.InvariantCulture);
            var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            for (string line; (line = Line(ref budget)) != "";)
            {
                var field = Regex.Match(line, @"^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*$");
                if (!field.Success) throw new IOException("not a header");
                var name = field.Groups[1].Value;
                headers[name] = headers.ContainsKey(name) ? headers[name] + "," + field.Groups[2].Value : field.Groups[2].Value;
            }
            if (Status >= 200 || Status == 101) { ReadBody(headers); return; }
            if (informational == 4) throw new IOException("no final response");
        }
    }

    private void ReadBody(IDictionary<string, string> headers)
    {
        string encoding, transfer, length;
        if (headers.TryGetValue("Content-Encoding", out encoding) && encoding.ToLowerInvariant() != "identity") throw new IOException("a body in an encoding that nobody asked for");
        headers.TryGetValue("Transfer-Encoding", out transfer);
        headers.TryGetValue("Content-Length", out length);
        var body = new MemoryStream();
        if (Status == 204 || Status == 304 || Status == 101) { }
        else if (transfer != null)
        {
            if (length != null || transfer.ToLowerInvariant() != "chunked") throw new IOException("an unknown form of body");
            ReadChunks(body);
        }
        else if (length != null)
        {
            if (!Regex.IsMatch(length, @"^[0-9]{1,9}\z")) throw new IOException("not a length");
            Take(body, int.Parse(length, CultureInfo.InvariantCulture));
        }
        else while (Fill()) { Take(body, to - from); }
        Body = body.ToArray();
    }

    private void ReadChunks(MemoryStream body)
    {
        var budget = MaxHead;
        while (true)
        {
            var size = Regex.Match(Line(ref budget), @"^([0-9A-Fa-f]{1,7})[ \t]*(?:;.*)?$");
            if (!size.Success) throw new IOException("not a chunk");
            var count = int.Parse(size.Groups[1].Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
            if (count == 0) break;
            Take(body, count);
            if (Line(ref budget) != "") throw new IOException("a chunk does not end");
        }
        while (Line(ref budget) != "") { }
    }

    private void Take(MemoryStream body, int count)
    {
        if (body.Length + count > MaxBody) throw new IOException("the body is too long");
        while (count > 0)
        {
            if (!Fill()) throw new IOException("the body is cut");
            var part = Math.Min(count, to - from);
            body.Write(buffer, from, part);
            from += part;
            count -= part;
        }
    }

    private string Line(ref int budget)
    {
        var line = new StringBuilder();
        while (true)
        {
            if (--budget < 0) throw new IOException("the head is too long");
            if (!Fill()) throw new IOException("the head is cut");
            var c = (char)buffer[from++];
            if (c != '\n') { line.Append(c); continue; }
            if (line.Length == 0 || line[line.Length - 1] != '\r') throw new IOException("not a line of HTTP");
            return line.ToString(0, line.Length - 1);
        }
    }

    /// <summary>False at the end of the stream.</summary>
    private bool Fill()
    {
        if (from < to) return true;
        if (!socket.Poll(Left() * 1000, SelectMode.SelectRead)) throw new IOException("no response in time");
        from = 0;
        to = socket.Receive(buffer);
        return to > 0;
    }
}
