import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { administration, haiti } from './testing.ts'

const { database, ask, audits, create, publicTitles } = await administration()
const other = await testApp(database)

test('a new advisory is on the public list of every node at once, with its version and audit entry', async () => {
  expect(await publicTitles(other)).toEqual([])
  const { id } = await create()
  // No catch-up needed: the response to the author was sent after this node's model had read it.
  const listed = (await ask('GET', '/public/travel-advisories', undefined, null)).body.advisories
  expect(listed).toMatchObject([
    {
      id,
      severity_level: 'critical',
      national_alert_level: 3,
      original_wording: 'Alert Level 3: Voluntary Repatriation',
      country_codes: ['HT'],
      source_organization: 'Department of Foreign Affairs',
      source_url: 'https://travel.example/',
      recommendations: ['Leave while flights go.', 'Register with the embassy.'],
      urgent_by_portal: false,
    },
  ])
  await expect.poll(async () => (await publicTitles(other)).length).toBe(1)
  expect(await audits()).toMatchObject([
    { action: 'advisory.create', subject_id: id, actor_role: 'admin', after: { title: 'Haiti: Alert level 3' } },
  ])
})

test('the same idempotency key creates one advisory', async () => {
  const key = randomUUID()
  const [first, two] = await Promise.all([create({ key }), create({ key })])
  expect(two.id).toBe(first.id)
  expect(await publicTitles()).toHaveLength(1)
  expect(await audits()).toHaveLength(1)
})

test('an edit creates a version that lists the changes and invalidates the cached response', async () => {
  const made = await create()
  const getList = () => ask('GET', '/public/travel-advisories', undefined, null)
  expect((await getList()).text).toContain('Gangs hold')
  const edit = {
    ...haiti({ national_alert_level: 4, description: 'The airport is closed.' }),
    made_from: made.updated_at,
  }
  const answer = await ask('PUT', `/travel-advisories/${made.id}`, edit)
  expect(answer.body.advisory).toMatchObject({ version: 2, severity_level: 'emergency' })
  const after = await getList()
  expect(after.text).not.toContain('Gangs hold')
  expect(after.text).toContain('The airport is closed.')

  const { body } = await ask('GET', `/admin/travel-advisories/${made.id}`)
  expect(body.versions).toHaveLength(2)
  expect(body.versions[0].changes).toEqual(
    expect.arrayContaining([
      { field: 'severity_level', before: 'critical', after: 'emergency' },
      { field: 'text', before: null, after: null },
      { field: 'national_alert_level', before: '3', after: '4' },
    ]),
  )
  expect(body.history.map((entry: { action: string }) => entry.action)).toEqual(['advisory.edit', 'advisory.create'])
  expect(body.history[0].changes).toContainEqual({
    field: 'description',
    before: 'Gangs hold the capital.',
    after: 'The airport is closed.',
  })
})

test('saving without changes creates neither a version nor an audit entry', async () => {
  const made = await create({ last_updated: '2026-01-01T00:00:00Z' })
  const same = { ...haiti({ last_updated: '2026-01-01T00:00:00Z' }), made_from: made.updated_at }
  expect((await ask('PUT', `/travel-advisories/${made.id}`, same)).body.advisory.version).toBe(1)
  expect(await audits()).toHaveLength(1)
})

test('a stale form is rejected and nothing is written', async () => {
  const made = await create()
  const first = await ask('PUT', `/travel-advisories/${made.id}`, {
    ...haiti({ title: 'Haiti: first' }),
    made_from: made.updated_at,
  })
  expect(first.status).toBe(200)
  for (const [method, body] of [
    ['PUT', { ...haiti({ title: 'Haiti: second' }), made_from: made.updated_at }],
    ['PATCH', { made_from: made.updated_at, is_urgent: true }],
    ['DELETE', { made_from: made.updated_at }],
  ] as const) {
    const late = await ask(method, `/travel-advisories/${made.id}`, body)
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
  }
  expect(await publicTitles()).toEqual(['Haiti: first'])
})

test('of two simultaneous saves one is rejected', async () => {
  const made = await create()
  const save = (title: string) =>
    ask('PUT', `/travel-advisories/${made.id}`, { ...haiti({ title }), made_from: made.updated_at })
  const answers = await Promise.all(['Haiti: one', 'Haiti: two', 'Haiti: three'].map(save))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('a draft is visible to administrators only, changes without versions, and is public once published', async () => {
  const draft = await create({ is_draft: true })
  expect(await publicTitles()).toEqual([])
  expect((await ask('GET', `/travel-advisories/${draft.id}`, undefined, null)).status).toBe(404)
  const edited = await ask('PUT', `/travel-advisories/${draft.id}`, {
    ...haiti({ title: 'Haiti: reworded' }),
    made_from: draft.updated_at,
    is_draft: true,
  })
  expect(edited.body.advisory).toMatchObject({ standing: 'draft', version: 1 })
  const published = await ask('PUT', `/travel-advisories/${draft.id}`, {
    ...haiti({ title: 'Haiti: reworded' }),
    made_from: edited.body.advisory.updated_at,
  })
  expect(published.body.advisory).toMatchObject({ standing: 'in_force', version: 1 })
  expect(await publicTitles()).toEqual(['Haiti: reworded'])
  expect((await audits()).map(({ action }) => action)).toEqual(['advisory.create', 'advisory.edit', 'advisory.publish'])
  const back = await ask('PUT', `/travel-advisories/${draft.id}`, {
    ...haiti(),
    made_from: published.body.advisory.updated_at,
    is_draft: true,
  })
  expect([back.status, back.body.code]).toEqual([409, 'is_public'])
})

test('a duplicate is a draft with the same text', async () => {
  const made = await create({ detailed_information: '<p>Long.</p>', affected_cities: ['Jacmel'] })
  const copy = (await ask('POST', `/travel-advisories/${made.id}/duplicate`)).body.advisory
  expect(copy).toMatchObject({
    standing: 'draft',
    title: 'Haiti: Alert level 3',
    affected_cities: ['Jacmel'],
    detailed_information: '<p>Long.</p>',
    country_codes: ['HT'],
  })
  expect(copy.id).not.toBe(made.id)
})

test('an advisory written here can be deleted; its text stays in the audit log', async () => {
  const made = await create()
  const { id } = made
  expect((await ask('DELETE', `/travel-advisories/${id}`, { made_from: made.updated_at })).status).toBe(200)
  expect(await publicTitles()).toEqual([])
  expect((await ask('GET', `/travel-advisories/${id}`, undefined, null)).status).toBe(404)
  expect((await audits()).at(-1)).toMatchObject({
    action: 'advisory.delete',
    before: { title: 'Haiti: Alert level 3', description: 'Gangs hold the capital.' },
  })
})

test('its source counts the advisories written for it and shows when they last changed', async () => {
  const count = async () => {
    const { sources } = (await ask('GET', '/public/travel-advisories/sources', undefined, null)).body
    return [sources[0].item_count, sources[0].last_change_at !== null]
  }
  expect(await count()).toEqual([0, false])
  const made = await create()
  await create({ is_draft: true })
  expect(await count()).toEqual([1, true])
  await ask('PATCH', `/travel-advisories/${made.id}`, { made_from: made.updated_at, is_active: false, reason: 'Over' })
  expect(await count()).toEqual([0, true])
})
