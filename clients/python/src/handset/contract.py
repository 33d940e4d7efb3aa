# Made by `npm run docs` from src-main/core/contract; edit that instead.
"""The control interface of Handset, version 1: what each call takes and answers."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, Literal, Optional, TypedDict

CONTROL_VERSION = 1
PHONE_NAME_MAX = 64
REPORT_FAILURE_MAX = 500
REPORT_TITLE_MAX = 128
WAIT_ENDED = 40905
PHONE_REFUSED = 40906


class _BenchInfoData(TypedDict):
    version: str
    control_version: Literal[1]
    pid: int
    node: str
    data_directory: str | None
    workspaces: List[str]
    base_url: str
    app_url: str
    control_url: str
    ui_url: str


class BenchInfoData(_BenchInfoData, total=False):
    target: str


class SessionOpenData(TypedDict):
    token: str


class SessionInviteData(TypedDict):
    code: str
    url: str


class WorkspacesListData(TypedDict):
    workspaces: List[WorkspacesListDataWorkspacesItem]


class _WorkspacesListDataWorkspacesItem(TypedDict):
    id: str
    seed: int | None
    last_seq: int
    base_url: str
    app_url: str
    control_url: str
    ui_url: str


class WorkspacesListDataWorkspacesItem(_WorkspacesListDataWorkspacesItem, total=False):
    owner: str
    labels: List[str]
    lease_ms: int
    quota: WorkspacesListDataWorkspacesItemQuota
    opened_by: str
    expires_at: int | None
    problem: WorkspacesListDataWorkspacesItemProblem
    target: str


class WorkspacesListDataWorkspacesItemQuota(TypedDict, total=False):
    phones: int
    credentials: int
    messages: int


class _WorkspacesListDataWorkspacesItemProblem(TypedDict):
    code: str


class WorkspacesListDataWorkspacesItemProblem(_WorkspacesListDataWorkspacesItemProblem, total=False):
    params: Dict[str, Any]


class WorkspacesCreateClock(TypedDict, total=False):
    now: int
    frozen: bool
    speed: float


class WorkspacesCreateProfile(TypedDict, total=False):
    authorization_forms: List[Literal["short", "general"]]
    canonical_uri: Literal["as-sent", "encoded"]
    clock_skew_s: int
    skew_clock: Literal["wall", "bench"]
    require_signed_date: bool
    short_form_identifiers: List[str]
    explain_signatures: bool
    message_ttl_s: int
    final_result: Literal["once", "repeatable"]
    unknown_user: Literal["refuse", "accept"]
    empty_optional: Literal["absent", "refuse"]
    user_id_max: int
    username_max: int
    display_name_max: int
    credential_name_max: int
    credentials_per_user: int
    attestation_conveyance: Literal["direct", "none", "indirect", "enterprise"]
    user_verification: Literal["preferred", "required", "discouraged"]
    resident_key: Literal["preferred", "required", "discouraged"]
    hints: List[Literal["client-device", "hybrid", "security-key"]]
    attestation_formats: List[Literal["packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "compound", "none"]]
    extensions: List[Literal["credProps", "credProtect", "minPinLength", "prf", "largeBlob"]]
    algorithms: List[Literal["ES256", "EdDSA", "ES384", "ES512", "ES256K", "Ed448", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "RS1"]]
    attestation: Literal["accept-any", "require-trusted"]
    counter_regression: Literal["fail", "accept"]
    second_opinion: Literal["record", "off", "must-agree"]
    top_origins: List[str]
    judge_relaxes: List[Literal["u2f-aaguid", "tpm-manufacturer", "tpm-sha1-names", "android-key-authorizations", "apple-alg", "certificate-unused-bits", "non-canonical-cbor", "reserved-flags", "token-binding"]]
    http_status: Literal["semantic", "always-200"]
    rate_limit_per_minute: int


class WorkspacesCreateQuota(TypedDict, total=False):
    phones: int
    credentials: int
    messages: int


class WorkspacesCloseData(TypedDict):
    pass


class TokensListData(TypedDict):
    tokens: List[TokensListDataTokensItem]


class TokensListDataTokensItem(TypedDict):
    id: str
    name: str
    workspaces: List[str]
    may_open: int
    quota: WorkspacesListDataWorkspacesItemQuota
    reveal_secrets: bool
    created_at: int


class TokensCreateQuota(TypedDict, total=False):
    phones: int
    credentials: int
    messages: int


class TokensCreateData(TypedDict):
    token: TokensListDataTokensItem
    secret: str


class OverviewData(TypedDict):
    workspace: str
    seed: int | None
    addresses: OverviewDataAddresses
    clock: OverviewDataClock
    profile_changed: List[str]
    conditions: OverviewDataConditions
    counts: OverviewDataCounts
    first_seq: int
    last_seq: int


class _OverviewDataAddresses(TypedDict):
    base_url: str
    app_url: str
    control_url: str
    ui_url: str


class OverviewDataAddresses(_OverviewDataAddresses, total=False):
    target: str


class OverviewDataClock(TypedDict):
    now: int
    frozen: bool
    speed: float
    offset_ms: int | None
    next_expiry: int | None


class _OverviewDataConditions(TypedDict):
    rp: OverviewDataConditionsRp
    app: OverviewDataConditionsApp


class OverviewDataConditions(_OverviewDataConditions, total=False):
    scoped: List[OverviewDataConditionsScopedItem]


class OverviewDataConditionsRp(TypedDict):
    latency_ms: int
    fail_next: int
    fail_percent: int
    fail_code: int
    lose_next: int
    lose_percent: int
    only: List[Literal["attestation.options", "attestation.result", "assertion.options", "assertion.result", "credentials.list", "credentials.delete"]]


class OverviewDataConditionsApp(TypedDict):
    latency_ms: int
    fail_next: int
    fail_percent: int
    fail_code: int
    lose_next: int
    lose_percent: int
    only: List[Literal["devices.sign_in", "devices.sign_out", "messages.bind", "messages.attestation", "messages.assertion", "messages.reject", "inbox", "vault.list", "vault.put", "vault.get", "vault.delete"]]


class OverviewDataConditionsScopedItem(TypedDict):
    scope: OverviewDataConditionsScopedItemScope
    rp: OverviewDataConditionsRp
    app: OverviewDataConditionsApp


class OverviewDataConditionsScopedItemScope(TypedDict, total=False):
    user_id: str
    phone: str
    msg_id: str


class OverviewDataCounts(TypedDict):
    rps: int
    messages: int
    messages_under_way: int
    credentials: int
    accounts: int
    phones: int


class WorkspaceResetData(TypedDict):
    last_seq: int


class ProfileGetData(TypedDict):
    profile: ProfileGetDataProfile
    changed: List[Literal["authorization_forms", "canonical_uri", "clock_skew_s", "skew_clock", "require_signed_date", "short_form_identifiers", "explain_signatures", "message_ttl_s", "final_result", "unknown_user", "empty_optional", "user_id_max", "username_max", "display_name_max", "credential_name_max", "credentials_per_user", "attestation_conveyance", "user_verification", "resident_key", "hints", "attestation_formats", "extensions", "algorithms", "attestation", "counter_regression", "second_opinion", "top_origins", "judge_relaxes", "http_status", "rate_limit_per_minute"]]
    settings: List[ProfileGetDataSettingsItem]


class ProfileGetDataProfile(TypedDict):
    authorization_forms: List[Literal["short", "general"]]
    canonical_uri: Literal["as-sent", "encoded"]
    clock_skew_s: int
    skew_clock: Literal["wall", "bench"]
    require_signed_date: bool
    short_form_identifiers: List[str]
    explain_signatures: bool
    message_ttl_s: int
    final_result: Literal["once", "repeatable"]
    unknown_user: Literal["refuse", "accept"]
    empty_optional: Literal["absent", "refuse"]
    user_id_max: int
    username_max: int
    display_name_max: int
    credential_name_max: int
    credentials_per_user: int
    attestation_conveyance: Literal["direct", "none", "indirect", "enterprise"]
    user_verification: Literal["preferred", "required", "discouraged"]
    resident_key: Literal["preferred", "required", "discouraged"]
    hints: List[Literal["client-device", "hybrid", "security-key"]]
    attestation_formats: List[Literal["packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "compound", "none"]]
    extensions: List[Literal["credProps", "credProtect", "minPinLength", "prf", "largeBlob"]]
    algorithms: List[Literal["ES256", "EdDSA", "ES384", "ES512", "ES256K", "Ed448", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "RS1"]]
    attestation: Literal["accept-any", "require-trusted"]
    counter_regression: Literal["fail", "accept"]
    second_opinion: Literal["record", "off", "must-agree"]
    top_origins: List[str]
    judge_relaxes: List[Literal["u2f-aaguid", "tpm-manufacturer", "tpm-sha1-names", "android-key-authorizations", "apple-alg", "certificate-unused-bits", "non-canonical-cbor", "reserved-flags", "token-binding"]]
    http_status: Literal["semantic", "always-200"]
    rate_limit_per_minute: int


class ProfileGetDataSettingsItem(TypedDict):
    key: Literal["authorization_forms", "canonical_uri", "clock_skew_s", "skew_clock", "require_signed_date", "short_form_identifiers", "explain_signatures", "message_ttl_s", "final_result", "unknown_user", "empty_optional", "user_id_max", "username_max", "display_name_max", "credential_name_max", "credentials_per_user", "attestation_conveyance", "user_verification", "resident_key", "hints", "attestation_formats", "extensions", "algorithms", "attestation", "counter_regression", "second_opinion", "top_origins", "judge_relaxes", "http_status", "rate_limit_per_minute"]
    group: str
    sentence: str
    rule: Dict[str, Any]
    default: Any


class ConditionsPutRp(TypedDict, total=False):
    latency_ms: int
    fail_next: int
    fail_percent: int
    fail_code: int
    lose_next: int
    lose_percent: int
    only: List[Literal["attestation.options", "attestation.result", "assertion.options", "assertion.result", "credentials.list", "credentials.delete"]]


class ConditionsPutApp(TypedDict, total=False):
    latency_ms: int
    fail_next: int
    fail_percent: int
    fail_code: int
    lose_next: int
    lose_percent: int
    only: List[Literal["devices.sign_in", "devices.sign_out", "messages.bind", "messages.attestation", "messages.assertion", "messages.reject", "inbox", "vault.list", "vault.put", "vault.get", "vault.delete"]]


class SnapshotsListData(TypedDict):
    snapshots: List[SnapshotsListDataSnapshotsItem]


class SnapshotsListDataSnapshotsItem(TypedDict):
    id: str
    name: str
    created_at: int


class _ServiceArmData(TypedDict):
    id: str
    fault: Literal["user-of-another", "user-in-other-case", "user-with-space", "user-in-other-normalization", "user-cut-off", "user-with-zero-width-space", "user-empty", "user-null", "user-missing", "user-in-list", "success-unscanned", "success-for-another-unscanned", "status-unknown", "status-empty", "status-missing", "status-null", "status-number", "status-true", "success-in-capitals", "success-with-suffix", "status-in-list", "fail-in-capitals", "fail-with-space", "fail-in-past-tense", "fail-with-user", "success-with-error", "success-again", "timeout-too-early", "status-goes-back", "svc-user-with-markup", "error-with-markup", "registered-unscanned", "registered-not-stored", "url-of-another-message", "url-to-another-host", "url-with-script", "url-without-token", "url-with-empty-token", "url-empty", "url-null", "url-missing", "url-number", "expires-in-past", "expires-in-milliseconds", "expires-never", "expires-as-date", "expires-missing", "expires-negative", "list-empty", "list-refused", "list-of-another", "list-repeats", "list-null", "list-missing", "list-as-object", "list-total-too-high", "list-with-markup", "list-ids-missing", "list-with-null", "deletion-not-done", "deletion-counts-none", "error-code-with-success", "http-error-with-success", "code-missing", "code-null", "code-false", "data-empty", "data-list", "data-as-text", "data-null", "data-missing", "envelope-missing", "envelope-in-list", "members-twice", "html-page", "gateway-page", "body-cut-off", "body-empty", "body-null", "body-with-byte-order-mark", "body-in-utf-16", "body-with-trailing-text", "body-with-not-a-number", "body-gigantic", "gateway-page-for-good", "no-content", "redirect", "redirect-for-good", "not-modified", "content-type-missing", "content-type-wrong", "content-type-in-capitals", "gzip-unasked", "encoding-unknown", "clock-off", "retry-after-a-day", "retry-after-date", "retry-after-words", "answer-cacheable", "connection-cut", "no-answer", "body-stalls", "slow-drip", "length-too-short", "length-too-long", "length-twice", "length-and-chunks", "chunks-cut-off", "chunk-size-wrong", "header-malformed", "headers-too-large", "protocol-switched", "not-http", "final-answer-lost", "final-answer-cut-off"]
    only: List[Literal["attestation.options", "attestation.result", "assertion.options", "assertion.result", "credentials.list", "credentials.delete"]]


class ServiceArmData(_ServiceArmData, total=False):
    left: int
    probability: float
    parameters: Dict[str, Any]
    scope: OverviewDataConditionsScopedItemScope


class ServiceFaultsData(TypedDict):
    faults: List[ServiceArmData]


class CatalogueServiceFaultsData(TypedDict):
    faults: List[CatalogueServiceFaultsDataFaultsItem]


class _CatalogueServiceFaultsDataFaultsItem(TypedDict):
    name: str
    group: Literal["identity", "status", "address", "credentials", "envelope", "body", "http", "connection"]
    title: str
    careful: str
    harm: Literal["admits", "breaks"]
    seen: Literal["careful", "careless", "either", "neither"]
    on: List[Literal["attestation.options", "attestation.result", "assertion.options", "assertion.result", "credentials.list", "credentials.delete"]]
    when: str


class CatalogueServiceFaultsDataFaultsItem(_CatalogueServiceFaultsDataFaultsItem, total=False):
    parameters: Dict[str, Any]


class RpsListData(TypedDict):
    rps: List[RpsListDataRpsItem]


class RpsListDataRpsItem(TypedDict):
    id: str
    name: str
    rp_id: str
    origins: List[str]
    created_at: int


class KeysListData(TypedDict):
    keys: List[KeysListDataKeysItem]


class _KeysListDataKeysItem(TypedDict):
    id: str
    rp: str
    state: Literal["active", "disabled"]
    created_at: int


class KeysListDataKeysItem(_KeysListDataKeysItem, total=False):
    last_used_at: int


class KeysCreateData(TypedDict):
    key: KeysListDataKeysItem
    secret: str


class KeysRevealData(TypedDict):
    secret: str


class MessagesListData(TypedDict):
    messages: List[Message]


class _Message(TypedDict):
    id: str
    rp: str
    kind: Literal["registration", "authentication"]
    url: str
    user_id: str
    username: str
    display_name: str
    credential_name: str
    state: Literal["init", "bind", "success", "fail", "timeout"]
    svc_user: str
    error: str
    created_at: int
    expires_at: int


class Message(_Message, total=False):
    method: Literal["qrcode", "push"]
    device: str
    credential_id: str
    delivered_at: int
    public_key: Any
    verdict: MessageVerdict


class _MessageVerdict(TypedDict):
    accepted: bool
    steps: List[MessageVerdictStepsItem]
    response: Any


class MessageVerdict(_MessageVerdict, total=False):
    failure: MessageVerdictFailure
    algorithm: str
    second_opinion: MessageVerdictSecondOpinion


class _MessageVerdictStepsItem(TypedDict):
    id: str
    outcome: Literal["passed", "failed", "skipped"]


class MessageVerdictStepsItem(_MessageVerdictStepsItem, total=False):
    word: str
    expected: str | MessageVerdictStepsItemExpected2
    received: str | MessageVerdictStepsItemExpected2
    at: MessageVerdictStepsItemAt
    note: str
    checks: List[MessageVerdictStepsItemChecksItem]


class _MessageVerdictStepsItemExpected2(TypedDict):
    code: str


class MessageVerdictStepsItemExpected2(_MessageVerdictStepsItemExpected2, total=False):
    params: Dict[str, Any]


class MessageVerdictStepsItemAt(TypedDict):
    part: Literal["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
    start: int
    end: int


class _MessageVerdictStepsItemChecksItem(TypedDict):
    outcome: Literal["passed", "failed", "skipped"]


class MessageVerdictStepsItemChecksItem(_MessageVerdictStepsItemChecksItem, total=False):
    check: str
    word: str
    expected: str | MessageVerdictStepsItemExpected2
    received: str | MessageVerdictStepsItemExpected2
    at: MessageVerdictStepsItemAt


class MessageVerdictFailure(TypedDict):
    word: str
    step: str | Literal["service"]


class _MessageVerdictSecondOpinion(TypedDict):
    heard: bool


class MessageVerdictSecondOpinion(_MessageVerdictSecondOpinion, total=False):
    by: Literal["@simplewebauthn/server", "@peculiar/webcrypto", "@noble/curves", "@noble/post-quantum"]
    accepts: bool
    reason: str | MessageVerdictSecondOpinionReason2
    disagrees: bool


class _MessageVerdictSecondOpinionReason2(TypedDict):
    code: str


class MessageVerdictSecondOpinionReason2(_MessageVerdictSecondOpinionReason2, total=False):
    params: Dict[str, Any]


class CredentialsListData(TypedDict):
    credentials: List[CredentialsListDataCredentialsItem]


class CredentialsListDataCredentialsItem(TypedDict):
    id: str
    rp: str
    user_id: str
    name: str
    storage: Literal["chip", "cloud"]
    account: str
    device: str
    public_key: str
    algorithm: int
    counter: int
    aaguid: str
    attestation_format: str
    transports: List[str]
    backup_eligible: bool
    backup_state: bool
    user_verified: bool
    created_at: int
    updated_at: int


class AccountsListData(TypedDict):
    accounts: List[AccountsListDataAccountsItem]


class AccountsListDataAccountsItem(TypedDict):
    id: str
    name: str
    phone: str
    protected: bool
    created_at: int


class DevicesListData(TypedDict):
    devices: List[DevicesListDataDevicesItem]


class DevicesListDataDevicesItem(TypedDict):
    id: str
    account: str
    name: str
    connected: bool
    created_at: int


class RootsListData(TypedDict):
    roots: List[RootsListDataRootsItem]


class RootsListDataRootsItem(TypedDict):
    id: str
    name: str
    certificate: str
    subject: str
    not_before: float
    not_after: float
    created_at: int


class RootsExportData(TypedDict):
    pem: str


class EventsListData(TypedDict):
    events: List[EventsListDataEventsItem | EventsListDataEventsItem2 | EventsListDataEventsItem3 | EventsListDataEventsItem4 | EventsListDataEventsItem5 | EventsListDataEventsItem6 | EventsListDataEventsItem7 | EventsListDataEventsItem8 | EventsListDataEventsItem9 | EventsListDataEventsItem10 | EventsListDataEventsItem11 | EventsListDataEventsItem12]
    first_seq: int
    last_seq: int
    more: bool


class _EventsListDataEventsItem(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["exchange"]
    interface: Literal["rp", "app"]
    request: EventsListDataEventsItemRequest
    response: EventsListDataEventsItemResponse
    took_us: float


class EventsListDataEventsItem(_EventsListDataEventsItem, total=False):
    cause: str
    rp_id: str
    access_key_id: str
    device_id: str
    msg_id: str
    conditions: EventsListDataEventsItemConditions
    faults: List[EventsListDataEventsItemFaultsItem]
    honest: EventsListDataEventsItemHonest
    scope: str
    traceparent: str
    answered_by: Literal["target", "recording"]
    asked_by: str
    resent: EventsListDataEventsItemResent


class _EventsListDataEventsItemActor(TypedDict):
    kind: Literal["rp", "phone", "service", "control", "clock"]


class EventsListDataEventsItemActor(_EventsListDataEventsItemActor, total=False):
    id: str


class _EventsListDataEventsItemRequest(TypedDict):
    id: str
    method: str
    target: str
    headers: List[List[str]]
    body: str
    body_bytes: int


class EventsListDataEventsItemRequest(_EventsListDataEventsItemRequest, total=False):
    route: str


class EventsListDataEventsItemResponse(TypedDict):
    status: int
    code: int
    headers: List[List[str]]
    body: str


class EventsListDataEventsItemConditions(TypedDict, total=False):
    latency_ms: int
    failed: int
    lost: Literal[True]


class _EventsListDataEventsItemFaultsItem(TypedDict):
    id: str
    fault: str


class EventsListDataEventsItemFaultsItem(_EventsListDataEventsItemFaultsItem, total=False):
    parameters: Dict[str, Any]


class EventsListDataEventsItemHonest(TypedDict):
    status: int
    body: str


EventsListDataEventsItemResent = TypedDict("EventsListDataEventsItemResent", {
    "from": "int",
    "edited": "List[str]",
    "signing": "Literal[\"anew\", \"kept\", \"before_edits\", \"other_secret\", \"unknown_key\", \"old_date\", \"no_date\", \"none\"]",
}, total=False)


EventsListDataEventsItem2 = TypedDict("EventsListDataEventsItem2", {
    "v": "Literal[1]",
    "seq": "int",
    "workspace": "str",
    "actor": "EventsListDataEventsItemActor",
    "cause": "str",
    "wall": "float",
    "bench": "float",
    "kind": "Literal[\"message\"]",
    "msg_id": "str",
    "ceremony": "Literal[\"registration\", \"authentication\"]",
    "from": "Literal[\"init\", \"bind\", \"success\", \"fail\", \"timeout\"]",
    "to": "Literal[\"init\", \"bind\", \"success\", \"fail\", \"timeout\"]",
    "rp_id": "str",
    "user_id": "str",
    "username": "str",
    "method": "Literal[\"qrcode\", \"push\"]",
    "device_id": "str",
    "svc_user": "str",
    "error": "str",
    "credential_id": "str",
    "url": "str",
    "expires_at": "int",
}, total=False)


class _EventsListDataEventsItem3(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["delivery"]
    msg_id: str
    state: Literal["init", "bind", "success", "fail", "timeout"]


class EventsListDataEventsItem3(_EventsListDataEventsItem3, total=False):
    cause: str


class _EventsListDataEventsItem4(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["decision"]
    rp_id: str
    care: Literal["careful", "careless"]
    made: Literal["waits", "success", "refused", "fail", "timeout", "broke"]


class EventsListDataEventsItem4(_EventsListDataEventsItem4, total=False):
    cause: str
    msg_id: str
    account: str
    doubt: Literal["other_user", "no_user", "unscanned", "error_with_success", "not_stored", "address"]
    named: str


class _EventsListDataEventsItem5(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["push"]
    msg_id: str
    device_id: str
    stage: Literal["queued", "sent"]


class EventsListDataEventsItem5(_EventsListDataEventsItem5, total=False):
    cause: str


class _EventsListDataEventsItem6(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["verdict"]
    msg_id: str
    ceremony: Literal["registration", "authentication"]
    accepted: bool
    steps: List[MessageVerdictStepsItem]


class EventsListDataEventsItem6(_EventsListDataEventsItem6, total=False):
    cause: str
    failure: MessageVerdictFailure
    algorithm: str
    second_opinion: EventsListDataEventsItem6SecondOpinion


class _EventsListDataEventsItem6SecondOpinion(TypedDict):
    heard: bool


class EventsListDataEventsItem6SecondOpinion(_EventsListDataEventsItem6SecondOpinion, total=False):
    by: Literal["@simplewebauthn/server", "@peculiar/webcrypto", "@noble/curves", "@noble/post-quantum"]
    accepts: bool
    reason: str | MessageVerdictSecondOpinionReason2
    disagrees: bool


class _EventsListDataEventsItem7(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["credential"]
    change: Literal["registered", "used", "deleted", "restored"]
    rp_id: str
    user_id: str
    credential_id: str


class EventsListDataEventsItem7(_EventsListDataEventsItem7, total=False):
    cause: str


class _EventsListDataEventsItem8(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["device"]
    change: Literal["signed_in", "signed_out", "connected", "disconnected"]
    device_id: str
    account: str


class EventsListDataEventsItem8(_EventsListDataEventsItem8, total=False):
    cause: str
    new_account: Literal[True]


class _EventsListDataEventsItem9(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["phone"]
    change: Literal["created", "changed", "removed", "scanned", "pushed", "asked", "answered", "problem"]
    phone_id: str


class EventsListDataEventsItem9(_EventsListDataEventsItem9, total=False):
    cause: str
    text: str
    word: str
    act: EventsListDataEventsItem9Act
    struck: EventsListDataEventsItem9Struck
    signal: EventsListDataEventsItem9Signal
    phone: PhoneState


class _EventsListDataEventsItem9Act(TypedDict):
    msg_id: str
    did: Literal["scan", "open", "approve", "reject", "decline"]


class EventsListDataEventsItem9Act(_EventsListDataEventsItem9Act, total=False):
    storage: Literal["cloud", "chip"]
    waits: Literal[True]
    refused: EventsListDataEventsItem9ActRefused


class _EventsListDataEventsItem9ActRefused(TypedDict):
    word: str


class EventsListDataEventsItem9ActRefused(_EventsListDataEventsItem9ActRefused, total=False):
    code: int


class _EventsListDataEventsItem9Struck(TypedDict):
    msg_id: str
    faults: List[str]


class EventsListDataEventsItem9Struck(_EventsListDataEventsItem9Struck, total=False):
    stage: Literal["push", "message"]
    parameters: Dict[str, Any]


class EventsListDataEventsItem9Signal(TypedDict):
    name: Literal["currentUserDetails", "unknownCredential", "allAcceptedCredentials"]
    outcome: Literal["ignored", "another_rp", "another_account", "not_held"]
    faults: List[str]


class _PhoneState(TypedDict):
    id: str
    name: str
    model: str
    account: PhoneStateAccount
    signed_in: bool
    network: Literal["online", "offline"]
    inbox: Literal["closed", "connecting", "open"]
    lost: bool
    storage: Literal["cloud", "chip"]
    behaviour: PhoneStateBehaviour
    screen: PhoneStateScreen | PhoneStateScreen2 | PhoneStateScreen3 | PhoneStateScreen4 | PhoneStateScreen5 | PhoneStateScreen6 | PhoneStateScreen7 | PhoneStateScreen8
    prompts: List[Prompt]
    notifications: List[PhoneStateNotificationsItem]
    credentials: List[PromptCredentialsItem]
    credentials_total: int
    faults: List[ArmedFault]


class PhoneState(_PhoneState, total=False):
    algorithm: str
    device_id: str


class PhoneStateAccount(TypedDict):
    name: str
    phone: str


class _PhoneStateBehaviour(TypedDict):
    answer: Literal["ask", "approve", "reject", "ignore"]


class PhoneStateBehaviour(_PhoneStateBehaviour, total=False):
    delay_ms: int
    fingerprint_failures: int
    reason: str
    storage: Literal["cloud", "chip"]
    related_origins: str


class PhoneStateScreen(TypedDict):
    kind: Literal["lock"]


class PhoneStateScreen2(TypedDict):
    kind: Literal["home"]


class PhoneStateScreen3(TypedDict):
    kind: Literal["camera"]


class _PhoneStateScreen4(TypedDict):
    kind: Literal["request"]
    prompt: Prompt


class PhoneStateScreen4(_PhoneStateScreen4, total=False):
    note: str


class _Prompt(TypedDict):
    id: str
    msg_id: str
    url: str
    kind: Literal["registration", "authentication"]
    came_by: Literal["scan", "push"]
    rp: PromptRp
    user: PromptUser
    credential_name: str
    expires_at: int
    origin: str
    fingerprint_failures: int


class Prompt(_Prompt, total=False):
    storage: Literal["cloud", "chip"]
    credentials: List[PromptCredentialsItem]
    answers_at: int


class PromptRp(TypedDict):
    id: str
    name: str
    origins: List[str]


class PromptUser(TypedDict):
    username: str
    display_name: str


class _PromptCredentialsItem(TypedDict):
    id: str
    name: str
    rp_id: str
    username: str
    storage: Literal["cloud", "chip"]
    created_at: str


class PromptCredentialsItem(_PromptCredentialsItem, total=False):
    removed_by: str


class PhoneStateScreen5(TypedDict):
    kind: Literal["working"]
    prompt: Prompt
    doing: Literal["signing", "sending"]


class PhoneStateScreen6(TypedDict):
    kind: Literal["success"]
    prompt: Prompt
    credential_id: str


class _PhoneStateScreen7(TypedDict):
    kind: Literal["refused"]
    prompt: Prompt
    word: str


class PhoneStateScreen7(_PhoneStateScreen7, total=False):
    reason: PhoneStateScreen7Reason


class _PhoneStateScreen7Reason(TypedDict):
    code: str


class PhoneStateScreen7Reason(_PhoneStateScreen7Reason, total=False):
    params: Dict[str, Any]


class _PhoneStateScreen8(TypedDict):
    kind: Literal["problem"]
    word: str


class PhoneStateScreen8(_PhoneStateScreen8, total=False):
    reason: PhoneStateScreen7Reason
    service_code: int
    prompt: Prompt


class PhoneStateNotificationsItem(TypedDict):
    msg_id: str
    url: str
    rp: PhoneStateNotificationsItemRp
    expires_at: int
    arrived_at: int


class PhoneStateNotificationsItemRp(TypedDict):
    id: str
    name: str


class _ArmedFault(TypedDict):
    id: str
    fault: str


class ArmedFault(_ArmedFault, total=False):
    left: int
    probability: float
    parameters: Dict[str, Any]


class _EventsListDataEventsItem10(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["clock"]
    change: Literal["frozen", "running", "set", "advanced"]
    now: float
    frozen: bool
    speed: float


class EventsListDataEventsItem10(_EventsListDataEventsItem10, total=False):
    cause: str
    real: Literal[True]


class _EventsListDataEventsItem11(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["setting"]
    subject: Literal["rp", "access_key", "root", "profile", "conditions", "snapshot", "fault", "user", "lease", "token", "workspace"]
    change: str


class EventsListDataEventsItem11(_EventsListDataEventsItem11, total=False):
    cause: str
    id: str
    detail: Dict[str, Any]


class _EventsListDataEventsItem12(TypedDict):
    v: Literal[1]
    seq: int
    workspace: str
    actor: EventsListDataEventsItemActor
    wall: float
    bench: float
    kind: Literal["workspace"]
    change: Literal["opened", "reset", "restored", "closed"]


class EventsListDataEventsItem12(_EventsListDataEventsItem12, total=False):
    cause: str
    snapshot: str


EventsCeremoniesData = TypedDict("EventsCeremoniesData", {
    "events": "List[EventsListDataEventsItem | EventsListDataEventsItem2 | EventsListDataEventsItem3 | EventsListDataEventsItem4 | EventsListDataEventsItem5 | EventsListDataEventsItem6 | EventsListDataEventsItem7 | EventsListDataEventsItem8 | EventsListDataEventsItem9 | EventsListDataEventsItem10 | EventsListDataEventsItem11 | EventsListDataEventsItem12]",
    "from": "int",
    "groups": "int",
    "chips": "EventsCeremoniesDataChips",
    "more": "bool",
    "first_seq": "int",
    "last_seq": "int",
}, total=False)


class EventsCeremoniesDataChips(TypedDict):
    failed: int
    refused: int
    faulted: int
    mine: int


class EventsReportData(TypedDict):
    html: str
    lines: List[str]


class EventsAgentReportData(TypedDict):
    markdown: str
    file: str
    repeats: bool


class EventsScenarioData(TypedDict):
    scenario: str
    steps: int
    last_seq: int
    more: bool


class EventsTraceData(TypedDict):
    handset: str


class _EventsSignatureData(TypedDict):
    outcome: Literal["explained", "unexplained", "holds"]
    mistakes: List[EventsSignatureDataMistakesItem]
    tried: int


class EventsSignatureData(_EventsSignatureData, total=False):
    difference: EventsSignatureDataDifference
    access_key_id: str
    identifier: str
    signed_well: int


class _EventsSignatureDataMistakesItem(TypedDict):
    id: str
    sentence: str


class EventsSignatureDataMistakesItem(_EventsSignatureDataMistakesItem, total=False):
    note: str


EventsSignatureDataDifference = TypedDict("EventsSignatureDataDifference", {
    "in": "Literal[\"canonical_request\", \"string_to_sign\", \"body\"]",
    "line": "int",
    "name": "str",
    "signed": "str",
    "computed": "str",
}, total=False)


class EventsResendHeadersItem(TypedDict):
    name: str
    value: str


class _EventsResendData(TypedDict):
    status: int
    code: int


class EventsResendData(_EventsResendData, total=False):
    seq: int
    unanswered: EventsResendDataUnanswered


class _EventsResendDataUnanswered(TypedDict):
    code: str


class EventsResendDataUnanswered(_EventsResendDataUnanswered, total=False):
    params: Dict[str, Any]


class EventsAnswerEdits(TypedDict, total=False):
    client_data: List[EventsAnswerEditsClientDataItem]
    rp_id_hash: str
    flags: int
    counter: int
    aaguid: str
    attested_credential_id: str
    public_key: str
    credential_id: str
    user_handle: str | None
    client_data_bytes: List[EventsAnswerEditsClientDataBytesItem]
    authenticator_data_bytes: List[EventsAnswerEditsClientDataBytesItem]
    attestation_object_bytes: List[EventsAnswerEditsClientDataBytesItem]
    signature_bytes: List[EventsAnswerEditsClientDataBytesItem]


class _EventsAnswerEditsClientDataItem(TypedDict):
    name: str


class EventsAnswerEditsClientDataItem(_EventsAnswerEditsClientDataItem, total=False):
    value: str
    json: str


class EventsAnswerEditsClientDataBytesItem(TypedDict):
    at: int
    take: int
    put: str


class _EventsAnswerData(TypedDict):
    msg_id: str
    seq: int
    code: int


class EventsAnswerData(_EventsAnswerData, total=False):
    accepted: bool
    failure: MessageVerdictFailure


class PhonesListData(TypedDict):
    phones: List[PhoneState]


class PhonesCreateAccount(TypedDict):
    name: str
    phone: str


class PhonesScanImage(TypedDict):
    data: str
    type: Literal["png", "jpeg"]


class PhonesScanRgba(TypedDict):
    width: int
    height: int
    data: str


class _PhonesArmData(TypedDict):
    id: str
    fault: str
    strikes: PhonesArmDataStrikes


class PhonesArmData(_PhonesArmData, total=False):
    left: int
    probability: float
    parameters: Dict[str, Any]


class PhonesArmDataStrikes(TypedDict):
    ceremony: Literal["registration", "authentication", "both", "none"]
    begun: List[str]


class LeasesListData(TypedDict):
    leases: List[LeasesListDataLeasesItem]


class LeasesListDataLeasesItem(TypedDict):
    id: str
    name: str
    ttl_ms: int
    held: bool
    phones: List[str]
    workspaces: List[str]


class LeasesDeleteData(TypedDict):
    removed: LeasesDeleteDataRemoved


class LeasesDeleteDataRemoved(TypedDict):
    faults: int
    conditions: int
    phones: int
    devices: int
    messages: int
    credentials: int
    accounts: int
    workspaces: int


class CatalogueModelsData(TypedDict):
    models: List[CatalogueModelsDataModelsItem]


class _CatalogueModelsDataModelsItem(TypedDict):
    name: str
    title: str
    aaguid: str
    algorithms: List[str]
    choices: List[str]
    attestation: str
    storage: Literal["chip", "cloud"]
    counter: Literal["growing", "zero", "stuck"]
    credentialIdLength: int
    discoverable: bool
    transports: List[str]


class CatalogueModelsDataModelsItem(_CatalogueModelsDataModelsItem, total=False):
    variant: Dict[str, Any]


class CatalogueFaultsData(TypedDict):
    faults: List[CatalogueFaultsDataFaultsItem]


class _CatalogueFaultsDataFaultsItem(TypedDict):
    name: str
    title: str
    ceremony: Literal["registration", "authentication", "both", "none"]
    seam: str
    expected: Any
    seen: Literal["careful", "careless", "either", "neither"]


class CatalogueFaultsDataFaultsItem(_CatalogueFaultsDataFaultsItem, total=False):
    needs: Dict[str, Any]
    action: str
    parameters: Dict[str, Any]
    smallest: Dict[str, Any]
    largest: Dict[str, Any]


class SimulatorGetData(TypedDict):
    care: Literal["careful", "careless"]


class SimulatorRegisterData(TypedDict):
    msg_id: str
    rp: str
    ceremony: Literal["registration", "authentication"]
    method: Literal["qrcode", "push"] | None
    user_id: str
    username: str
    url: str
    expires_at: int
    started_at: int
    status: Literal["init", "bind", "success", "fail", "timeout"]
    svc_user: str
    error: str
    verified_user_id: str
    polls: int
    polling: bool
    refusal: SimulatorRegisterDataRefusal | None
    care: Literal["careful", "careless"]
    made: Literal["waits", "success", "refused", "fail", "timeout", "broke"]
    account: str
    doubt: Literal["other_user", "no_user", "unscanned", "error_with_success", "not_stored", "address"] | None


class SimulatorRegisterDataRefusal(TypedDict):
    code: int
    error: str


class SimulatorCredentialsData(TypedDict):
    total: int
    credentials: List[SimulatorCredentialsDataCredentialsItem]


class SimulatorCredentialsDataCredentialsItem(TypedDict):
    credential_id: str
    credential_name: str
    user_id: str
    created_at: str
    updated_at: str


class SimulatorDeleteCredentialData(TypedDict):
    total: int


class Calls:
    """Every call of the control interface; what is None is not sent."""

    def _call(self, method: str, path: str, **parts: Any) -> Any:
        raise NotImplementedError

    @staticmethod
    def _deprecated(what: str) -> None:
        warnings.warn(what, DeprecationWarning, stacklevel=3)

    def bench_info(self) -> BenchInfoData:
        """What runs here."""
        return self._call("GET", "/info")

    def session_open(self, *, code: str) -> SessionOpenData:
        """Exchanges the one-time code in the page’s address for the control token."""
        return self._call("POST", "/session", body={"code": code})

    def session_invite(self, *, workspace: Optional[str] = None) -> SessionInviteData:
        """Makes a one-time code with which another page can open a session."""
        return self._call("POST", "/session/codes", body={"workspace": workspace})

    def workspaces_list(self, *, owner: Optional[str] = None, label: Optional[str] = None) -> WorkspacesListData:
        """The workspaces: all, or those of an owner or with a label."""
        return self._call("GET", "/workspaces", query={"owner": owner, "label": label})

    def workspaces_create(self, *, id: Optional[str] = None, seed: Optional[int] = None, clock: Optional[WorkspacesCreateClock] = None, profile: Optional[WorkspacesCreateProfile] = None, rp: Optional[Literal["demo", "none"]] = None, owner: Optional[str] = None, labels: Optional[List[str]] = None, lease_ms: Optional[int] = None, quota: Optional[WorkspacesCreateQuota] = None, lease: Optional[str] = None) -> WorkspacesListDataWorkspacesItem:
        """Opens a workspace: a bench of its own, so that parallel tests do not meet."""
        return self._call("POST", "/workspaces", body={"id": id, "seed": seed, "clock": clock, "profile": profile, "rp": rp, "owner": owner, "labels": labels, "lease_ms": lease_ms, "quota": quota, "lease": lease})

    def workspaces_get(self, *, id: str) -> WorkspacesListDataWorkspacesItem:
        """One workspace."""
        return self._call("GET", "/workspaces/{id}", params={"id": id})

    def workspaces_patch(self, *, id: str, owner: Optional[str | None] = None, labels: Optional[List[str]] = None, lease_ms: Optional[int | None] = None, quota: Optional[WorkspacesListDataWorkspacesItemQuota | None] = None) -> WorkspacesListDataWorkspacesItem:
        """Changes what a workspace is for and what it may hold; null takes a setting away."""
        return self._call("PATCH", "/workspaces/{id}", params={"id": id}, body={"owner": owner, "labels": labels, "lease_ms": lease_ms, "quota": quota})

    def workspaces_close(self, *, id: str) -> WorkspacesCloseData:
        """Closes a workspace and removes all of it. The workspace main cannot be closed."""
        return self._call("DELETE", "/workspaces/{id}", params={"id": id})

    def tokens_list(self) -> TokensListData:
        """The tokens that are limited to workspaces, oldest first."""
        return self._call("GET", "/tokens")

    def tokens_create(self, *, name: Optional[str] = None, workspaces: Optional[List[str]] = None, may_open: Optional[int] = None, quota: Optional[TokensCreateQuota] = None, reveal_secrets: Optional[bool] = None) -> TokensCreateData:
        """Makes a token that is limited to workspaces. Only this answer holds it."""
        return self._call("POST", "/tokens", body={"name": name, "workspaces": workspaces, "may_open": may_open, "quota": quota, "reveal_secrets": reveal_secrets})

    def tokens_revoke(self, *, id: str) -> WorkspacesCloseData:
        """Revokes a token: its calls are refused and its streams end at once. What it opened stays."""
        return self._call("DELETE", "/tokens/{id}", params={"id": id})

    def overview(self) -> OverviewData:
        """The workspace at a glance."""
        return self._call("GET", "/overview")

    def workspace_reset(self, *, settings: Optional[bool] = None) -> WorkspaceResetData:
        """Back to the start: messages, credentials, accounts and phones go, the clock shows real time."""
        return self._call("POST", "/reset", body={"settings": settings})

    def clock_get(self) -> OverviewDataClock:
        """The workspace’s clock."""
        return self._call("GET", "/clock")

    def clock_put(self, *, now: Optional[int] = None, frozen: Optional[bool] = None, speed: Optional[float] = None, real: Optional[Literal[True]] = None) -> OverviewDataClock:
        """Sets the clock: time, frozen or running, speed. What is not named stays."""
        return self._call("PUT", "/clock", body={"now": now, "frozen": frozen, "speed": speed, "real": real})

    def clock_advance(self, *, ms: Optional[int] = None, to: Optional[Literal["next-expiry"]] = None) -> OverviewDataClock:
        """Moves the clock forward; everything that is due on the way happens in its order. It ends with the year 9999."""
        return self._call("POST", "/clock/advance", body={"ms": ms, "to": to})

    def profile_get(self) -> ProfileGetData:
        """The profile, and what every setting means and may be."""
        return self._call("GET", "/profile")

    def profile_patch(self, *, authorization_forms: Optional[List[Literal["short", "general"]]] = None, canonical_uri: Optional[Literal["as-sent", "encoded"]] = None, clock_skew_s: Optional[int] = None, skew_clock: Optional[Literal["wall", "bench"]] = None, require_signed_date: Optional[bool] = None, short_form_identifiers: Optional[List[str]] = None, explain_signatures: Optional[bool] = None, message_ttl_s: Optional[int] = None, final_result: Optional[Literal["once", "repeatable"]] = None, unknown_user: Optional[Literal["refuse", "accept"]] = None, empty_optional: Optional[Literal["absent", "refuse"]] = None, user_id_max: Optional[int] = None, username_max: Optional[int] = None, display_name_max: Optional[int] = None, credential_name_max: Optional[int] = None, credentials_per_user: Optional[int] = None, attestation_conveyance: Optional[Literal["direct", "none", "indirect", "enterprise"]] = None, user_verification: Optional[Literal["preferred", "required", "discouraged"]] = None, resident_key: Optional[Literal["preferred", "required", "discouraged"]] = None, hints: Optional[List[Literal["client-device", "hybrid", "security-key"]]] = None, attestation_formats: Optional[List[Literal["packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "compound", "none"]]] = None, extensions: Optional[List[Literal["credProps", "credProtect", "minPinLength", "prf", "largeBlob"]]] = None, algorithms: Optional[List[Literal["ES256", "EdDSA", "ES384", "ES512", "ES256K", "Ed448", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "RS1"]]] = None, attestation: Optional[Literal["accept-any", "require-trusted"]] = None, counter_regression: Optional[Literal["fail", "accept"]] = None, second_opinion: Optional[Literal["record", "off", "must-agree"]] = None, top_origins: Optional[List[str]] = None, judge_relaxes: Optional[List[Literal["u2f-aaguid", "tpm-manufacturer", "tpm-sha1-names", "android-key-authorizations", "apple-alg", "certificate-unused-bits", "non-canonical-cbor", "reserved-flags", "token-binding"]]] = None, http_status: Optional[Literal["semantic", "always-200"]] = None, rate_limit_per_minute: Optional[int] = None) -> ProfileGetData:
        """Changes settings; all of them or none."""
        return self._call("PATCH", "/profile", body={"authorization_forms": authorization_forms, "canonical_uri": canonical_uri, "clock_skew_s": clock_skew_s, "skew_clock": skew_clock, "require_signed_date": require_signed_date, "short_form_identifiers": short_form_identifiers, "explain_signatures": explain_signatures, "message_ttl_s": message_ttl_s, "final_result": final_result, "unknown_user": unknown_user, "empty_optional": empty_optional, "user_id_max": user_id_max, "username_max": username_max, "display_name_max": display_name_max, "credential_name_max": credential_name_max, "credentials_per_user": credentials_per_user, "attestation_conveyance": attestation_conveyance, "user_verification": user_verification, "resident_key": resident_key, "hints": hints, "attestation_formats": attestation_formats, "extensions": extensions, "algorithms": algorithms, "attestation": attestation, "counter_regression": counter_regression, "second_opinion": second_opinion, "top_origins": top_origins, "judge_relaxes": judge_relaxes, "http_status": http_status, "rate_limit_per_minute": rate_limit_per_minute})

    def profile_reset(self, *, keys: Optional[List[Literal["authorization_forms", "canonical_uri", "clock_skew_s", "skew_clock", "require_signed_date", "short_form_identifiers", "explain_signatures", "message_ttl_s", "final_result", "unknown_user", "empty_optional", "user_id_max", "username_max", "display_name_max", "credential_name_max", "credentials_per_user", "attestation_conveyance", "user_verification", "resident_key", "hints", "attestation_formats", "extensions", "algorithms", "attestation", "counter_regression", "second_opinion", "top_origins", "judge_relaxes", "http_status", "rate_limit_per_minute"]]] = None) -> ProfileGetData:
        """Puts settings back to their defaults."""
        return self._call("POST", "/profile/reset", body={"keys": keys})

    def conditions_get(self) -> OverviewDataConditions:
        """The network conditions in force."""
        return self._call("GET", "/conditions")

    def conditions_put(self, *, rp: Optional[ConditionsPutRp] = None, app: Optional[ConditionsPutApp] = None, scope: Optional[OverviewDataConditionsScopedItemScope] = None, lease: Optional[str] = None) -> OverviewDataConditions:
        """Replaces the network conditions of `scope`, or those for everybody; what is not named is normal, other scopes keep theirs."""
        return self._call("PUT", "/conditions", body={"rp": rp, "app": app, "scope": scope, "lease": lease})

    def conditions_patch(self, *, rp: Optional[ConditionsPutRp] = None, app: Optional[ConditionsPutApp] = None, scope: Optional[OverviewDataConditionsScopedItemScope] = None, lease: Optional[str] = None) -> OverviewDataConditions:
        """Changes the conditions that are named and leaves the rest."""
        return self._call("PATCH", "/conditions", body={"rp": rp, "app": app, "scope": scope, "lease": lease})

    def conditions_delete(self, *, user_id: Optional[str] = None, phone: Optional[str] = None, msg_id: Optional[str] = None) -> OverviewDataConditions:
        """Sets the network conditions back to normal: those of the scope that is named, or all."""
        return self._call("DELETE", "/conditions", query={"user_id": user_id, "phone": phone, "msg_id": msg_id})

    def snapshots_list(self) -> SnapshotsListData:
        """The snapshots, oldest first."""
        return self._call("GET", "/snapshots")

    def snapshots_create(self, *, name: Optional[str] = None) -> SnapshotsListDataSnapshotsItem:
        """Keeps the workspace as it is now."""
        return self._call("POST", "/snapshots", body={"name": name})

    def snapshots_restore(self, *, id: str) -> SnapshotsListDataSnapshotsItem:
        """Puts the workspace back to a snapshot. Events go on counting."""
        return self._call("POST", "/snapshots/{id}/restore", params={"id": id}, body={})

    def snapshots_delete(self, *, id: str) -> WorkspacesCloseData:
        """Forgets a snapshot."""
        return self._call("DELETE", "/snapshots/{id}", params={"id": id})

    def snapshots_undelete(self, *, id: str) -> SnapshotsListDataSnapshotsItem:
        """Takes the deletion of a snapshot back: one of the last 20."""
        return self._call("POST", "/snapshots/{id}/undelete", params={"id": id}, body={})

    def workspace_export(self) -> Dict[str, Any]:
        """The whole workspace as one document. It holds secrets."""
        return self._call("GET", "/export")

    def workspace_import(self, *, document: Dict[str, Any]) -> WorkspaceResetData:
        """Puts an exported document in the place of this workspace."""
        return self._call("POST", "/import", body=document)

    def service_arm(self, *, fault: Literal["user-of-another", "user-in-other-case", "user-with-space", "user-in-other-normalization", "user-cut-off", "user-with-zero-width-space", "user-empty", "user-null", "user-missing", "user-in-list", "success-unscanned", "success-for-another-unscanned", "status-unknown", "status-empty", "status-missing", "status-null", "status-number", "status-true", "success-in-capitals", "success-with-suffix", "status-in-list", "fail-in-capitals", "fail-with-space", "fail-in-past-tense", "fail-with-user", "success-with-error", "success-again", "timeout-too-early", "status-goes-back", "svc-user-with-markup", "error-with-markup", "registered-unscanned", "registered-not-stored", "url-of-another-message", "url-to-another-host", "url-with-script", "url-without-token", "url-with-empty-token", "url-empty", "url-null", "url-missing", "url-number", "expires-in-past", "expires-in-milliseconds", "expires-never", "expires-as-date", "expires-missing", "expires-negative", "list-empty", "list-refused", "list-of-another", "list-repeats", "list-null", "list-missing", "list-as-object", "list-total-too-high", "list-with-markup", "list-ids-missing", "list-with-null", "deletion-not-done", "deletion-counts-none", "error-code-with-success", "http-error-with-success", "code-missing", "code-null", "code-false", "data-empty", "data-list", "data-as-text", "data-null", "data-missing", "envelope-missing", "envelope-in-list", "members-twice", "html-page", "gateway-page", "body-cut-off", "body-empty", "body-null", "body-with-byte-order-mark", "body-in-utf-16", "body-with-trailing-text", "body-with-not-a-number", "body-gigantic", "gateway-page-for-good", "no-content", "redirect", "redirect-for-good", "not-modified", "content-type-missing", "content-type-wrong", "content-type-in-capitals", "gzip-unasked", "encoding-unknown", "clock-off", "retry-after-a-day", "retry-after-date", "retry-after-words", "answer-cacheable", "connection-cut", "no-answer", "body-stalls", "slow-drip", "length-too-short", "length-too-long", "length-twice", "length-and-chunks", "chunks-cut-off", "chunk-size-wrong", "header-malformed", "headers-too-large", "protocol-switched", "not-http", "final-answer-lost", "final-answer-cut-off"], times: Optional[int] = None, probability: Optional[float] = None, parameters: Optional[Dict[str, Any]] = None, only: Optional[List[Literal["attestation.options", "attestation.result", "assertion.options", "assertion.result", "credentials.list", "credentials.delete"]]] = None, scope: Optional[OverviewDataConditionsScopedItemScope] = None, lease: Optional[str] = None) -> ServiceArmData:
        """Arms a fault of the service for the next answers to RPs."""
        return self._call("POST", "/service/faults", body={"fault": fault, "times": times, "probability": probability, "parameters": parameters, "only": only, "scope": scope, "lease": lease})

    def service_faults(self) -> ServiceFaultsData:
        """The armed faults of the service, oldest first."""
        return self._call("GET", "/service/faults")

    def service_disarm_all(self) -> ServiceFaultsData:
        """Disarms all faults of the service."""
        return self._call("DELETE", "/service/faults")

    def service_disarm(self, *, id: str) -> ServiceFaultsData:
        """Disarms one fault of the service."""
        return self._call("DELETE", "/service/faults/{id}", params={"id": id})

    def catalogue_service_faults(self) -> CatalogueServiceFaultsData:
        """The faults that can be armed on the service."""
        return self._call("GET", "/service-faults")

    def rps_list(self) -> RpsListData:
        """The relying parties."""
        return self._call("GET", "/rps")

    def rps_create(self, *, name: str, rp_id: str, origins: Optional[List[str]] = None) -> RpsListDataRpsItem:
        """Adds a relying party."""
        return self._call("POST", "/rps", body={"name": name, "rp_id": rp_id, "origins": origins})

    def rps_get(self, *, rp: str) -> RpsListDataRpsItem:
        """One relying party."""
        return self._call("GET", "/rps/{rp}", params={"rp": rp})

    def rps_patch(self, *, rp: str, name: Optional[str] = None, rp_id: Optional[str] = None, origins: Optional[List[str]] = None) -> RpsListDataRpsItem:
        """Changes a relying party."""
        return self._call("PATCH", "/rps/{rp}", params={"rp": rp}, body={"name": name, "rp_id": rp_id, "origins": origins})

    def rps_delete(self, *, rp: str) -> WorkspacesCloseData:
        """Removes a relying party with its keys, messages and credentials."""
        return self._call("DELETE", "/rps/{rp}", params={"rp": rp})

    def keys_list(self, *, rp: str) -> KeysListData:
        """An RP’s access keys, without their secrets."""
        return self._call("GET", "/rps/{rp}/keys", params={"rp": rp})

    def keys_create(self, *, rp: str, id: Optional[str] = None, secret: Optional[str] = None) -> KeysCreateData:
        """Makes an access key. The answer holds its secret."""
        return self._call("POST", "/rps/{rp}/keys", params={"rp": rp}, body={"id": id, "secret": secret})

    def keys_reveal(self, *, rp: str, key: str) -> KeysRevealData:
        """Shows an access key’s secret."""
        return self._call("POST", "/rps/{rp}/keys/{key}/reveal", params={"rp": rp, "key": key}, body={})

    def keys_patch(self, *, rp: str, key: str, state: Literal["active", "disabled"]) -> KeysListDataKeysItem:
        """Disables or enables an access key."""
        return self._call("PATCH", "/rps/{rp}/keys/{key}", params={"rp": rp, "key": key}, body={"state": state})

    def keys_delete(self, *, rp: str, key: str) -> WorkspacesCloseData:
        """Removes an access key: requests signed with it are refused from now on."""
        return self._call("DELETE", "/rps/{rp}/keys/{key}", params={"rp": rp, "key": key})

    def keys_undelete(self, *, rp: str, key: str) -> KeysListDataKeysItem:
        """Takes the deletion of an access key back, with its secret and its state: one of the last 20."""
        return self._call("POST", "/rps/{rp}/keys/{key}/undelete", params={"rp": rp, "key": key}, body={})

    def messages_list(self, *, rp: Optional[str] = None, user_id: Optional[str] = None, state: Optional[Literal["init", "bind", "success", "fail", "timeout"]] = None, limit: Optional[int] = None) -> MessagesListData:
        """The messages as they truly are, newest first."""
        return self._call("GET", "/messages", query={"rp": rp, "user_id": user_id, "state": state, "limit": limit})

    def messages_get(self, *, id: str) -> Message:
        """One message as it truly is."""
        return self._call("GET", "/messages/{id}", params={"id": id})

    def messages_expire(self, *, id: str) -> Message:
        """Ends one message that is under way, as if its time had come. The clock stays, and so do the others."""
        return self._call("POST", "/messages/{id}/expire", params={"id": id}, body={})

    def credentials_list(self, *, rp: Optional[str] = None, user_id: Optional[str] = None) -> CredentialsListData:
        """The credentials, oldest first."""
        return self._call("GET", "/credentials", query={"rp": rp, "user_id": user_id})

    def credentials_delete(self, *, id: str) -> WorkspacesCloseData:
        """Removes a credential from the service; the account’s phones get a signal."""
        return self._call("DELETE", "/credentials/{id}", params={"id": id})

    def credentials_undelete(self, *, id: str) -> CredentialsListDataCredentialsItem:
        """Takes a deletion back, whoever deleted: one of the last 20."""
        return self._call("POST", "/credentials/{id}/undelete", params={"id": id}, body={})

    def accounts_list(self) -> AccountsListData:
        """The accounts of the app."""
        return self._call("GET", "/accounts")

    def devices_list(self) -> DevicesListData:
        """The signed-in devices: the virtual phones and any others."""
        return self._call("GET", "/devices")

    def devices_sign_out(self, *, id: str) -> WorkspacesCloseData:
        """Signs a device out; its token is dead from then on."""
        return self._call("DELETE", "/devices/{id}", params={"id": id})

    def roots_list(self) -> RootsListData:
        """The roots that attestation may lead to."""
        return self._call("GET", "/roots")

    def roots_add(self, *, name: str, certificate: str) -> RootsListDataRootsItem:
        """Trusts one more root."""
        return self._call("POST", "/roots", body={"name": name, "certificate": certificate})

    def roots_delete(self, *, id: str) -> WorkspacesCloseData:
        """Trusts a root no longer."""
        return self._call("DELETE", "/roots/{id}", params={"id": id})

    def roots_undelete(self, *, id: str) -> RootsListDataRootsItem:
        """Trusts a root again: one of the last 20 deletions."""
        return self._call("POST", "/roots/{id}/undelete", params={"id": id}, body={})

    def roots_export(self) -> RootsExportData:
        """The bench’s own root, for verifiers elsewhere."""
        return self._call("GET", "/roots/own")

    def events_list(self, *, after: Optional[int] = None, kind: Optional[str] = None, msg_id: Optional[str] = None, device_id: Optional[str] = None, rp_id: Optional[str] = None, phone_id: Optional[str] = None, cause: Optional[str] = None, limit: Optional[int] = None, latest: Optional[bool] = None, brief: Optional[bool] = None) -> EventsListData:
        """The events that are kept, oldest first."""
        return self._call("GET", "/events", query={"after": after, "kind": kind, "msg_id": msg_id, "device_id": device_id, "rp_id": rp_id, "phone_id": phone_id, "cause": cause, "limit": limit, "latest": latest, "brief": brief})

    def events_ceremonies(self, *, before: Optional[int] = None, limit: Optional[int] = None, search: Optional[str] = None, language: Optional[Literal["en", "zh"]] = None, time_zone: Optional[str] = None, page: Optional[str] = None) -> EventsCeremoniesData:
        """The events of the ceremonies that began before `before`, each to its end, without their long parts; the newest come first, page by page. Calls outside of ceremonies come in groups."""
        return self._call("GET", "/ceremonies", query={"before": before, "limit": limit, "search": search, "language": language, "time_zone": time_zone, "page": page})

    def events_report(self, *, title: Optional[str] = None, failure: Optional[str] = None, after: Optional[int] = None, phone_id: Optional[str] = None) -> EventsReportData:
        """What happened, as one HTML file that needs nothing else: what went wrong in words, then the timeline and inspector of the page. `/report.html` answers the file itself."""
        return self._call("GET", "/report", query={"title": title, "failure": failure, "after": after, "phone_id": phone_id})

    def events_agent_report(self, *, title: Optional[str] = None, failure: Optional[str] = None, after: Optional[int] = None, phone_id: Optional[str] = None, msg_id: Optional[str] = None, seq: Optional[int] = None) -> EventsAgentReportData:
        """What happened, as Markdown for programs and bug trackers: the verdict, the evidence, and a scenario that `handset run` plays from that file alone. `/agent-report.md` answers the file itself."""
        return self._call("GET", "/agent-report", query={"title": title, "failure": failure, "after": after, "phone_id": phone_id, "msg_id": msg_id, "seq": seq})

    def events_scenario(self, *, name: Optional[str] = None, after: Optional[int] = None, msg_id: Optional[str] = None, language: Optional[Literal["en", "zh"]] = None) -> EventsScenarioData:
        """What happened, as a scenario that does it again. Its setup makes the phones and passkeys that were there before; what no step can do is a comment in it."""
        return self._call("GET", "/scenario", query={"name": name, "after": after, "msg_id": msg_id, "language": language})

    def events_trace(self, *, title: Optional[str] = None, after: Optional[int] = None, phone_id: Optional[str] = None) -> EventsTraceData:
        """What happened, as a `.handset` file that the page and `handset show` open: the latest 20,000 events."""
        return self._call("GET", "/trace", query={"title": title, "after": after, "phone_id": phone_id})

    def events_signature(self, *, seq: str) -> EventsSignatureData:
        """How a request that was refused with 40104 was signed: the usual mistakes are tried until one gives its signature."""
        return self._call("GET", "/events/{seq}/signature", params={"seq": seq})

    def events_wait(self, *, match: Dict[str, Any], after: Optional[int] = None, timeout_ms: Optional[int] = None) -> EventsListDataEventsItem | EventsListDataEventsItem2 | EventsListDataEventsItem3 | EventsListDataEventsItem4 | EventsListDataEventsItem5 | EventsListDataEventsItem6 | EventsListDataEventsItem7 | EventsListDataEventsItem8 | EventsListDataEventsItem9 | EventsListDataEventsItem10 | EventsListDataEventsItem11 | EventsListDataEventsItem12:
        """Answers with the first event that matches. When time runs out it refuses with 40905, and `data.came` says what came instead."""
        return self._call("POST", "/wait", body={"match": match, "after": after, "timeout_ms": timeout_ms})

    def events_resend(self, *, seq: str, method: Optional[Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]] = None, target: Optional[str] = None, headers: Optional[List[EventsResendHeadersItem]] = None, body: Optional[str] = None, signing: Optional[Literal["anew", "kept", "before_edits", "other_secret", "unknown_key", "old_date", "no_date", "none"]] = None, access_key_id: Optional[str] = None) -> EventsResendData:
        """Sends an RP’s request again: as it was, edited, signed anew or wrong. It goes to this bench alone."""
        return self._call("POST", "/events/{seq}/resend", params={"seq": seq}, body={"method": method, "target": target, "headers": headers, "body": body, "signing": signing, "access_key_id": access_key_id})

    def events_answer(self, *, seq: str, edits: EventsAnswerEdits, signing: Optional[Literal["anew", "kept"]] = None, asked_by: Optional[str] = None) -> EventsAnswerData:
        """Has a phone answer again, edited: the RP asks for a fresh registration or sign-in of the same user, the phone answers it with these edits, and the judge’s verdict is the answer."""
        return self._call("POST", "/events/{seq}/answer", params={"seq": seq}, body={"edits": edits, "signing": signing, "asked_by": asked_by})

    def phones_list(self) -> PhonesListData:
        """The virtual phones."""
        return self._call("GET", "/phones")

    def phones_create(self, *, name: str, account: Optional[PhonesCreateAccount] = None, same_account_as: Optional[str] = None, model: Optional[str] = None, algorithm: Optional[str] = None, storage: Optional[Literal["cloud", "chip"]] = None, behaviour: Optional[PhoneStateBehaviour] = None, lease: Optional[str] = None) -> PhoneState:
        """Makes a phone and signs it in."""
        return self._call("POST", "/phones", body={"name": name, "account": account, "same_account_as": same_account_as, "model": model, "algorithm": algorithm, "storage": storage, "behaviour": behaviour, "lease": lease})

    def phones_get(self, *, id: str) -> PhoneState:
        """One phone."""
        return self._call("GET", "/phones/{id}", params={"id": id})

    def phones_patch(self, *, id: str, name: Optional[str] = None, model: Optional[str] = None, algorithm: Optional[str | None] = None, storage: Optional[Literal["cloud", "chip"]] = None, behaviour: Optional[PhoneStateBehaviour] = None, network: Optional[Literal["online", "offline"]] = None) -> PhoneState:
        """Changes a phone."""
        return self._call("PATCH", "/phones/{id}", params={"id": id}, body={"name": name, "model": model, "algorithm": algorithm, "storage": storage, "behaviour": behaviour, "network": network})

    def phones_delete(self, *, id: str) -> WorkspacesCloseData:
        """Signs a phone out and takes it off the bench."""
        return self._call("DELETE", "/phones/{id}", params={"id": id})

    def phones_scan(self, *, id: str, url: Optional[str] = None, seen_on: Optional[str] = None, image: Optional[PhonesScanImage] = None, glance: Optional[bool] = None, rgba: Optional[PhonesScanRgba] = None) -> PhoneState:
        """Holds the phone’s camera over a code: an address, or a picture that it really reads."""
        return self._call("POST", "/phones/{id}/scan", params={"id": id}, body={"url": url, "seen_on": seen_on, "image": image, "glance": glance, "rgba": rgba})

    def phones_open(self, *, id: str, msg_id: str) -> PhoneState:
        """Opens a push that arrived."""
        return self._call("POST", "/phones/{id}/open", params={"id": id}, body={"msg_id": msg_id})

    def phones_dismiss(self, *, id: str, msg_id: str) -> PhoneState:
        """Swipes a push away; the service is not told."""
        return self._call("POST", "/phones/{id}/dismiss", params={"id": id}, body={"msg_id": msg_id})

    def phones_home(self, *, id: str) -> PhoneState:
        """Leaves whatever is on the screen, unanswered."""
        return self._call("POST", "/phones/{id}/home", params={"id": id}, body={})

    def phones_approve(self, *, id: str, prompt: Optional[str] = None, storage: Optional[Literal["cloud", "chip"]] = None, delay_ms: Optional[int] = None) -> PhoneState:
        """Puts the finger on the sensor."""
        return self._call("POST", "/phones/{id}/approve", params={"id": id}, body={"prompt": prompt, "storage": storage, "delay_ms": delay_ms})

    def phones_reject(self, *, id: str, prompt: Optional[str] = None, reason: Optional[str] = None) -> PhoneState:
        """Says no."""
        return self._call("POST", "/phones/{id}/reject", params={"id": id}, body={"prompt": prompt, "reason": reason})

    def phones_fail_fingerprint(self, *, id: str, prompt: Optional[str] = None) -> PhoneState:
        """The finger is not recognised; the prompt stays."""
        return self._call("POST", "/phones/{id}/fail-fingerprint", params={"id": id}, body={"prompt": prompt})

    def phones_sign_in(self, *, id: str, same_account_as: Optional[str] = None) -> PhoneState:
        """Signs a phone in again."""
        return self._call("POST", "/phones/{id}/sign-in", params={"id": id}, body={"same_account_as": same_account_as})

    def phones_sign_out(self, *, id: str) -> PhoneState:
        """Signs a phone out; its chip and its account’s secret stay on it."""
        return self._call("POST", "/phones/{id}/sign-out", params={"id": id}, body={})

    def phones_wipe(self, *, id: str) -> PhoneState:
        """Back to the factory state: signs out and forgets the chip and the account’s secret."""
        return self._call("POST", "/phones/{id}/wipe", params={"id": id}, body={})

    def phones_lose(self, *, id: str) -> PhoneState:
        """The phone is lost and wiped from afar; it never answers again."""
        return self._call("POST", "/phones/{id}/lose", params={"id": id}, body={})

    def phones_sync(self, *, id: str) -> PhoneState:
        """Looks into cloud storage again."""
        return self._call("POST", "/phones/{id}/sync", params={"id": id}, body={})

    def phones_forget_credential(self, *, id: str, credential_id: str) -> PhoneState:
        """Deletes a credential from the phone; the service is not told."""
        return self._call("DELETE", "/phones/{id}/credentials/{credential_id}", params={"id": id, "credential_id": credential_id})

    def phones_arm(self, *, id: str, fault: str, times: Optional[int] = None, probability: Optional[float] = None, parameters: Optional[Dict[str, Any]] = None) -> PhonesArmData:
        """Arms a fault for the next attempts. One that has begun goes on without it: `strikes` says which."""
        return self._call("POST", "/phones/{id}/faults", params={"id": id}, body={"fault": fault, "times": times, "probability": probability, "parameters": parameters})

    def phones_disarm_all(self, *, id: str) -> PhoneState:
        """Disarms all of a phone’s faults."""
        return self._call("DELETE", "/phones/{id}/faults", params={"id": id})

    def phones_disarm(self, *, id: str, fault_id: str) -> PhoneState:
        """Disarms one fault."""
        return self._call("DELETE", "/phones/{id}/faults/{fault_id}", params={"id": id, "fault_id": fault_id})

    def leases_list(self) -> LeasesListData:
        """The leases, oldest first."""
        return self._call("GET", "/leases")

    def leases_create(self, *, name: Optional[str] = None, ttl_ms: Optional[int] = None) -> LeasesListDataLeasesItem:
        """Begins a lease: what is made with it goes when it ends. It expires unless a stream holds it."""
        return self._call("POST", "/leases", body={"name": name, "ttl_ms": ttl_ms})

    def leases_get(self, *, id: str) -> LeasesListDataLeasesItem:
        """One lease."""
        return self._call("GET", "/leases/{id}", params={"id": id})

    def leases_delete(self, *, id: str) -> LeasesDeleteData:
        """Ends a lease: disarms its faults of the service, sets its conditions back, removes its phones, what they registered, their accounts, and ends what they were asked."""
        return self._call("DELETE", "/leases/{id}", params={"id": id})

    def catalogue_models(self) -> CatalogueModelsData:
        """The models a phone can be."""
        return self._call("GET", "/phone-models")

    def catalogue_faults(self) -> CatalogueFaultsData:
        """The faults that can be armed on a phone."""
        return self._call("GET", "/phone-faults")

    def simulator_get(self, *, rp: str) -> SimulatorGetData:
        """How far the RP simulator believes the service."""
        return self._call("GET", "/rps/{rp}/simulator", params={"rp": rp})

    def simulator_patch(self, *, rp: str, care: Literal["careful", "careless"]) -> SimulatorGetData:
        """Makes the RP simulator careful or careless, from its next request on. It is careful again after a reset or a restart."""
        return self._call("PATCH", "/rps/{rp}/simulator", params={"rp": rp}, body={"care": care})

    def simulator_register(self, *, rp: str, user_id: str, username: str, display_name: Optional[str] = None, credential_name: Optional[str] = None, poll: Optional[bool] = None, interval_ms: Optional[int] = None, form: Optional[Literal["general", "short"]] = None, asked_by: Optional[str] = None) -> SimulatorRegisterData:
        """The RP asks for a registration."""
        return self._call("POST", "/rps/{rp}/simulator/register", params={"rp": rp}, body={"user_id": user_id, "username": username, "display_name": display_name, "credential_name": credential_name, "poll": poll, "interval_ms": interval_ms, "form": form, "asked_by": asked_by})

    def simulator_sign_in(self, *, rp: str, user_id: str, username: str, method: Literal["qrcode", "push"], poll: Optional[bool] = None, interval_ms: Optional[int] = None, form: Optional[Literal["general", "short"]] = None, asked_by: Optional[str] = None) -> SimulatorRegisterData:
        """The RP asks for a sign-in."""
        return self._call("POST", "/rps/{rp}/simulator/sign-in", params={"rp": rp}, body={"user_id": user_id, "username": username, "method": method, "poll": poll, "interval_ms": interval_ms, "form": form, "asked_by": asked_by})

    def simulator_attempt(self, *, rp: str, msg_id: str) -> SimulatorRegisterData:
        """One of the RP’s requests."""
        return self._call("GET", "/rps/{rp}/simulator/attempts/{msg_id}", params={"rp": rp, "msg_id": msg_id})

    def simulator_poll(self, *, rp: str, msg_id: str) -> SimulatorRegisterData:
        """The RP asks for the result once, now."""
        return self._call("POST", "/rps/{rp}/simulator/attempts/{msg_id}/poll", params={"rp": rp, "msg_id": msg_id}, body={})

    def simulator_credentials(self, *, rp: str, user_id: str, asked_by: Optional[str] = None) -> SimulatorCredentialsData:
        """The RP asks for the credentials of one of its users, as signed as everything else."""
        return self._call("GET", "/rps/{rp}/simulator/credentials", params={"rp": rp}, query={"user_id": user_id, "asked_by": asked_by})

    def simulator_delete_credential(self, *, rp: str, id: str, user_id: str, asked_by: Optional[str] = None) -> SimulatorDeleteCredentialData:
        """The RP deletes a credential of one of its users."""
        return self._call("DELETE", "/rps/{rp}/simulator/credentials/{id}", params={"rp": rp, "id": id}, query={"user_id": user_id, "asked_by": asked_by})
