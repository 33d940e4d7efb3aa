import csharp from '../../docs/interface/signing/Sign.cs?raw'
import java from '../../docs/interface/signing/Sign.java?raw'
import go from '../../docs/interface/signing/sign.go?raw'
import node from '../../docs/interface/signing/sign.mjs?raw'
import php from '../../docs/interface/signing/sign.php?raw'
import python from '../../docs/interface/signing/sign.py?raw'
import curl from '../../docs/interface/signing/sign.sh?raw'
import type { Language } from '../ui/address.ts'

export type SignerProgram = {
  readonly name: string
  readonly file: string
  readonly text: string
  /** Command that runs the program in the folder in which it was saved. */
  readonly run: string
  readonly needs: readonly string[]
}

/** The signers of docs/interface/signing, which register and sign in when they are run without arguments. */
export const SIGNERS: Readonly<Record<Language, SignerProgram>> = {
  curl: { name: 'curl', file: 'sign.sh', text: curl, run: 'bash sign.sh', needs: ['bash', 'curl', 'openssl'] },
  node: { name: 'Node', file: 'sign.mjs', text: node, run: 'node sign.mjs', needs: ['node'] },
  python: { name: 'Python', file: 'sign.py', text: python, run: 'python3 sign.py', needs: ['python3'] },
  java: { name: 'Java', file: 'Sign.java', text: java, run: 'java Sign.java', needs: ['java'] },
  go: { name: 'Go', file: 'sign.go', text: go, run: 'go run sign.go', needs: ['go'] },
  php: { name: 'PHP', file: 'sign.php', text: php, run: 'php sign.php', needs: ['php'] },
  csharp: { name: 'C#', file: 'Sign.cs', text: csharp, run: 'mcs Sign.cs && mono Sign.exe', needs: ['mcs', 'mono'] },
}
