using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;

/// <summary>A refusal in words for the visitor.</summary>
public sealed class Refused : Exception { public Refused(string words) : base(words) { } }

public enum State { Starting, Waiting, Scanned, Confirming, Succeeded, Failed }

public sealed class Attempt
{
    public string Id, Name, UserId, Browser, MsgId, Url, Detail = "";
    public bool SignIn, Adding, Settled, Claimed;
    public HashSet<string> Before = new HashSet<string>();
    public State State = State.Starting;
    public double ExpiresAt, EndedAt;
    public bool Ended { get { return State == State.Succeeded || State == State.Failed; } }

    public string Words
    {
        get
        {
            var what = SignIn ? "Sign-in" : "Registration";
            switch (State)
            {
                case State.Scanned: return "Scanned" + (Detail == "" ? "" : " by " + Detail) + ". Confirm on the phone.";
                case State.Confirming: return "Confirmed. The passkey is being checked.";
                case State.Succeeded: return what + " succeeded.";
                case State.Failed: return what + " failed. " + Detail;
                default: return "Waiting for the phone.";
            }
        }
    }
}

/// <summary>Accounts, sessions and attempts. One lock guards all of it; no request to the service is made under the lock.</summary>
public sealed class Site
{
    private const int PollEvery = 150, MaxMisses = 8, MaxAttempts = 1000, MaxUnderWay = 200;
    private const double MaxLifetime = 3600, KeepEnded = 600, KeepSession = 12 * 3600;

    private sealed class Session { public string Name; public double Seen; }

    private readonly object gate = new object();
    private readonly Service service;
    private readonly byte[] namingKey;
    private readonly Dictionary<string, HashSet<string>> accounts = new Dictionary<string, HashSet<string>>(StringComparer.Ordinal);
    private readonly Dictionary<string, Session> sessions = new Dictionary<string, Session>();
    private readonly Dictionary<string, Attempt> attempts = new Dictionary<string, Attempt>();

    public Site(Service service, string secret)
    {
        this.service = service;
        namingKey = Service.Hmac(Encoding.UTF8.GetBytes(secret), "names of users");
    }

    public static string Token()
    {
        var octets = new byte[16];
        using (var source = RandomNumberGenerator.Create()) source.GetBytes(octets);
        return Service.Hex(octets);
    }

