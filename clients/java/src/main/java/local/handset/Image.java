package local.handset;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The container image in the place of the program: docs/using/image.md.
 *
 * @param command what runs {@code handset} of an image
 * @param options those that are left
 */
record Image(List<String> command, List<String> options) {
    /**
     * The port is the same inside and outside, since the addresses that the bench tells name it; it is published to this machine
     * alone. The container is removed when it ends, and it ends with its standard input.
     */
    static Image run(String image, String... options) {
        var left = new ArrayList<String>();
        var port = "0";
        for (int i = 0; i < options.length; i++) {
            if (options[i].startsWith("--port=")) port = options[i].substring("--port=".length());
            else if (options[i].equals("--port")) port = ++i < options.length ? options[i] : "";
            else left.add(options[i]);
        }
        if (port.equals("0")) port = freePort();
        var published = "127.0.0.1:" + port + ":" + port;
        return new Image(List.of("docker", "run", "--rm", "--interactive", "--publish", published, "--env", "HANDSET_PORT=" + port, image), left);
    }

    private static String freePort() {
        try (var asked = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return String.valueOf(asked.getLocalPort());
        } catch (IOException reason) {
            throw new HandsetException("there is no free port: " + reason.getMessage(), reason);
        }
    }
}
