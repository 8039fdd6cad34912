import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import { ROLES } from '#shared/roles.ts'
import { SETTING_KEYS } from '#shared/settings/list.ts'

const database = await testDatabase()
const app = await testApp(database)
const other = await testApp(database)
const admin = await createTestUser(database, 'admin')
const { advisory } = await inBackground(database, 'test', async (db) => {
  const source = await insertSource(db, { organization: 'Department of Foreign Affairs' })
  return { advisory: await insertAdvisory(db, { source_id: source.id, source_organization: source.organization }) }
})
await app.readModel.catchUp()

interface Answer {
  settings: { key: string; is_default: boolean }[]
  organizations: string[]
  changed: string[]
  fields: Record<string, string>
}

async function call(as: string | undefined, method: string, path: string, body?: unknown) {
  const response = await app.request(`/api${path}`, {
    method,
    headers: { ...(as ? { [AS]: as } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, answer: (await response.json()) as Answer }
}
const stateOf = async (key: string) =>
  (await call(admin.as, 'GET', '/admin-operations/settings')).answer.settings.find((state) => state.key === key)
const siteOf = async (portal = app) =>
  (await portal.request('/api/public/site')).json() as Promise<{ brand: string; support_email: string }>
const auditOf = (key: string) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_id', '=', key).orderBy('id').execute(),
  )

test('lists every setting with its default, in form order', async () => {
  const { answer } = await call(admin.as, 'GET', '/admin-operations/settings')
  expect(answer.settings.map(({ key }) => key)).toEqual(SETTING_KEYS)
  expect(answer.organizations).toEqual(['Department of Foreign Affairs'])
  expect(await stateOf('brand')).toMatchObject({ value: 'MFA Portal', is_default: true, updated_at: null })
})

test('a change applies at once without a restart, on other nodes within a moment, and can be reset', async () => {
  const response = await call(admin.as, 'PUT', '/admin-operations/settings/brand', { value: '  Portal of Mercy ' })
  expect(response).toMatchObject({ status: 200, answer: { changed: ['brand'] } })
  expect((await siteOf()).brand).toBe('Portal of Mercy')
  await expect.poll(async () => (await siteOf(other)).brand).toBe('Portal of Mercy')
  expect(await stateOf('brand')).toMatchObject({ is_default: false, updated_by: expect.stringContaining('Ana') })
  expect((await call(admin.as, 'DELETE', '/admin-operations/settings/brand')).answer.changed).toEqual(['brand'])
  expect((await siteOf()).brand).toBe('MFA Portal')
  expect(await auditOf('brand')).toMatchObject([
    {
      action: 'setting.change',
      actor_id: admin.id,
      before: { value: 'MFA Portal' },
      after: { value: 'Portal of Mercy' },
    },
    { action: 'setting.reset', before: { value: 'Portal of Mercy' }, after: { value: 'MFA Portal' } },
  ])
  expect((await call(admin.as, 'DELETE', '/admin-operations/settings/brand')).answer.changed).toEqual([])
})

test('a setting that someone else changed meanwhile is not overwritten, and nothing of the form is saved', async () => {
  const put = (values: object, was?: object) =>
    call(admin.as, 'PUT', '/admin-operations/settings', { values, ...(was ? { was } : {}) })
  const read = { brand: 'MFA Portal', support_email: '' }
  await put({ brand: 'Of Ana' }, read)
  // Ben opened the page before Ana saved.
  const late = await put({ brand: 'Of Ben', support_email: 'help@example.org' }, read)
  expect(late).toMatchObject({
    status: 409,
    answer: { code: 'stale', fields: { brand: 'Someone else saved this first' } },
  })
  expect(await stateOf('brand')).toMatchObject({ value: 'Of Ana', changed_from: 'MFA Portal' })
  expect(await stateOf('support_email')).toMatchObject({ value: '' })
  // Both wrote the same, or he did not touch it: no conflict.
  expect(await put({ brand: 'Of Ana', support_email: 'help@example.org' }, read)).toMatchObject({ status: 200 })
  expect(
    await put({ brand: 'MFA Portal', support_email: '' }, { ...read, support_email: 'help@example.org' }),
  ).toMatchObject({
    status: 200,
    answer: { changed: ['support_email'] },
  })
  expect(await stateOf('brand')).toMatchObject({ value: 'Of Ana' })
  await call(admin.as, 'DELETE', '/admin-operations/settings/brand')
})

test('of two forms saved at the same time one is refused', async () => {
  const save = (brand: string) =>
    call(admin.as, 'PUT', '/admin-operations/settings', { values: { brand }, was: { brand: 'MFA Portal' } })
  const statuses = (await Promise.all([save('One'), save('Two')])).map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 409])
  await call(admin.as, 'DELETE', '/admin-operations/settings/brand')
})

