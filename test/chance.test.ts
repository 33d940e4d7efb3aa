import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync } from 'vite'
import { expect, test } from 'vitest'
import { codeBelow, ROOT } from './support/imports.ts'

/** No test may depend on chance, speed, date, place or order. Each row forbids one cause, and its samples show that it does. */
type Rule = {
  /** The files that it applies to, by their path from the root. */
  readonly files: RegExp
  /** Whether this node breaks the rule. `above` holds the nodes that contain it, outermost first. */
  readonly isBroken: (node: Node, above: readonly Node[]) => boolean
  readonly bad: readonly string[]
  readonly good: readonly string[]
}

type Node = ESTree.Node

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode)
const holds = (node: Node, matches: (each: Node) => boolean): boolean =>
  matches(node) || childrenOf(node).some((child) => holds(child, matches))
const allIn = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(allIn)]
const isFunction = ({ type }: Node): boolean => type === 'ArrowFunctionExpression' || type === 'FunctionExpression'

/** `poll` of `expect.poll(…)`, `fetch` of `fetch(…)`. */
const calledName = (node: Node | undefined): string | undefined => {
  if (node?.type !== 'CallExpression') return undefined
  const { callee } = node
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined
}

/** `expect` of `expect.poll(…)` and of `expect(…)`. */
const isExpect = ({ callee }: ESTree.CallExpression): boolean => {
  const called = callee.type === 'MemberExpression' ? callee.object : callee
  return called.type === 'Identifier' && called.name === 'expect'
}

/** Whether it is called again until it is right: `expect.poll(() => …)`, `expect(async () => …).toPass()`. */
const isRetried = (above: readonly Node[]): boolean =>
  above.some((node, nth) => {
    const call = above[nth - 1]
    return isFunction(node) && call?.type === 'CallExpression' && isExpect(call) && call.arguments[0] === node
  })

/** Playwright's methods that answer for a moment; the second ones do not even wait for the element. */
const READS =
  /^(textContent|innerText|innerHTML|inputValue|getAttribute|evaluate|evaluateAll|ariaSnapshot|boundingBox|screenshot)$/
const READS_AT_ONCE =
  /^(is(Visible|Hidden|Enabled|Disabled|Checked|Editable)|count|all|all(Inner|Text)(Texts|Contents))$/

/** Playwright's assertions that look until they hold. TypeScript lets them take locators and pages alone. */
const WEB_FIRST =
  /^to(Be(Attached|Checked|Disabled|Editable|Enabled|Focused|Hidden|InViewport|Visible)|ContainText|Have(Accessible\w+|Attribute|CSS|Count|Text|Title|URL|Values?))$/

const readsPage = (node: Node): boolean => {
  const name = calledName(node)
  if (name === undefined || node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  const { object } = node.callee
  const owner = object.type === 'Identifier' ? object.name : ''
  // A call that the page is told to make is an action: its answer does not change.
  if (READS.test(name)) return !holds(node, (each) => calledName(each) === 'fetch')
  return (READS_AT_ONCE.test(name) && owner !== 'Promise') || (name === 'url' && !/^re(quest|sponse)$/.test(owner))
}

/** What is named in a pattern: `a`, `b` and `c` of `{ a, b: [c] }` without the key `b`. */
const namesIn = (pattern: Node): readonly string[] => {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'Property') return namesIn(pattern.value)
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left)
  return childrenOf(pattern).flatMap(namesIn)
}

const NONE: ReadonlySet<string> = new Set()

/** Whether a value comes from a look at the page, by way of these names too. */
const isRead = (node: Node, names: ReadonlySet<string>): boolean => {
  if (readsPage(node)) return true
  // A method looks when it is called.
  if (node.type === 'Property' && isFunction(node.value)) return false
  if (node.type === 'Identifier') return names.has(node.name)
  if (node.type === 'BlockStatement') {
    return allIn(node).some((each) => each.type === 'ReturnStatement' && each.argument && isRead(each.argument, names))
  }
  // What is in an `expect` is checked there. What another program makes of a value is a value of its own.
  if (node.type === 'CallExpression') {
    if (isExpect(node)) return false
    return isRead(node.callee, names) || node.arguments.some((each) => isRead(each, NONE))
  }
  return childrenOf(node).some((child) => isRead(child, names))
}

/** Names of values that were read from a page, and of functions that read it. */
const readNames = (root: Node, known: ReadonlySet<string>): ReadonlySet<string> => {
  const names = new Set(known)
  const visit = (node: Node): void => {
    if (node.type === 'VariableDeclarator' && node.init !== null && isRead(node.init, names)) {
      for (const name of namesIn(node.id)) names.add(name)
    }
    if (node.type === 'Property' && isFunction(node.value) && node.key.type === 'Identifier') {
      if (isRead(node.value, names)) names.add(node.key.name)
    }
    childrenOf(node).forEach(visit)
  }
  for (let before = -1; before !== names.size; ) {
    before = names.size
    visit(root)
  }
  return names
}

