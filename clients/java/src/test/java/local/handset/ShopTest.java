package local.handset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A shop of somebody else's is tested with phones: what its own suite would look like. */
@ExtendWith(HandsetExtension.class)
class ShopTest {
    private static Shop shop;

    @BeforeAll
    static void open(Handset handset) throws Exception {
        shop = new Shop(handset);
    }

    @AfterAll
    static void shut() {
        shop.close();
    }

    @Test
    void registration(Phone phone) throws Exception {
        var attempt = shop.post("/register", Map.of("user", "j-1"));
        phone.scan(attempt.get("code").text());
        assertEquals("waiting", shop.status(attempt));
        phone.approve();
        assertEquals("done", shop.status(attempt));
    }

    @Test
    void signInByCode(Phone phone) throws Exception {
        phone.register("j-2", "alice");
        var attempt = shop.post("/sign-in", Map.of("user", "j-2", "by", "code"));
        phone.scan(attempt.get("code").text());
        phone.approve();
        assertEquals("done", shop.status(attempt));
    }

    @Test
    void signInByPush(Phone phone) throws Exception {
        phone.register("j-3", "alice");
        var attempt = shop.post("/sign-in", Map.of("user", "j-3", "by", "push"));
        var prompt = phone.waitForPush(Duration.ofSeconds(60));
        assertEquals("j-3", prompt.get("user").get("username").text());
        phone.approve();
        assertEquals("done", shop.status(attempt));
    }

    @Test
    void refusal(Phone phone) throws Exception {
        phone.register("j-4", "alice");
        var attempt = shop.post("/sign-in", Map.of("user", "j-4", "by", "push"));
        phone.waitForPush(Duration.ofSeconds(60));
        phone.reject();
        assertEquals("refused", shop.status(attempt));
    }

    @Test
    void expiry(Phone phone, Handset handset) throws Exception {
        phone.register("j-5", "alice");
        var attempt = shop.post("/sign-in", Map.of("user", "j-5", "by", "code"));
        handset.control().messagesExpire(attempt.get("attempt").text());
        assertEquals("expired", shop.status(attempt));
    }

    @Test
    void phishing(Phone phone) throws Exception {
        phone.register("j-6", "alice");
        phone.arm("origin-wrong");
        var attempt = shop.post("/sign-in", Map.of("user", "j-6", "by", "code"));
        phone.scan(attempt.get("code").text());
        var refused = assertThrows(HandsetException.PhoneRefused.class, phone::approve);
        assertEquals("origin_mismatch", refused.word());
        assertEquals("refused", shop.status(attempt));
    }

    @Test
    void aServiceThatNamesAnotherUserLetsNobodyIn(Phone phone, Lease lease) throws Exception {
        phone.register("j-7", "alice");
        lease.service().armFor("j-7", "user-of-another");
        var attempt = shop.post("/sign-in", Map.of("user", "j-7", "by", "code"));
        phone.scan(attempt.get("code").text());
        phone.approve();
        assertEquals("refused", shop.status(attempt));
        assertEquals(0, lease.service().armed().size());
    }

    @Test
    void aFaultOfTheServiceGoesWithItsBlockAndItsLease(Handset handset) {
        var workspace = handset.workspace();
        try (var lease = workspace.lease("faults")) {
            try (var armed = lease.service().arm("body-empty", Map.of("times", 5, "scope", Map.of("user_id", "j-8")))) {
                assertEquals(armed.id(), workspace.service().armed().get(0).get("id").text());
            }
            assertEquals(0, workspace.service().armed().size());
            lease.service().armFor("j-8", "body-empty");
        }
        assertEquals(0, workspace.service().armed().size());
    }
}
