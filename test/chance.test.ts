import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfigureGlobal } from 'fast-check'
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
  /** Files that may break it, and why. */
  readonly except?: Readonly<Record<string, string>>
}

type Node = ESTree.Node

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
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
const calledOn = ({ callee }: ESTree.CallExpression): string => {
  const called = callee.type === 'MemberExpression' ? callee.object : callee
  return called.type === 'Identifier' ? called.name : ''
}

const isExpect = (call: ESTree.CallExpression): boolean => calledOn(call) === 'expect'

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
  const owner = calledOn(node)
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
    const given = /^(Object|JSON|Math|String|Number|Set)\b/.test(calledOn(node)) ? names : NONE
    return isRead(node.callee, names) || node.arguments.some((each) => isRead(each, given))
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
    files: PAGES,
    isBroken: (node, above) => {
      if (node.type !== 'CallExpression' || !isExpect(node)) return false
      if (/^(poll|configure)$/.test(calledName(node) ?? '') || isRetried(above)) return false
      const [value] = node.arguments
      if (value === undefined || isFunction(value)) return false
      if (WEB_FIRST.test(calledName(above.findLast(({ type }) => type === 'CallExpression')) ?? '')) return false
      const [program = node, statement = node] = above
      const names = namesAt(program, statement)
      return allIn(value).some(({ type }) => type === 'AwaitExpression') || isRead(value, names)
    },
    bad: [
      'expect(await unreadable(page, 18)).toEqual([])',
      'expect((await box.boundingBox())?.height).toBeLessThan(50)',
      'const pathIn = (tab) => new URL(tab.url()).pathname; expect(pathIn(other)).toBe("/")',
      'test("reads", async () => { const { rows: [first] } = await codesOnScreen(desk); expect(first).toBe("") })',
    ],
    good: [
      'await expect(seen(page)).toBeVisible()',
      'test("asks", async () => { const { id } = await desk.scan("Bo"); expect(id).toBe("") })',
      'await expect.poll(() => unreadable(page, 18)).toEqual([])',
      'await expect(async () => { expect(await names.allInnerTexts()).toEqual([]) }).toPass()',
    ],
  },
  'a state or a set is not read without waiting for it': {
    files: PAGES,
    isBroken: (node, above) => readsPage(node) && READS_AT_ONCE.test(calledName(node) ?? '') && !isRetried(above),
    bad: ['if (await form.isVisible()) await form.click()', 'for (const row of await rows.all()) await row.click()'],
    good: ['await Promise.all(rows)', 'await expect.poll(() => rows.allInnerTexts()).toEqual([])'],
  },
  'a test of the page waits for an event, not for a time, and has the limits of playwright.config.ts': {
    files: PAGES,
    isBroken: (node) =>
      /^(waitForTimeout|setTimeout)$/.test(calledName(node) ?? '') ||
      (node.type === 'Literal' && node.value === 'networkidle'),
    bad: [
      'await page.waitForTimeout(100)',
      'await new Promise((resolve) => setTimeout(resolve, 100))',
      'test.setTimeout(60_000)',
      'await page.goto("/", { waitUntil: "networkidle" })',
    ],
    good: ['await page.waitForURL("/")', 'await page.clock.runFor(3500)'],
  },
  'a picture is taken by page.screenshot(), which waits for the fonts': {
    files: /^test\/(e2e|bench|docs)\//,
    isBroken: (node) =>
      node.type === 'Literal' &&
      /^(Page\.(captureScreenshot|startScreencast)|PW_TEST_SCREENSHOT.*)$/.test(`${node.value}`),
    bad: ['await devtools.send("Page.captureScreenshot")', 'process.env["PW_TEST_SCREENSHOT_NO_FONTS_READY"] = "1"'],
    good: ['await page.screenshot()'],
  },
} satisfies Record<string, Rule>

/** Tests by Vitest. The others measure on purpose, are run by hand, or are somebody else's programs. */
const UNIT = /^test\/(?!e2e\/|bench\/|vectors\/|foreign-|mutants\/).*\.test\.tsx?$/
/** With what they share. */
const UNIT_CODE =
  /^test\/(?!e2e\/|bench\/|vectors\/|foreign|mutants\/|support\/sample-rp\/|[^/]*\/stand-in\/|shell\/packaged\/)/

