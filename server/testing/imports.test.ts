import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/**
 * The folders of each part from the lowest to the highest: a file imports from its own folder and from lower ones, also
 * types. Modules beside the folders (server/env.ts) are not listed: they are checked for cycles.
 */
const ORDER: Record<string, readonly string[]> = {
  server: [
    ...[
      'db',
      'readmodel',
      'http',
      'countries',
      'audit',
      'delivery',
      'settings',
      'files',
      'accounts',
      'jobs',
      'imports',
    ],
    ...[
      'backup',
      'pdos',
      'advisories',
      'notifications',
      'content',
      'churches',
      'realtime',
      'roll-calls',
      'assistant',
      'sample',
    ],
    ...['cli', 'overview', 'emergency'],
  ],
  shared: [
    ...[
      'files',
      'audit',
      'backup',
      'delivery',
      'pages',
      'imports',
      'settings',
      'assistant',
      'emergency',
      'content',
      'countries',
    ],
    ...['accounts', 'pdos', 'roll-calls', 'churches', 'advisories', 'notifications', 'overview'],
  ],
  web: [
    ...[
      'lib',
      'ui',
      'imports',
      'audit',
      'delivery',
      'compose',
      'advisories',
      'churches',
      'emergency',
      'countries',
      'settings',
    ],
    ...['content', 'accounts', 'status', 'layouts', 'assistant', 'notifications'],
    ...['pdos', 'roll-calls', 'overview'],
  ],
}

/** Arrows that point up, each with its reason. docs/contributing.md repeats those that decide where code goes. */
const EXCEPTIONS: Record<string, string> = {
  'server/accounts → server/assistant': 'erasing an account erases its conversations and cases',
  'server/accounts → server/notifications': 'administrators are alerted to attacks on sign-in',
  'server/accounts → server/roll-calls': 'erasing an account erases its answers',
  'server/advisories → server/notifications': 'a change is announced in the transaction that stores it',
  'server/countries → server/advisories': 'the page of a country shows its advisories',
  'server/db → server/audit': 'a changed record is logged in its transaction',
  'server/db → server/http': 'the type of the signed-in user who changes a record',
  'server/delivery → server/settings': 'quiet hours and the brand are settings',
  'server/files → server/accounts': 'uploads count against the limits of an account',
  'server/realtime → server/roll-calls': 'who may receive updates of a roll call',
  'server/roll-calls → server/assistant': 'a text message that reports danger opens a case',
  'server/settings → server/accounts': 'administrators are notified of changed settings',
  'shared/accounts → shared/notifications': 'an account includes its preferences',
  'shared/countries → shared/advisories': 'a country includes its highest level',
  'shared/delivery → shared/accounts': 'the schema of an email address',
  'web/advisories → web/churches': 'the page of an advisory shows the churches nearby',
  'web/advisories → web/content': 'the page of an advisory that does not exist',
  'web/accounts → web/notifications': 'an announcement can be written to a person',
  'web/audit → web/overview': 'backups are shown beside the audit log and update like the overview',
  'web/audit → web/accounts': 'a backup is confirmed with the own password',
  'web/churches → web/content': 'a map that fails is replaced by an error screen',
  'web/emergency → web/layouts': 'has a frame of its own, of the same brand',
  'web/layouts → web/notifications': 'the frames show the count of the inbox',
}

/** Files that start the portal or assemble it: imported by each other, by tests and by measurements only. */
const TOP = /^(server\/(app|main|worker|start|dev|cli)\.ts|web\/(root\.tsx|routes\.ts|entry\.\w+\.tsx))$/

