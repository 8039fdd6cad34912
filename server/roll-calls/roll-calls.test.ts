import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { withClaims } from '#server/db/claims.ts'
import { leaseDue } from '#server/delivery/leases.ts'
import type { MessageContent } from '#server/delivery/outbound-message.ts'
import { renderAnnouncement } from '#server/delivery/templates/announcement-content.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { SKIP_REASON } from '#server/notifications/announcements/skip-reason.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { composeSms, smsSize } from '#shared/delivery/sms.ts'
import type { Role } from '#shared/roles.ts'
import { createAnswerLinks } from './answer-link.ts'
import { escalateHelp } from './escalation.ts'
import { pruneRollCalls } from './retention.ts'
import { asking, scene, scopedSession } from './testing.ts'
import { meaningOf } from './texts/meaning.ts'

const SECRET = 'a secret that only tests may know of'
const database = await testDatabase()
let clock = new Date()
const app = await testApp(database, { readSession: scopedSession, secret: SECRET, now: () => clock })
const ask = asking(app)
const links = createAnswerLinks(SECRET)
const { admin, leader, here, there, ana, ben, carl, chapter, elsewhere, as, work } = await scene(database)

beforeEach(async () => {
  await work((db) => db.deleteFrom('roll_calls').execute())
})

const minutesOn = (minutes: number) => new Date(clock.valueOf() + minutes * 60_000)
const concerned = async (by: string, whom: object): Promise<number> =>
  (await ask(by, 'POST', '/roll-calls/count', whom)).body.people
const start = async (by = as.here, more: object = {}): Promise<string> => {
  const { status, body } = await ask(by, 'POST', '/roll-calls', {
    title: 'Earthquake',
    countries: ['JP'],
    people: await concerned(by, { countries: ['JP'] }),
    ...more,
  })
  expect(status).toBe(201)
  return body.id
}
const answer = (call: string, user: string, body: object) =>
  ask(null, 'POST', `/roll-call-answers/${links.sign({ rollCall: call, user }, clock)}`, body)
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
  work((db) =>
    db
      .selectFrom('announcements')
      .selectAll()
      .where('announcement_key', 'like', `${key}%`)
      .orderBy('created_at')
      .execute(),
  )
const audited = (call: string) =>
  work((db) =>
    db.selectFrom('audit_log').select(['action', 'actor_id']).where('subject_id', '=', call).orderBy('id').execute(),
  )

test('a coordinator asks residents of their country and travelers bound for it, over every channel, and nobody else', async () => {
  expect((await ask(as.here, 'POST', '/roll-calls/count', { countries: ['JP'] })).body.people).toBe(2)
  const { status, body } = await ask(as.here, 'POST', '/roll-calls', {
    title: 'Earthquake in Japan',
    message: 'Stay away from the coast.',
    countries: ['JP'],
    people: 2,
  })
  expect([status, body.people]).toEqual([201, 2])
  const [announcement] = await announced(`roll-call ${body.id}`)
  expect(announcement).toMatchObject({
    kind: 'roll_call',
    priority: 'urgent',
    template: 'roll-call',
    status: 'waiting',
  })
  expect(announcement!.audience!.users!.toSorted()).toEqual([ana.id, ben.id].toSorted())
  expect(announcement!.channels).toHaveLength(6)
  expect(announcement!.texts.ar!.title).toContain('هل أنت بأمان')
  const { roll_call, counts, people } = (await ask(as.here, 'GET', `/roll-calls/${body.id}`)).body
  expect(roll_call).toMatchObject({ title: 'Earthquake in Japan', may_change: true, ended_at: null })
  expect(counts).toMatchObject({ asked: 2, silent: 2, need_help: 0, unreached: 0 })
  expect(people.map(({ country_code }: { country_code: string }) => country_code)).toEqual(['JP', 'JP'])
  expect(await audited(body.id)).toEqual([{ action: 'roll_call.start', actor_id: here.id }])
})