const numberOf = (node: Node | undefined): number | undefined =>
  node?.type === 'Literal' && typeof node.value === 'number' ? node.value : undefined

/** The number of a property in an object that is written where it is used. */
const numberIn = (node: Node | undefined, name: string): number | undefined => {
  const member = node?.type === 'ObjectExpression' ? node.properties.find((each) => nameOf(each) === name) : undefined
  return member?.type === 'Property' ? numberOf(member.value) : undefined
}
const nameOf = (node: Node): string | undefined =>
  node.type === 'Property' && node.key.type === 'Identifier' ? node.key.name : undefined

const argumentsOf = (node: Node): readonly Node[] => (node.type === 'CallExpression' ? node.arguments : [])

/** `vi` of `vi.fn()`, `test` of `test.skipIf(…).each(…)(…)`. */
const firstName = (node: Node): string | undefined => {
  if (node.type === 'CallExpression') return firstName(node.callee)
  if (node.type === 'MemberExpression') return firstName(node.object)
  return node.type === 'Identifier' ? node.name : undefined
}

const readsClock = (node: Node): boolean =>
  node.type === 'NewExpression'
    ? firstName(node.callee) === 'Date' && node.arguments.length === 0
    : calledName(node) === 'now' && node.type === 'CallExpression' && /^(Date|performance)$/.test(firstName(node) ?? '')

/** Once for each file. */
const ofFile = <T>(find: (nodes: readonly Node[]) => T): ((program: Node) => T) => {
  const known = new WeakMap<Node, T>()
  return (program) => {
    const found = known.get(program) ?? find(allIn(program))
    known.set(program, found)
    return found
  }
}

/** A time between two looks at a clock. */
const isMeasured = (node: Node): boolean =>
  node.type === 'BinaryExpression' && node.operator === '-' && holds(node, readsClock)
const measuredNames = ofFile((nodes) =>
  nodes.flatMap((each) =>
    each.type === 'VariableDeclarator' && each.init !== null && holds(each.init, isMeasured) ? namesIn(each.id) : [],
  ),
)

/** The value that a matcher is given: `a` of `expect(a).not.toBe(1)`. */
const expected = (node: Node): Node | undefined => {
  if (node.type === 'MemberExpression') return expected(node.object)
  if (node.type !== 'CallExpression') return undefined
  return node.callee.type === 'Identifier' && node.callee.name === 'expect' ? node.arguments[0] : expected(node.callee)
}
const isMatcher = (node: Node): boolean => /^to[A-Z]/.test(calledName(node) ?? '') && expected(node) !== undefined

/** Names by which a file has the `setTimeout` that is awaited. */
const pauseNames = ofFile((nodes) =>
  nodes.flatMap((node) =>
    node.type === 'ImportDeclaration' && node.source.value === 'node:timers/promises'
      ? node.specifiers.flatMap((each) =>
          each.type === 'ImportSpecifier' && namesIn(each.imported)[0] === 'setTimeout' ? [each.local.name] : [],
        )
      : [],
  ),
)

/** `test(…)`, `test.each(…)(…)`, `test.skip(…)`. */
const isTest = (node: Node): boolean =>
  /^(test|it|describe)$/.test(firstName(node) ?? '') &&
  node.type === 'CallExpression' &&
  (node.callee.type !== 'MemberExpression' || /^(concurrent|only|sequential|skip)$/.test(calledName(node) ?? ''))

