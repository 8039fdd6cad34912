import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { writeSetting } from '#server/settings/settings.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { administration } from './testing.ts'

const { app, ask, create, inside, publicTitles } = await administration()

test('lists the publication state of each advisory, and why one in force is not shown', async () => {
  await inside(async (db) => {
    const { id: source_id } = await insertSource(db, { id: 'us', organization: 'U.S.' })
    await insertAdvisory(db, { title: 'a plain one', source_id, source_organization: 'U.S.' })
    await insertAdvisory(db, { title: 'b of another', source_organization: 'Elsewhere' })
    await insertAdvisory(db, { title: 'Test advisory', source_id, source_organization: 'U.S.' })
    await insertAdvisory(db, { title: 'c expired', source_id, expiry_date: '2020-01-01T00:00:00Z' })
    await insertAdvisory(db, { title: 'd ended', source_id, is_active: false })
    await insertAdvisory(db, {
      title: 'e missing',
      source_id,
      missing_since: '2026-01-01T00:00:00Z',
      source_organization: 'U.S.',
    })
    await insertAdvisory(db, { title: 'f exercise', source_id, status: 'exercise' })
    await writeSetting(db, 'advisories.approved_sources', ['U.S.'])
  })
  await app.readModel.catchUp()
  const { body } = await ask('GET', '/admin/travel-advisories?sort=title')
  const rows = body.advisories.map((row: any) => [row.title, row.standing, row.removal])
  expect(rows.sort()).toEqual([
    ['Test advisory', 'in_force', 'test'],
    ['a plain one', 'in_force', null],
    ['b of another', 'in_force', 'source'],
    ['c expired', 'expired', null],
    ['d ended', 'ended', null],
    ['e missing', 'missing', null],
    ['f exercise', 'unreal', null],
  ])
  const titled = async (query: string) =>
    (await ask('GET', `/admin/travel-advisories?sort=title&${query}`)).body.advisories.map((a: any) => a.title)
  expect((await titled('status=not_shown')).sort()).toEqual(['Test advisory', 'b of another'])
  expect(await titled('status=expired')).toEqual(['c expired'])
  expect(await titled('status=missing')).toEqual(['e missing'])
  expect(await titled('search=ENDED')).toEqual(['d ended'])
  expect(await titled('source=us&status=in_force&per_page=1&page=2')).toHaveLength(1)
  expect(await titled('severity_level=emergency')).toEqual([])
})

test('"Protests in Paris" is shown, "Test advisory" is not', async () => {
  await create({ title: 'Protests in Paris', countries: ['France'] })
  await create({ title: 'Test advisory', countries: ['France'] })
  expect(await publicTitles()).toEqual(['Protests in Paris'])
})

test('the CSV export contains no cell that a spreadsheet executes', async () => {
  await create({ title: '=HYPERLINK("http://evil")' })
  const { status, text } = await ask('GET', '/admin/travel-advisories/export?sort=title')
  expect(status).toBe(200)
  expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`)
  expect(text.split('\r\n')).toHaveLength(3)
})

test('unknown parameters are rejected', async () => {
  expect((await ask('GET', '/admin/travel-advisories?sort=password')).status).toBe(422)
  expect((await ask('GET', '/admin/travel-advisories?page=0')).status).toBe(422)
  expect((await ask('GET', `/admin/travel-advisories/${randomUUID()}`)).status).toBe(404)
})