test('an unsent roll call is counted by channel and shown as each recipient reads it, within the scope', async () => {
  const estimate = (by: string | null, body: object) => ask(by, 'POST', '/roll-calls/estimate', body)
  const question = { title: 'Earthquake', message: 'Stay away from the coast.', countries: ['JP'] }
  const { status, body } = await estimate(as.here, question)
  expect(status).toBe(200)
  expect(body).toMatchObject({ chosen: 2, people: 2, needs_approval: false, unreached: { total: 0 } })
  expect(body.channels.find(({ channel }: { channel: string }) => channel === 'sms')).toMatchObject({ people: 1 })
  expect(body.readers.map(({ id }: { id: string }) => id).toSorted()).toEqual([ana.id, ben.id].toSorted())
  expect(body.previews[0].short.title).toBe('Earthquake: are you safe?')
  expect(body.previews[1].short.title).toContain('هل أنت بأمان')
  expect(body.previews[0].sms.text).toContain('/answer/')
  expect(await announced('roll-call')).toEqual(await announced('roll-call '))
  expect((await estimate(as.here, { countries: ['JP'] })).status).toBe(200)
  expect((await estimate(as.here, {})).status).toBe(422)
  expect((await estimate(as.here, { ...question, title: 'x'.repeat(100_000) })).status).toBe(422)
  for (const [by, code] of [
    [as.there, 403],
    [as.leader, 403],
    [ana.as, 403],
    [null, 401],
  ] as const)
    expect((await estimate(by, question)).status).toBe(code)
  expect((await estimate(as.leader, { chapter })).body).toMatchObject({ chosen: 1 })
})

test('nobody starts a roll call beyond their scope, or without a place', async () => {
  const refused = async (by: string, body: object) =>
    (await ask(by, 'POST', '/roll-calls', { title: 'x', ...body })).status
  expect(await refused(as.there, { countries: ['JP'] })).toBe(403)
  expect(await refused(as.here, { countries: ['JP', 'PE'] })).toBe(403)
  expect(await refused(as.here, { countries: ['JP'], chapter: elsewhere })).toBe(403)
  expect(await refused(as.leader, { countries: ['JP'] })).toBe(403)
  expect(await refused(ana.as, { countries: ['JP'] })).toBe(403)
  expect(await refused(as.here, {})).toBe(422)
  expect(await refused(as.admin, { countries: ['FJ'] })).toBe(422)
  expect((await ask(as.there, 'POST', '/roll-calls/count', { countries: ['JP'] })).status).toBe(403)
  // The leader of a chapter may ask it.
  expect((await ask(as.leader, 'POST', '/roll-calls', { title: 'x', chapter, people: 1 })).body.people).toBe(1)
  expect((await ask(as.leader, 'GET', '/roll-calls/choices')).body.chapters).toMatchObject([{ id: chapter }])
})

test('a local servant without places asks the chapter they lead, and no country; a coordinator any', async () => {
  const unnamed = `local_servant ${leader.id} - -`
  for (const more of [{ countries: ['JP'] }, { countries: ['JP'], chapter }, { chapter: elsewhere }])
    for (const path of ['/roll-calls', '/roll-calls/count'])
      expect(
        (await ask(unnamed, 'POST', path, { ...(path === '/roll-calls' && { title: 'x' }), ...more })).status,
        path,
      ).toBe(403)
  const choices = (by: string) => ask(by, 'GET', '/roll-calls/choices').then(({ body }) => body)
  expect(await choices(unnamed)).toMatchObject({ countries: [], chapters: [{ id: chapter }] })
  const idle = await createTestUser(database, 'local_servant')
  expect(await choices(`local_servant ${idle.id} - -`)).toMatchObject({ countries: [], chapters: [] })
  expect(await choices(`mfa_coordinator ${here.id} - -`)).toMatchObject({ countries: null, chapters: [{}, {}] })

  // Nor do they see roll calls of other places.
  const call = await start()
  const list = (by: string) => ask(by, 'GET', `/roll-calls/${call}`)
  expect((await list(`local_servant ${idle.id} - -`)).status).toBe(404)
  expect((await list(unnamed)).body.people).toMatchObject([{ user_id: ana.id }])
  expect((await list(`mfa_coordinator ${there.id} - -`)).body.people).toHaveLength(2)
  const claims = {
    as: 'user',
    userId: idle.id,
    role: 'local_servant',
  } as const
  await withClaims(database, claims, async (db) => {
    expect(await db.selectFrom('roll_calls').select('id').execute()).toEqual([])
    expect(await db.selectFrom('roll_call_recipients').select('user_id').execute()).toEqual([])
    expect((await sql`select * from roll_call_concerned('{JP}', null)`.execute(db)).rows).toEqual([])
  })
})