    /// <summary>Unix seconds.</summary>
    private static double Now { get { return (DateTime.UtcNow - new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc)).TotalSeconds; } }

    /// <summary>The service learns no name from it: 26 characters of base32 are the first 130 bits.</summary>
    private string UserId(string name)
    {
        var bits = string.Concat(Service.Hmac(namingKey, name).Select(octet => Convert.ToString(octet, 2).PadLeft(8, '0')));
        return string.Concat(Enumerable.Range(0, 26).Select(i => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Convert.ToInt32(bits.Substring(i * 5, 5), 2)]));
    }

    public string Account(string browser)
    {
        lock (gate)
        {
            Session session;
            if (!sessions.TryGetValue(browser, out session)) return null;
            session.Seen = Now;
            return session.Name;
        }
    }

    public int PasskeyCount(string name) { lock (gate) return accounts.ContainsKey(name) ? accounts[name].Count : 0; }

    /// <summary>A copy of the attempt as it stands, for the browser that began it; null for any other.</summary>
    public Attempt Look(string id, string browser)
    {
        lock (gate)
        {
            Attempt attempt;
            if (!attempts.TryGetValue(id, out attempt) || attempt.Browser != browser || attempt.State == State.Starting) return null;
            Expire(attempt);
            return new Attempt { Id = id, Name = attempt.Name, Url = attempt.Url, SignIn = attempt.SignIn, State = attempt.State, Detail = attempt.Detail };
        }
    }

    /// <summary>Signs in on the first visit after the success, under a new cookie: an older cookie never becomes a signed-in one. Null when it was claimed before.</summary>
    public string Claim(string id, string browser)
    {
        lock (gate)
        {
            Attempt attempt;
            if (!attempts.TryGetValue(id, out attempt) || attempt.Browser != browser || attempt.State != State.Succeeded || attempt.Claimed) return null;
            attempt.Claimed = true;
            sessions.Remove(browser);
            attempt.Browser = Token();
            sessions[attempt.Browser] = new Session { Name = attempt.Name, Seen = Now };
            return attempt.Browser;
        }
    }

    public void SignOut(string browser)
    {
        lock (gate)
        {
            EndAll(browser);
            sessions.Remove(browser);
        }
    }

    /// <summary>Begins a registration or a sign-in and returns the attempt's id.</summary>
    public string Begin(string browser, bool signIn, string name)
    {
        var attempt = new Attempt { Id = Token(), SignIn = signIn, Name = name, UserId = UserId(name), Browser = browser };
        lock (gate)
        {
            Sweep();
            attempt.Adding = accounts.ContainsKey(name);
            Session session;
            var mine = sessions.TryGetValue(browser, out session) && session.Name == name;
            if (signIn && !attempt.Adding) throw new Refused("No passkey is registered for this name.");
            if (!signIn && attempt.Adding && !mine) throw new Refused("This name has a passkey already. Sign in with it.");
            // Another browser's code for this name can still be answered: its passkey would open the account that somebody else makes now.
            if (!signIn && !attempt.Adding && attempts.Values.Any(other => !other.SignIn && other.Name == name && other.Browser != browser && !other.Settled && (other.State == State.Starting || other.ExpiresAt > Now)))
                throw new Refused("This name is being registered in another browser. Try again in a few minutes.");
            if (attempts.Count >= MaxAttempts || attempts.Values.Count(other => !other.Ended) >= MaxUnderWay) throw new Refused("There are too many visitors at the moment. Try again later.");
            // A browser has one attempt: an older one must not sign it in later.
            EndAll(browser);
            attempts[attempt.Id] = attempt;
        }
        try
        {
            if (!signIn) NoteBefore(attempt);
            Options(attempt);
        }
        catch
        {
            // No code was shown, so that nobody can answer this one.
            lock (gate) attempts.Remove(attempt.Id);
            throw;
        }
        lock (gate)
        {
            if (attempt.State != State.Starting) throw new Refused("Another attempt, or a sign-out, has taken its place.");
            attempt.State = State.Waiting;
        }
        new Thread(() => Watch(attempt), 512 * 1024) { IsBackground = true }.Start();
        return attempt.Id;
    }

    private void NoteBefore(Attempt attempt)
    {
        var list = Credentials(attempt.UserId);
        if (list == null) throw new Refused("The sign-in service gives no usable answer. Please try again later.");
        attempt.Before = list;
        if (list.Count == 0 || attempt.Adding) return;
        // A registration that was not confirmed can leave a passkey behind. There is no account for it, and it must not open the account that is made now.
        var answer = service.Delete("/rp/credentials", "{\"user_id\":" + StrictJson.Quote(attempt.UserId) + ",\"credential_ids\":[" + string.Join(",", list.Select(StrictJson.Quote)) + "]}");
        if (answer == null || !answer.Usable || answer.Number("total") != list.Count) throw new Refused("The sign-in service could not prepare the registration. Please try again later.");
    }

    private void Options(Attempt attempt)
    {
        var body = "{\"user_id\":" + StrictJson.Quote(attempt.UserId) + ",\"username\":" + StrictJson.Quote(attempt.Name) + (attempt.SignIn ? ",\"method\":\"qrcode\"}" : "}");
        var answer = service.Post(attempt.SignIn ? "/rp/assertion/options" : "/rp/attestation/options", body);
        if (answer == null || !answer.Usable)
        {
            var code = answer == null ? 0 : answer.Code;
            throw new Refused(code == 40403 ? "The sign-in service knows no passkey of this name."
                : code == 40901 ? "This name has as many passkeys as are allowed."
                : "The sign-in service gives no usable answer. Please try again later.");
        }
        var url = answer.Text("url");
        var token = Regex.Match(url ?? "", "^" + Regex.Escape(service.Base + "/m#" + (attempt.SignIn ? "a" : "r")) + @"([A-Za-z0-9_-]{16,100})\z", RegexOptions.CultureInvariant);
        if (!token.Success) throw new Refused("The sign-in service gave a code that cannot be trusted. Please try again later.");
        var expiresAt = answer.Number("expires_at");
        if (expiresAt == null || expiresAt <= Now || expiresAt > Now + MaxLifetime) throw new Refused("The sign-in service gave no usable time limit. Please try again later.");
        lock (gate)
        {
            if (attempts.Values.Any(other => other.MsgId == token.Groups[1].Value)) throw new Refused("The sign-in service gave a code that was given before. Please try again later.");
            attempt.MsgId = token.Groups[1].Value;
            attempt.Url = url;
            attempt.ExpiresAt = expiresAt.Value;
        }
    }

    /// <summary>The attempt's own thread: the next poll begins only after the answer to the one before.</summary>
    private void Watch(Attempt attempt)
    {
        try
        {
            for (var misses = 0; misses < MaxMisses;)
            {
                Thread.Sleep(PollEvery);
                lock (gate) { Expire(attempt); if (attempt.Ended) return; }
                if (attempt.State == State.Confirming)
                {
                    if (Confirmed(attempt, Credentials(attempt.UserId))) return;
                    misses++;
                    continue;
                }
                var answer = service.Get(attempt.SignIn ? "/rp/assertion/result" : "/rp/attestation/result", "msg_id", attempt.MsgId);
                lock (gate)
                {
                    Expire(attempt);
                    if (attempt.Ended) return;
                    misses = Judge(attempt, answer) ? 0 : misses + 1;
                    if (attempt.Ended) return;
                }
            }
            lock (gate) End(attempt, State.Failed, attempt.State == State.Confirming ? "The sign-in service does not show the new passkey." : "The sign-in service gives no usable answer.");
        }
        catch (Exception error)
        {
            // An exception that leaves a thread ends the process.
            Console.Error.WriteLine(error);
            lock (gate) End(attempt, State.Failed, "Something went wrong.");
        }
    }

    /// <summary>Moves the attempt on; false when the answer is no result.</summary>
    private static bool Judge(Attempt attempt, Answer answer)
    {
        if (answer == null) return false;
        if (answer.Code == 41001) return Settle(attempt, "The result was read before. Nobody is signed in by it.");
        if (answer.Code == 40402) return Settle(attempt, "The sign-in service does not know this attempt any more.");
        var who = answer.Text("svc_user") ?? "";
        // A final word is final even if the rest of the answer is wrong; but only a flawless success counts.
        switch (answer.Text("status"))
        {
            case "timeout": return Settle(attempt, "The time is over.");
            case "fail":
                var reason = answer.Text("error") ?? "";
                return Settle(attempt, Regex.IsMatch(reason, @"^user_rejected\b") ? "It was rejected on the phone." : reason == "" ? "The sign-in service refused it." : "The sign-in service says: " + Cut(reason, 200));
            case "success":
                var noError = (!answer.Has("error") || answer.Data["error"] == null || answer.Text("error") == "") && (!answer.HasError || answer.Error == null || answer.Error as string == "");
                var right = answer.Usable && noError && who != "" && (!attempt.SignIn || string.Equals(answer.Text("user_id"), attempt.UserId, StringComparison.Ordinal));
                if (!right) return Settle(attempt, "The answer of the sign-in service does not fit.");
                attempt.Settled = true;
                if (attempt.SignIn) End(attempt, State.Succeeded, "");
                else attempt.State = State.Confirming;
                return true;
            case "init": return answer.Usable;
            case "bind":
                if (!answer.Usable) return false;
                attempt.State = State.Scanned;
                attempt.Detail = Cut(who, 100);
                return true;
            default: return false;
        }
    }

    /// <summary>A registration counts when the list has a passkey that was not there before.</summary>
    private bool Confirmed(Attempt attempt, HashSet<string> list)
    {
        lock (gate)
        {
            if (attempt.Ended) return true;
            if (list == null || list.IsSubsetOf(attempt.Before)) return false;
            Session session;
            var mine = sessions.TryGetValue(attempt.Browser, out session) && session.Name == attempt.Name;
            if (accounts.ContainsKey(attempt.Name) && !mine)
            {
                End(attempt, State.Failed, "This name has a passkey already.");
                return true;
            }
            if (!attempt.Adding) list.ExceptWith(attempt.Before);
            accounts[attempt.Name] = list;
            End(attempt, State.Succeeded, "");
            return true;
        }
    }

    /// <summary>The ids of the user's own credentials, or null.</summary>
    private HashSet<string> Credentials(string userId)
    {
        var answer = service.Get("/rp/credentials", "user_id", userId);
        object list;
        if (answer == null || !answer.Usable || !answer.Data.TryGetValue("list", out list) || !(list is List<object>)) return null;
        object id = null, owner;
        return new HashSet<string>(((List<object>)list).OfType<Dictionary<string, object>>()
            .Where(entry => entry.TryGetValue("user_id", out owner) && owner as string == userId && entry.TryGetValue("credential_id", out id) && !string.IsNullOrEmpty(id as string))
            .Select(entry => (string)entry["credential_id"]), StringComparer.Ordinal);
    }

    private static string Cut(string text, int length) { return text.Length <= length ? text : text.Substring(0, length); }

    private static bool Settle(Attempt attempt, string detail)
    {
        attempt.Settled = true;
        End(attempt, State.Failed, detail);
        return true;
    }

    // A success that was read in time has a limit of its own: the number of looks at the list.
    private static void Expire(Attempt attempt)
    {
        if (attempt.State == State.Confirming || attempt.Ended || Now < attempt.ExpiresAt) return;
        Settle(attempt, "The time is over.");
    }

    private void EndAll(string browser)
    {
        foreach (var attempt in attempts.Values.Where(each => each.Browser == browser)) End(attempt, State.Failed, "Another attempt, or a sign-out, has taken its place.");
    }

    private static void End(Attempt attempt, State state, string detail)
    {
        if (attempt.Ended) return;
        attempt.State = state;
        attempt.Detail = detail;
        attempt.EndedAt = Now;
    }

    /// <summary>Old entries go. An attempt that reserves a name stays until its time is over.</summary>
    private void Sweep()
    {
        foreach (var old in attempts.Values.Where(each => each.Ended && each.EndedAt + KeepEnded < Now && each.ExpiresAt < Now).ToList()) attempts.Remove(old.Id);
        foreach (var old in sessions.Where(each => each.Value.Seen + KeepSession < Now).ToList()) sessions.Remove(old.Key);
    }
}