test.each([
  ['brand', ''],
  ['brand', 'x'.repeat(61)],
  ['brand', 'a\nBcc: everybody@example.org'],
  ['support_email', 'nobody'],
  ['all_advisories_url', 'javascript:alert(1)'],
  ['time_zone', 'Mars/Olympus'],
  ['time_zone', ''],
  ['advisories.missing_grace_days', -1],
  ['advisories.missing_grace_days', 1.5],
  ['advisories.missing_grace_days', 'soon'],
  ['advisories.show_acknowledgments', 'yes'],
  ['advisories.approved_sources', ['Ministry of Magic']],
  ['advisories.ticker_source', 'Ministry of Magic'],
  ['accounts.second_factor_for_coordinators', null],
])('%s cannot be set to %j', async (key, value) => {
  const { status, answer } = await call(admin.as, 'PUT', `/admin-operations/settings/${key}`, { value })
  expect([status, Object.keys(answer.fields)]).toEqual([422, ['value']])
  expect((await stateOf(key))?.is_default).toBe(true)
})

test('writes several settings completely or not at all', async () => {
  const values = { support_email: 'help@example.org', 'advisories.missing_grace_days': 9999 }
  const refused = await call(admin.as, 'PUT', '/admin-operations/settings', { values })
  expect([refused.status, Object.keys(refused.answer.fields)]).toEqual([422, ['advisories.missing_grace_days']])
  expect((await siteOf()).support_email).toBe('')
  const fits = { ...values, 'advisories.missing_grace_days': 14, brand: 'MFA Portal' }
  const { answer } = await call(admin.as, 'PUT', '/admin-operations/settings', { values: fits })
  expect(answer.changed).toEqual(['support_email', 'advisories.missing_grace_days'])
  expect((await siteOf()).support_email).toBe('help@example.org')
  expect((await call(admin.as, 'PUT', '/admin-operations/settings', { values: { mode: 1 } })).status).toBe(422)
  expect((await call(admin.as, 'PUT', '/admin-operations/settings/mode', { value: 1 })).status).toBe(422)
})

test('the displayed sources and the acknowledgment count follow the settings at once', async () => {
  const source = { organization: 'U.S. Department of State' }
  await inBackground(database, 'test', async (db) => {
    await insertSource(db, source)
    await db
      .insertInto('advisory_acknowledgments')
      .values({ advisory_id: advisory.id, user_id: admin.id, version: 1 })
      .execute()
    await db.updateTable('travel_advisories').set({ is_urgent: true }).where('id', '=', advisory.id).execute()
  })
  await app.readModel.catchUp()
  const list = async () =>
    ((await (await app.request('/api/public/travel-advisories')).json()) as { advisories: unknown[] }).advisories
  expect(await list()).toMatchObject([{ id: advisory.id, acknowledgment_count: 1 }])
  const save = (key: string, value: unknown) => call(admin.as, 'PUT', `/admin-operations/settings/${key}`, { value })
  await save('advisories.show_acknowledgments', false)
  expect(await list()).toMatchObject([{ acknowledgment_count: 0, last_acknowledged_at: null }])
  const detail = await (await app.request(`/api/public/travel-advisories/${advisory.id}`)).json()
  expect(detail).toMatchObject({ advisory: { acknowledgment_count: 0 } })
  await save('advisories.approved_sources', [source.organization])
  expect(await list()).toEqual([])
  await call(admin.as, 'DELETE', '/admin-operations/settings/advisories.approved_sources')
  expect(await list()).toHaveLength(1)
})

test('a test mail goes to the administrator who requested it', async () => {
  expect(await call(admin.as, 'POST', '/admin-operations/test-mail')).toMatchObject({
    status: 202,
    answer: { to: admin.email },
  })
  const mails = await inBackground(database, 'test', (db) =>
    db.selectFrom('messages').selectAll().where('user_id', '=', admin.id).execute(),
  )
  expect(mails).toMatchObject([{ template: 'test-mail', recipient: admin.email }])
})

test('only an administrator reads or changes settings', async () => {
  for (const role of [...ROLES.filter((role) => role !== 'admin'), undefined]) {
    const as = role && (await createTestUser(database, role)).as
    for (const [method, path, body] of [
      ['GET', '/admin-operations/settings'],
      ['PUT', '/admin-operations/settings', { values: { brand: 'Mine' } }],
      ['PUT', '/admin-operations/settings/brand', { value: 'Mine' }],
      ['DELETE', '/admin-operations/settings/brand'],
      ['POST', '/admin-operations/test-mail'],
    ] as const)
      expect((await call(as, method, path, body)).status).toBe(as ? 403 : 401)
  }
  expect((await siteOf()).brand).toBe('MFA Portal')
})
