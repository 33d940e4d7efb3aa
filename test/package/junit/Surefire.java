import java.nio.charset.StandardCharsets;
import java.io.PrintStream;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestCase;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;

/** What Maven's Surefire reads in a report: one line for each test. */
final class Surefire {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (ReportTestSuite suite : new TestSuiteXmlParser(new NullConsoleLogger()).parse(args[0])) {
      for (ReportTestCase test : suite.getTestCases()) {
        String outcome = test.isSuccessful() ? "passed" : test.hasFailure() ? "failed" : test.hasSkipped() ? "skipped" : "flaky";
        out.println(outcome + "\t" + test.getName() + "\t" + test.getFailureMessage());
      }
    }
  }
}