/** The names that are known in a statement of a file: its own, those that the file declares, and those of the helpers. */
const namesAt = (program: Node, statement: Node): ReadonlySet<string> => {
  const declarations = childrenOf(program).filter(({ type }) => /^(Variable|ExportNamed)Declaration$/.test(type))
  return readNames(
    statement,
    declarations.reduce<ReadonlySet<string>>((names, each) => readNames(each, names), HELPERS),
  )
}

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const parsed = (path: string, code: string): Node => {
  const { program, errors } = parseSync(path, code)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  return program
}

/** What the helpers export, and their methods, as far as they read a page. */
const HELPERS: ReadonlySet<string> = new Set(
  codeBelow('test/e2e/support').flatMap((path) => {
    const root = parsed(path, textOf(path))
    const names = readNames(root, NONE)
    const given = allIn(root).flatMap((node) => {
      if (node.type === 'ExportNamedDeclaration') return childrenOf(node).flatMap(childrenOf)
      return node.type === 'Property' && isFunction(node.value) ? [node] : []
    })
    return given
      .flatMap((node) =>
        node.type === 'Property' ? namesIn(node.key) : 'id' in node && isNode(node.id) ? namesIn(node.id) : [],
      )
      .filter((name) => names.has(name))
  }),
)
const PAGES = /^test\/(e2e|shell\/stand-in)\//

const RULES = {
  'a page is not looked at once: await expect(locator), expect.poll(…) or expect(…).toPass() look until it is right': {
    files: /^$/,
    isBroken: (node, above) => {
      if (node.type !== 'CallExpression' || !isExpect(node)) return false
      if (/^(poll|configure)$/.test(calledName(node) ?? '') || isRetried(above)) return false
      const [value] = node.arguments
      if (value === undefined || isFunction(value)) return false
      if (WEB_FIRST.test(calledName(above.findLast(({ type }) => type === 'CallExpression')) ?? '')) return false
      const [program = node, statement = node] = above
      const names = namesAt(program, statement)
      return allIn(value).some(
        (each) =>
          each.type === 'AwaitExpression' || readsPage(each) || (each.type === 'Identifier' && names.has(each.name)),
      )
    },
    bad: [
      'expect(await unreadable(page, 18)).toEqual([])',
      'expect((await box.boundingBox())?.height).toBeLessThan(50)',
      'const pathIn = (tab) => new URL(tab.url()).pathname; expect(pathIn(other)).toBe("/")',
      'test("reads", async () => { const { rows: [first] } = await desk.rowsOf("Bo"); expect(first).toBe("") })',
    ],
    good: [
      'await expect(seen(page)).toBeVisible()',
      'test("asks", async () => { const { id } = await desk.scan("Bo"); expect(id).toBe("") })',
      'await expect.poll(() => unreadable(page, 18)).toEqual([])',
      'await expect(async () => { expect(await names.allInnerTexts()).toEqual([]) }).toPass()',
    ],
  },
  'a state or a set is not read without waiting for it': {
    files: /^$/,
    isBroken: (node, above) => readsPage(node) && READS_AT_ONCE.test(calledName(node) ?? '') && !isRetried(above),
    bad: ['if (await form.isVisible()) await form.click()', 'for (const row of await rows.all()) await row.click()'],
    good: ['await Promise.all(rows)', 'await expect.poll(() => rows.allInnerTexts()).toEqual([])'],
  },
  'a test of the page waits for an event, not for a time': {
    files: PAGES,
    isBroken: (node) =>
      calledName(node) === 'waitForTimeout' || (node.type === 'Literal' && node.value === 'networkidle'),
    bad: ['await page.waitForTimeout(100)', 'await page.goto("/", { waitUntil: "networkidle" })'],
    good: ['await page.waitForURL("/")'],
  },
} satisfies Record<string, Rule>

const brokenIn = ({ isBroken }: Rule, root: Node): readonly Node[] => {
  const found: Node[] = []
  const visit = (node: Node, above: readonly Node[]): void => {
    if (isBroken(node, above)) found.push(node)
    for (const child of childrenOf(node)) visit(child, [...above, node])
  }
  visit(root, [])
  return found
}

/** This file's samples break its rules. */
const sources = codeBelow('test').filter((path) => path !== 'test/chance.test.ts')

for (const [title, rule] of Object.entries<Rule>(RULES)) {
  test(title, () => {
    const breaks = (code: string): boolean => brokenIn(rule, parsed('sample.ts', code)).length > 0
    expect({ bad: rule.bad.filter((code) => !breaks(code)), good: rule.good.filter(breaks) }).toEqual({
      bad: [],
      good: [],
    })
    const broken = sources
      .filter((path) => rule.files.test(path))
      .flatMap((path) => {
        const code = textOf(path)
        return brokenIn(rule, parsed(path, code)).map(
          ({ start, end }) =>
            `${path}:${code.slice(0, start).split('\n').length}: ${code.slice(start, end).split('\n')[0]}`,
        )
      })
    expect(broken).toEqual([])
  })
}
