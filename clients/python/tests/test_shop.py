"""A shop of somebody else's is tested with phones: what its own suite would look like."""

import pytest
from handset import PhoneRefused


def test_registration(shop, user, handset_phone):
    attempt = shop.post("/register", user=user)
    handset_phone.scan(attempt["code"])
    assert shop.status(attempt) == "waiting"
    handset_phone.approve()
    assert shop.status(attempt) == "done"


def test_sign_in_by_code(shop, user, handset_phone):
    handset_phone.register(user)
    attempt = shop.post("/sign-in", user=user, by="code")
    handset_phone.scan(attempt["code"])
    handset_phone.approve()
    assert shop.status(attempt) == "done"


def test_sign_in_by_push(shop, user, handset_phone):
    handset_phone.register(user)
    attempt = shop.post("/sign-in", user=user, by="push")
    prompt = handset_phone.wait_for_push()
    assert prompt["user"]["username"] == user
    handset_phone.approve()
    assert shop.status(attempt) == "done"


def test_refusal(shop, user, handset_phone):
    handset_phone.register(user)
    attempt = shop.post("/sign-in", user=user, by="push")
    handset_phone.wait_for_push()
    handset_phone.reject()
    assert shop.status(attempt) == "refused"


def test_expiry(shop, user, handset, handset_phone):
    handset_phone.register(user)
    attempt = shop.post("/sign-in", user=user, by="code")
    handset.control.messages_expire(id=attempt["attempt"])
    assert shop.status(attempt) == "expired"


def test_phishing(shop, user, handset_phone):
    handset_phone.register(user)
    handset_phone.arm("origin-wrong")
    attempt = shop.post("/sign-in", user=user, by="code")
    handset_phone.scan(attempt["code"])
    with pytest.raises(PhoneRefused, match="origin_mismatch"):
        handset_phone.approve()
    assert shop.status(attempt) == "refused"


def test_a_service_that_names_another_user_lets_nobody_in(shop, user, handset_phone, handset_service):
    handset_phone.register(user)
    handset_service.arm("user-of-another", user_id=user)
    attempt = shop.post("/sign-in", user=user, by="code")
    handset_phone.scan(attempt["code"])
    handset_phone.approve()
    assert shop.status(attempt) == "refused"
    assert handset_service.armed() == []