test('a request for help reaches a helper who switched off roll calls on every channel; the roll call itself does not', async () => {
  const off = Object.fromEntries(CHANNELS.map((channel) => [channel, false]))
  for (const { id } of [leader, ana])
    await work((db) =>
      db
        .insertInto('notification_preferences')
        .values({ user_id: id, channels: JSON.stringify({ roll_call: off }), quiet_from: null, quiet_until: null })
        .execute(),
    )
  await fanOutDue(database)
  const call = await start()
  expect((await fanOutDue(database)).map(({ recipients }) => recipients)).toEqual([1])
  await answer(call, ana.id, { answer: 'need_help' })
  expect(await fanOutDue(database)).toMatchObject([{ recipients: 1, messages: 1, inboxItems: 1 }])
  const options = { limit: 10, madeUpDomain: undefined, skipReason: SKIP_REASON }
  const leased = await leaseDue(database, { channel: 'email', ...options })
  const alarm = leased.find(({ user_id }) => user_id === leader.id)
  expect(alarm).toMatchObject({ template: 'roll-call-help', skip_reason: null })
  await work((db) => db.deleteFrom('notification_preferences').execute())
  await work((db) => db.deleteFrom('messages').execute())
})

test('submitting the same form twice starts one roll call', async () => {
  const once = crypto.randomUUID()
  expect(await start(as.here, { once })).toBe(await start(as.here, { once }))
  expect(await announced(`roll-call ${once}`)).toHaveLength(1)
})

test('starting requires the confirmed recipient count to be present and current', async () => {
  const first = await ask(as.here, 'POST', '/roll-calls/count', { countries: ['JP'] })
  expect(first.body).toMatchObject({ people: 2, unreachable: 0 })
  const reach = (channel: string) =>
    first.body.channels.find((row: { channel: string }) => row.channel === channel).people
  expect([reach('in-app'), reach('email'), reach('sms')]).toEqual([2, 2, 1])
  const attempt = (people?: number | null) =>
    ask(as.here, 'POST', '/roll-calls', {
      title: 'Flood',
      countries: ['JP'],
      ...(people === undefined ? {} : { people }),
    })
  expect(await attempt()).toMatchObject({ status: 409, body: { code: 'not_confirmed' } })
  expect(await attempt(null)).toMatchObject({ status: 409, body: { code: 'not_confirmed' } })
  const dora = await createTestUser(database, 'traveler', { first_name: 'Dora', country_code: 'JP' })
  expect(await attempt(2)).toMatchObject({
    status: 409,
    body: { code: 'people_changed', error: 'The number of people has changed to 3. Check it and confirm again.' },
  })
  expect(await attempt(2.5)).toMatchObject({ status: 422 })
  const written = await work(async (db) => [
    ...(await db.selectFrom('roll_calls').select('id').execute()),
    ...(await db.selectFrom('roll_call_recipients').select('user_id').execute()),
    ...(await db
      .selectFrom('announcements')
      .select('id')
      .where('announcement_key', 'like', 'roll-call %')
      .where('status', '=', 'waiting')
      .where('texts', '@>', JSON.stringify({ en: { title: 'Flood: are you safe?' } }) as never)
      .execute()),
  ])
  expect(written).toEqual([])
  expect(await attempt(3)).toMatchObject({ status: 201, body: { people: 3 } })
  await work((db) => db.updateTable('user_profiles').set({ country_code: 'FR' }).where('id', '=', dora.id).execute())
})

