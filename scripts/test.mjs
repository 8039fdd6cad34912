// npm test [-- CAPABILITY…]: format, lint, types and all tests, or those of a capability (a folder of server/, shared/,
// web/ or e2e/) alone. Prints each step, and the database and browser it uses.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build, install, node, ROOT, run, runTogether } from './setup.mjs'

/** Thousands of requests each: the policies behind them are tested on both engines, in server/db. */
const ONCE = /^server\/(http\/scope-(reads|writes|pages)|accounts\/sign-ins\/shared-address)\.test\.ts$/
/**
 * Tests that may behave differently on the embedded engine: the engine and its files, policies, locks and leases, bulk
 * writes, and the calls of every capability once. `EVERY_ENGINE=1 npm test` runs all tests that open a database on
 * both.
 */
const BY_ENGINE =
  /^server\/(db|backup|readmodel|jobs|files)\/|(endpoints|rls|model|sessions|dispatcher|import|import-feed|discretion|misplaced|first-run|reminders|roll-calls|digests|cases|exchange)\.test\.ts$/
/** In the folders above, but about a server, names, S3 or cached responses. */
const NOT_BY_ENGINE =
  /^server\/(backup\/portability|db\/(connection|vocabulary)|files\/s3|readmodel\/cached-responses)\.test\.ts$/

const TREES = ['server', 'shared', 'web', 'e2e']
const capabilities = process.argv.slice(2)
const unknown = capabilities.find((name) => !TREES.some((tree) => existsSync(path.join(ROOT, tree, name))))

const began = Date.now()
const step = (text) => console.error(`\n› ${text} (${Math.round((Date.now() - began) / 1000)} s)`)

try {
  if (unknown)
    throw new Error(`There is no capability named "${unknown}". It is the name of a folder in server/ or web/.`)
  install()
  const { findChromium } = await import('./testing/chromium.mjs')
  const { startPostgres } = await import('./testing/postgres.mjs')
  step('Format, lint and types')
  run(node(), ['node_modules/@react-router/dev/bin.cjs', 'typegen'])
  await runTogether(node(), [
    ['node_modules/typescript/bin/tsc', '-p', 'server/tsconfig.json'],
    ['node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.json'],
    ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings'],
  ])
  build()
  const postgres = await startPostgres()
  try {
    step(`Tests on PostgreSQL: ${postgres.what}`)
    const env = { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '' }
    if (postgres.url) vitest(foldersOf('server', 'shared', 'web'), { ...env, TEST_DATABASE_URL: postgres.url })
    const { TEST_DATABASE_URL: _, ...embedded } = env
    step('Tests that use a database, on the embedded one')
    vitest(postgres.url ? databaseTests() : foldersOf('server', 'shared', 'web'), embedded)
    const chromium = await findChromium()
    step(`Journeys in a browser: ${chromium.what}`)
    if (!chromium.path) throw new Error('No browser was found. Install Chromium or set CHROME_PATH.')
    if (foldersOf('e2e').length || !capabilities.length)
      run(node(), ['node_modules/@playwright/test/cli.js', 'test', ...foldersOf('e2e')], {
        ...embedded,
        NODE_ENV: 'production',
        CHROME_PATH: chromium.path,
        WHOLE_CHROME_PATH: chromium.whole ?? '',
        CHROME_ARGS: JSON.stringify(chromium.args),
        ...(postgres.url ? { TEST_DATABASE_URL: postgres.url } : {}),
      })
  } finally {
    postgres.stop()
  }
  step('All tests passed')
} catch (error) {
  console.error(`\n${error.message}`)
  process.exit(1)
}

/** Runs these test files or folders; without any, all tests, unless a capability was named. */
function vitest(tests, env) {
  if (!tests.length && capabilities.length) return
  run(node(), ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...tests], env)
}

/** The folders of the named capabilities in these trees; none where all tests run. */
function foldersOf(...trees) {
  return capabilities
    .flatMap((name) => trees.map((tree) => `${tree}/${name}/`))
    .filter((folder) => existsSync(path.join(ROOT, folder)))
}

/** Test files that open a database; the result of the others does not depend on the engine. */
function databaseTests() {
  return readdirSync(path.join(ROOT, 'server'), { recursive: true })
    .filter(
      (file) =>
        file.endsWith('.test.ts') &&
        /testing\/(database|app)\.ts|dministration\(\)/.test(readFileSync(path.join(ROOT, 'server', file), 'utf8')),
    )
    .map((file) => `server/${file.split(path.sep).join('/')}`)
    .filter((file) => (process.env.EVERY_ENGINE ? !ONCE.test(file) : BY_ENGINE.test(file) && !NOT_BY_ENGINE.test(file)))
    .filter((file) => !capabilities.length || capabilities.some((name) => file.startsWith(`server/${name}/`)))
}
