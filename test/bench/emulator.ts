import {
  AuthenticatorEmulator,
  PasskeysCredentialsMemoryRepository,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnEmulator,
} from 'nid-webauthn-emulator'
import { creationOptions, ORIGIN, openPhone, requestOptions } from './one-phone.ts'

export type EmulatorPairs = {
  readonly credentials: number
  readonly create: { readonly ours: readonly number[]; readonly emulator: readonly number[] }
  readonly get: { readonly ours: readonly number[]; readonly emulator: readonly number[] }
}

/** npm’s nid-webauthn-emulator: ES256 alone, its credentials in memory as by default, but not shared by all of them. */
const openEmulator = (): WebAuthnEmulator =>
  new WebAuthnEmulator(
    new AuthenticatorEmulator({
      algorithmIdentifiers: ['ES256'],
      credentialsRepository: new PasskeysCredentialsMemoryRepository(),
    }),
  )

/** The same options for both, in turn and each as often the first, at a number of credentials held. Milliseconds. */
export const compareEmulator = async (options: {
  readonly credentials: number
  readonly samples: number
}): Promise<EmulatorPairs> => {
  const phone = await openPhone()
  const emulator = openEmulator()
  const create = {
    ours: (n: number): Promise<string> => phone.create(creationOptions(n)),
    emulator: async (n: number): Promise<string> =>
      emulator.createJSON(ORIGIN, creationOptions(n) as PublicKeyCredentialCreationOptionsJSON).id,
  }
  const get = {
    ours: (n: number, id: string): Promise<void> => phone.get(requestOptions(n, id)),
    emulator: async (n: number, id: string): Promise<void> =>
      void emulator.getJSON(ORIGIN, requestOptions(n, id) as PublicKeyCredentialRequestOptionsJSON),
  }
  try {
    const ids = { ours: [] as string[], emulator: [] as string[] }
    for (let i = 0; i < options.credentials; i++) {
      ids.ours.push(await create.ours(i))
      ids.emulator.push(await create.emulator(i))
    }
    const pick = (of: readonly string[], i: number): string => of[(i * 7919) % of.length] ?? ''
    const gets = await inTurn(options.samples, {
      ours: (i) => get.ours(i, pick(ids.ours, i)),
      emulator: (i) => get.emulator(i, pick(ids.emulator, i)),
    })
    // Last, since each makes the heap grow by one.
    const creates = await inTurn(options.samples, {
      ours: (i) => create.ours(options.credentials + i),
      emulator: (i) => create.emulator(options.credentials + i),
    })
    return { credentials: options.credentials, create: creates, get: gets }
  } finally {
    await phone.close()
  }
}

type Work = (i: number) => Promise<unknown>

const inTurn = async (
  samples: number,
  work: { readonly ours: Work; readonly emulator: Work },
): Promise<{ readonly ours: readonly number[]; readonly emulator: readonly number[] }> => {
  const took = { ours: [] as number[], emulator: [] as number[] }
  const WARM = 3
  for (let i = 0; i < samples + WARM; i++) {
    for (const who of i % 2 === 0 ? (['ours', 'emulator'] as const) : (['emulator', 'ours'] as const)) {
      const from = performance.now()
      await work[who](i)
      if (i >= WARM) took[who].push(performance.now() - from)
    }
  }
  return took
}
