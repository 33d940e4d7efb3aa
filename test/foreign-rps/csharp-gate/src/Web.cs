using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;

/// <summary>The pages.</summary>
public sealed class Web
{
    private const int MaxForm = 16 * 1024;
    private readonly Site site;
    private readonly string cookieName, styles, script;
    private readonly byte[] formKey = Encoding.ASCII.GetBytes(Site.Token());

    public Web(Site site, int port, string folder)
    {
        this.site = site;
        // Cookies do not know ports: two sites on one host must not share a name.
        cookieName = "gate_" + port;
        styles = File.ReadAllText(Path.Combine(folder, "gate.css"));
        script = File.ReadAllText(Path.Combine(folder, "attempt.js"));
    }

    public void Handle(HttpListenerContext context)
    {
        try { Route(context); }
        catch (Exception error)
        {
            // Most of these are visitors that have gone. Whatever it is, the next visitor is served.
            if (!(error is HttpListenerException || error is IOException || error is ObjectDisposedException)) Console.Error.WriteLine(error);
            try { context.Response.Abort(); } catch (Exception) { }
        }
    }

    private void Route(HttpListenerContext context)
    {
        var request = context.Request;
        var path = (request.RawUrl ?? "/").Split('?')[0];
        var browser = Browser(context);
        var attempt = Regex.Match(path, @"^/attempt/([0-9a-f]{32})(/state)?\z");
        var look = request.HttpMethod == "GET" || request.HttpMethod == "HEAD";

        if (look && path == "/") Send(context, 200, Home(browser, null));
        else if (look && path == "/gate.css") Send(context, 200, styles, "text/css");
        else if (look && path == "/attempt.js") Send(context, 200, script, "text/javascript");
        else if (look && attempt.Success) ShowAttempt(context, browser, attempt.Groups[1].Value, attempt.Groups[2].Success);
        else if (request.HttpMethod == "POST" && (path == "/register" || path == "/sign-in" || path == "/sign-out")) Post(context, browser, path);
        else Send(context, 404, Page(browser, "Not found", "<p role=\"alert\">There is no such page.</p>" + Back));
    }

    private void Post(HttpListenerContext context, string browser, string path)
    {
        var form = Form(context.Request);
        string token, name;
        if (form == null) { Send(context, 400, Page(browser, "Not accepted", "<p role=\"alert\">The form cannot be read.</p>" + Back)); return; }
        if (!form.TryGetValue("token", out token) || token != FormToken(browser))
        {
            Send(context, 403, Page(browser, "Not accepted", "<p role=\"alert\">The form was too old. Please try again.</p>" + Back));
            return;
        }
        if (path == "/sign-out")
        {
            site.SignOut(browser);
            SetBrowser(context, Site.Token());
            Redirect(context, "/");
            return;
        }
        try
        {
            form.TryGetValue("name", out name);
            Redirect(context, "/attempt/" + site.Begin(browser, path == "/sign-in", NameOf(name)));
        }
        catch (Refused refused) { Send(context, 409, Home(browser, refused.Message)); }
    }

    /// <summary>What looks the same is one name; what cannot be seen is no part of a name.</summary>
    private static string NameOf(string typed)
    {
        var name = (typed ?? "").Normalize(NormalizationForm.FormC).Trim();
        var unseen = new[] { UnicodeCategory.Control, UnicodeCategory.Format, UnicodeCategory.LineSeparator, UnicodeCategory.ParagraphSeparator };
        if (name.Length < 1 || name.Length > 64 || name.Any(c => unseen.Contains(char.GetUnicodeCategory(c)))) throw new Refused("A name has 1 to 64 visible characters.");
        return name;
    }

    private void ShowAttempt(HttpListenerContext context, string browser, string id, bool stateOnly)
    {
        var attempt = site.Look(id, browser);
        if (attempt == null)
        {
            if (stateOnly) Send(context, 404, "{\"ended\":true,\"words\":\"\"}", "application/json");
            else Send(context, 404, Page(browser, "Not found", "<p role=\"alert\">There is no such attempt in this browser.</p>" + Back));
            return;
        }
        if (stateOnly)
        {
            Send(context, 200, "{\"ended\":" + (attempt.Ended ? "true" : "false") + ",\"words\":" + StrictJson.Quote(attempt.Words) + "}", "application/json");
            return;
        }
        if (attempt.State == State.Succeeded)
        {
            var signedIn = site.Claim(id, browser);
            if (signedIn != null) SetBrowser(context, signedIn);
            Redirect(context, "/");
            return;
        }
        if (attempt.State == State.Failed)
        {
            Send(context, 200, Page(browser, attempt.SignIn ? "Not signed in" : "Not registered", "<p role=\"alert\">" + Html(attempt.Words) + "</p><p><a href=\"/\">Try again</a></p>"));
            return;
        }
        Send(context, 200, Page(browser, (attempt.SignIn ? "Sign in as " : "Register ") + attempt.Name,
            "<p role=\"status\" data-state=\"/attempt/" + id + "/state\">" + Html(attempt.Words) + "</p>" + Picture(attempt.Url)
            + "<p>Scan the code with the phone app. <a href=\"/attempt/" + id + "\">Refresh</a></p><script src=\"/attempt.js\"></script>"));
    }

