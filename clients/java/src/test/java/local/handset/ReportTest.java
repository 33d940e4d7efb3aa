package local.handset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** What a test that fails leaves. The classes within are run by the tests and are not found by their names. */
@ExtendWith(HandsetExtension.class)
class ReportTest {
    @TempDir
    Path folder;

    /** What the tests of a class left, by name. */
    private Map<String, Path> leftBy(Class<?> tests) throws Exception {
        System.setProperty("handset.reports", folder.toString());
        try {
            run(tests);
        } finally {
            System.clearProperty("handset.reports");
        }
        try (var files = Files.list(folder)) {
            return new TreeMap<>(files.collect(Collectors.toMap(file -> file.getFileName().toString(), file -> file)));
        }
    }

    private static SummaryGeneratingListener run(Class<?> tests) {
        var summary = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(tests)).build();
        LauncherFactory.create().execute(request, summary);
        return summary;
    }

    /** What each page says in words, and the events behind its timeline. */
    private static List<String> pages(Map<String, Path> left) throws Exception {
        var pages = new ArrayList<String>();
        for (var file : left.entrySet()) if (file.getKey().endsWith(".html")) pages.add(told(Files.readString(file.getValue())));
        return pages;
    }

    private static String told(String page) throws Exception {
        var words = page.substring(page.indexOf("<header id=\"told\">"), page.indexOf("<div id=\"root\">"));
        var trace = page.split("id=\"trace:\">", 2)[1].split("<", 2)[0];
        try (var events = new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(trace)))) {
            return words + new String(events.readAllBytes(), UTF_8);
        }
    }

    @ExtendWith(HandsetExtension.class)
    static class Failing {
        @Test
        void fails(Phone phone) {
            phone.register("r-1", "bob");
            throw new AssertionError("as expected");
        }
    }

    @Test
    void aFailureLeavesAReportAndRemovesThePhone(Handset handset) throws Exception {
        var before = handset.control().phonesList().get("phones").list().size();
        var left = leftBy(Failing.class);
        var names = List.copyOf(left.keySet());
        assertTrue(names.size() == 3 && names.get(2).matches("local\\.handset\\.ReportTest\\$Failing\\.fails-[0-9a-f]{8}\\.html"), names.toString());
        var page = pages(left).get(0);
        assertTrue(page.contains("r-1") && page.contains("/rp/attestation/options") && page.contains("as expected"), page);
        var trace = new GZIPInputStream(Files.newInputStream(left.get(names.get(1))));
        var lines = new String(trace.readAllBytes(), UTF_8);
        assertTrue(lines.startsWith("{\"format\":\"handset-trace\"") && lines.contains("r-1"), lines);
        assertTrue(Files.readString(left.get(names.get(0))).startsWith("# local.handset.ReportTest"), names.toString());
        assertEquals(before, handset.control().phonesList().get("phones").list().size());
    }

    @ExtendWith(HandsetExtension.class)
    static class WithAWrongPhone {
        @Test
        void fails(Phone phone) {
            phone.arm("challenge-wrong");
            phone.register("r-9", "bob");
        }
    }

    @Test
    void whatWentWrongIsPrinted() throws Exception {
        var printed = new ByteArrayOutputStream();
        var before = System.out;
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            leftBy(WithAWrongPhone.class);
        } finally {
            System.setOut(before);
        }
        assertTrue(printed.toString(UTF_8).matches("(?s).*handset: [^\\n]*hallenge.*"), printed.toString(UTF_8));
    }

    @ExtendWith(HandsetExtension.class)
    static class WithPhonesBefore {
        @BeforeEach
        void open(Phone phone) {
            phone.register("r-2", "bob");
        }

        @Test
        void fails(Lease lease) {
            lease.phone("Another").register("r-3", "eve");
            throw new AssertionError("as expected");
        }
    }

    @Test
    void aFailureLeavesAReportOfEachPhoneOfItsLease() throws Exception {
        var left = leftBy(WithPhonesBefore.class);
        assertEquals(6, left.size());
        var pages = pages(left);
        var second = pages.get(0);
        var first = pages.get(1);
        assertTrue(first.contains("r-2") && second.contains("r-3") && !second.contains("r-2"), second);
    }

    @ExtendWith(HandsetExtension.class)
    static class WithALeaseAlone {
        @Test
        void fails(Lease lease) {
            lease.workspace().relyingParty().register("r-4", "bob");
            throw new AssertionError("as expected");
        }
    }

    @ExtendWith(HandsetExtension.class)
    static class WhoseStartFails {
        @BeforeEach
        void open(Handset handset) {
            handset.workspace().relyingParty().register("r-4", "bob");
            throw new AssertionError("as expected");
        }

        @Test
        void isNotRun(Phone phone) {}
    }

    @ExtendWith(HandsetExtension.class)
    static class WhoseEndFails {
        @Test
        void passes(Phone phone) {
            phone.register("r-4", "bob");
        }

        @AfterEach
        void close() {
            throw new AssertionError("as expected");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {WithALeaseAlone.class, WhoseStartFails.class, WhoseEndFails.class})
    void aFailureWithoutAPhoneOrAroundATestLeavesAReport(Class<?> tests) throws Exception {
        var left = leftBy(tests);
        var page = pages(left).get(0);
        assertTrue(left.size() == 3 && page.contains("r-4") && page.contains("as expected"), page);
    }

    @ExtendWith(HandsetExtension.class)
    static class OfOneName {
        @ParameterizedTest
        @ValueSource(strings = {"a", "b", "A"})
        void fails(String text, Phone phone) {
            throw new AssertionError(text);
        }

        @Test
        void fails(Phone phone) {
            throw new AssertionError("overloaded");
        }
    }

    @Test
    void testsOfOneNameLeaveAReportEach() throws Exception {
        var left = leftBy(OfOneName.class);
        assertEquals(12, left.keySet().stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().count());
        assertEquals(4, pages(left).stream().distinct().count());
    }

    @ExtendWith(HandsetExtension.class)
    static class Aborted {
        @Test
        void aborts(Phone phone) {
            Assumptions.abort("not here");
        }
    }

    @Test
    void aTestThatIsAbortedLeavesNothing() throws Exception {
        assertEquals(Map.of(), leftBy(Aborted.class));
    }

    @ExtendWith(HandsetExtension.class)
    static class WithoutABench {
        @Test
        void fails(Handset handset, Phone phone) {
            handset.close();
            throw new AssertionError("as expected");
        }
    }

    /** In a process of its own, whose bench no other test uses. */
    static final class Alone {
        public static void main(String[] args) {
            var failure = run(WithoutABench.class).getSummary().getFailures().get(0).getException();
            new PrintStream(System.out, true, UTF_8).println("failure: " + failure);
            System.exit(0);
        }
    }

    @Test
    void aBenchThatIsGoneHidesNoFailure() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var builder = new ProcessBuilder(java, "-Dhandset.reports=" + folder, "-cp", System.getProperty("java.class.path"), Alone.class.getName());
        builder.environment().remove("HANDSET_CONTROL_URL");
        var child = builder.redirectErrorStream(true).start();
        var said = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertTrue(said.contains("there is no report of") && said.contains("Nothing answers at"), said);
        assertTrue(said.contains("failure: java.lang.AssertionError: as expected"), said);
        assertFalse(said.contains("a trace:"), said);
    }
}
