import { X509Certificate } from 'node:crypto'
import {
  type Conditions,
  normalConditions,
  replaceConditions,
  withConditions,
  withScoped,
} from '../../core/contract/conditions.ts'
import type { ControlMessage, MessageVerdict, RootState } from '../../core/contract/control/states.ts'
import { notFound, type Refusal, refuse } from '../../core/contract/errors.ts'
import type { CredentialFact } from '../../core/contract/events.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { findArmRefusal, removeArmed, toArmedFault } from '../faults/arm-service-fault.ts'
import { signalAccepted, signalUnknown } from '../inbox/send-signals.ts'
import { messageFact } from '../messages/message-timers.ts'
import { accessKeysOf, createRpsAdmin } from '../rps/rps-admin.ts'
import { withinQuota } from '../settings/limits.ts'
import type { ChangeReach } from '../settings/stored-settings.ts'
import type { CredentialRecord, MessageRecord, RootRecord } from '../store/store.ts'
import { parseCertificate } from '../workspaces/row-rules.ts'
import { clockOf, documentsOf, snapshotsOf, workspacesOf } from '../workspaces/workspaces-admin.ts'
import {
  type Admin,
  type AdminParts,
  cannotReturnRefusal,
  inWorkspaces,
  notInBinRefusal,
  type Outcome,
  recordSetting,
} from './admin.ts'

export const createAdmin = (parts: AdminParts): Admin => ({
  workspaces: workspacesOf(parts),
  rps: inWorkspaces(parts, createRpsAdmin(parts)),
  accessKeys: inWorkspaces(parts, accessKeysOf(parts)),
  clock: clockOf(parts),
  profile: inWorkspaces(parts, profileOf(parts)),
  messages: inWorkspaces(parts, messagesOf(parts)),
  credentials: inWorkspaces(parts, credentialsOf(parts)),
  accounts: inWorkspaces(parts, accountsOf(parts)),
  devices: inWorkspaces(parts, devicesOf(parts)),
  roots: inWorkspaces(parts, rootsOf(parts)),
  conditions: inWorkspaces(parts, conditionsAdmin(parts)),
  faults: inWorkspaces(parts, serviceFaultsAdmin(parts)),
  snapshots: inWorkspaces(parts, snapshotsOf(parts)),
  documents: documentsOf(parts),
  secondOpinions: parts.services.secondOpinions,
  signatures: inWorkspaces<Admin['signatures']>(parts, {
    explain: async (workspace, request) => {
      const { explainRequest } = await import('../signing/explain-request.ts')
      return explainRequest(parts.services, workspace, request, 'in-pairs')
    },
  }),
  settled: parts.services.background.settled,
})

const profileOf = (parts: AdminParts): Admin['profile'] => {
  const { settings } = parts.services
  const set = async (
    workspace: string,
    change: string,
    next: (before: Profile) => Profile,
    reach?: ChangeReach,
  ): Outcome<Profile> => {
    const profile = await settings.changeProfile(workspace, next, reach)
    recordSetting(parts, workspace, { subject: 'profile', change, detail: profile })
    return ok(profile)
  }
  return {
    get: async (workspace) => ok(settings.profile(workspace)),
    patch: (workspace, part) => set(workspace, 'changed', (before) => ({ ...before, ...part })),
    reset: (workspace) => set(workspace, 'reset', () => defaultProfile, 'all'),
  }
}

const conditionsAdmin = (parts: AdminParts): Admin['conditions'] => {
  const { settings } = parts.services
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
    recordSetting(parts, workspace, { subject: 'conditions', change, detail: conditions })
    return ok(conditions)
  }
  return {
    get: async (workspace) => ok(settings.conditions(workspace)),
    patch: (workspace, part) => set(workspace, 'changed', (before) => withConditions(before, part)),
    replace: (workspace, part) => set(workspace, 'changed', (before) => replaceConditions(before, part)),
    reset: (workspace, scope) =>
      scope === undefined
        ? set(workspace, 'reset', () => normalConditions, 'all')
        : set(workspace, 'reset', (before) => withScoped(before, scope, normalConditions)),
  }
}

const accountsOf = (parts: AdminParts): Admin['accounts'] => ({
  list: async (workspace) => {
    const records = await parts.services.store.accounts.list(workspace)
    return ok(records.map(({ proof_hash, ...info }) => ({ ...info, protected: proof_hash !== undefined })))
  },
  delete: async (workspace, id) => {
    const { accounts } = parts.services.store
    if (await accounts.delete(workspace, id)) return ok(null)
    const isThere = (await accounts.get(workspace, id)) !== undefined
    return err(isThere ? refuse('wrong_state') : notFound('account', id))
  },
})

