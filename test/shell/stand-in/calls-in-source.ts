import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as ast from 'typescript/unstable/ast'
import { API, type Checker, SignatureKind } from 'typescript/unstable/sync'

const ROOT = join(import.meta.dirname, '../../..')
/** A unit test executes what the stand-in does not show. */
export const isFile = (test: string): boolean => test.endsWith('.test.ts') && existsSync(join(ROOT, test))

const TYPES = 'node_modules/electron/electron.d.ts'

/** Every call of the shell to Electron by Electron's name, and the files that make it. */
export type SourceCalls = ReadonlyMap<string, ReadonlySet<string>>

const callsIn = (node: ast.Node): readonly (ast.CallExpression | ast.NewExpression)[] => {
  const found: (ast.CallExpression | ast.NewExpression)[] = []
  const look = (each: ast.Node): void => {
    if (ast.isCallExpression(each) || ast.isNewExpression(each)) found.push(each)
    each.forEachChild(look)
  }
  look(node)
  return found
}

const nameOf = (node: ast.Node): string | undefined =>
  (node as { readonly name?: { readonly text?: string } }).name?.text

const typeAround = (node: ast.Node): string | undefined => nameOf(node.parent) ?? typeAround(node.parent)

/** App.quit, App.on(ready), new Tray; undefined where Electron hands over a function to answer with. */
const electronName = (call: ast.CallExpression | ast.NewExpression, checker: Checker): string | undefined => {
  const declared = checker.getResolvedSignature(call)?.declaration
  if (declared?.path.endsWith(TYPES) !== true) return undefined
  const declaration = declared.resolve()
  if (declaration === undefined || ast.isParameterDeclaration(declaration.parent)) return undefined
  if (ast.isConstructorDeclaration(declaration)) return `new ${nameOf(declaration.parent)}`
  const member = ast.isFunctionTypeNode(declaration) ? declaration.parent : declaration
  const [first] = call.arguments ?? []
  const isEvent = /^(on|once)$/.test(nameOf(member) ?? '')
  return `${typeAround(member)}.${nameOf(member)}${isEvent && first !== undefined && ast.isStringLiteral(first) ? `(${first.text})` : ''}`
}

const takesHandler = (call: ast.CallExpression | ast.NewExpression, checker: Checker): boolean =>
  (call.arguments ?? []).some((given) => {
    const type = checker.getTypeAtLocation(given)
    return type !== undefined && checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
  })

/** Read with TypeScript's own checker; `change` puts other text in the place of a file's. */
export const callsInSource = (change: (path: string, text: string) => string = (_, text) => text): SourceCalls => {
  const shell = readdirSync(join(ROOT, 'src-main/shell')).filter((name) => name.endsWith('.ts'))
  const files = ['src-main/index.ts', ...shell.map((name) => `src-main/shell/${name}`)]
  const config = join(ROOT, 'shell-alone.tsconfig.json')
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  // Without resolving imports: the shell and Electron's types are enough, and a second is saved.
  const text = JSON.stringify({ compilerOptions: { ...compilerOptions, noResolve: true }, files: [...files, TYPES] })
  const readFile = (path: string): string | undefined => {
    if (path === config) return text
    const own = files.find((file) => path === join(ROOT, file))
    return own === undefined ? undefined : change(own, readFileSync(path, 'utf8'))
  }
  const api = new API({ cwd: ROOT, fs: { readFile, fileExists: (path) => (path === config ? true : undefined) } })
  try {
    const [project] = api.updateSnapshot({ openProject: config }).getProjects()
    const calls = new Map<string, Set<string>>()
    for (const file of files) {
      const source = project?.program.getSourceFile(join(ROOT, file))
      if (project === undefined || source === undefined) throw new Error(`TypeScript has not read ${file}`)
      for (const call of callsIn(source)) {
        const name = electronName(call, project.checker)
        if (name === undefined) continue
        for (const each of takesHandler(call, project.checker) ? [name, `${name} → handler`] : [name]) {
          calls.set(each, (calls.get(each) ?? new Set()).add(file))
        }
      }
    }
    return calls
  } finally {
    api.close()
  }
}
