import type { Texts } from '../ui/texts.ts'
import type { GivenTexts } from './inspected.ts'

/** Test vectors of WebAuthn Level 3: a packed attestation and the sign-in after it. */
const ID = 'yab1s0YtAoc_6gxWhiI0-Z8IFygITlEbt3YCAaiQVKU'
const ATTESTATION_OBJECT =
  'o2NmbXRmcGFja2VkZ2F0dFN0bXSjY2FsZyZjc2lnWEcwRQIgPxnsSyKfRquMRe_ym5BP8QwDkNxAvxIW8Ep49M66NCUCIQD-cEGjJ1mv8FoPnybHCpmceihEUbqJI0odNIPCXiGSW2N4NWOBWQIlMIICITCCAcigAwIBAgIRAIjCIPg8jvH-r-lN6uRfqtAwCgYIKoZIzj0EAwIwYjEeMBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxJTAjBgNVBAsMHEF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24gQ0ExCzAJBgNVBAYTAkFBMCAXDTI0MDEwMTAwMDAwMFoYDzMwMjQwMTAxMDAwMDAwWjBfMR4wHAYDVQQDDBVXZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjELMAkGA1UEBhMCQUEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASpG6Q4lAndOKQoFBlAyo_rGsDXtDUFWBBKN3ekkyLzeYRA83izOYqy07t7-RMiyS6yNVb1mtCoNv7Ex2Y7Dk3Do2AwXjAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB_wQEAwIHgDAdBgNVHQ4EFgQUpYm6ctBghCqxH3T7JGve2rFvm5swHwYDVR0jBBgwFoAURa_3FbDdeGdB_umW68FlR6OTGx4wCgYIKoZIzj0EAwIDRwAwRAIgFya52F7Nil7VEWNyLKOiCIb9myQqCqBFPUQhFgdd79UCIH70ceUwrIeWGoin8NDBewkf_GuSONMPefY1tBe-WRDnaGF1dGhEYXRhWKS_q8N0MpWLBjNg061kYcnEc1rn-O3UZZKl4PAUUrLktU0AAAAAh2yk9SBxw-myVQnvLN9-1gAgyab1s0YtAoc_6gxWhiI0-Z8IFygITlEbt3YCAaiQVKWlAQIDJiABIVggHPJ_JdpZEgikI5wuMk8QT1hVJUeaKe3u3YMPSOd66uUiWCBZ5LfabAEG4gbOOQyTq5ihWl7DiH5X8Mwr7OgDuSDEIw'
const CREATION_CLIENT_DATA =
  'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoid1JoS1g5MzRCRjRUM0VmMVMySDFwbGEyWnJXUUdQRnRodzZTVnVtVklCSSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1cmUsIHN1Y2ggYXMgdGhpczogOWE4Yk5ZaktDZ1dyQlhVLWZDbDFhZyJ9'
const REQUEST_CLIENT_DATA =
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoic1JCdnBHcFh2dkY0RlJIQVZYM0ltS0EwRTlYdzhYMGtSakRCbE1maHJiVSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2UsImV4dHJhRGF0YSI6ImNsaWVudERhdGFKU09OIG1heSBiZSBleHRlbmRlZCB3aXRoIGFkZGl0aW9uYWwgZmllbGRzIGluIHRoZSBmdXR1cmUsIHN1Y2ggYXMgdGhpczogQVpNd3lNeEliRDgtdWd1Rk5wNnI4USJ9'
const PUBLIC_KEY =
  'pQECAyYgASFYIBzyfyXaWRIIpCOcLjJPEE9YVSVHmint7t2DD0jneurlIlggWeS32mwBBuIGzjkMk6uYoVpew4h-V_DMK-zoA7kgxCM'

const laidOut = (value: object): string => JSON.stringify(value, undefined, 2)
const answer = (response: object): string =>
  laidOut({ id: ID, rawId: ID, type: 'public-key', clientExtensionResults: {}, response })

type Sample = { readonly name: keyof Texts['inspect']['samples']; readonly text: string; readonly given: GivenTexts }

