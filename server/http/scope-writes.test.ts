import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { twoCountries } from '#server/testing/two-countries.ts'
import { foreignIds, walkersOf } from '#server/testing/walkers.ts'
import { mayPass } from '#shared/roles.ts'

// Finds writes outside a scope automatically: every path with an id, with an id of every kind.
const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })
const scene = await twoCountries(database, app)
const walkers = await walkersOf(database, scene)
const { JP, IT, call, state } = scene
const ids = await foreignIds(scene)

const texts = { en: { title: 'Changed', message: 'Changed' }, ar: {} }
const draft = { audience: { roles: ['traveler'] }, channels: ['in-app'], texts }
/** A valid body for each endpoint, so that only the id can be refused. */
const BODIES: Record<string, object> = {
  'POST /files/{id}/move': { path: 'mine.pdf' },
  'POST /files/{id}/copy': { path: 'mine.pdf' },
  'PUT /admin-operations/announcements/{id}': draft,
  'POST /admin-operations/announcements/{id}/send': {},
  'PATCH /travel-advisories/subscriptions/{id}': { active: false },
  'PUT /roll-calls/{id}/people/{person}/answer': { answer: 'safe', note: 'Changed' },
  'POST /roll-calls/{id}/people/{person}/helped': { note: 'Changed' },
  'PUT /account/roll-calls/{id}/answer': { answer: 'safe' },
  'PUT /my-churches/{id}/closure': { closed_since: '2026-01-01', closed_until: null, closed_reason: 'Changed' },
  'PUT /my-churches/{id}/services': { version: '2026-01-01T00:00:00.000Z', schedules: [] },
  'POST /my-churches/corrections/{id}/apply': { fields: [] },
  'POST /my-churches/corrections/{id}/decline': { note: 'Changed' },
  'PUT /mfa/chapters/{id}': { membership_count: 9 },
  'POST /mfa/chapters/{id}/travelers': { change: 1 },
  'PUT /ai/conversations/{id}': { title: 'Changed' },
  'POST /ai/conversations/{id}/messages': { content: 'Changed' },
  'PUT /admin/assistant/cases/{id}': { status: 'closed', note: 'Changed' },
  'POST /accounts/{id}/flag': { is_flagged: true, reason: 'Changed' },
  'POST /account/sign-in-changes/{id}/undo': {},
  'DELETE /auth/passkeys/{id}': {},
  'DELETE /auth/identities/{id}': {},
}
const writes = app.router
  .endpoints()
  .filter(({ method, path, access }) => method !== 'GET' && access !== 'anyone' && path.includes('{id}'))

const addressesOf = (path: string) =>
  path.includes('{person}')
    ? [IT.rollCall, scene.shared, JP.rollCall].map((id) => path.replace('{id}', id).replace('{person}', IT.traveler.id))
    : ids.map((id) => path.replace('{id}', id).replace('{entry}', randomUUID()))

test.each(walkers.map((walker) => [walker.name, walker] as const))(
  '%s changes nothing elsewhere',
  async (_, walker) => {
    const before = await state()
    const wrong: string[] = []
    for (const { key, method, path, access, body } of writes.filter(({ access }) => mayPass(access, walker.role)))
      for (const address of addressesOf(path)) {
        const { status, text } = await call(
          walker.who,
          method,
          address,
          body ? (BODIES[key] ?? { isMissingIn: 'BODIES' }) : undefined,
        )
        if (status !== 404 && status !== 403) wrong.push(`${key} (${access}) ${status} ${text.slice(0, 200)}`)
      }
    const after = await state()
    expect([...new Set(wrong)]).toEqual([])
    expect(Object.keys(before).filter((table) => before[table] !== after[table])).toEqual([])
  },
)

/** Writes whose body names their target, here only in Italy. */
const NAMED: [key: string, body: object][] = [
  ['POST /communication/send-email', { to: IT.traveler.email, subject: 'Changed', text: 'Changed' }],
  ['POST /communication/send-email', { user_id: IT.traveler.id, subject: 'Changed', text: 'Changed' }],
  ['POST /communication/send-sms', { to: '+393000002', body: 'Changed' }],
  ['POST /communication/send-whatsapp', { user_id: IT.traveler.id, body: 'Changed' }],
  ['POST /communication/send-push', { user_id: IT.traveler.id, title: 'Changed', body: 'Changed' }],
  [
    'POST /send-templated-email',
    {
      recipients: [IT.traveler.email],
      templateId: 'announcement',
      variables: { title: 'Changed', message: 'Changed' },
    },
  ],
  [
    'POST /send-templated-sms',
    { recipients: ['+393000002'], templateId: 'announcement', variables: { title: 'Changed', message: 'Changed' } },
  ],
  ['POST /roll-calls/count', { countries: ['IT'] }],
  ['POST /roll-calls/count', { chapter: IT.chapter }],
  ['POST /roll-calls', { countries: ['IT'], title: 'Changed', people: 2, once: randomUUID() }],
  ['POST /roll-calls', { countries: ['IT', 'JP'], title: 'Changed', people: 4, once: randomUUID() }],
  ['POST /roll-calls', { chapter: IT.chapter, title: 'Changed', people: 1, once: randomUUID() }],
  ['POST /admin-operations/announcements', { ...draft, audience: { countries: ['IT'] } }],
  ['POST /admin-operations/announcements', { ...draft, audience: { chapters: [IT.chapter] } }],
  ['POST /admin-operations/announcements', { ...draft, audience: { people: [IT.traveler.email] } }],
  ['PUT /account/photo', { file_id: IT.file }],
]

test.each(walkers.map((walker) => [walker.name, walker] as const))('%s reaches nobody elsewhere', async (_, walker) => {
  const before = await state()
  const wrong: string[] = []
  for (const [key, body] of NAMED) {
    const { method, path, access } = app.router.endpoints().find((endpoint) => endpoint.key === key)!
    if (!mayPass(access, walker.role)) continue
    const { status, text, body: answer } = await call(walker.who, method, path, body)
    // A count of zero is a correct response too.
    if (status < 400 && answer.people !== 0) wrong.push(`${key} ${status} ${text}`)
    if (status === 422 && /Invalid input|not known/.test(text)) wrong.push(`${key} ${text}`)
  }
  const after = await state()
  expect(wrong).toEqual([])
  expect(Object.keys(before).filter((table) => before[table] !== after[table])).toEqual([])
})
