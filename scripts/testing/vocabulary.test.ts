import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { describe, expect, test } from 'vitest'
import { RETIRED_IN_TEXTS, retiredWords, retiredWordsOfKey, wordsOf } from './vocabulary.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TREES = ['server', 'shared', 'web', 'bench', 'evaluate', 'e2e', 'scripts']
const files = TREES.flatMap((tree) =>
  readdirSync(path.join(ROOT, tree), { recursive: true, encoding: 'utf8' }).map((file) =>
    `${tree}/${file}`.replaceAll('\\', '/'),
  ),
).filter((file) => !/\/(?:node_modules|fixtures)\//.test(file))
const isPage = (file: string) => file.startsWith('web/')

test('no source declares a name with a retired word', () => {
  const sources = files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !/\.d\.ts$/.test(file))
  expect(sources.length).toBeGreaterThan(500)
  const found = sources.flatMap((file) =>
    declaredNames(file, readFileSync(path.join(ROOT, file), 'utf8')).flatMap(([name, line]) =>
      retiredWords(name, { isPage: isPage(file) }).map((word) => `${file}:${line} ${name}: ${word}`),
    ),
  )
  expect(found).toEqual([])
})

test('no file or folder name has a retired word', () => {
  const found = files.flatMap((file) =>
    retiredWords(path.basename(file).replace(/\..*/, ''), { isPage: isPage(file) }).map((word) => `${file}: ${word}`),
  )
  expect([...new Set(found)]).toEqual([])
})

test('no key of a text has a retired word', () => {
  const folder = path.join(ROOT, 'public/locales/en')
  const found = readdirSync(folder).flatMap((file) => [
    ...retiredWords(file.replace('.json', '')).map((word) => `${file}: ${word}`),
    ...Object.keys(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))).flatMap((key) =>
      // Messages of schemas are keys themselves.
      file === 'forms.json' || key.includes(' ') ? [] : retiredWordsOfKey(key).map((word) => `${file} ${key}: ${word}`),
    ),
  ])
  expect(found).toEqual([])
})

test('no CSS class has a retired word', () => {
  const found = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => {
      const classes = readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\.([a-z_][\w-]*)/gi)
      return [...new Set([...classes].map(([, name]) => name!))].flatMap((name) =>
        retiredWordsOfKey(name).map((word) => `${file} .${name}: ${word}`),
      )
    })
  expect(found).toEqual([])
})

test('no id of an element and no form action has a retired word', () => {
  const found = files
    .filter((file) => /^web\/.*\.tsx$/.test(file) && !file.includes('.test.'))
    .flatMap((file) => {
      const source = readFileSync(path.join(ROOT, file), 'utf8')
      const names = source.matchAll(/\s(?:id|aria-labelledby|name="intent" value)="([^"]+)"/g)
      return [...names].flatMap(([, name]) =>
        retiredWords(name!, { isPage: true }).map((word) => `${file} ${name}: ${word}`),
      )
    })
  expect(found).toEqual([])
})

test('no English text has a retired word', () => {
  const folder = path.join(ROOT, 'public/locales/en')
  const files = [
    ...readdirSync(folder).map((file) => path.join(folder, file)),
    path.join(ROOT, 'server/delivery/templates/texts/en.json'),
  ]
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) =>
        RETIRED_IN_TEXTS.test(line.replace(/^\s*"\w+": /, '')) ? [`${path.basename(file)} ${line}`] : [],
      ),
  )
  expect(found).toEqual([])
})