export const SAMPLES: readonly Sample[] = [
  {
    name: 'registration',
    text: answer({ clientDataJSON: CREATION_CLIENT_DATA, attestationObject: ATTESTATION_OBJECT }),
    given: {
      options: laidOut({
        rp: { id: 'example.org', name: 'W3C' },
        user: { id: 'dXNlci0x', name: 'user', displayName: 'user' },
        challenge: 'wRhKX934BF4T3Ef1S2H1pla2ZrWQGPFthw6SVumVIBI',
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      }),
      origin: 'https://example.org',
    },
  },
  {
    name: 'elsewhere',
    text: answer({
      clientDataJSON: REQUEST_CLIENT_DATA,
      authenticatorData: 'v6vDdDKViwYzYNOtZGHJxHNa5_jt1GWSpeDwFFKy5LUNAAAAAA',
      signature: 'MEUCIGlJadPuko3m8C7yOpxkTX13mRZFFzSpS0MlQvSYoevpAiEAiwgZyCQhipcVLNCZxVv7FHeynZAKSaZAGDFPm_zNoWM',
    }),
    given: {
      options: laidOut({
        challenge: 'sRBvpGpXvvF4FRHAVX3ImKA0E9Xw8X0kRjDBlMfhrbU',
        rpId: 'example.org',
        allowCredentials: [{ type: 'public-key', id: ID }],
      }),
      origin: 'https://example.com',
      publicKey: PUBLIC_KEY,
    },
  },
  // The signature covers the body without its spaces, so it does not match.
  {
    name: 'request',
    text: [
      'POST /fido/rp/assertion/options HTTP/1.1',
      'Host: localhost:7420',
      'X-Svc-Date: 20260504T093000Z',
      'Authorization: SVC-HMAC-SHA256 demo/fido-server/,host;x-svc-date,a4cca4d3f3814bd27dad52e8361dd7b5fa1aa93b9941895beeabf7a498a11278',
      '',
      '{"user_id": "alice", "username": "alice"}',
    ].join('\n'),
    given: { accessKeyId: 'demo', secret: 'a-secret-for-this-example' },
  },
  { name: 'attestationObject', text: ATTESTATION_OBJECT, given: {} },
  {
    name: 'authenticatorData',
    text: 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50d00000000',
    given: {},
  },
  {
    name: 'certificate',
    text: [
      '-----BEGIN CERTIFICATE-----',
      'MIICBzCCAa2gAwIBAgIRAO1/kF2L0LQU0XhJExcKkLYwCgYIKoZIzj0EAwIwYjEe',
      'MBwGA1UEAwwVV2ViQXV0aG4gdGVzdCB2ZWN0b3JzMQwwCgYDVQQKDANXM0MxJTAj',
      'BgNVBAsMHEF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24gQ0ExCzAJBgNVBAYTAkFB',
      'MCAXDTI0MDEwMTAwMDAwMFoYDzMwMjQwMTAxMDAwMDAwWjBiMR4wHAYDVQQDDBVX',
      'ZWJBdXRobiB0ZXN0IHZlY3RvcnMxDDAKBgNVBAoMA1czQzElMCMGA1UECwwcQXV0',
      'aGVudGljYXRvciBBdHRlc3RhdGlvbiBDQTELMAkGA1UEBhMCQUEwWTATBgcqhkjO',
      'PQIBBggqhkjOPQMBBwNCAAQyaTAOX/e2mQFfcM+AqHY79wW8LirwwbOc/3GLfDWI',
      'DKMPMZB42RsDOJoAb9/IodzYTt+gfTCqE0dKJIoNq1uqo0IwQDAPBgNVHRMBAf8E',
      'BTADAQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQURa/3FbDdeGdB/umW68Fl',
      'R6OTGx4wCgYIKoZIzj0EAwIDSAAwRQIgSDBjtrsI3Mg9ozoCwR0vQiAxdok1VNE4',
      'xhSjaQhyTMgCIQD17yyRLUUAs+L1tZHQYiSR6fIg39H5c07EhLt+kIh2Yw==',
      '-----END CERTIFICATE-----',
    ].join('\n'),
    given: {},
  },
  {
    name: 'hybridCode',
    text: 'FIDO:/13086400838107303667332719012595115747821895775708323189557153075146383351399743589971313508078026948312026786722471666005727649643501784024544726574771401798171307406596245',
    given: {},
  },
]
