import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { insertFacts } from '#server/assistant/testing.ts'
import { withClaims } from '#server/db/claims.ts'
import { hubSignature, twilioSignature } from '#server/delivery/webhooks/signatures.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { createAnswerLinks } from '../answer-link.ts'
import { escalateHelp } from '../escalation.ts'
import { forgetInRollCalls, pruneRollCalls } from '../retention.ts'
import { asking, scene, scopedSession } from '../testing.ts'

const SECRET = 'a secret that only tests may know of'
const TOKEN = 'auth token of twilio'
const database = await testDatabase()
const app = await testApp(database, {
  readSession: scopedSession,
  secret: SECRET,
  providers: {
    sms: [{ name: 'sms', url: 'https://api.twilio.com', account: 'AC1', token: TOKEN, from: '+15005550006' }],
    whatsapp: {
      url: 'https://graph.facebook.com',
      phoneId: '1',
      token: 't',
      appSecret: 'app secret',
      verifyToken: 'v',
      template: undefined,
    },
    mailHookToken: undefined,
    pushKeys: undefined,
    allowsPrivatePush: false,
  },
})
const ask = asking(app)
const { leader, here, there, ana, ben, chapter, as, work } = await scene(database)
const ANA = '+819011112222'

beforeEach(() =>
  work(async (db) => {
    for (const table of [
      'roll_calls',
      'inbound_texts',
      'assistant_cases',
      'announcements',
      'suppressions',
      'messages',
    ] as const)
      await db.deleteFrom(table).execute()
  }),
)

const start = async (more: object = {}): Promise<string> => {
  const { people } = (await ask(as.here, 'POST', '/roll-calls/count', { countries: ['JP'] })).body
  const body = { title: 'Earthquake', countries: ['JP'], people, ...more }
  const { body: started, status } = await ask(as.here, 'POST', '/roll-calls', body)
  expect(status).toBe(201)
  return started.id
}
let sent = 0
/** Posts a signed text as Twilio does. Returns the reply. */
async function text(Body: string, { From = ANA, MessageSid = `SM${++sent}`, ...more }: Record<string, string> = {}) {
  const form = {
    ToCountry: 'US',
    ToState: '',
    SmsMessageSid: MessageSid,
    NumMedia: '0',
    ToCity: '',
    FromZip: '',
    SmsSid: MessageSid,
    FromState: '',
    SmsStatus: 'received',
    FromCity: '',
    Body,
    FromCountry: 'JP',
    To: '+15005550006',
    ToZip: '',
    NumSegments: '1',
    MessageSid,
    AccountSid: 'AC1',
    From,
    ApiVersion: '2010-04-01',
    ...more,
  }
  const path = '/api/hooks/sms/sms/inbound'
  const response = await app.request(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature(TOKEN, `http://portal.test${path}`, form),
    },
    body: new URLSearchParams(form).toString(),
  })
  expect(response.status).toBe(200)
  return /<Message>(.*)<\/Message>/s.exec(await response.text())?.[1] ?? null
}
const row = (call: string, user: string) =>
  work((db) =>
    db
      .selectFrom('roll_call_recipients')
      .selectAll()
      .where('roll_call_id', '=', call)
      .where('user_id', '=', user)
      .executeTakeFirstOrThrow(),
  )
const announced = (key: string) =>
  work((db) => db.selectFrom('announcements').selectAll().where('announcement_key', 'like', `${key}%`).execute())
const listed = async (call: string, by = as.here) => (await ask(by, 'GET', `/roll-calls/${call}`)).body

test('a plain "safe" is the answer; texts are listed verbatim', async () => {
  const call = await start()
  expect(await text('Safe, thank you po')).toMatch(/recorded that you are safe/)
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', answered_via: 'sms', unclear_at: null })
  const { people, counts } = await listed(call)
  expect(counts).toMatchObject({ safe: 1, unclear: 0, silent: 1 })
  expect(people.find((recipient: { user_id: string }) => recipient.user_id === ana.id).texts).toMatchObject([
    { body: 'Safe, thank you po', channel: 'sms', media_count: 0 },
  ])
})

