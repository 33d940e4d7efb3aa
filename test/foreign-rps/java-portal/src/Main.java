package portal;

import jakarta.servlet.http.HttpServlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.util.http.Rfc6265CookieProcessor;

/** Starts the portal: the client of the FIDO service, the attempts, and Tomcat with its servlets. */
public final class Main {
    private static final Logger QUIET = Logger.getLogger("org.apache");

    public static void main(String[] args) throws Exception {
        QUIET.setLevel(Level.WARNING);
        int port = Integer.parseInt(setting("PORT"));
        // Timeouts and polls are short tasks, none of them blocks: two threads serve all attempts.
        var timer = new ScheduledThreadPoolExecutor(2, task -> {
            var thread = Executors.defaultThreadFactory().newThread(task);
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        var service = new ServiceClient(setting("FIDO_URL"), setting("FIDO_KEY"), setting("FIDO_SECRET"), timer);
        var attempts = new Attempts(service, timer);

        Path folder = Files.createTempDirectory("portal");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> org.apache.catalina.startup.ExpandWar.delete(folder.toFile(), false)));
        var tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        var connector = new Connector();
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.setMaxPostSize(16 * 1024);
        connector.setURIEncoding("UTF-8");
        tomcat.setConnector(connector);

        Context context = tomcat.addContext("", folder.toString());
        context.setRequestCharacterEncoding("UTF-8");
        context.setSessionTimeout(30);
        // A browser sends cookies to every port of a host: the name keeps the sites of one machine apart.
        context.setSessionCookieName("portal" + port);
        context.setUseHttpOnly(true);
        var cookies = new Rfc6265CookieProcessor();
        cookies.setSameSiteCookies("Lax");
        context.setCookieProcessor(cookies);
        var sessions = new StandardManager();
        sessions.setPathname(null);
        context.setManager(sessions);
        context.addServletContainerInitializer((classes, servletContext) -> servletContext.setSessionTrackingModes(
                EnumSet.of(jakarta.servlet.SessionTrackingMode.COOKIE)), null);

        var guard = new FilterDef();
        guard.setFilterName("guard");
        guard.setFilter(new Servlets.Guard());
        context.addFilterDef(guard);
        var everywhere = new FilterMap();
        everywhere.setFilterName("guard");
        everywhere.addURLPattern("/*");
        context.addFilterMap(everywhere);
        Map<String, HttpServlet> servlets = Map.of(
                "", new Servlets.Home(),
                "/register", new Servlets.Register(attempts),
                "/sign-in", new Servlets.SignIn(attempts),
                "/sign-out", new Servlets.SignOut(attempts),
                "/attempts/*", new Servlets.AttemptPage(attempts),
                "/", new Servlets.Nothing());
        servlets.forEach((pattern, servlet) -> Tomcat.addServlet(context, "servlet" + pattern, servlet).addMapping(pattern));
        tomcat.start();
        if (!connector.getState().isAvailable()) {
            System.err.println("The portal cannot listen on port " + port + ".");
            System.exit(1);
        }
        System.out.println("The portal listens on http://127.0.0.1:" + port + "/");
        tomcat.getServer().await();
    }

    private static String setting(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            System.err.println("The variable " + name + " is missing.");
            System.exit(2);
        }
        return value;
    }
}