const UNIT_RULES = {
  'a number is not looked for in a text, where it may be part of another': {
    files: UNIT_CODE,
    isBroken: (node) =>
      /^(replace|replaceAll|split|includes|indexOf|toContain)$/.test(calledName(node) ?? '') &&
      argumentsOf(node)
        .slice(0, 1)
        .some(
          (each) =>
            (calledName(each) === 'String' && firstName(each) === 'String') ||
            (each.type === 'TemplateLiteral' && each.quasis.every(({ value }) => value.raw === '')),
        ),
    bad: ["text.replaceAll(String(port), 'PORT')", `expect(text).not.toContain(\`\${port}\`)`],
    good: ["text.replaceAll(/(?<=localhost:)\\d+/g, 'PORT')", `expect(text).not.toContain(\`:\${port}\`)`],
  },
  'a test waits for an event, not for a time': {
    files: UNIT,
    isBroken: (node, [program = node]) => {
      if (node.type === 'AwaitExpression') {
        return (
          node.argument.type === 'CallExpression' && pauseNames(program).includes(firstName(node.argument.callee) ?? '')
        )
      }
      return (
        node.type === 'NewExpression' &&
        firstName(node.callee) === 'Promise' &&
        holds(node, (each) => calledName(each) === 'setTimeout' && argumentsOf(each)[0]?.type === 'Identifier')
      )
    },
    bad: [
      "import { setTimeout as pause } from 'node:timers/promises'; await pause(50)",
      'await new Promise((resolve) => setTimeout(resolve, 50))',
    ],
    good: ["await once(child, 'close')", 'setTimeout(() => response.end(), 50)'],
    except: { 'test/nightly/many-workspaces.test.ts': 'no event says when the system has taken memory back' },
  },
  'output is read until it is closed, which may be after its process has ended': {
    files: UNIT_CODE,
    isBroken: (node) =>
      /^(on|once)$/.test(calledName(node) ?? '') &&
      firstName(node) !== 'process' &&
      argumentsOf(node).some((each) => each.type === 'Literal' && each.value === 'exit'),
    bad: ["await once(child, 'exit')", "child.on('exit', resolve)"],
    good: ["await once(child, 'close')", "process.once('exit', end)"],
    except: { 'test/docs/run-page.ts': 'what a page leaves behind holds its output open' },
  },
  'a port is one that the system gives, or freePort': {
    files: UNIT_CODE,
    isBroken: (node) =>
      /^(listen|startTestBench|startService|startBench)$/.test(calledName(node) ?? '') &&
      argumentsOf(node).some((each) => (numberOf(each) ?? 0) > 0 || (numberIn(each, 'port') ?? 0) > 0),
    bad: ['server.listen(7420)', 'await startTestBench({ port: 7420 })'],
    good: ["server.listen(0, '127.0.0.1')", 'await startTestBench({ port: await freePort() })'],
  },
  'a measured time has a limit of 10 s at least: elsewhere workOf counts what the process itself does': {
    files: UNIT_CODE,
    isBroken: (node, [program = node]) =>
      /^toBeLessThan/.test(calledName(node) ?? '') &&
      (numberOf(argumentsOf(node)[0]) ?? Infinity) < 10_000 &&
      holds(
        expected(node) ?? node,
        (each) => isMeasured(each) || (each.type === 'Identifier' && measuredNames(program).includes(each.name)),
      ),
    bad: [
      'expect(performance.now() - begun).toBeLessThan(500)',
      'const took = Date.now() - begun; expect(took).toBeLessThanOrEqual(2_000)',
    ],
    good: ['expect(performance.now() - begun).toBeLessThan(20_000)', 'expect(await workOf(search)).toBeLessThan(160)'],
  },
  'no limit is shorter than the one that all tests have': {
    files: UNIT_CODE,
    isBroken: (node) => {
      if (calledName(node) === 'poll') return argumentsOf(node).some((each) => (numberIn(each, 'timeout') ?? 3e4) < 3e4)
      if (!isTest(node)) return false
      return argumentsOf(node).some((each) => (numberIn(each, 'timeout') ?? numberOf(each) ?? Infinity) < 90_000)
    },
    bad: [
      "test('a', { timeout: 60_000 }, () => {})",
      "it.each([1])('b', () => {}, 10_000)",
      'await expect.poll(read, { timeout: 5_000 }).toBe(1)',
    ],
    good: ["test('a', { timeout: 300_000 }, () => {})", 'await expect.poll(read, { interval: 50 }).toBe(1)'],
  },
  'what people read is written and sorted in a named locale': {
    files: UNIT_CODE,
    isBroken: (node) => {
      const name = calledName(node) ?? ''
      if (name === 'localeCompare') return argumentsOf(node).length < 2
      if (/^toLocale/.test(name)) return argumentsOf(node).length === 0
      return node.type === 'NewExpression' && firstName(node.callee) === 'Intl' && node.arguments.length === 0
    },
    bad: ['names.sort((a, b) => a.localeCompare(b))', 'count.toLocaleString()', 'new Intl.NumberFormat()'],
    good: ["a.localeCompare(b, 'en')", "count.toLocaleString('en')", "new Intl.NumberFormat('en')"],
  },
  'a day is given, in UTC: not that of the machine': {
    files: UNIT_CODE,
    isBroken: (node) => {
      if (isMatcher(node) && !/^toBe(Less|Greater)/.test(calledName(node) ?? '')) {
        return argumentsOf(node).some((each) => holds(each, readsClock))
      }
      if (node.type === 'NewExpression') return firstName(node.callee) === 'Date' && node.arguments.length !== 1
      return /^[gs]et(Date|Day|FullYear|Hours|Minutes|Month|TimezoneOffset)$/.test(calledName(node) ?? '')
    },
    bad: [
      'expect(shown).toContain(new Date().toISOString().slice(0, 10))',
      'expect(expiry).toBe(Date.now() + 1)',
      'new Date(2030, 0, 1)',
      'new Date(time).getDay()',
    ],
    good: [
      'new Date(Date.UTC(2030, 0, 1))',
      'new Date(time).getUTCDay()',
      'expect(expiry).toBeGreaterThan(Date.now())',
    ],
  },
  'a value is drawn under a seed': {
    files: UNIT,
    isBroken: (node) =>
      /^random(Bytes|Int|UUID)$|^getRandomValues$/.test(calledName(node) ?? '') ||
      (calledName(node) === 'random' && firstName(node) === 'Math'),
    bad: ['Math.random()', 'randomInt(2 ** 31)', 'crypto.randomUUID()'],
    good: ["createRandom({ seed: 7 }).stream('main', 'a', 'b')", 'random.bytes(9)'],
  },
  'a folder is sorted before it is compared: each file system has an order of its own': {
    files: UNIT,
    isBroken: (node) => {
      const [list] = argumentsOf(node)
      const given = isMatcher(node) && list?.type === 'ArrayExpression' && list.elements.length > 1
      const folder = given ? expected(node) : undefined
      return (
        folder !== undefined &&
        folder.type !== 'ArrayExpression' &&
        holds(folder, (each) => /^(readdir|glob)Sync$/.test(calledName(each) ?? '')) &&
        !holds(folder, (each) => /^(sort|toSorted)$/.test(calledName(each) ?? ''))
      )
    },
    bad: ["expect(readdirSync(out)).toEqual(['a', 'b'])"],
    good: ["expect(readdirSync(out).sort()).toEqual(['a', 'b'])", "expect(readdirSync(out)).toEqual(['a'])"],
  },
} satisfies Record<string, Rule>