test('"I am not safe" after "safe" is a request for help at once, with a helper, and first in the list', async () => {
  const call = await start()
  await text('SAFE')
  const reply = await text('I am not safe')
  expect(reply).toMatch(/^We asked Lea .* to help you\. In danger now\? Call .*\/emergency\/JP$/)
  expect(await row(call, ana.id)).toMatchObject({ answer: 'need_help', note: 'I am not safe', helper_id: leader.id })
  const [alarm] = await announced(`roll-call-help ${call} ${ana.id}`)
  expect(alarm).toMatchObject({ priority: 'urgent', audience: { users: [leader.id] } })
  expect(alarm!.texts.en!.message).toContain('I am not safe')
  const { people } = await listed(call)
  expect(people[0]).toMatchObject({ user_id: ana.id, texts: [{ body: 'SAFE' }, { body: 'I am not safe' }] })
  // Further texts are appended and forwarded to the helper.
  await text('Third floor, stairs are gone')
  expect((await row(call, ana.id)).note).toBe('I am not safe\nThird floor, stairs are gone')
  expect((await announced(`roll-call-change ${call}`))[0]!.texts.en!.message).toBe('Third floor, stairs are gone')
  expect(await escalateHelp(database, new Date(Date.now() + 16 * 60_000))).toBe(1)
})

test('an ambiguous text outweighs "safe": one clarification, one coordinator notification, ranked above silent recipients', async () => {
  const call = await start()
  await text('SAFE')
  const reply = await text('we went to the other building')
  expect(reply).toMatch(/^Are you safe\? Reply SAFE or HELP\. In danger now\? Call .*\/emergency\/JP$/)
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', unclear_at: expect.any(Date), helper_id: null })
  expect(await text('and the lights are off')).toBeNull()
  const notified = await announced(`roll-call-unclear ${call} ${ana.id}`)
  expect(notified).toMatchObject([
    { priority: 'high', audience: { users: expect.arrayContaining([leader.id, here.id]) } },
  ])
  expect(notified[0]!.audience!.users).not.toContain(there.id)
  expect(notified[0]!.texts.en!.message).toContain('we went to the other building')
  const { people, counts } = await listed(call)
  expect(counts).toMatchObject({ asked: 2, safe: 0, unclear: 1, silent: 1, need_help: 0 })
  expect(people.map(({ user_id }: { user_id: string }) => user_id)).toEqual([ana.id, ben.id])
  expect(people[0].texts).toHaveLength(3)
  expect((await ask(as.here, 'GET', `/roll-calls/${call}?part=unclear`)).body.total).toBe(1)
  expect((await ask(as.here, 'GET', `/roll-calls/${call}?part=safe`)).body.total).toBe(0)
  // Not escalated like a request for help.
  expect(await escalateHelp(database, new Date(Date.now() + 600 * 60_000))).toBe(0)
  // Cleared by a plain answer from the user, or by a coordinator who reached them.
  await text('I am safe')
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', unclear_at: null })
  await text('wait')
  expect((await row(call, ana.id)).unclear_at).not.toBeNull()
  const wrote = await ask(as.here, 'PUT', `/roll-calls/${call}/people/${ana.id}/answer`, {
    answer: 'safe',
    note: 'Called her',
  })
  expect(wrote.status).toBe(200)
  expect((await row(call, ana.id)).unclear_at).toBeNull()
  // A later unclear text counts as new.
  await text('hmm')
  expect(await announced(`roll-call-unclear ${call} ${ana.id}`)).toHaveLength(3)
})

test.each([
  ['nothing', '', {}],
  [
    'a picture without words',
    '',
    { NumMedia: '1', MediaUrl0: 'https://api.twilio.com/x', MediaContentType0: 'image/jpeg' },
  ],
  ['a very long text', 'we wait '.repeat(200), {}],
  ['a question', 'SAFE?', {}],
  ['markup', '<b>"&\'</b> {{name}} \0', {}],
])('%s is stored verbatim, clarified and shown', async (_, body, more) => {
  const call = await start()
  expect(await text(body, more as Record<string, string>)).toContain('Reply SAFE or HELP')
  expect((await row(call, ana.id)).unclear_at).not.toBeNull()
  const { people } = await listed(call)
  expect(people[0].texts).toMatchObject([{ body: body.replace('\0', ''), media_count: 'NumMedia' in more ? 1 : 0 }])
})

test('a thumb or "ok" asks for clarification once and replaces no answer; an SOS sign is a request for help', async () => {
  const call = await start()
  expect(await text('👍')).toContain('Reply SAFE or HELP')
  expect(await text('ok')).toBeNull()
  expect(await row(call, ana.id)).toMatchObject({ answer: null, unclear_at: null })
  expect(await announced(`roll-call-unclear ${call}`)).toEqual([])
  await text('safe')
  await text('thank you')
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', unclear_at: null })
  await text('🆘')
  expect(await row(call, ana.id)).toMatchObject({ answer: 'need_help', note: '🆘' })
})

