import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { twoCountries } from '#server/testing/two-countries.ts'
import { leaksIn, type Walker, walkersOf } from '#server/testing/walkers.ts'
import { accessOfPage } from '#shared/page-access.ts'
import { mayPass } from '#shared/roles.ts'
import type { PageBuild } from './pages.ts'

// Every page of the signed-in areas, rendered and as its scripts request it. npm test builds the pages before.
const BUILD = path.resolve(import.meta.dirname, '../../build/server/index.js')
const isBuilt = existsSync(BUILD)
const build: PageBuild | undefined = isBuilt ? await import(/* @vite-ignore */ pathToFileURL(BUILD).href) : undefined

const database = await testDatabase()
const app = await accountApp(database, build ? { pages: () => build } : {}, { needsSecondStep: false })
const scene = await twoCountries(database, app)
const walkers = await walkersOf(database, scene)
const { IT, JP, shared } = scene
// Records with a page of their own; the API test covers every id.
const ids = [IT.rollCall, IT.cases[0]!.id, IT.church.id, IT.chapter, IT.announcement, IT.subscription, shared]

/** Paths of pages that are not open to anyone, from the route table itself. */
function templates(): string[] {
  const { routes } = build!
  const addressOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    return route ? [addressOf(route.parentId), route.path].filter(Boolean).join('/') : ''
  }
  return Object.keys(routes)
    .map((id) => `/${addressOf(id)}`)
    .filter((address) => !address.includes('*') && accessOfPage(address) !== 'anyone')
}

async function leaksOf(walker: Walker): Promise<string[]> {
  const found: string[] = []
  const token = await scene.tokenOf(walker.who)
  const pages = [...new Set(templates())].filter((page) => mayPass(accessOfPage(page), walker.role))
  expect(pages.length).toBeGreaterThan(5)
  for (const page of pages)
    for (const id of page.includes(':id') ? ids : ['']) {
      const address = page.replace(':id', id).replace(/:\w+/g, 'x')
      // A page without an id is rendered once; with a search, and with each id, its data are enough.
      for (const target of id ? [`${address}.data`] : [address, `${address}.data?search=only`]) {
        const response = await app.request(`http://portal.test${target}`, {
          headers: { authorization: `Bearer ${token}`, accept: 'text/html' },
        })
        const text = await response.text()
        if (response.status >= 500) found.push(`${page} ${response.status}`)
        found.push(...leaksIn(text, walker).map((leak) => `${page} ${leak}`))
      }
    }
  return [...new Set(found)]
}

const WALKING = [
  'an MFA coordinator of Japan',
  'a PDOS coordinator of Japan',
  'a servant of Japan',
  'a mfa_coordinator without scope',
]

test
  .skipIf(!isBuilt)
  .each(walkers.filter(({ name }) => WALKING.includes(name)).map((walker) => [walker.name, walker] as const))(
  'no page shows %s anything from elsewhere',
  async (_, walker) => {
    expect(await leaksOf(walker)).toEqual([])
  },
)

test.skipIf(!isBuilt)('the tested pages do show the data of the own country', async () => {
  const token = await scene.tokenOf(JP.coordinator)
  for (const page of [
    '/admin/coordinator',
    '/admin/roll-calls',
    '/admin/assistant/cases',
    '/admin/my-churches',
    '/admin/chapters',
  ]) {
    const response = await app.request(`http://portal.test${page}`, { headers: { authorization: `Bearer ${token}` } })
    expect([page, /only-jp/i.test(await response.text())]).toEqual([page, true])
  }
})