const ROOT = path.resolve(import.meta.dirname, '../..')
const FILES = ['server', 'shared', 'web', 'e2e', 'bench', 'evaluate', 'scripts'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`),
)
const KNOWN = new Set(FILES)
const PRODUCT = FILES.filter((file) => /^(server|shared|web)\//.test(file) && !isTest(file))

function isTest(file: string) {
  return /\.test\.tsx?$|\/testing(\/|\.ts$)|^(e2e|bench|evaluate)\//.test(file)
}

interface Import {
  from: string
  to: string
  isType: boolean
}

/** What the files import and export from each other, also by `import('…')`. */
const IMPORTS: Import[] = FILES.flatMap((from) => {
  const source = readFileSync(path.join(ROOT, from), 'utf8')
  const { module } = parseSync(from, source)
  const imports = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? { specifier: moduleRequest.value, isType: isType === true } : [],
    ),
  )
  const later = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, specifier] = /^'([^']*)'$/.exec(source.slice(start, end)) ?? []
    return specifier ? [{ specifier, isType: false }] : []
  })
  return [...imports, ...exports, ...later].flatMap(({ specifier, isType }) => {
    if (!/^[#.]/.test(specifier)) return []
    const to = specifier.startsWith('#') ? specifier.slice(1) : path.posix.join(path.posix.dirname(from), specifier)
    return KNOWN.has(to) ? { from, to, isType } : []
  })
})

const partOf = (file: string) => file.split('/')[0]!
/** The folder of a capability; undefined for a module beside the folders. */
const folderOf = (file: string) => (file.split('/').length > 2 ? file.split('/')[1] : undefined)

/** Groups of nodes that reach each other. */
function cyclesOf(arrows: readonly { from: string; to: string }[]): string[][] {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const found: string[][] = []
  function visit(node: string) {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    for (const { to } of next.get(node) ?? []) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(node, Math.min(low.get(node)!, low.get(to)!))
    }
    if (low.get(node) !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) found.push(group.toSorted())
  }
  for (const node of next.keys()) if (!index.has(node)) visit(node)
  return found
}

test('the imports are read', () => {
  expect(IMPORTS.length).toBeGreaterThan(5_000)
  expect(cyclesOf([{ from: 'a', to: 'b' }, ...[{ from: 'b', to: 'a' }], { from: 'b', to: 'c' }])).toEqual([['a', 'b']])
})

test('no module imports itself through others', () => {
  expect(cyclesOf(IMPORTS.filter(({ isType }) => !isType))).toEqual([])
})

test('no module imports itself through others, not even for types', () => {
  expect(cyclesOf(IMPORTS)).toEqual([])
})

test('capabilities import from lower ones, or an exception says why', () => {
  const up = IMPORTS.filter(({ from }) => PRODUCT.includes(from)).flatMap(({ from, to }) => {
    const [part, folder, other] = [partOf(from), folderOf(from), folderOf(to)]
    const order = ORDER[part]!
    if (part !== partOf(to) || !folder || !other || !order.includes(folder)) return []
    if (order.indexOf(folder) >= order.indexOf(other)) return []
    return { arrow: `${part}/${folder} → ${part}/${other}`, by: `${from} → ${to}` }
  })
  expect(up.filter(({ arrow }) => !EXCEPTIONS[arrow]).map(({ by }) => by)).toEqual([])
  const unused = Object.keys(EXCEPTIONS).filter((exception) => !up.some(({ arrow }) => arrow === exception))
  expect(unused).toEqual([])
})

test('every folder has a place in ORDER', () => {
  for (const [part, order] of Object.entries(ORDER)) {
    const folders = PRODUCT.filter((file) => partOf(file) === part).flatMap((file) => folderOf(file) ?? [])
    expect([...new Set(folders)].toSorted()).toEqual(order.toSorted())
  }
})

test('web and server import from shared, shared from nothing else, and none of them from tests', () => {
  const PARTS: Record<string, RegExp> = { server: /^(server|shared)\//, shared: /^shared\//, web: /^(web|shared)\// }
  const wrong = IMPORTS.filter(
    ({ from, to }) => PRODUCT.includes(from) && (!PARTS[partOf(from)]!.test(to) || isTest(to)),
  )
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('nothing imports the top-level files, except the type of a route’s options', () => {
  const wrong = IMPORTS.filter(
    ({ from, to, isType }) => TOP.test(to) && !TOP.test(from) && !isTest(from) && !(to === 'web/root.tsx' && isType),
  )
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

/** Tables that other capabilities read and write through functions of their owner only. */
const OWNED_TABLES: Record<string, string> = { suppressions: 'server/delivery/' }

test('the tables of OWNED_TABLES are queried by their owner only', () => {
  const found = Object.entries(OWNED_TABLES).flatMap(([table, owner]) => {
    const query = new RegExp(`(?:From|Into|Table|oin)\\('${table}\\b|(?:from|into|join|update) ${table}\\b`)
    const users = PRODUCT.filter((file) => query.test(readFileSync(path.join(ROOT, file), 'utf8')))
    expect(users.some((file) => file.startsWith(owner))).toBe(true)
    return users.filter((file) => !file.startsWith(owner))
  })
  expect(found).toEqual([])
})