test('properties are tried on the same values in each run', () => {
  expect(readConfigureGlobal().seed).toBe(Number(process.env.HANDSET_TEST_SEED ?? 1))
})

const ALL = Object.entries<Rule>({ ...RULES, ...UNIT_RULES })

const brokenIn = (rules: readonly Rule[], root: Node): readonly (readonly [Rule, Node])[] => {
  const found: (readonly [Rule, Node])[] = []
  const above: Node[] = []
  const visit = (node: Node): void => {
    for (const rule of rules) if (rule.isBroken(node, above)) found.push([rule, node])
    above.push(node)
    childrenOf(node).forEach(visit)
    above.pop()
  }
  visit(root)
  return found
}

/** Where files break which rule: one walk through each. This file's samples break its rules. */
const broken = Map.groupBy(
  codeBelow('test').flatMap((path) => {
    const rules = ALL.flatMap(([, rule]) => (rule.files.test(path) && path !== 'test/chance.test.ts' ? [rule] : []))
    if (rules.length === 0) return []
    const code = textOf(path)
    return brokenIn(rules, parsed(path, code)).map(([rule, { start, end }]) => ({
      rule,
      at: `${path}:${code.slice(0, start).split('\n').length}: ${code.slice(start, end).split('\n')[0]}`,
    }))
  }),
  ({ rule }) => rule,
)

for (const [title, rule] of ALL) {
  test(title, () => {
    const breaks = (code: string): boolean => brokenIn([rule], parsed('sample.ts', code)).length > 0
    expect({ bad: rule.bad.filter((code) => !breaks(code)), good: rule.good.filter(breaks) }).toEqual({
      bad: [],
      good: [],
    })
    const found = (broken.get(rule) ?? []).map(({ at }) => at)
    const excepted = Object.keys(rule.except ?? {})
    expect(found.filter((at) => !excepted.some((path) => at.startsWith(`${path}:`)))).toEqual([])
    expect(excepted.filter((path) => !found.some((at) => at.startsWith(`${path}:`)))).toEqual([])
  })
}
