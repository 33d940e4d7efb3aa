using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;

/// <summary>
/// Sign   registers alice with a phone, and signs her in.
/// Sign METHOD URL [NAME:VALUE]... &lt; body   prints the two headers that the request needs.
/// </summary>
public static class Sign
{
    public static (string Date, string Authorization) Request(
        string method, string url, byte[] body, IEnumerable<(string Name, string Value)> headers,
        string accessKeyId, string secretKey, string identifier = "", string date = null)
    {
        date = date ?? DateTime.UtcNow.ToString("yyyyMMdd'T'HHmmss'Z'");
        var address = Regex.Match(url, @"^https?://([^/?]+)([^?]*)(?:\?(.*))?$");
        var path = address.Groups[2].Value == "" ? "/" : address.Groups[2].Value;

        var query = string.Join("&", address.Groups[3].Value.Split('&')
            .Where(pair => pair != "")
            .Select(pair => pair.Split(new[] { '=' }, 2))
            .Select(parts => (Name: Encode(parts[0]), Value: Encode(parts.Length > 1 ? parts[1] : "")))
            .OrderBy(pair => pair.Name, StringComparer.Ordinal).ThenBy(pair => pair.Value, StringComparer.Ordinal)
            .Select(pair => pair.Name + "=" + pair.Value));

        var all = new List<(string Name, string Value)> { ("host", address.Groups[1].Value), ("x-svc-date", date) };
        all.AddRange(headers);
        var signed = all
            .GroupBy(header => header.Name.ToLowerInvariant(), header => Regex.Replace(header.Value, " +", " ").Trim(' '))
            .OrderBy(header => header.Key, StringComparer.Ordinal).ToList();
        var names = string.Join(";", signed.Select(header => header.Key));
        var lines = string.Concat(signed.Select(header => header.Key + ":" + string.Join(",", header) + "\n"));

        var canonical = string.Join("\n", method.ToUpperInvariant(), path, query, lines, names, Sha256(body));
        var scope = "fido-server/" + identifier;
        var toSign = string.Join("\n", "SVC-HMAC-SHA256", date, scope, Sha256(Encoding.UTF8.GetBytes(canonical)));
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secretKey)))
        {
            var signature = Hex(hmac.ComputeHash(Encoding.UTF8.GetBytes(toSign)));
            return (date, $"SVC-HMAC-SHA256 {accessKeyId}/{scope},{names},{signature}");
        }
    }

    /// <summary>Decoded once and encoded again, octet by octet.</summary>
    private static string Encode(string text)
    {
        var made = new StringBuilder();
        for (var i = 0; i < text.Length; i++)
        {
            var octet = (int)text[i];
            if (octet == '%' && i + 2 < text.Length) { octet = Convert.ToInt32(text.Substring(i + 1, 2), 16); i += 2; }
            var plain = octet < 128 && (char.IsLetterOrDigit((char)octet) || "-._~".IndexOf((char)octet) >= 0);
            made.Append(plain ? ((char)octet).ToString() : "%" + octet.ToString("X2"));
        }
        return made.ToString();
    }

    private static string Sha256(byte[] octets)
    {
        using (var sha = SHA256.Create()) return Hex(sha.ComputeHash(octets));
    }

    private static string Hex(byte[] octets) => string.Concat(octets.Select(octet => octet.ToString("x2")));

    /// <summary>One signed request. What the service refuses ends the program.</summary>
    private static string Call(string method, string path, string body = "")
    {
        var url = Environment.GetEnvironmentVariable("BASE_URL") + path;
        var octets = Encoding.UTF8.GetBytes(body);
        var signed = Request(method, url, octets, new List<(string Name, string Value)>(),
            Environment.GetEnvironmentVariable("ACCESS_KEY_ID"), Environment.GetEnvironmentVariable("SECRET_KEY"));
        var request = (HttpWebRequest)WebRequest.Create(url);
        request.Method = method;
        request.Proxy = null;
        request.AllowAutoRedirect = false;
        request.ContentType = "application/json";
        request.Headers["X-Svc-Date"] = signed.Date;
        request.Headers["Authorization"] = signed.Authorization;
        if (octets.Length > 0)
            using (var stream = request.GetRequestStream()) stream.Write(octets, 0, octets.Length);
        string answer;
        using (var response = Answer(request))
        using (var reader = new StreamReader(response.GetResponseStream())) answer = reader.ReadToEnd();
        var code = Member(answer, "code");
        if (code != "0") End(code + " " + Member(answer, "error") + " (" + method + " " + path + ")");
        return answer;
    }

    private static WebResponse Answer(WebRequest request)
    {
        try { return request.GetResponse(); }
        catch (WebException refused) when (refused.Response != null) { return refused.Response; }
    }

    /// <summary>Mono has no JSON of its own: a server takes System.Text.Json.</summary>
    private static string Member(string json, string name)
    {
        var found = Regex.Match(json, "\"" + name + "\":(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\d+))");
        return found.Groups[1].Value + found.Groups[2].Value;
    }

    /// <summary>Shows a code, and waits for what becomes of it.</summary>
    private static string Ceremony(string kind, string request)
    {
        var url = Member(Call("POST", "/rp/" + kind + "/options", request), "url");
        Console.WriteLine("Scan with a phone: " + url);
        string result;
        do
        {
            Thread.Sleep(1000);
            result = Call("GET", "/rp/" + kind + "/result?msg_id=" + url.Split('#')[1].Substring(1));
        } while (Member(result, "status") == "init" || Member(result, "status") == "bind");
        if (Member(result, "status") != "success") End(result);
        return result;
    }

    private static void FirstSignIn()
    {
        if (Environment.GetEnvironmentVariable("BASE_URL") == null) End("Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first.");
        if (Member(Call("GET", "/rp/credentials?user_id=alice"), "total") == "0")
        {
            Ceremony("attestation", "{\"user_id\":\"alice\",\"username\":\"alice\"}");
            Console.WriteLine("Registered.");
        }
        var result = Ceremony("assertion", "{\"user_id\":\"alice\",\"username\":\"alice\",\"method\":\"qrcode\"}");
        if (Member(result, "user_id") != "alice") End("The answer was for somebody else.");
        Console.WriteLine("Signed in: alice");
    }

    private static void End(string why)
    {
        Console.Error.WriteLine(why);
        Environment.Exit(1);
    }

    public static void Main(string[] args)
    {
        if (args.Length == 0)
        {
            FirstSignIn();
            return;
        }
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        var headers = args.Skip(2).Select(text => text.Split(new[] { ':' }, 2)).Select(parts => (parts[0], parts[1]));
        var made = Request(args[0], args[1], body.ToArray(), headers,
            Environment.GetEnvironmentVariable("ACCESS_KEY_ID"), Environment.GetEnvironmentVariable("SECRET_KEY"),
            Environment.GetEnvironmentVariable("SCOPE_IDENTIFIER") ?? "", Environment.GetEnvironmentVariable("SVC_DATE"));
        var lines = Encoding.UTF8.GetBytes("X-Svc-Date: " + made.Date + "\nAuthorization: " + made.Authorization + "\n");
        Console.OpenStandardOutput().Write(lines, 0, lines.Length);
    }
}