test('every channel states the reply keywords, in every language, even if a long message is cut', async () => {
  const long = 'Stay away from the coast and from bridges. '.repeat(20).trim()
  const call = await start(as.here, { message: long })
  const [announced_] = await announced(`roll-call ${call}`)
  const contentIn = (language: 'en' | 'ar' | 'tl') =>
    renderAnnouncement(
      {
        id: announced_!.id,
        kind: 'roll_call',
        template: 'roll-call',
        texts: announced_!.texts,
        actionUrl: announced_!.action_url,
        advisoryId: null,
        rollCallId: call,
      },
      language,
      { brand: 'Portal', publicUrl: 'https://portal.mfa.example' },
    ) as MessageContent
  for (const [language, safe, help] of [
    ['en', 'SAFE', 'HELP'],
    ['ar', 'بأمان', 'مساعدة'],
    ['tl', 'LIGTAS', 'TULONG'],
  ] as const) {
    const { short, text, html, push } = contentIn(language)
    const link = `https://portal.mfa.example/answer/${links.sign({ rollCall: call, user: ana.id }, clock)}`
    const sms = composeSms({ ...short, link: short.link!.replace('{{answer}}', link) })
    expect(smsSize(sms).units).toBeLessThanOrEqual(160)
    expect(sms.endsWith(link)).toBe(true)
    for (const channel of [sms, text, html!, push!.body, announced_!.texts[language]!.message!])
      for (const keyword of [safe, help]) expect(channel, `${language}: ${channel}`).toContain(keyword)
    // The advertised keywords are recognised.
    expect([meaningOf(safe), meaningOf(help)]).toEqual(['safe', 'need_help'])
  }
})

test('the tables themselves show and accept a roll call only within the role’s scope', async () => {
  const call = await start()
  const claims = (user: string, role: Role, countries: string[] | null) =>
    ({ as: 'user', userId: user, role, scope: { countries, chapters: null } }) as const
  const seen = (by: ReturnType<typeof claims>) =>
    withClaims(database, by, async (db) => ({
      calls: (await db.selectFrom('roll_calls').select('id').where('id', '=', call).execute()).length,
      people: (await db.selectFrom('roll_call_recipients').select('user_id').where('roll_call_id', '=', call).execute())
        .length,
      list: (await sql`select from roll_call_list(${call})`.execute(db)).rows.length,
    }))
  expect(await seen(claims(here.id, 'mfa_coordinator', ['JP']))).toEqual({ calls: 1, people: 2, list: 2 })
  expect(await seen(claims(admin.id, 'admin', null))).toEqual({ calls: 1, people: 2, list: 2 })
  expect(await seen(claims(there.id, 'mfa_coordinator', ['PE']))).toEqual({ calls: 0, people: 0, list: 0 })
  expect(await seen(claims(here.id, 'pdos_coordinator', ['JP']))).toEqual({ calls: 0, people: 0, list: 0 })
  // Only their own row; the chapter's leader sees those of the chapter.
  expect(await seen(claims(ana.id, 'traveler', null))).toEqual({ calls: 1, people: 1, list: 0 })
  expect(await seen(claims(carl.id, 'traveler', null))).toEqual({ calls: 0, people: 0, list: 0 })
  expect(await seen(claims(leader.id, 'local_servant', ['XX']))).toEqual({ calls: 1, people: 1, list: 1 })

  const wrong = claims(there.id, 'mfa_coordinator', ['PE'])
  const write = (run: Parameters<typeof withClaims<unknown>>[2], by = wrong) => withClaims(database, by, run)
  const nobody = { country_code: null, chapter_id: null, answered_via: null, helper_id: null } as const
  const started = { title: 'x', country_codes: ['JP'], advisory_id: null, chapter_id: null, announcement_id: null }
  await expect(
    write((db) =>
      db
        .insertInto('roll_calls')
        .values({ ...started, started_by: there.id })
        .execute(),
    ),
  ).rejects.toThrow(/row-level security/)
  // Nor in another user's name.
  const right = claims(here.id, 'mfa_coordinator', ['JP'])
  await expect(
    write(
      (db) =>
        db
          .insertInto('roll_calls')
          .values({ ...started, started_by: admin.id })
          .execute(),
      right,
    ),
  ).rejects.toThrow(/row-level security/)
  // Nor can recipients be added, either directly or through ask_roll_call.
  await expect(
    write(
      (db) =>
        db
          .insertInto('roll_call_recipients')
          .values({ ...nobody, roll_call_id: call, user_id: carl.id })
          .execute(),
      right,
    ),
  ).rejects.toThrow(/permission denied/)
  for (const by of [wrong, right, claims(admin.id, 'admin', null)])
    await expect(write((db) => sql`select ask_roll_call(${call})`.execute(db), by)).rejects.toThrow(/not_yours/)
  const changed = (run: Parameters<typeof withClaims<{ numUpdatedRows: bigint }>>[2], by = wrong) =>
    withClaims(database, by, run).then(({ numUpdatedRows }) => Number(numUpdatedRows))
  const end = (db: Parameters<Parameters<typeof withClaims>[2]>[0]) =>
    db.updateTable('roll_calls').set({ ended_at: new Date() }).where('id', '=', call).executeTakeFirst()
  const take = (db: Parameters<Parameters<typeof withClaims>[2]>[0]) =>
    db
      .updateTable('roll_call_recipients')
      .set({ accepted_at: new Date() })
      .where('roll_call_id', '=', call)
      .executeTakeFirst()
  expect(await changed(end)).toBe(0)
  expect(await changed(take)).toBe(0)
  expect(await changed(take, claims(carl.id, 'traveler', null))).toBe(0)
  // Only the portal writes other users' answers.
  await expect(
    write((db) => db.updateTable('roll_call_recipients').set({ answer: 'safe' }).execute(), right),
  ).rejects.toThrow(/permission denied/)
  for (const path of [`/roll-calls/${call}`, `/roll-calls/${call}/people.csv`])
    expect((await ask(as.there, 'GET', path)).status).toBe(404)
  for (const path of ['close', 'remind', `people/${ana.id}/take`])
    expect((await ask(as.there, 'POST', `/roll-calls/${call}/${path}`)).status).toBe(404)
  // A chapter leader sees its members, and cannot close a roll call that covers more.
  expect((await ask(as.leader, 'POST', `/roll-calls/${call}/close`)).status).toBe(403)
})

