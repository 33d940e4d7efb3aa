package local.handset;

/** Every error of this package says what came instead of what was expected. */
public class HandsetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HandsetException(String problem) {
        super(problem);
    }

    public HandsetException(String problem, Throwable cause) {
        super(problem, cause);
    }

    /** The service or the control interface refused a call; the codes stand in docs/errors.md, 0 is no answer. */
    public static final class Refused extends HandsetException {
        private static final long serialVersionUID = 1;
        private final int code;
        private final transient Json data;

        Refused(int code, String error, Json data) {
            super(code == 0 ? error : code + ": " + error);
            this.code = code;
            this.data = data;
        }

        public int code() {
            return code;
        }

        public Json data() {
            return data;
        }
    }

    /** What the phone sent was refused, or it had nothing to answer. */
    public static final class PhoneRefused extends HandsetException {
        private static final long serialVersionUID = 1;
        private final String word;

        PhoneRefused(String word, String detail) {
            super(detail == null ? word : word + ": " + detail);
            this.word = word;
        }

        /** Why, as a machine word. */
        public String word() {
            return word;
        }
    }

    /** The bench speaks another version of the control interface than this package. */
    public static final class VersionMismatch extends HandsetException {
        private static final long serialVersionUID = 1;

        VersionMismatch(String problem) {
            super(problem);
        }

        /** The same in every client. */
        public String code() {
            return "version_mismatch";
        }
    }

    /** No push came in time. */
    public static final class NoPush extends HandsetException {
        private static final long serialVersionUID = 1;

        NoPush(String problem) {
            super(problem);
        }
    }

    /** A result was not final in time. */
    public static final class StillOpen extends HandsetException {
        private static final long serialVersionUID = 1;

        StillOpen(String problem) {
            super(problem);
        }
    }

    /** The program did not start. */
    public static final class NotStarted extends HandsetException {
        private static final long serialVersionUID = 1;

        NotStarted(String problem, Throwable cause) {
            super(problem, cause);
        }
    }
}