describe('the check', () => {
  test('splits names of every style', () => {
    expect(wordsOf('toldAt')).toEqual(['told', 'at'])
    expect(wordsOf('MAX_KEPT')).toEqual(['max', 'kept'])
    expect(wordsOf('HTTPKeeper2FA')).toEqual(['http', 'keeper', 'fa'])
    expect(wordsOf('told-at.test')).toEqual(['told', 'at', 'test'])
  })

  test('names the term to write; words that only contain a retired one, and allowed names, pass', () => {
    expect(retiredWords('sentinel_checks')).toEqual(['sentinel (write delivery monitor)'])
    expect(retiredWords('failure')).toEqual([])
    expect(retiredWords('failure', { isPage: true })).toEqual(['failure (write error)'])
    expect(retiredWords('kept_by_hand')).toEqual([
      'kept (write locked, cached, deferred, saved)',
      'by hand (write manual)',
    ])
    expect(retiredWordsOfKey('deeds_one')).toEqual(['deeds (write action)'])
    for (const name of ['always', 'almost', 'keepAlive', 'constructor', 'given_name'])
      expect(retiredWords(name)).toEqual([])
  })

  test('finds what is declared, not what is used or named by an interface', () => {
    const source = `
      import { kept as held } from 'k'
      export function tell<Told>(deeds: number, { said, way: ways }: Kept) { const [outcome] = kept(); for (const bell of []) bell() }
      class Door { #lane = 1; wishes() {} }
      interface Kept { said: string; echo(): void; 'told-at': 1 }
      type Flood = { stops: 1 }
      z.object({ people: 1, posted })
      try {} catch (trail) {}
      const arrow = (noted = 1, ...most) => <Outlet figures={(standing) => standing} />
    `
    expect(declaredNames('a.tsx', source).map(([name]) => name)).toEqual(
      'held tell Told deeds ways outcome bell Door lane wishes Kept said echo told-at Flood stops trail arrow noted most standing'.split(
        ' ',
      ),
    )
  })
})

type Names = [name: string, line: number][]

/**
 * The names a file chooses itself. A property of an object literal is named by its type, and a destructured one where
 * it is declared.
 */
function declaredNames(file: string, source: string): Names {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const found: [name: string, at: number][] = []
  const add = (node: ESTree.Node | null | undefined) => {
    for (const leaf of node ? leavesOf(node) : []) found.push([leaf.name, leaf.start])
  }
  const addKey = ({ key, computed }: { key: ESTree.Node; computed?: boolean }) => {
    if (computed) return
    if (key.type === 'Literal') found.push([String(key.value), key.start])
    else add(key)
  }
  const addFunction = ({ id, params }: { id?: ESTree.Node | null; params: ESTree.Node[] }) => {
    add(id)
    for (const param of params) add(param)
  }
  new Visitor({
    ImportSpecifier: ({ imported, local }) => {
      if (imported.type !== 'Identifier' || imported.name !== local.name) add(local)
    },
    ImportNamespaceSpecifier: ({ local }) => add(local),
    ImportDefaultSpecifier: ({ local }) => add(local),
    VariableDeclarator: ({ id }) => add(id),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    ClassDeclaration: ({ id }) => add(id),
    CatchClause: ({ param }) => add(param),
    MethodDefinition: addKey,
    PropertyDefinition: addKey,
    TSInterfaceDeclaration: ({ id }) => add(id),
    TSTypeAliasDeclaration: ({ id }) => add(id),
    TSTypeParameter: ({ name }) => add(name),
    TSPropertySignature: addKey,
    TSMethodSignature: addKey,
  }).visit(program)
  const lines = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return found.sort((a, b) => a[1] - b[1]).map(([name, at]) => [name, lines.findLastIndex((end) => end < at) + 2])
}

/** The names that a pattern binds; `{ told }` takes the name from elsewhere, `{ told: text }` binds `text`. */
function leavesOf(node: ESTree.Node): { name: string; start: number }[] {
  switch (node.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return [node]
    case 'ArrayPattern':
      return node.elements.flatMap((element) => (element ? leavesOf(element) : []))
    case 'ObjectPattern':
      return node.properties.flatMap((property) => {
        if (property.type === 'RestElement') return leavesOf(property)
        return property.shorthand ? [] : leavesOf(property.value)
      })
    case 'AssignmentPattern':
      return leavesOf(node.left)
    case 'RestElement':
      return leavesOf(node.argument)
    case 'TSParameterProperty':
      return leavesOf(node.parameter)
    default:
      return []
  }
}