test('opening the link answers nothing; one tap does, and the answer can be changed', async () => {
  const call = await start()
  const token = links.sign({ rollCall: call, user: ana.id }, clock)
  expect((await ask(null, 'GET', `/roll-call-answers/${token}`)).body.roll_call).toMatchObject({
    answer: null,
    title: 'Earthquake',
    chapter: { name: 'Tokyo', phone: '+81 3 0000 0000' },
  })
  expect((await row(call, ana.id)).answer).toBeNull()
  expect((await answer(call, ana.id, { answer: 'safe' })).body.roll_call).toMatchObject({
    answer: 'safe',
    helper: null,
  })
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', answered_via: 'link' })
  expect((await answer(call, ana.id, { answer: 'not_there' })).status).toBe(200)
  expect(await row(call, ana.id)).toMatchObject({ answer: 'not_there' })
  expect((await audited(call)).map(({ action }) => action)).toEqual(['roll_call.start', 'roll_call.answer'])
  expect((await answer(call, ana.id, { answer: 'fine' })).status).toBe(422)
  expect((await answer(call, carl.id, { answer: 'safe' })).status).toBe(404)
})

test('a link that is modified, signed with another secret or expired answers nothing', async () => {
  const call = await start()
  const of = { rollCall: call, user: ana.id }
  const token = links.sign(of, clock)
  expect(links.read(token, clock)).toEqual(of)
  const post = async (linkToken: string) =>
    (await ask(null, 'POST', `/roll-call-answers/${linkToken}`, { answer: 'safe' })).status
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(links.read(token.slice(0, at) + other + token.slice(at + 1), clock)).toBe('forged')
  }
  expect(await post(createAnswerLinks(`another ${SECRET}`).sign(of, clock))).toBe(404)
  expect(await post('x')).toBe(404)
  expect(await post(links.sign(of, new Date(clock.valueOf() - 31 * 86_400_000)))).toBe(410)
  expect((await row(call, ana.id)).answer).toBeNull()
  expect((await ask(as.here, 'POST', `/roll-calls/${call}/close`)).status).toBe(200)
  expect(await post(token)).toBe(410)
  expect((await ask(null, 'GET', `/roll-call-answers/${token}`)).body.roll_call.is_open).toBe(false)
})

