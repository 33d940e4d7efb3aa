import { algorithmName } from '../../core/judge/algorithms.ts'
import { decodeAttestationObject } from '../../core/judge/attestation-object.ts'
import { type AttestedCredential, decodeAuthenticatorData, fixedFields } from '../../core/judge/authenticator-data.ts'
import { type CborItem, decodeCbor, type Range } from '../../core/judge/cbor.ts'
import { decodeClientDataText, parseClientData } from '../../core/judge/client-data.ts'
import { formatUuid } from '../../core/judge/describe.ts'
import { type Bytes, base64urlBytes, toHex, utf8 } from '../../core/protocol/bytes.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../core/protocol/json.ts'

export type TreeNode = Range & {
  readonly id: string
  readonly depth: number
  readonly name: string
  readonly value: string
  /** Handset's own note on the node. */
  readonly note?: string
  readonly flags?: readonly { readonly name: string; readonly set: boolean }[]
}

export const MAX_NODES = 400

type Signed = 'clientDataJSON' | 'authenticatorData' | 'attestationObject' | 'signature' | 'userHandle'

export type PartName = Signed | 'clientExtensionResults'

export type DecodedPart<Name extends string = PartName> = {
  readonly name: Name
  readonly bytes: Bytes
  readonly note: string
  readonly nodes: readonly TreeNode[]
}

/** The parts of an answer in a phone's upload, each decoded. */
export const decodeParts = (body: string): readonly DecodedPart[] => {
  const upload = parseJsonOrNothing(body)
  const answer = isObject(upload) ? upload.response : undefined
  return isObject(answer) ? answerParts(answer) : []
}

/** The byte strings of an answer, and its client extension results as JSON. */
export const answerParts = ({ response, clientExtensionResults: results }: JsonObject): readonly DecodedPart[] => {
  if (!isObject(response)) return []
  const read = (name: string): Bytes | undefined => bytesIn(response, name)
  const attestation = read('attestationObject')
  const decoded = attestation === undefined ? undefined : decodeAttestationObject(attestation).value
  // In a registration, the authenticator data in the attestation object count.
  const authenticatorData = attestation === undefined ? read('authenticatorData') : decoded?.authenticatorData
  const clientData = read('clientDataJSON')
  const signature = read('signature')
  const userHandle = read('userHandle')
  return [
    ...(clientData === undefined ? [] : [clientDataPart(clientData)]),
    ...(attestation === undefined ? [] : [attestationPart(attestation, decoded?.format)]),
    ...(authenticatorData === undefined ? [] : [authenticatorDataPart(authenticatorData)]),
    ...(signature === undefined ? [] : [plainPart('signature', signature)]),
    ...(userHandle === undefined ? [] : [plainPart('userHandle', userHandle)]),
    ...(isObject(results) && Object.keys(results).length > 0 ? [extensionsPart(results)] : []),
  ]
}

/** The member of an answer that is written in base64url. */
export const bytesIn = (response: JsonObject, name: string): Bytes | undefined => base64urlBytes(response[name])

const extensionsPart = (results: JsonObject): DecodedPart => ({
  ...clientDataPart(utf8(JSON.stringify(results))),
  name: 'clientExtensionResults',
})

const node = (id: string, depth: number, range: Range, rest: Partial<TreeNode>): TreeNode => ({
  name: id,
  value: '',
  ...rest,
  id,
  depth,
  start: range.start,
  end: range.end,
})

export const decodedPart = <Name extends string>(
  name: Name,
  bytes: Bytes,
  nodes: readonly TreeNode[],
  note = '',
): DecodedPart<Name> => ({ name, bytes, note, nodes })

export const plainPart = <Name extends string>(name: Name, bytes: Bytes): DecodedPart<Name> =>
  decodedPart(name, bytes, [node(name, 0, { start: 0, end: bytes.length }, { value: shortHex(bytes) })])

export const clientDataPart = (bytes: Bytes): DecodedPart => {
  const text = decodeClientDataText(bytes).value
  const members = text === undefined ? undefined : parseClientData(bytes, text).value
  const nodes = [...(members?.values() ?? [])].map((member) =>
    node(member.name, 0, member, {
      value: typeof member.value === 'string' ? member.value : (JSON.stringify(member.value) ?? ''),
    }),
  )
  return decodedPart('clientDataJSON', bytes, nodes)
}

const FLAGS = [
  ['UP', 'userPresent'],
  ['UV', 'userVerified'],
  ['BE', 'backupEligible'],
  ['BS', 'backupState'],
  ['AT', 'attestedCredentialData'],
  ['ED', 'extensionData'],
] as const

