import type { Refusal } from '../../core/contract/errors.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { Phones } from '../../phones/phone/phones.ts'
import type { Admin } from '../../service/admin/create-admin.ts'

type AttestationAuthority = Awaited<ReturnType<Phones['makers']>>

const makerRoots = (makers: AttestationAuthority) =>
  Object.entries(makers.formats).map(([format, { root }]) => ({
    name: `Handset ${format}`,
    certificate: Buffer.from(root.certificate, 'base64url').toString('base64'),
  }))

export const ownRootsPem = (makers: AttestationAuthority): string =>
  makerRoots(makers)
    .map(({ certificate }) => {
      const lines = certificate.match(/.{1,64}/g) ?? []
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
    })
    .join('')

/** A workspace trusts its own phones' makers; other roots of the same name are removed. */
export const createOwnRootTrust =
  ({ admin, phones }: { readonly admin: Admin; readonly phones: Pick<Phones, 'makers'> }) =>
  async (workspace: string): Promise<Result<null, Refusal>> => {
    const own = makerRoots(await phones.makers(workspace))
    const trusted = await admin.roots.list(workspace)
    if (!trusted.ok) return trusted
    const isOwn = (root: { readonly certificate: string }): boolean =>
      own.some(({ certificate }) => certificate === root.certificate)
    for (const root of trusted.value) {
      if (own.some(({ name }) => name === root.name) && !isOwn(root)) {
        const deleted = await admin.roots.delete(workspace, root.id)
        if (!deleted.ok) return deleted
      }
    }
    for (const root of own) {
      if (trusted.value.some(({ certificate }) => certificate === root.certificate)) continue
      const added = await admin.roots.add(workspace, root)
      if (!added.ok) return added
    }
    return ok(null)
  }
