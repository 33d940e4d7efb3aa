import type { Interface } from '../open-api.ts'
import { type InputRules, rpRoutes } from './routes.ts'

export const rpInterface = (url: string, rules: InputRules): Interface => ({
  title: 'Handset: the RP interface',
  version: '1',
  description:
    'What a relying party calls. Every request is signed. Every response is `{code, data, error}`; code is 0 on success. A profile may make every HTTP status 200. The limits are those of the workspace’s profile.',
  servers: [{ url }],
  routes: rpRoutes(rules),
  errors: [
    ...(['malformed_request', 'no_authorization', 'malformed_authorization', 'unknown_access_key'] as const),
    ...(['signature_mismatch', 'bad_date', 'clock_skew', 'host_not_signed', 'bad_scope'] as const),
    ...(['too_many_requests', 'internal', 'fault_injected', 'store_unavailable', 'storage_full'] as const),
  ],
  security: {
    name: 'signature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        '`SVC-HMAC-SHA256 <access_key_id>/<credential_scope>,<signed_headers>,<signature>`, or the short form `SVC-HMAC-SHA256 <signed_headers>,<signature>`, beside `X-Svc-Date`.',
    },
  },
})
