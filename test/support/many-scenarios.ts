import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type ManyScenarios = {
  readonly count: number
  /** Every fifth expects what does not come, as if the fault were not there. */
  readonly failing?: boolean
}

/** A user registers. */
export const REGISTERS = `name: Registers
phones:
  alice: { account: { name: Alice, phone: '13812345678' } }
steps:
  - register: { user_id: u-1, username: alice }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: success }
`
/** The same, which expects too early that it has. */
export const FAILS = REGISTERS.replace('- scan', '- expect: { status: success }\n  - scan')

/** Files of which each registers and signs in; in every fifth the phone forges its sign-in. */
export const writeScenarios = (folder: string, { count, failing = false }: ManyScenarios): void => {
  for (let i = 0; i < count; i++) {
    const forged = i % 5 === 4
    const ends = forged && !failing ? 'fail, error: signature_invalid' : 'success'
    const name = `${forged ? 'A forged sign-in' : 'A sign-in'}, number ${i + 1}\ntags: [${forged ? 'forged' : 'sign-in'}]`
    const text = `${REGISTERS.replace('Registers', name)}${forged ? '  - arm: { phone: alice, fault: signature-tampered }\n' : ''}  - sign_in: { user_id: u-1, username: alice, method: qrcode }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: ${ends} }
`
    writeFileSync(join(folder, `${String(i + 1).padStart(5, '0')}.yaml`), text)
  }
}
