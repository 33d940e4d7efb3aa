package portal;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.Optional;

/** The pages and calls of the portal. The session holds who is signed in. */
final class Servlets {
    private static final String EMAIL = "email";
    private static final String OWNER = "owner";
    private static final String NOTICE = "notice";

    private Servlets() {}

    private static String of(HttpServletRequest request, String name) {
        HttpSession session = request.getSession(false);
        return session == null ? null : (String) session.getAttribute(name);
    }

    /** The mark of this browser; it is made when the browser begins its first attempt. */
    private static String owner(HttpServletRequest request) {
        HttpSession session = request.getSession();
        synchronized (Servlets.class) {
            if (session.getAttribute(OWNER) == null) session.setAttribute(OWNER, Attempts.random());
            return (String) session.getAttribute(OWNER);
        }
    }

    /** The service takes 128 characters; a longer address is refused and never cut. */
    private static String email(HttpServletRequest request) throws Attempts.Refused {
        String text = Optional.ofNullable(request.getParameter("email")).orElse("").strip();
        if (text.length() > 128 || !text.matches("[^@\\s\\p{C}\\p{Z}]+@[^@\\s\\p{C}\\p{Z}]+")) {
            throw new Attempts.Refused("Please enter an e-mail address of at most 128 characters.");
        }
        return text;
    }

    private static void send(HttpServletResponse response, int status, String type, String text) throws IOException {
        response.setStatus(status);
        response.setContentType(type + ";charset=UTF-8");
        response.getWriter().write(text);
    }

    private static void redirect(HttpServletResponse response, String to) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", to);
    }

    /** Stands before all servlets: headers, foreign forms, and a last net under them. */
    static final class Guard extends HttpFilter {
        @Override protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws IOException {
            response.setHeader("Cache-Control", "no-store");
            response.setHeader("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; form-action 'self'");
            response.setHeader("X-Content-Type-Options", "nosniff");
            String origin = request.getHeader("Origin");
            if ("POST".equals(request.getMethod()) && origin != null && !origin.replaceFirst("^https?://", "").equals(request.getHeader("Host"))) {
                send(response, 403, "text/html", Pages.message(null, "This form comes from another site."));
                return;
            }
            try {
                chain.doFilter(request, response);
            } catch (Exception problem) {
                System.err.println("A page has failed: " + problem);
                if (!response.isCommitted()) {
                    response.resetBuffer();
                    send(response, 503, "text/html", Pages.message(null, "Something went wrong. Please try again."));
                }
            }
        }
    }

    static final class Home extends HttpServlet {
        @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String notice = of(request, NOTICE);
            if (notice != null) request.getSession().removeAttribute(NOTICE);
            send(response, 200, "text/html", Pages.home(of(request, EMAIL), notice));
        }
    }

    static final class Nothing extends HttpServlet {
        @Override protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            send(response, 404, "text/html", Pages.message(of(request, EMAIL), "There is no such page."));
        }
    }

    /** A form that begins an attempt: it leads to the page of the attempt, or back with a word. */
    private abstract static class Begin extends HttpServlet {
        final transient Attempts attempts;

        Begin(Attempts attempts) {
            this.attempts = attempts;
        }

        abstract Attempt begin(HttpServletRequest request, String email, String owner) throws Attempts.Refused;

        @Override protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            try {
                Attempt attempt = begin(request, email(request), owner(request));
                redirect(response, "/attempts/" + attempt.id);
            } catch (Attempts.Refused refused) {
                request.getSession().setAttribute(NOTICE, refused.getMessage());
                redirect(response, "/");
            }
        }
    }

    static final class Register extends Begin {
        Register(Attempts attempts) {
            super(attempts);
        }

        @Override Attempt begin(HttpServletRequest request, String email, String owner) throws Attempts.Refused {
            return attempts.register(email, owner, of(request, EMAIL));
        }
    }

    static final class SignIn extends Begin {
        SignIn(Attempts attempts) {
            super(attempts);
        }

        @Override Attempt begin(HttpServletRequest request, String email, String owner) throws Attempts.Refused {
            return attempts.signIn(email, "push".equals(request.getParameter("method")), owner, of(request, EMAIL));
        }
    }

    static final class SignOut extends HttpServlet {
        private final transient Attempts attempts;

        SignOut(Attempts attempts) {
            this.attempts = attempts;
        }

        @Override protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            HttpSession session = request.getSession(false);
            if (session != null) {
                String owner = of(request, OWNER);
                if (owner != null) attempts.endOf(owner);
                session.invalidate();
            }
            redirect(response, "/");
        }
    }

    /** The page of an attempt and, with .json, its state. Both are there for the browser that began it only. */
    static final class AttemptPage extends HttpServlet {
        private final transient Attempts attempts;

        AttemptPage(Attempts attempts) {
            this.attempts = attempts;
        }

        @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String name = Optional.ofNullable(request.getPathInfo()).orElse("/").substring(1);
            boolean json = name.endsWith(".json");
            String id = json ? name.substring(0, name.length() - 5) : name;
            Optional<Attempt> found = attempts.find(id, of(request, OWNER));
            if (found.isEmpty()) {
                if (json) send(response, 404, "application/json", Pages.state("unknown", "There is no such attempt."));
                else send(response, 404, "text/html", Pages.message(of(request, EMAIL), "There is no such attempt."));
                return;
            }
            Attempt attempt = found.get();
            if (attempt.take()) {
                // A new session ID: whoever knew the old one is not signed in with it.
                request.changeSessionId();
                request.getSession().setAttribute(EMAIL, attempt.email);
                attempts.endOf(attempt.owner);
            }
            Attempt.View view = attempt.view();
            if (json) send(response, 200, "application/json", Pages.state(view.state().name().toLowerCase(java.util.Locale.ROOT), view.text()));
            else send(response, 200, "text/html", Pages.attempt(of(request, EMAIL), attempt, view));
        }
    }
}
