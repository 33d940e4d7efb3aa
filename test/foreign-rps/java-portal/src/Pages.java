package portal;

import com.google.zxing.WriterException;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;

/** The texts that the browser gets. Whatever is not written here goes through escape. */
final class Pages {
    private static final int QUIET = 4;
    private static final int PIXELS = 6;

    private Pages() {}

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&#39;");
    }

    private static String page(String email, String main) {
        String signedIn = email == null ? "" : """
                <p>Signed in: %s</p>
                <form method="post" action="/sign-out"><button>Sign out</button></form>
                """.formatted(escape(email));
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width">
                <title>Portal</title>
                <link rel="icon" href="data:,">
                <style>
                body { font: 16px/1.5 sans-serif; color: #222; background: #fff; max-width: 40rem; margin: 1rem auto; padding: 0 1rem }
                header { display: flex; gap: 1rem; align-items: center; border-bottom: 1px solid #888 }
                header a { margin-right: auto }
                input, button { font: inherit; padding: .4rem .6rem; margin: .2rem 0 }
                input { width: 100%; box-sizing: border-box }
                svg { display: block }
                </style>
                </head>
                <body>
                <header>
                <a href="/">Portal</a>
                """ + signedIn + "</header>\n<main>\n" + main + "</main>\n</body>\n</html>\n";
    }

    static String message(String email, String text) {
        return page(email, "<p role=\"alert\">" + escape(text) + "</p>\n<p><a href=\"/\">Back to the start</a></p>\n");
    }

    static String home(String email, String notice) {
        return page(email, (notice == null ? "" : "<p role=\"alert\">" + escape(notice) + "</p>\n") + """
                <h1>Your passkey</h1>
                <form method="post">
                <label for="email">E-mail address</label>
                <input id="email" name="email" inputmode="email" autocomplete="username" maxlength="128" required value="%s">
                <button formaction="/sign-in" name="method" value="qrcode">Sign in with a code</button>
                <button formaction="/sign-in" name="method" value="push">Sign in with a push</button>
                <button formaction="/register">Register a passkey</button>
                </form>
                """.formatted(email == null ? "" : escape(email)));
    }

    static String attempt(String email, Attempt attempt, Attempt.View view) {
        String heading = "<h1>" + attempt.kind.label + " of " + escape(attempt.email) + "</h1>\n";
        if (attempt.ended()) {
            boolean failed = view.state() == Attempt.State.FAILED;
            return page(email, heading + "<p role=\"" + (failed ? "alert" : "status") + "\">" + escape(view.text()) + "</p>\n<p><a href=\"/\">"
                    + (failed ? "Try again" : "Continue") + "</a></p>\n");
        }
        boolean withCode = !attempt.push && view.state() == Attempt.State.WAITING;
        return page(email, heading + "<p role=\"status\" id=\"status\">" + escape(view.text()) + "</p>\n"
                + (withCode ? code(attempt.url.toString()) : "") + """
                <script>
                const status = document.getElementById('status')
                const look = async () => {
                  try {
                    const answer = await fetch(location.pathname + '.json', { cache: 'no-store' })
                    const { state, text } = await answer.json()
                    if (state !== 'waiting' && state !== 'scanned') return location.reload()
                    if (status.textContent !== text) status.textContent = text
                    if (state === 'scanned') document.getElementById('code')?.remove()
                  } catch {
                    status.textContent = 'The portal does not answer. It is asked again.'
                  }
                  setTimeout(look, 300)
                }
                setTimeout(look, 300)
                </script>
                """);
    }

    static String state(String state, String text) {
        return ServiceClient.JSON.createObjectNode().put("state", state).put("text", text).toString();
    }

    private static String code(String text) {
        ByteMatrix matrix;
        try {
            matrix = Encoder.encode(text, ErrorCorrectionLevel.M).getMatrix();
        } catch (WriterException impossible) {
            throw new IllegalStateException(impossible);
        }
        var path = new StringBuilder();
        for (int y = 0; y < matrix.getHeight(); y++) {
            for (int x = 0; x < matrix.getWidth(); x++) {
                if (matrix.get(x, y) == 1) path.append("M%d %dh1v1h-1z".formatted(x + QUIET, y + QUIET));
            }
        }
        int side = matrix.getWidth() + 2 * QUIET;
        return """
                <svg id="code" role="img" aria-label="QR code for the phone app" width="%d" height="%d" viewBox="0 0 %d %d" shape-rendering="crispEdges">
                <rect width="100%%" height="100%%" fill="#fff"/><path fill="#000" d="%s"/></svg>
                """.formatted(side * PIXELS, side * PIXELS, side, side, path);
    }
}