export const authenticatorDataPart = (bytes: Bytes): DecodedPart => {
  const data = decodeAuthenticatorData(bytes).value
  const name = 'authenticatorData'
  if (data === undefined) return plainPart(name, bytes)
  const { attested, extensions } = data
  const nodes = [
    node('rpIdHash', 0, fixedFields.rpIdHash, { value: shortHex(data.rpIdHash) }),
    node('flags', 0, fixedFields.flags, {
      value: toHex(bytes.subarray(32, 33)),
      flags: FLAGS.map(([flag, key]) => ({ name: flag, set: data.flags[key] })),
    }),
    node('signCount', 0, fixedFields.signCount, { value: String(data.signCount) }),
  ]
  if (attested !== undefined) {
    nodes.push(node('attestedCredentialData', 0, attested, {}))
    nodes.push(node('aaguid', 1, { start: 37, end: 53 }, { value: formatUuid(attested.aaguid) }))
    nodes.push(
      node('credentialId', 1, attested.credentialIdRange, {
        value: shortHex(attested.credentialId),
        note: `${attested.credentialId.length} bytes`,
      }),
    )
    nodes.push(...keyNodes(bytes, attested))
  }
  if (extensions !== undefined) {
    nodes.push(node('extensions', 0, extensions, {}), ...cborNodes(extensions, 'extensions', 1))
  }
  return decodedPart(name, bytes, nodes)
}

export const keyNodes = (
  bytes: Bytes,
  { publicKeyRange, key }: Pick<AttestedCredential, 'publicKeyRange' | 'key'>,
): readonly TreeNode[] => {
  if (publicKeyRange === undefined) return []
  const about = key === undefined ? 'COSE' : `COSE, ${algorithmName(key.algorithm)}`
  const head = node('credentialPublicKey', 1, publicKeyRange, { note: about })
  if (key === undefined) {
    const item = decodeCbor(bytes, publicKeyRange.start)
    return [head, ...(item.ok ? cborNodes(item.value.item, 'credentialPublicKey', 2) : [])]
  }
  return [
    head,
    ...key.members.map((member) => {
      const item = decodeCbor(bytes, member.start)
      const value = item.ok ? scalarText(item.value.item) : toHex(bytes.subarray(member.start, member.end))
      return node(`credentialPublicKey.${member.name}`, 2, member, { name: member.name, value })
    }),
  ]
}

export const attestationPart = (bytes: Bytes, format: string | undefined): DecodedPart => {
  const decoded = decodeCbor(bytes)
  return decodedPart('attestationObject', bytes, decoded.ok ? cborNodes(decoded.value.item, '', 0) : [], format)
}

/** A map's entries are named by their keys. */
const childrenOf = (item: CborItem): readonly (readonly [name: string, child: CborItem])[] | undefined => {
  if (item.type === 'map') return item.entries.map(({ key, value }) => [scalarText(key), value])
  return item.type === 'array' ? item.items.map((child, i) => [String(i), child]) : undefined
}

export const cborNodes = (item: CborItem, path: string, depth: number): readonly TreeNode[] =>
  (childrenOf(item) ?? []).flatMap(([name, child]) => {
    const id = path === '' ? name : `${path}.${name}`
    const size = childrenOf(child)?.length
    const bytes = child.type === 'bytes' ? { note: `${child.value.length} bytes` } : {}
    const shown =
      size === undefined ? { value: scalarText(child), ...bytes } : { value: '', note: `${child.type}, ${size}` }
    return [node(id, depth, child, { name, ...shown }), ...cborNodes(child, id, depth + 1)]
  })

/** CBOR of any kind, cut to the nodes that are shown. */
export const cborPart = (name: string, bytes: Bytes, item: CborItem): DecodedPart<string> =>
  decodedPart(name, bytes, cborNodes(item, '', 0).slice(0, MAX_NODES))

const scalarText = (item: CborItem): string => {
  if (item.type === 'bytes') return shortHex(item.value)
  if (item.type === 'map' || item.type === 'array') return item.type
  return item.type === 'tag' ? `tag ${item.tag}` : String(item.value)
}

export const shortHex = (bytes: Uint8Array): string =>
  bytes.length > 20 ? `${toHex(bytes.subarray(0, 12))}…` : toHex(bytes)

/** The innermost node: each node is followed by those within it. */
export const nodeAt = (nodes: readonly TreeNode[], byte: number): TreeNode | undefined =>
  nodes.findLast(({ start, end }) => start <= byte && byte < end)
