package local.handset;

/**
 * A registration or a sign-in that waits for a phone.
 *
 * @param url what an RP shows as a QR code
 * @param expiresAt Unix seconds
 * @param ceremony {@code attestation} or {@code assertion}: which result call belongs to it
 */
public record Message(String url, long expiresAt, String ceremony) {
    public String msgId() {
        return url.substring(url.indexOf('#') + 2);
    }
}