test('a webhook delivered twice is one text, and a failed one may be repeated', async () => {
  const call = await start()
  expect(await text('what now', { MessageSid: 'SMtwice' })).not.toBeNull()
  expect(await text('what now', { MessageSid: 'SMtwice' })).toBeNull()
  expect((await listed(call)).people[0].texts).toHaveLength(1)
  // An old text redelivered after an answer changes nothing.
  await text('I am safe')
  await text('what now', { MessageSid: 'SMtwice' })
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', unclear_at: null })
  const both = await Promise.all(['SMboth', 'SMboth'].map((MessageSid) => text('help', { MessageSid })))
  expect(both.filter(Boolean)).toHaveLength(1)
  expect(await announced(`roll-call-help ${call} ${ana.id}`)).toHaveLength(1)
})

test.each(['090-1111-2222', '0081 90 1111 2222', '+81 90-1111-2222', '٠٩٠١١١١٢٢٢٢', '+81 (90) 1111 2222'])(
  'finds a number stored as %s',
  async (stored) => {
    const set = (phone_number: string) =>
      work((db) => db.updateTable('user_profiles').set({ phone_number }).where('id', '=', ana.id).execute())
    await set(stored)
    const call = await start()
    await text('SAFE')
    expect(await row(call, ana.id)).toMatchObject({ answer: 'safe' })
    await set(ANA)
  },
)

test('the number left for a helper also identifies the user, and a stranger is not in the roll call', async () => {
  const call = await start()
  const token = createAnswerLinks(SECRET).sign({ rollCall: call, user: ben.id }, new Date())
  await ask(null, 'POST', `/roll-call-answers/${token}`, { answer: 'need_help', phone: '+81 90 5555 6666' })
  await text('I am safe now', { From: '+819055556666' })
  expect(await row(call, ben.id)).toMatchObject({ answer: 'need_help', note: 'I am safe now' })
  await text('SAFE', { From: '+819099990000' })
  expect(await row(call, ana.id)).toMatchObject({ answer: null })
})

test('with a shared number nobody is marked safe for another, help counts for both, a name decides', async () => {
  const mia = await createTestUser(database, 'traveler', {
    first_name: 'Mia',
    country_code: 'JP',
    chapter_id: chapter,
    phone_number: ANA,
  })
  const call = await start()
  expect(await text('SAFE')).toMatch(/^More than one person uses this number\. Reply SAFE and your name, or HELP\./)
  for (const { id } of [ana, mia])
    expect(await row(call, id)).toMatchObject({ answer: null, unclear_at: expect.any(Date) })
  expect(await text('Mia safe')).toMatch(/recorded/)
  expect(await row(call, mia.id)).toMatchObject({ answer: 'safe', unclear_at: null })
  expect(await row(call, ana.id)).toMatchObject({ answer: null, unclear_at: expect.any(Date) })
  await text('we need help')
  for (const { id } of [ana, mia]) expect(await row(call, id)).toMatchObject({ answer: 'need_help' })
  await work((db) => db.updateTable('user_profiles').set({ phone_number: null }).where('id', '=', mia.id).execute())
})

test('of two open roll calls the unanswered one gets the answer; need shows in both, help is requested once', async () => {
  const first = await start()
  await text('SAFE')
  const second = await start({ title: 'Tsunami' })
  await text('not safe')
  expect(await row(second, ana.id)).toMatchObject({ answer: 'need_help' })
  expect(await row(first, ana.id)).toMatchObject({ answer: 'safe', unclear_at: expect.any(Date) })
  await text('safe')
  expect(await row(first, ana.id)).toMatchObject({ answer: 'safe', unclear_at: null })
})

test('STOP ends texts and shows the coordinator the opt-out; it is not an answer', async () => {
  const call = await start()
  expect(await text('STOP')).toBeNull()
  expect(await work((db) => db.selectFrom('suppressions').select('address').execute())).toEqual([{ address: ANA }])
  const recipient = (await listed(call)).people.find(({ user_id }: { user_id: string }) => user_id === ana.id)
  expect(recipient).toMatchObject({
    answer: null,
    unclear_at: null,
    opted_out_at: expect.any(String),
    texts: [{ body: 'STOP' }],
  })
  await text('START')
  expect((await row(call, ana.id)).opted_out_at).toBeNull()
})

const whatsapp = (...messages: object[]) => {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { phone_number_id: '1' },
              contacts: [{ wa_id: '819011112222' }],
              messages,
            },
          },
        ],
      },
    ],
  })
  return app.request('/api/hooks/whatsapp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': hubSignature('app secret', Buffer.from(body)),
    },
    body,
  })
}
const wa = (id: string, more: object) => ({ from: '819011112222', id, timestamp: '1764000000', ...more })