    private string Home(string browser, string refusal)
    {
        var account = site.Account(browser);
        var token = "<input type=\"hidden\" name=\"token\" value=\"" + FormToken(browser) + "\">";
        var made = refusal == null ? "" : "<p role=\"alert\">" + Html(refusal) + "</p>";
        if (account == null)
            made += "<p>Nobody is signed in.</p><form method=\"post\" action=\"/sign-in\">" + token
                + "<label for=\"name\">Name</label><input id=\"name\" name=\"name\" maxlength=\"64\" autocomplete=\"username\" required>"
                + "<button>Sign in</button> <button formaction=\"/register\">Register</button></form>";
        else
            made += "<p>You are signed in. Passkeys: " + site.PasskeyCount(account) + ".</p>"
                + "<form method=\"post\" action=\"/register\">" + token + "<input type=\"hidden\" name=\"name\" value=\"" + Html(account) + "\"><button>Add a passkey</button></form>"
                + "<form method=\"post\" action=\"/sign-out\">" + token + "<button>Sign out</button></form>";
        return Page(browser, "The gate", made);
    }

    private string Page(string browser, string title, string content)
    {
        var account = site.Account(browser);
        return "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" + Html(title)
            + "</title><link rel=\"stylesheet\" href=\"/gate.css\"></head><body><header><a href=\"/\">The gate</a>"
            + (account == null ? "" : "<output aria-label=\"Account\">" + Html(account) + "</output>")
            + "</header><main><h1>" + Html(title) + "</h1>" + content + "</main></body></html>";
    }

    private const string Back = "<p><a href=\"/\">To the start page</a></p>";

    private static string Html(string text) { return WebUtility.HtmlEncode(text); }

    /// <summary>Six pixels to a module, and four modules of white around the code.</summary>
    private static string Picture(string url)
    {
        var code = new QrCode(url);
        var side = code.Size + 8;
        var dark = new StringBuilder();
        for (var y = 0; y < code.Size; y++)
            for (var x = 0; x < code.Size; x++)
                if (code[x, y]) dark.Append('M').Append(x + 4).Append(' ').Append(y + 4).Append("h1v1h-1z");
        return "<svg role=\"img\" aria-label=\"QR code\" width=\"" + side * 6 + "\" height=\"" + side * 6 + "\" viewBox=\"0 0 " + side + " " + side
            + "\" shape-rendering=\"crispEdges\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"></rect><path fill=\"#000\" d=\"" + dark + "\"></path></svg>";
    }

    private string FormToken(string browser) { return Service.Hex(Service.Hmac(formKey, browser)); }

    private string Browser(HttpListenerContext context)
    {
        foreach (var part in (context.Request.Headers["Cookie"] ?? "").Split(';', ','))
        {
            var pair = Regex.Match(part, "^ *" + cookieName + @"=([0-9a-f]{32}) *\z");
            if (pair.Success) return pair.Groups[1].Value;
        }
        return SetBrowser(context, Site.Token());
    }

    private string SetBrowser(HttpListenerContext context, string browser)
    {
        context.Response.Headers["Set-Cookie"] = cookieName + "=" + browser + "; Path=/; HttpOnly; SameSite=Lax";
        return browser;
    }

    private static void Redirect(HttpListenerContext context, string path)
    {
        context.Response.Headers["Location"] = path;
        Send(context, 303, "");
    }

    private static void Send(HttpListenerContext context, int status, string text, string type = "text/html")
    {
        var octets = Encoding.UTF8.GetBytes(text);
        var response = context.Response;
        response.StatusCode = status;
        response.ContentType = type + "; charset=utf-8";
        response.Headers["Cache-Control"] = "no-store";
        response.Headers["X-Content-Type-Options"] = "nosniff";
        response.Headers["Content-Security-Policy"] = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
        response.ContentLength64 = octets.Length;
        if (context.Request.HttpMethod != "HEAD") response.OutputStream.Write(octets, 0, octets.Length);
        response.Close();
    }

    /// <summary>The fields of a form, or null when it is none.</summary>
    private static Dictionary<string, string> Form(HttpListenerRequest request)
    {
        if (!request.HasEntityBody || request.ContentLength64 > MaxForm) return null;
        var octets = new byte[MaxForm + 1];
        var length = 0;
        for (int read; length < octets.Length && (read = request.InputStream.Read(octets, length, octets.Length - length)) > 0;) length += read;
        if (length > MaxForm) return null;
        try
        {
            var made = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var pair in Encoding.ASCII.GetString(octets, 0, length).Split('&').Select(text => text.Split(new[] { '=' }, 2)).Where(pair => pair.Length == 2))
                made[Decode(pair[0])] = Decode(pair[1]);
            return made;
        }
        catch (ArgumentException) { return null; }
        catch (FormatException) { return null; }
    }

    private static string Decode(string text)
    {
        var made = new List<byte>();
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] != '%') { made.Add((byte)(text[i] == '+' ? ' ' : text[i])); continue; }
            if (i + 2 >= text.Length) throw new FormatException();
            made.Add(byte.Parse(text.Substring(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
            i += 2;
        }
        return new UTF8Encoding(false, true).GetString(made.ToArray());
    }
}

public static class Program
{
    public static int Main(string[] args)
    {
        var port = int.Parse(Environment.GetEnvironmentVariable("PORT"), CultureInfo.InvariantCulture);
        var secret = Environment.GetEnvironmentVariable("FIDO_SECRET");
        var service = new Service(Environment.GetEnvironmentVariable("FIDO_URL"), Environment.GetEnvironmentVariable("FIDO_KEY"), secret);
        var web = new Web(new Site(service, secret), port, args[0]);
        var listener = new HttpListener();
        // The two names that a browser may use for this host.
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Prefixes.Add("http://localhost:" + port + "/");
        listener.Start();
        // A thread for each request: a begin waits for the service, and the pool grows too slowly for that.
        while (true)
        {
            HttpListenerContext context;
            try { context = listener.GetContext(); }
            catch (HttpListenerException) { continue; }
            new Thread(() => web.Handle(context), 512 * 1024) { IsBackground = true }.Start();
        }
    }
}