const devicesOf = (parts: AdminParts): Admin['devices'] => {
  const { store, inboxes, observe, shared } = parts.services
  return {
    list: async (workspace) => {
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
    signOut: async (workspace, id) => {
      const record = await store.devices.get(workspace, id)
      if (record === undefined || !(await store.devices.delete(workspace, id))) return err(notFound('device', id))
      inboxes.end(workspace, id)
      const fact = { kind: 'device', change: 'signed_out', device_id: id, account: record.account } as const
      observe(workspace, { actor: { kind: 'control' }, ...fact })
      return ok(null)
    },
  }
}

const serviceFaultsAdmin = (parts: AdminParts): Admin['faults'] => {
  const { settings, random } = parts.services
  return {
    list: async (workspace) => ok(settings.faults(workspace)),
    arm: async (workspace, wanted) => {
      const armed = toArmedFault(wanted, random.stream(workspace, 'service', 'fault id'))
      let refusal: Refusal | undefined
      await settings.changeFaults(workspace, (before) => {
        refusal = findArmRefusal(before, wanted)
        return refusal === undefined ? [...before, armed] : undefined
      })
      if (refusal !== undefined) return err(refusal)
      recordSetting(parts, workspace, { subject: 'fault', change: 'armed', id: armed.id, detail: armed })
      return ok(armed)
    },
    disarm: async (workspace, id) => {
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
      recordSetting(parts, workspace, { subject: 'fault', change: 'disarmed', ...which, detail })
      return ok(left)
    },
  }
}

const messagesOf = (parts: AdminParts): Admin['messages'] => {
  const { store, addresses, timers, clock, observe, secondOpinions } = parts.services
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
    list: async (workspace, { limit = 100, ...filter } = {}) => {
      await timers.expireDue(workspace)
      const records = await store.messages.list(workspace, { ...filter, limit })
      return ok(records.map((record) => info(workspace, record)))
    },
    get: async (workspace, id) => {
      await timers.expireDue(workspace)
      const record = await store.messages.get(workspace, id)
      if (record === undefined) return err(notFound('message', id))
      const shown = info(workspace, record)
      return ok(
        shown.verdict === undefined ? shown : { ...shown, verdict: await withOpinion(workspace, id, shown.verdict) },
      )
    },
    expire: async (workspace, id) => {
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
    nextExpiry: async (workspace) => {
      await timers.expireDue(workspace)
      return ok((await store.messages.horizon(workspace)).open ?? null)
    },
  }
}

const credentialsOf = (parts: AdminParts): Admin['credentials'] => {
  const { store, observe, bin } = parts.services
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
    list: async (workspace, filter = {}) => ok(await store.credentials.list(workspace, filter)),
    get: async (workspace, id) => {
      const record = await find(workspace, id)
      return record === undefined ? err(notFound('credential', id)) : ok(record)
    },
    delete: async (workspace, id, ofRp) => {
      const record = await (ofRp === undefined ? find(workspace, id) : store.credentials.get(workspace, ofRp, id))
      if (record === undefined) return err(notFound('credential', id))
      const { rp, user_id } = record
      const gone = await store.credentials.delete(workspace, { rp, user_id, ids: [id] })
      if (gone.length === 0) return err(notFound('credential', id))
      for (const each of gone) bin.put(workspace, 'credential', each)
      report(workspace, 'deleted', record)
      await signalUnknown({ workspace, services: parts.services }, gone)
      return ok(null)
    },
    undelete: async (workspace, id) => {
      if (bin.find(workspace, 'credential', id) === undefined) return err(notInBinRefusal('credential', id))
      return withinQuota(parts.services, { workspace, counts: ['credentials'] }, async () => {
        const record = bin.take(workspace, 'credential', id)
        if (record === undefined) return err(notInBinRefusal('credential', id))
        if (!(await store.credentials.insert(workspace, record))) return err(cannotReturnRefusal('credential', id))
        report(workspace, 'restored', record)
        await signalAccepted({ workspace, services: parts.services }, record)
        return ok(record)
      })
    },
  }
}

const rootsOf = (parts: AdminParts): Admin['roots'] => {
  const { store, random, clock, bin } = parts.services
  return {
    list: async (workspace) => ok((await store.roots.list(workspace)).map(rootInfo)),

    add: async (workspace, input) => {
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
      recordSetting(parts, workspace, { subject: 'root', change: 'added', id, detail: { name: input.name } })
      return ok(rootInfo(record))
    },

    delete: async (workspace, id) => {
      const record = (await store.roots.list(workspace)).find((root) => root.id === id)
      if (record === undefined || !(await store.roots.delete(workspace, id))) return err(notFound('root', id))
      bin.put(workspace, 'root', record)
      recordSetting(parts, workspace, { subject: 'root', change: 'deleted', id })
      return ok(null)
    },

    undelete: async (workspace, id) => {
      const record = bin.take(workspace, 'root', id)
      if (record === undefined) return err(notInBinRefusal('root', id))
      if (!(await store.roots.insert(workspace, record))) return err(cannotReturnRefusal('root', id))
      recordSetting(parts, workspace, { subject: 'root', change: 'added', id, detail: { name: record.name } })
      return ok(rootInfo(record))
    },
  }
}

const rootInfo = (record: RootRecord): RootState => {
  const { subject, validFrom, validTo } = new X509Certificate(Buffer.from(record.certificate, 'base64'))
  return { ...record, subject, not_before: Date.parse(validFrom), not_after: Date.parse(validTo) }
}
