import { X509Certificate } from 'node:crypto'
import {
  type Conditions,
  type ConditionsPart,
  normalConditions,
  replaceConditions,
  withConditions,
  withSides,
} from '../../core/contract/conditions.ts'
import type { Query } from '../../core/contract/control/routes.ts'
import type { NewServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { ControlMessage, MessageVerdict, RootState } from '../../core/contract/control/states.ts'
import { notFound, type Refusal, refuse } from '../../core/contract/errors.ts'
import type { CredentialFact } from '../../core/contract/events.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import type { Scope } from '../../core/contract/scope.ts'
import type { RefusedRequest } from '../../core/judge/signing/explain-signature.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { findArmRefusal, removeArmed, toArmedFault } from '../faults/arm-service-fault.ts'
import { signalAccepted, signalUnknown } from '../inbox/send-signals.ts'
import { messageFact } from '../messages/message-timers.ts'
import { accessKeysOf, createRpsAdmin } from '../rps/rps-admin.ts'
import type { Services } from '../services.ts'
import { withinQuota } from '../settings/limits.ts'
import type { ChangeReach } from '../settings/stored-settings.ts'
import type { CredentialRecord, MessageRecord, RootRecord } from '../store/store.ts'
import { parseCertificate } from '../workspaces/row-rules.ts'
import { clockOf, documentsOf, snapshotsOf, workspacesOf } from '../workspaces/workspaces-admin.ts'
import {
  cannotReturnRefusal,
  inWorkspaces,
  notInBinRefusal,
  type Outcome,
  recordSetting,
  type WithId,
} from './admin.ts'

export type Admin = ReturnType<typeof createAdmin>

/**
 * Control's contract has validated the inputs. Every change observes its own event (`setting`, `workspace`,
 * `credential`, `device`), so callers add none. An unknown name or a workspace that is not open is `not_found`.
 */
export const createAdmin = (services: Services) => ({
  workspaces: workspacesOf(services),
  rps: inWorkspaces(services, createRpsAdmin(services)),
  accessKeys: inWorkspaces(services, accessKeysOf(services)),
  clock: clockOf(services),
  profile: inWorkspaces(services, profileOf(services)),
  messages: inWorkspaces(services, messagesOf(services)),
  credentials: inWorkspaces(services, credentialsOf(services)),
  accounts: inWorkspaces(services, accountsOf(services)),
  devices: inWorkspaces(services, devicesOf(services)),
  roots: inWorkspaces(services, rootsOf(services)),
  conditions: inWorkspaces(services, conditionsAdmin(services)),
  /** Simulated faults of the service towards RPs. */
  faults: inWorkspaces(services, serviceFaultsAdmin(services)),
  snapshots: inWorkspaces(services, snapshotsOf(services)),
  /** Documents of the bench as a whole, which belong to no workspace: no reset, import or restore of one touches them. */
  documents: documentsOf(services),
  /** The second verifier's opinion of a ceremony: `of` forms a missing one now, `listen` reports each new one. */
  secondOpinions: services.secondOpinions,
  signatures: inWorkspaces(services, {
    /** Finds the mistake in a refused request's signature by trying every usual one. Takes a second at most. */
    explain: async (workspace: string, request: RefusedRequest) => {
      const { explainRequest } = await import('../signing/explain-request.ts')
      return explainRequest(services, workspace, request, 'in-pairs')
    },
  }),
  /** Resolves when the effects of the clocks' alarms are committed and observed. Call it after moving a clock. */
  settled: services.background.settled,
})

const profileOf = (services: Services) => {
  const { settings } = services
  const set = async (
    workspace: string,
    change: string,
    next: (before: Profile) => Profile,
    reach?: ChangeReach,
  ): Outcome<Profile> => {
    const profile = await settings.changeProfile(workspace, next, reach)
    recordSetting(services, workspace, { subject: 'profile', change, detail: profile })
    return ok(profile)
  }
  return {
    get: async (workspace: string) => ok(settings.profile(workspace)),
    /** Takes effect with the next request. */
    patch: (workspace: string, part: Partial<Profile>) =>
      set(workspace, 'changed', (before) => ({ ...before, ...part })),
    reset: (workspace: string) => set(workspace, 'reset', () => defaultProfile, 'all'),
  }
}

const conditionsAdmin = (services: Services) => {
  const { settings } = services
  const set = async (
    workspace: string,
    change: string,
    next: (before: Conditions) => Conditions | undefined,
    reach?: ChangeReach,
  ): Outcome<Conditions> => {
    let tooMany = false
    const changed = (before: Conditions): Conditions => {
      const after = next(before)
      tooMany = after === undefined
      return after ?? before
    }
    const conditions = await settings.changeConditions(workspace, changed, reach)
    if (tooMany) return err(refuse('wrong_state', { code: 'scopes_at_most' }))
    recordSetting(services, workspace, { subject: 'conditions', change, detail: conditions })
    return ok(conditions)
  }
  return {
    get: async (workspace: string) => ok(settings.conditions(workspace)),
    /** Merges a part into the current conditions; counters (`fail_next`, `lose_next`) count down as they apply. */
    patch: (workspace: string, part: ConditionsPart) =>
      set(workspace, 'changed', (before) => withConditions(before, part)),
    /** Merges a part into normal conditions; other scopes keep theirs. */
    replace: (workspace: string, part: ConditionsPart) =>
      set(workspace, 'changed', (before) => replaceConditions(before, part)),
    reset: (workspace: string, scope?: Scope) =>
      scope === undefined
        ? set(workspace, 'reset', () => normalConditions, 'all')
        : set(workspace, 'reset', (before) => withSides(before, scope, normalConditions)),
  }
}

const accountsOf = (services: Services) => ({
  list: async (workspace: string) => {
    const records = await services.store.accounts.list(workspace)
    return ok(records.map(({ proof_hash, ...info }) => ({ ...info, protected: proof_hash !== undefined })))
  },
  /** Also deletes its vault; `wrong_state` while a device is signed in to the account. */
  delete: async (workspace: string, id: string) => {
    const { accounts } = services.store
    if (await accounts.delete(workspace, id)) return ok(null)
    const isThere = (await accounts.get(workspace, id)) !== undefined
    return err(isThere ? refuse('wrong_state') : notFound('account', id))
  },
})

const devicesOf = (services: Services) => {
  const { store, inboxes, observe, shared } = services
  return {
    list: async (workspace: string) => {
      const records = await store.devices.list(workspace)
      const listening = await shared?.inboxes.listeners.of(workspace)
      return ok(
        records.map(({ id, account, name, created_at }) => ({
          id,
          account,
          name,
          connected: inboxes.isOpen(workspace, id) || listening?.has(id) === true,
          created_at,
        })),
      )
    },
    signOut: async (workspace: string, id: string) => {
      const record = await store.devices.get(workspace, id)
      if (record === undefined || !(await store.devices.delete(workspace, id))) return err(notFound('device', id))
      inboxes.end(workspace, id)
      const fact = { kind: 'device', change: 'signed_out', device_id: id, account: record.account } as const
      observe(workspace, { actor: { kind: 'control' }, ...fact })
      return ok(null)
    },
  }
}

const serviceFaultsAdmin = (services: Services) => {
  const { settings, random } = services
  return {
    list: async (workspace: string) => ok(settings.faults(workspace)),
    arm: async (workspace: string, wanted: NewServiceFault) => {
      const armed = toArmedFault(wanted, random.stream(workspace, 'service', 'fault id'))
      let refusal: Refusal | undefined
      await settings.changeFaults(workspace, (before) => {
        refusal = findArmRefusal(before, wanted)
        return refusal === undefined ? [...before, armed] : undefined
      })
      if (refusal !== undefined) return err(refusal)
      recordSetting(services, workspace, { subject: 'fault', change: 'armed', id: armed.id, detail: armed })
      return ok(armed)
    },
    /** Disarms one fault, or all; returns those that are still armed. */
    disarm: async (workspace: string, id?: string) => {
      let disarmed = removeArmed([], id)
      await settings.changeFaults(
        workspace,
        (before) => {
          disarmed = removeArmed(before, id)
          return id !== undefined && disarmed.gone.length === 0 ? undefined : disarmed.left
        },
        id === undefined ? 'all' : 'known',
      )
      const { left, gone } = disarmed
      if (id !== undefined && gone.length === 0) return err(notFound('fault', id))
      const detail = { faults: gone.map(({ fault }) => fault) }
      const which = id === undefined ? {} : { id }
      recordSetting(services, workspace, { subject: 'fault', change: 'disarmed', ...which, detail })
      return ok(left)
    },
  }
}

const messagesOf = (services: Services) => {
  const { store, addresses, timers, clock, observe, secondOpinions } = services
  const info = (workspace: string, record: MessageRecord): ControlMessage => {
    const { challenge: _challenge, answer_hash: _hash, account: _account, public_key, verdict, ...rest } = record
    const baseUrl = addresses.baseUrl(workspace)
    return {
      ...rest,
      url: encodeMessageAddress({ baseUrl, kind: record.kind, msgId: record.id }),
      public_key,
      ...(verdict === undefined ? {} : { verdict: verdict as MessageVerdict }),
    }
  }
  const withOpinion = async (workspace: string, id: string, verdict: MessageVerdict): Promise<MessageVerdict> => {
    const second_opinion = verdict.second_opinion ?? (await secondOpinions.of(workspace, id))
    return second_opinion === undefined ? verdict : { ...verdict, second_opinion }
  }
  return {
    /** Newest first. */
    list: async (workspace: string, { limit = 100, ...filter }: Query<'messages.list'> = {}) => {
      await timers.expireDue(workspace)
      const records = await store.messages.list(workspace, { ...filter, limit })
      return ok(records.map((record) => info(workspace, record)))
    },
    /** The true state, independent of what was delivered. Reading it here never consumes a result. */
    get: async (workspace: string, id: string) => {
      await timers.expireDue(workspace)
      const record = await store.messages.get(workspace, id)
      if (record === undefined) return err(notFound('message', id))
      const shown = info(workspace, record)
      return ok(
        shown.verdict === undefined ? shown : { ...shown, verdict: await withOpinion(workspace, id, shown.verdict) },
      )
    },
    /** Expires a message that is under way, without moving the clock. */
    expire: async (workspace: string, id: string) => {
      await timers.expireDue(workspace)
      const record = await store.messages.get(workspace, id)
      if (record === undefined) return err(notFound('message', id))
      const now = clock(workspace).now()
      if (!(await store.messages.expireEarly(workspace, id, now))) {
        return err(refuse('wrong_state', { code: 'message_is', params: { state: record.state } }))
      }
      const expired: MessageRecord = { ...record, state: 'timeout', expires_at: now }
      const move = { baseUrl: addresses.baseUrl(workspace), from: record.state, to: expired.state }
      observe(workspace, { actor: { kind: 'control' }, ...messageFact(expired, move) })
      return ok(info(workspace, expired))
    },
    nextExpiry: async (workspace: string) => {
      await timers.expireDue(workspace)
      return ok((await store.messages.horizon(workspace)).open ?? null)
    },
  }
}

const credentialsOf = (services: Services) => {
  const { store, observe, bin } = services
  // Ids are unique within an RP: two RPs may use the same id.
  const find = async (workspace: string, id: string): Promise<CredentialRecord | undefined> => {
    for (const rp of await store.rps.list(workspace)) {
      const record = await store.credentials.get(workspace, rp.id, id)
      if (record !== undefined) return record
    }
    return undefined
  }
  const report = (workspace: string, change: CredentialFact['change'], { rp, user_id, id }: CredentialRecord): void =>
    observe(workspace, {
      actor: { kind: 'control' },
      ...{ kind: 'credential', change, rp_id: rp, user_id, credential_id: id },
    })
  return {
    /** Oldest first. */
    list: async (workspace: string, filter: Query<'credentials.list'> = {}) =>
      ok(await store.credentials.list(workspace, filter)),
    get: async (workspace: string, id: string) => {
      const record = await find(workspace, id)
      return record === undefined ? err(notFound('credential', id)) : ok(record)
    },
    /** Without `ofRp`, deletes the credential of the first RP that has this id. */
    delete: async (workspace: string, id: string, ofRp?: string) => {
      const record = await (ofRp === undefined ? find(workspace, id) : store.credentials.get(workspace, ofRp, id))
      if (record === undefined) return err(notFound('credential', id))
      const { rp, user_id } = record
      const gone = await store.credentials.delete(workspace, { rp, user_id, ids: [id] })
      if (gone.length === 0) return err(notFound('credential', id))
      for (const each of gone) bin.put(workspace, 'credential', each)
      report(workspace, 'deleted', record)
      await signalUnknown({ workspace, services }, gone)
      return ok(null)
    },
    /** Undoes one of the last 20 deletions of any kind, including those by an RP. */
    undelete: async (workspace: string, id: string) => {
      if (bin.find(workspace, 'credential', id) === undefined) return err(notInBinRefusal('credential', id))
      return withinQuota(services, { workspace, counts: ['credentials'] }, async () => {
        const record = bin.take(workspace, 'credential', id)
        if (record === undefined) return err(notInBinRefusal('credential', id))
        if (!(await store.credentials.insert(workspace, record))) return err(cannotReturnRefusal('credential', id))
        report(workspace, 'restored', record)
        await signalAccepted({ workspace, services }, record)
        return ok(record)
      })
    },
  }
}

const rootsOf = (services: Services) => {
  const { store, random, clock, bin } = services
  return {
    list: async (workspace: string) => ok((await store.roots.list(workspace)).map(rootInfo)),

    /** PEM, or base64 of the DER. */
    add: async (workspace: string, input: WithId<'roots.add'>) => {
      const certificate = parseCertificate(input.certificate)
      if (!certificate.ok) return certificate
      const id = input.id ?? makeId('root', random.stream(workspace, 'roots', 'root id'))
      const record: RootRecord = {
        id,
        name: input.name,
        certificate: certificate.value.raw.toString('base64'),
        created_at: clock(workspace).now(),
      }
      if (!(await store.roots.insert(workspace, record))) return err(refuse('already_exists'))
      recordSetting(services, workspace, { subject: 'root', change: 'added', id, detail: { name: input.name } })
      return ok(rootInfo(record))
    },

    delete: async (workspace: string, id: string) => {
      const record = (await store.roots.list(workspace)).find((root) => root.id === id)
      if (record === undefined || !(await store.roots.delete(workspace, id))) return err(notFound('root', id))
      bin.put(workspace, 'root', record)
      recordSetting(services, workspace, { subject: 'root', change: 'deleted', id })
      return ok(null)
    },

    undelete: async (workspace: string, id: string) => {
      const record = bin.take(workspace, 'root', id)
      if (record === undefined) return err(notInBinRefusal('root', id))
      if (!(await store.roots.insert(workspace, record))) return err(cannotReturnRefusal('root', id))
      recordSetting(services, workspace, { subject: 'root', change: 'added', id, detail: { name: record.name } })
      return ok(rootInfo(record))
    },
  }
}

const rootInfo = (record: RootRecord): RootState => {
  const { subject, validFrom, validTo } = new X509Certificate(Buffer.from(record.certificate, 'base64'))
  return { ...record, subject, not_before: Date.parse(validFrom), not_after: Date.parse(validTo) }
}
