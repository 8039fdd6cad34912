import { expect, test } from 'vitest'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { twoCountries } from '#server/testing/two-countries.ts'
import { foreignIds, leaksIn, type Walker, walkersOf } from '#server/testing/walkers.ts'
import { mayPass } from '#shared/roles.ts'

// Finds reads outside a scope automatically: every GET endpoint, with an id of every kind.
const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })
const scene = await twoCountries(database, app)
const walkers = await walkersOf(database, scene)
const { JP, call } = scene
const ids = [
  ...(await foreignIds(scene)),
  ...[JP.newcomer.id, JP.chapter, JP.church.id, JP.rollCall, JP.announcement, JP.cases[0]!.id, scene.shared],
]

const QUERIES = ['', 'search=only', 'country=IT', 'country_code=IT', 'per_page=100', 'format=csv', 'status=open']
const GROUPED = ['', 'group=country', 'search=only']

function addressesOf(template: string, own: string): string[] {
  if (!template.includes('{')) return QUERIES.map((query) => `${template}?${query}`)
  return [own, ...ids].flatMap((id) =>
    (template.startsWith('/roll-calls/') ? GROUPED : ['']).map((query) => `${template.replace('{id}', id)}?${query}`),
  )
}

async function walk(walker: Walker): Promise<string[]> {
  const found: string[] = []
  const reads = app.router.endpoints().filter(({ method, access }) => method === 'GET' && mayPass(access, walker.role))
  // Public endpoints are the same for everyone; a path parameter other than an id leads to public data.
  for (const { key, path } of reads.filter(({ access }) => access !== 'anyone'))
    for (const address of addressesOf(path, walker.who.id)) {
      const { status, text } = await call(walker.who, 'GET', address)
      if (status >= 500) found.push(`${key} ${status}`)
      found.push(...leaksIn(text, walker).map((leak) => `${address.replaceAll(/[0-9a-f-]{36}/g, '{id}')} ${leak}`))
    }
  return [...new Set(found)]
}

test.each(walkers.map((walker) => [walker.name, walker] as const))(
  '%s reads nothing from elsewhere',
  async (_, walker) => {
    expect(await walk(walker)).toEqual([])
  },
)