test('a request for help is assigned at once to the chapter’s leader, who is notified on every channel', async () => {
  const call = await start()
  const { body } = await answer(call, ana.id, { answer: 'need_help' })
  expect(body.roll_call.helper.name).toMatch(/^Lea/)
  expect(await row(call, ana.id)).toMatchObject({ helper_id: leader.id, accepted_at: null, escalations: 0 })
  const [alarm] = await announced(`roll-call-help ${call} ${ana.id}`)
  expect(alarm).toMatchObject({ priority: 'urgent', audience: { users: [leader.id] } })
  expect(alarm!.channels).toHaveLength(6)
  expect(alarm!.texts.en!.message).toContain('+819011112222')
  // Ben has no chapter, so the coordinator of the country is asked.
  expect((await answer(call, ben.id, { answer: 'need_help' })).body.roll_call.helper.name).toMatch(/^Hana/)
  // A note and a phone number are added to the same request: the helper is notified, nobody new is asked.
  await answer(call, ana.id, { answer: 'need_help', note: 'Third floor', phone: '+81 90 3333 4444' })
  expect(await row(call, ana.id)).toMatchObject({
    helper_id: leader.id,
    note: 'Third floor',
    phone: '+81 90 3333 4444',
  })
  expect(await announced(`roll-call-help ${call} ${ana.id}`)).toHaveLength(1)
  expect((await announced(`roll-call-change ${call} ${ana.id}`))[0]!.texts.en!.message).toContain('Third floor')
  // The request is first in the country coordinator's list and in the leader's calls for help.
  const list = (await ask(as.here, 'GET', `/roll-calls/${call}`)).body
  expect(list.people.map(({ user_id }: { user_id: string }) => user_id)).toEqual([ana.id, ben.id])
  expect(list.people[0]).toMatchObject({ phone: '+81 90 3333 4444', helper_id: leader.id })
  expect(list.counts).toMatchObject({ need_help: 2, waiting: 2, silent: 0 })
  expect((await ask(as.leader, 'GET', '/admin-operations/queue')).body.rows[0]).toMatchObject({
    user_id: ana.id,
    is_mine: true,
    owner_name: null,
  })
})