test('the same via WhatsApp, with the reply sent as a message', async () => {
  const call = await start()
  const post = () =>
    whatsapp(
      wa('wamid.1', { type: 'text', text: { body: 'lights are out' } }),
      wa('wamid.2', { type: 'location', location: { latitude: 35.6, longitude: 139.7 } }),
    )
  expect((await post()).status).toBe(200)
  expect((await post()).status).toBe(200)
  expect((await listed(call)).people[0].texts).toMatchObject([
    { body: 'lights are out', channel: 'whatsapp' },
    { body: '35.6,139.7', channel: 'whatsapp' },
  ])
  const replies = await work((db) =>
    db.selectFrom('messages').select(['channel', 'recipient', 'body_text', 'queue_priority', 'template']).execute(),
  )
  expect(replies).toMatchObject([{ channel: 'whatsapp', recipient: ANA, queue_priority: 0, template: 'text-reply' }])
  expect(replies[0]!.body_text).toContain('Reply SAFE or HELP')
  await whatsapp(wa('wamid.3', { type: 'button', button: { text: 'I am safe', payload: 'x' } }))
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', unclear_at: null })
  await whatsapp(wa('wamid.4', { type: 'image', image: { id: '9', caption: 'we are trapped' } }))
  expect(await row(call, ana.id)).toMatchObject({ answer: 'need_help' })
  // Twilio supports WhatsApp too.
  await text('SAFE', { From: `whatsapp:${ANA}` })
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe' })
})

test('only those responsible for the user read their texts', async () => {
  const call = await start()
  await text('I hide in the shop')
  const seen = (
    userId: string,
    role: 'mfa_coordinator' | 'local_servant' | 'traveler' | 'pdos_coordinator' | 'admin',
    countries: string[] | null,
  ) =>
    withClaims(
      database,
      { as: 'user', userId, role, ...(countries ? { scope: { countries, chapters: null } } : {}) },
      async (db) => [
        (await db.selectFrom('inbound_texts').select('id').execute()).length,
        (await db.selectFrom('roll_call_texts').select('text_id').execute()).length,
      ],
    )
  expect(await seen(here.id, 'mfa_coordinator', ['JP', 'KR'])).toEqual([1, 1])
  expect(await seen(here.id, 'mfa_coordinator', null)).toEqual([1, 1])
  expect(await seen(leader.id, 'local_servant', null)).toEqual([1, 1])
  expect(await seen(there.id, 'admin', null)).toEqual([1, 1])
  expect(await seen(there.id, 'mfa_coordinator', ['PE', 'BO'])).toEqual([0, 0])
  expect(await seen(there.id, 'local_servant', null)).toEqual([0, 0])
  expect(await seen(here.id, 'pdos_coordinator', ['JP'])).toEqual([0, 0])
  expect(await seen(ana.id, 'traveler', null)).toEqual([0, 0])
  await expect(
    withClaims(database, { as: 'user', userId: there.id, role: 'admin' }, (db) =>
      db.deleteFrom('inbound_texts').execute(),
    ),
  ).rejects.toThrow(/permission denied/)
  await expect(
    withClaims(database, { as: 'anonymous' }, (db) => sql`select * from inbound_texts`.execute(db)),
  ).rejects.toThrow(/permission denied/)
  expect((await ask(as.there, 'GET', `/roll-calls/${call}`)).status).toBe(404)
})

test('texts are deleted with the account, and half a year after the roll call', async () => {
  const texts = () => work((db) => db.selectFrom('inbound_texts').select('body').execute())
  const call = await start()
  await text('I hide in the shop')
  await pruneRollCalls(database, daysOn(31))
  expect(await texts()).toEqual([{ body: 'I hide in the shop' }])
  await pruneRollCalls(database, daysOn(31 + 181))
  expect(await texts()).toEqual([])
  await work((db) => db.deleteFrom('roll_calls').where('id', '=', call).execute())

  await start()
  await text('I hide in the shop')
  await text('still here')
  await work((db) => forgetInRollCalls(db, ana.id, new Date()))
  expect(await texts()).toEqual([])
  expect(await announced('roll-call-unclear')).toEqual([])
})

const daysOn = (days: number) => new Date(Date.now() + days * 86_400_000)

test('the reply states the police number where a country has no general emergency number', async () => {
  await insertFacts(database, [
    { id: 'call.JP.police', kind: 'hotline', country_code: 'JP', code: 'police', value: { phone: '110' } as never },
  ])
  await app.readModel.catchUp()
  try {
    await start()
    expect(await text('is the road open again')).toMatch(/Call 110\b.*\/emergency\/JP$/)
  } finally {
    await work((db) => db.deleteFrom('assistant_facts').where('id', '=', 'call.JP.police').execute())
    await app.readModel.catchUp()
  }
})
