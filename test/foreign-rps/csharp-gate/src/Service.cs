using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;

/// <summary>What the service said: always HTTP with a JSON object that has a numeric code.</summary>
public sealed class Answer
{
    public int Http;
    public double Code;
    public object Error;
    public bool HasError;
    public Dictionary<string, object> Data;

    public bool Usable { get { return Http == 200 && Code == 0 && Data != null; } }
    public string Text(string name) { object value; return Data != null && Data.TryGetValue(name, out value) ? value as string : null; }
    public double? Number(string name) { object value; return Data != null && Data.TryGetValue(name, out value) ? value as double? : null; }
    public bool Has(string name) { return Data != null && Data.ContainsKey(name); }
}

/// <summary>The service's RP interface: signs, sends, and gives an answer or null.</summary>
public sealed class Service
{
    public readonly string Base;
    private readonly Uri address;
    private readonly string key, secret;

    public Service(string url, string key, string secret)
    {
        Base = url.TrimEnd('/');
        address = new Uri(Base);
        if (address.Scheme != "http") throw new ArgumentException("FIDO_URL must begin with http://");
        this.key = key;
        this.secret = secret;
    }

    public Answer Get(string path, string name, string value) { return Call("GET", path, name + "=" + Uri.EscapeDataString(value), ""); }
    public Answer Post(string path, string body) { return Call("POST", path, "", body); }
    public Answer Delete(string path, string body) { return Call("DELETE", path, "", body); }

    private Answer Call(string method, string path, string query, string json)
    {
        try
        {
            var body = Encoding.UTF8.GetBytes(json);
            path = address.AbsolutePath.TrimEnd('/') + path;
            // Names in ascending order, as the signature lists them.
            var headers = new SortedDictionary<string, string>(StringComparer.Ordinal)
            {
                { "host", address.Authority },
                { "x-svc-date", DateTime.UtcNow.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture) },
            };
            if (body.Length > 0) headers["content-type"] = "application/json";
            headers["authorization"] = Authorization(method, path, query, headers, body);

            var wire = Wire.Exchange(address, method, query == "" ? path : path + "?" + query, headers, body);
            return Read(wire.Status, wire.Body);
        }
        catch (IOException) { return null; }
        catch (SocketException) { return null; }
        catch (FormatException) { return null; }
    }

    private string Authorization(string method, string path, string query, IDictionary<string, string> headers, byte[] body)
    {
        const string scope = "fido-server/";
        var names = string.Join(";", headers.Keys);
        var lines = string.Concat(headers.Select(header => header.Key + ":" + header.Value + "\n"));
        var canonical = string.Join("\n", method, path, query, lines, names, Sha256(body));
        var toSign = string.Join("\n", "SVC-HMAC-SHA256", headers["x-svc-date"], scope, Sha256(Encoding.UTF8.GetBytes(canonical)));
        return "SVC-HMAC-SHA256 " + key + "/" + scope + "," + names + "," + Hex(Hmac(Encoding.UTF8.GetBytes(secret), toSign));
    }

    private static Answer Read(int status, byte[] body)
    {
        var all = StrictJson.Parse(body) as Dictionary<string, object>;
        object code, data, error = null;
        if (all == null || !all.TryGetValue("code", out code) || !(code is double)) return null;
        all.TryGetValue("data", out data);
        var hasError = all.TryGetValue("error", out error);
        return new Answer { Http = status, Code = (double)code, Data = data as Dictionary<string, object>, HasError = hasError, Error = error };
    }

    private static string Sha256(byte[] octets) { using (var sha = SHA256.Create()) return Hex(sha.ComputeHash(octets)); }

    public static byte[] Hmac(byte[] secret, string text) { using (var hmac = new HMACSHA256(secret)) return hmac.ComputeHash(Encoding.UTF8.GetBytes(text)); }

    public static string Hex(byte[] octets) { return string.Concat(octets.Select(octet => octet.ToString("x2"))); }
}