test('of two concurrent helpers one succeeds, the other learns who, and the user learns the name', async () => {
  const call = await start()
  await answer(call, ana.id, { answer: 'need_help' })
  const take = (by: string) => ask(by, 'POST', `/roll-calls/${call}/people/${ana.id}/take`)
  const both = await Promise.all([take(as.leader), take(as.here)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both.filter(({ body }) => body.is_mine)).toHaveLength(1)
  const taken = await row(call, ana.id)
  const winner = taken.helper_id === leader.id ? 'Lea' : 'Hana'
  for (const { body } of both) expect(body.helper_name).toMatch(new RegExp(`^${winner}`))
  const [announcement] = await announced(`roll-call-taken ${call} ${ana.id}`)
  expect(announcement!.audience).toEqual({ users: [ana.id] })
  expect(announcement!.texts.en!.title).toMatch(new RegExp(`^${winner}`))
  expect((await ask(ana.as, 'GET', `/account/roll-calls/${call}`)).body.helper.taken_at).not.toBeNull()
  // No further escalation.
  expect(await escalateHelp(database, minutesOn(600))).toBe(0)
  const helped = (by: string, note: string) => ask(by, 'POST', `/roll-calls/${call}/people/${ana.id}/helped`, { note })
  for (const empty of ['', '   ']) expect((await helped(as.here, empty)).status).toBe(422)
  expect((await helped(as.there, 'Brought home')).status).toBe(404)
  expect((await helped(as.here, 'Brought home')).status).toBe(200)
  expect((await helped(as.here, 'Brought home')).status).toBe(409)
  expect((await take(as.here)).status).toBe(409)
  expect((await audited(call)).map(({ action }) => action)).toEqual([
    'roll_call.start',
    'roll_call.answer',
    'roll_call.ask_helper',
    'roll_call.take',
    'roll_call.helped',
  ])
  // The result is in the row and in the audit log.
  expect(await row(call, ana.id)).toMatchObject({ help_note: 'Brought home' })
  const { reason } = await work((db) =>
    db
      .selectFrom('audit_log')
      .select('reason')
      .where('subject_id', '=', call)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  expect(reason).toBe('Brought home')
})

test('an unaccepted request goes to the next helper, then to all administrators, and is counted', async () => {
  const second = await work((db) =>
    db.selectFrom('user_profiles').select('id').where('role', '=', 'admin').where('id', '<>', admin.id).execute(),
  )
  const admins = [admin.id, ...second.map(({ id }) => id)].toSorted()
  const call = await start(as.here, { escalate_after_minutes: 10 })
  await answer(call, ana.id, { answer: 'need_help' })
  expect(await escalateHelp(database, minutesOn(9))).toBe(0)
  expect(await escalateHelp(database, minutesOn(11))).toBe(1)
  expect(await row(call, ana.id)).toMatchObject({ helper_id: here.id, escalations: 1 })
  // Two concurrent runs ask one helper once.
  const twice = await Promise.all([escalateHelp(database, minutesOn(22)), escalateHelp(database, minutesOn(22))])
  expect(twice.toSorted()).toEqual([0, 1])
  expect(await row(call, ana.id)).toMatchObject({ helper_id: admin.id, escalations: 2 })
  const alarms = await announced(`roll-call-help ${call} ${ana.id}`)
  expect(alarms.map(({ audience }) => audience!.users!.toSorted())).toEqual([[leader.id], [here.id], admins])
  // Everyone has been asked: remind the administrators, but not every few minutes.
  expect(await escalateHelp(database, minutesOn(40))).toBe(0)
  expect(await escalateHelp(database, minutesOn(83))).toBe(1)
  expect(await row(call, ana.id)).toMatchObject({ helper_id: admin.id, escalations: 3 })
  expect((await audited(call)).filter(({ action }) => action === 'roll_call.escalate')).toHaveLength(3)
  // The helper who was asked first may still accept.
  expect((await ask(as.leader, 'POST', `/roll-calls/${call}/people/${ana.id}/take`)).body.is_mine).toBe(true)
})

test('a coordinator who needs help is not asked to help others', async () => {
  const hurt = await createTestUser(database, 'mfa_coordinator', {
    first_name: 'Hurt',
    scope_countries: ['JP'],
    country_code: 'JP',
  })
  const call = await start()
  await work((db) =>
    db.updateTable('user_profiles').set({ profile_status: 'suspended' }).where('id', '=', here.id).execute(),
  )
  await answer(call, hurt.id, { answer: 'need_help' })
  expect(await row(call, hurt.id)).toMatchObject({ helper_id: admin.id })
  expect((await answer(call, ben.id, { answer: 'need_help' })).body.roll_call.helper.name).toMatch(/^Adam/)
  await work(async (db) => {
    await db.updateTable('user_profiles').set({ profile_status: 'active' }).where('id', '=', here.id).execute()
    await db.updateTable('user_profiles').set({ profile_status: 'suspended' }).where('id', '=', hurt.id).execute()
  })
})

test('a suspended coordinator is not asked, and changing the answer to "safe" ends the request', async () => {
  const call = await start()
  const set = (profile_status: 'active' | 'suspended') =>
    work((db) => db.updateTable('user_profiles').set({ profile_status }).where('id', '=', leader.id).execute())
  await set('suspended')
  await answer(call, ana.id, { answer: 'need_help' })
  expect(await row(call, ana.id)).toMatchObject({ helper_id: here.id })
  await set('active')
  await answer(call, ana.id, { answer: 'safe' })
  expect(await row(call, ana.id)).toMatchObject({ answer: 'safe', helper_id: null })
  expect((await announced(`roll-call-change ${call}`))[0]).toMatchObject({ audience: { users: [here.id] } })
  expect(await escalateHelp(database, minutesOn(600))).toBe(0)
})

test('a coordinator enters an answer received by phone, with the source', async () => {
  const call = await start()
  const write = (by: string, note: string) =>
    ask(by, 'PUT', `/roll-calls/${call}/people/${ben.id}/answer`, { answer: 'safe', note })
  expect((await write(as.here, '')).status).toBe(422)
  expect((await write(as.there, 'Called')).status).toBe(404)
  // Ben does not belong to the leader's chapter.
  expect((await write(as.leader, 'Called')).status).toBe(404)
  expect((await write(as.here, 'Called him at nine')).status).toBe(200)
  expect(await row(call, ben.id)).toMatchObject({ answered_via: 'coordinator', note: 'Called him at nine' })
})

test('silent recipients are asked again after a delay, and those who answered are not', async () => {
  const call = await start()
  await fanOutDue(database)
  const waiting = (user: string) =>
    work((db) =>
      db
        .selectFrom('messages as m')
        .innerJoin('announcements as a', 'a.id', 'm.announcement_id')
        .select(['m.status', 'a.announcement_key'])
        .where('a.announcement_key', 'like', `roll-call ${call}%`)
        .where('m.user_id', '=', user)
        .where('m.status', '=', 'pending')
        .execute(),
    )
  expect((await waiting(ana.id)).length).toBeGreaterThan(0)
  await answer(call, ana.id, { answer: 'safe' })
  expect(await waiting(ana.id)).toEqual([])
  const before = clock
  expect((await ask(as.here, 'POST', `/roll-calls/${call}/remind`)).status).toBe(409)
  clock = minutesOn(6)
  expect((await ask(as.here, 'POST', `/roll-calls/${call}/remind`)).body.people).toBe(1)
  clock = before
  const reminders = await announced(`roll-call ${call} again 1`)
  expect(reminders[0]!.audience).toEqual({ users: [ben.id] })
  // Deliveries of both messages are counted.
  await fanOutDue(database)
  await work((db) =>
    db
      .updateTable('messages')
      .set({ status: 'failed' })
      .where('user_id', '=', ben.id)
      .where('status', '=', 'pending')
      .execute(),
  )
  expect((await ask(as.here, 'GET', `/roll-calls/${call}?part=unreached`)).body).toMatchObject({
    counts: { unreached: 1 },
    people: [{ user_id: ben.id, reached: 'failed' }],
  })
  await work((db) =>
    db.updateTable('messages').set({ status: 'delivered' }).where('announcement_id', '=', reminders[0]!.id).execute(),
  )
  expect((await ask(as.here, 'GET', `/roll-calls/${call}?group=chapter`)).body).toMatchObject({
    counts: { unreached: 0 },
    groups: [{ counts: { silent: 1 } }, { name: 'Tokyo', counts: { safe: 1 } }],
  })
})

test('closing a roll call cancels queued messages, and help continues', async () => {
  const call = await start()
  await answer(call, ben.id, { answer: 'need_help' })
  await ask(as.here, 'POST', `/roll-calls/${call}/close`)
  expect((await announced(`roll-call ${call}`))[0]!.status).toBe('cancelled')
  expect((await ask(as.here, 'POST', `/roll-calls/${call}/remind`)).status).toBe(409)
  expect((await ask(ana.as, 'PUT', `/account/roll-calls/${call}/answer`, { answer: 'safe' })).status).toBe(410)
  expect(await escalateHelp(database, minutesOn(16))).toBe(1)
  expect((await ask(as.here, 'GET', '/admin-operations/queue')).body.rows[0]).toMatchObject({ user_id: ben.id })
})

test('a signed-in user answers in the portal, and only for themselves', async () => {
  const call = await start()
  expect((await ask(ana.as, 'GET', '/account/roll-calls')).body.roll_calls[0].id).toBe(call)
  expect((await ask(carl.as, 'GET', '/account/roll-calls')).body.roll_calls).toEqual([])
  expect((await ask(carl.as, 'PUT', `/account/roll-calls/${call}/answer`, { answer: 'safe' })).status).toBe(404)
  expect((await ask(ana.as, 'PUT', `/account/roll-calls/${call}/answer`, { answer: 'safe' })).body.answer).toBe('safe')
  expect(await row(call, ana.id)).toMatchObject({ answered_via: 'portal' })
  const csv = await ask(as.here, 'GET', `/roll-calls/${call}/people.csv`)
  expect(csv.body).toContain('+819011112222')
  expect((await ask(ana.as, 'GET', `/roll-calls/${call}/people.csv`)).status).toBe(403)
})

test('an unclosed roll call ends when its links expire, and notes are deleted half a year later', async () => {
  const call = await start()
  await answer(call, ana.id, { answer: 'need_help', note: 'On the roof' })
  const days = (count: number) => minutesOn(count * 1_440)
  await pruneRollCalls(database, days(29))
  expect((await ask(as.here, 'GET', `/roll-calls/${call}`)).body.roll_call.ended_at).toBeNull()
  await pruneRollCalls(database, days(31))
  expect((await ask(as.here, 'GET', `/roll-calls/${call}`)).body.roll_call.ended_at).not.toBeNull()
  expect((await row(call, ana.id)).note).toBe('On the roof')
  await pruneRollCalls(database, days(31 + 181))
  expect(await row(call, ana.id)).toMatchObject({ answer: 'need_help', note: null, phone: null })
})
