import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowOf } from '#server/advisories/advisory-row.ts'
import type { FeedItem, FeedReader, ParsedFeed } from '#server/advisories/feeds/feed.ts'
import { readCap } from '#server/advisories/feeds/readers/cap.ts'
import { readUk } from '#server/advisories/feeds/readers/uk.ts'
import { readUs } from '#server/advisories/feeds/readers/us.ts'
import { bytes, context, fixture } from '#server/advisories/feeds/testing.ts'
import { insertFacts } from '#server/assistant/testing.ts'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createChannels } from '#server/delivery/channels.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { startPushPeer } from '#server/testing/push.ts'
import { startMailPeer } from '#server/testing/smtp.ts'
import { startTwilioPeer } from '#server/testing/twilio.ts'
import { createTestUser } from '#server/testing/users.ts'
import { startWhatsAppPeer } from '#server/testing/whatsapp.ts'
import type { AdvisoryReason, Channel } from '#shared/delivery/kinds.ts'
import { smsSize } from '#shared/delivery/sms.ts'
import { type AdminLanguage, LANGUAGES, type Language } from '#shared/language.ts'
import { announce } from '../announcements/create.ts'
import { fanOutDue } from '../announcements/fan-out.ts'
import { sendDigests } from '../digests.ts'
import { advisoryAnnouncement } from './announce.ts'

/** Every urgent message as its recipient gets it: over real connections, to peers that decode it. */
const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const countries = createCountries()
const PORTAL = 'https://portal.example'
const [mail, sms, whatsapp, push] = await Promise.all([
  startMailPeer(),
  startTwilioPeer(),
  startWhatsAppPeer(),
  startPushPeer(),
])
const channels = createChannels(
  {
    ...{ isEmbedded: false, host: '127.0.0.1', publicUrl: PORTAL, trustedProxies: 0, hub: undefined },
    ...{ smtpUrl: mail.url, secondSmtpUrl: undefined, resend: undefined, mailSenders: [], mailHookToken: undefined },
    mailFrom: 'MFA Portal <portal@church.example>',
    sms: [{ name: 'sms', url: sms.url, account: `AC${'a'.repeat(32)}`, token: 'x', from: '+15005550006' }],
    whatsapp: {
      ...{ url: whatsapp.url, phoneId: '1', token: 'x' },
      ...{ appSecret: undefined, verifyToken: undefined, template: undefined },
    },
    ...{ pushKeys: undefined, allowsPrivatePush: true },
  },
  { database },
)
const dispatcher = testDispatcher({ database, channels, publicUrl: PORTAL })
afterAll(async () => {
  channels.close()
  await Promise.all([mail.close(), sms.close(), whatsapp.close(), push.close()])
})

const ALL: Channel[] = ['in-app', 'email', 'sms', 'push', 'whatsapp']
const users: Partial<Record<Language, { id: string; email: string; number: string; browser: string }>> = {}
beforeAll(async () => {
  for (const [at, language] of LANGUAGES.entries()) {
    const number = `+63917123456${at}`
    const user = await createTestUser(database, 'traveler', {
      preferred_language: language,
      phone_number: number,
      email_verified: true,
    })
    const { endpoint, keys } = push.newBrowser()
    users[language] = { ...user, number, browser: endpoint }
    await inside(async (db) => {
      await db
        .insertInto('push_subscriptions')
        .values({ user_id: user.id, endpoint, ...keys, user_agent: null })
        .execute()
      await db.insertInto('advisory_subscriptions').values({ user_id: user.id, channels: ALL, language }).execute()
    })
  }
})

const parsed = (reader: FeedReader, document: Uint8Array, url: string) =>
  (reader(document, context(url)) as ParsedFeed).items
const named = (items: FeedItem[], name: string) => items.find(({ title }) => title.startsWith(name))!
const capAlert = (language: string, headline: string, instruction: string) =>
  parsed(
    readCap,
    bytes(`<?xml version="1.0" encoding="UTF-8"?>
<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>urn:oid:2.49.0.1.1</identifier>
<sender>met@example.org</sender><sent>2026-09-28T10:00:00+00:00</sent><status>Actual</status><msgType>Alert</msgType>
<scope>Public</scope><info><language>${language}</language><category>Met</category><event>Tsunami</event>
<urgency>Immediate</urgency><severity>Extreme</severity><certainty>Observed</certainty>
<headline>${headline}</headline><description>A wave was seen.</description>
<instruction>${instruction}</instruction><area><areaDesc>Japan</areaDesc></area></info></alert>`),
    'https://alerts.example/cap.xml',
  )[0]!

const US = parsed(readUs, fixture('us-state-rss-2025-10-08.xml'), 'https://travel.state.gov/')
const UK = parsed(readUk, fixture('uk/pages-2026-09.json'), 'https://www.gov.uk/')

interface Case {
  item: FeedItem
  reason?: AdvisoryReason
  before?: Partial<FeedItem>
  /** What the recipient must see first, by language. */
  sees: Record<AdminLanguage, string>
  /** The start of a text message, where the full text is cut. */
  text?: Record<AdminLanguage, string>
}
const ASK = { en: 'Ask your coordinator what to do.', ar: 'يُرجى سؤال منسّقك.' }
const OWN = {
  ...named(US, 'Haiti'),
  title: 'Lebanon: leave now',
  language: 'en',
  original_wording: 'Alert Level 4: Mandatory Repatriation',
  description: 'The airport closes on Friday.',
  detailed_information: '<p>The airport closes on Friday.</p>',
  recommendations: ['Leave now by commercial means.', 'Take your passport.'],
  country_codes: ['LB'],
}
const CASES: Record<string, Case> = {
  'US Haiti, level 4': { item: named(US, 'Haiti'), sees: { en: 'Haiti: Do Not Travel', ar: 'هايتي: عدم السفر' } },
  'US Russia, told to leave at once': {
    item: named(US, 'Russia'),
    sees: { en: 'should leave immediately', ar: 'should leave immediately' },
    text: { en: 'U.S. citizens', ar: 'روسيا: المصدر يدعو إلى المغادرة الآن' },
  },
  'UK, all travel': {
    item: { ...named(UK, 'Afghanistan'), is_urgent: true },
    sees: {
      en: `Afghanistan: FCDO advises against all travel. ${ASK.en}`,
      ar: `أفغانستان: النصح بعدم السفر إطلاقًا. ${ASK.ar}`,
    },
  },
  'CAP with an instruction': {
    item: capAlert('en-US', 'Tsunami warning', 'Move to high ground now. Stay there until told otherwise.'),
    sees: { en: 'Move to high ground now.', ar: 'Move to high ground now.' },
  },
  'CAP in another language': {
    item: capAlert('es', 'Aviso de tsunami', 'Vaya a un lugar alto ahora.'),
    sees: { en: 'What to do (in Spanish): Vaya a un lugar alto ahora.', ar: 'Vaya a un lugar alto ahora.' },
  },
  'CAP without an instruction': {
    item: capAlert('en-US', 'Tsunami warning', ''),
    sees: {
      en: `${ASK.en} Japan: Tsunami (severity Extreme, urgency Immediate, certainty Observed).`,
      ar: `${ASK.ar} اليابان: نص المصدر (الإنجليزية): Tsunami (severity Extreme`,
    },
    text: { en: `${ASK.en} Japan: Tsunami`, ar: `${ASK.ar} اليابان` },
  },
  'own of an administrator': {
    item: OWN,
    sees: { en: 'Lebanon: Leave now by commercial means.', ar: 'Leave now by commercial means.' },
  },
  'own, with a new instruction': {
    item: { ...OWN, recommendations: ['Go to the church in Beirut.', 'Take your passport.'] },
    before: { recommendations: OWN.recommendations },
    reason: 'instruction_changed',
    sees: { en: 'Lebanon: Go to the church in Beirut.', ar: 'Go to the church in Beirut.' },
  },
}

async function clear() {
  await inside(async (db) => {
    for (const table of ['announcements', 'messages', 'notifications', 'travel_advisories'] as const)
      await db.deleteFrom(table).execute()
  })
  mail.mails.length = sms.requests.length = whatsapp.requests.length = push.requests.length = 0
}

async function announceCase({ item, reason = 'new', before }: Case) {
  await inside(async (db) => {
    const { id: source_id } = await insertAdvisory(db, { title: 'only for its source' })
    const source = { id: source_id, organization: 'The source', homepage: PORTAL, auto_notify: true } as never
    const make = (more: Partial<FeedItem>) => {
      const { source_id: _, ...row } = rowOf({ ...item, ...more }, undefined, {
        ...{ source, countries, now: new Date(), capturedOn: null },
      })
      return { ...row, is_active: true, expiry_date: null }
    }
    const { id, ...after } = await insertAdvisory(db, make({}))
    const own = before ? ({ ...after, id, ...before } as never) : null
    await announce(db, advisoryAnnouncement({ id, before: own, after: { ...after, id }, reason, key: id }, countries))
  })
  await fanOutDue(database)
}

/** What the recipient sees on each channel, as plain text. */
async function seenBy(language: Language): Promise<Record<string, string>> {
  const { id, email, number, browser } = users[language]!
  const [inboxItem] = await inside((db) =>
    db.selectFrom('notifications').selectAll().where('user_id', '=', id).execute(),
  )
  const letter = mail.mailsTo(email).at(-1)!
  const body = whatsapp.messages().find(({ to }) => to === number) as { text: { body: string } }
  const { payload: own } = push.messages().find(({ endpoint }) => endpoint === browser)!
  return {
    mail: letter.text!.replace(/\s+/g, ' '),
    html: letter.html!,
    sms: sms.texts().find(({ To }) => To === number)!.Body!,
    whatsapp: body.text.body,
    push: `${own.title}\n${own.body}`,
    bell: `${inboxItem!.title}\n${inboxItem!.message}`,
  }
}
const textOf = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')

test.each(Object.entries(CASES))('%s: every message begins with what to do', async (name, testCase) => {
  await clear()
  await announceCase(testCase)
  await dispatcher.sendDue()
  for (const language of ['en', 'ar'] as const) {
    const seen = await seenBy(language)
    if (process.env.MESSAGES_FILE) appendFileSync(process.env.MESSAGES_FILE, written(name, language, seen))
    const expected = testCase.sees[language]
    expectFirst(seen, expected, testCase.text?.[language])
    const [code] = testCase.item.country_codes
    for (const where of ['mail', 'html', 'whatsapp', 'push'])
      expect(seen[where]).toContain(`${PORTAL}/emergency/${code}`)
    const isForeign =
      !testCase.item.language.startsWith(language) && plain(expected) === testCase.sees.en && language === 'ar'
    if (isForeign) expect(seen.html).toContain(`lang="${testCase.item.language}" dir="ltr"`)
  }
})

/** The same in Tagalog, which is written in the source's script. */
const TAGALOG: [name: string, sees: string, text?: string][] = [
  ['US Haiti, level 4', 'Haiti: huwag pumunta'],
  ['US Russia, told to leave at once', 'should leave immediately', 'Russia: Sabi ng source: umalis na ngayon'],
  ['UK, all travel', 'Afghanistan: payong huwag pumunta. Itanong sa coordinator ninyo ang gagawin.'],
  ['CAP with an instruction', 'Ang gagawin (sa Ingles): Move to high ground now.'],
  ['CAP in another language', 'Ang gagawin (sa Spanish): Vaya a un lugar alto ahora.'],
  [
    'CAP without an instruction',
    'Itanong sa coordinator ninyo ang gagawin. Japan: Ayon sa source (sa Ingles): Tsunami',
  ],
]
test.each(TAGALOG)(
  '%s: every message in Tagalog begins with what to do, in one text message',
  async (name, sees, text) => {
    await clear()
    await announceCase(CASES[name]!)
    await dispatcher.sendDue()
    const seen = await seenBy('tl')
    if (process.env.MESSAGES_FILE) appendFileSync(process.env.MESSAGES_FILE, written(name, 'tl', seen))
    expectFirst(seen, sees, text)
    expect(smsSize(seen.sms!)).toMatchObject({ encoding: 'GSM-7', segments: 1 })
    expect(seen.html).toContain('<html lang="fil" dir="ltr">')
  },
)

const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ')

function expectFirst(seen: Record<string, string>, expected: string, ofText = expected) {
  // A text message may cut the instruction, since its link is never cut; its start is there in any case.
  const start = ofText.slice(0, 25)
  expect(plain(seen.sms!).indexOf(start), seen.sms).toBeGreaterThanOrEqual(0)
  expect(plain(seen.sms!).indexOf(start), seen.sms).toBeLessThan(70)
  expect(seen.sms).toMatch(/https:\/\/portal\.example\/travel-advisories\/[\w-]{36}$/)
  expect(seen.sms!.length).toBeLessThanOrEqual(160)
  for (const where of ['mail', 'whatsapp', 'push', 'bell'])
    expect(plain(seen[where]!).indexOf(expected), `${where}: ${seen[where]}`).toSatisfy(isAtStart)
  expect(plain(textOf(seen.html!)).indexOf(expected), textOf(seen.html!)).toSatisfy(isAtStart)
}

/** Writes all messages of one recipient for inspection: run with MESSAGES_FILE. */
const written = (name: string, language: Language, seen: Record<string, string>) =>
  Object.entries(seen)
    .map(([where, text]) => `=== ${name} · ${language} · ${where}\n${where === 'html' ? textOf(text) : text}\n\n`)
    .join('')
const isAtStart = (at: number) => at >= 0 && at < 120

test('an administrator’s announcement contains their text and where to find help', async () => {
  await insertFacts(database, [
    {
      id: 'call.QA.emergency',
      kind: 'hotline',
      country_code: 'QA',
      code: 'emergency',
      value: { phone: '999' } as never,
    },
    // Expired: never at the end of a message.
    {
      ...{ id: 'call.QA.emergency.old', kind: 'hotline', country_code: 'QA', code: 'emergency', position: -1 },
      ...{ value: { phone: '123' } as never, valid_until: '2026-01-31' },
    },
  ])
  await clear()
  const text = { title: 'Strike in Doha', message: 'Stay at home today.' }
  await inside((db) =>
    announce(db, {
      ...{
        key: 'strike',
        kind: 'announcement',
        priority: 'urgent',
        template: 'announcement',
        actionUrl: '/notifications',
      },
      texts: { en: text, ar: { title: 'إضراب في الدوحة', message: 'ابقوا في البيت اليوم.' } },
      audience: { users: Object.values(users).map(({ id }) => id), countries: ['QA'] },
      channels: ALL,
    }),
  )
  await inside((db) => db.updateTable('user_profiles').set({ country_code: 'QA' }).execute())
  await fanOutDue(database)
  await dispatcher.sendDue()
  for (const [language, expected] of [
    ['en', text.message],
    ['ar', 'ابقوا في البيت اليوم.'],
    // Without a Tagalog text, in English, as is all around it.
    ['tl', text.message],
  ] as const) {
    const seen = await seenBy(language)
    expect(seen.html).toContain(`<html lang="${language === 'ar' ? 'ar' : 'en'}"`)
    for (const where of Object.keys(seen)) expect(seen[where], where).toContain(expected)
    for (const where of ['mail', 'html', 'whatsapp', 'push']) expect(seen[where]).toContain(`${PORTAL}/emergency/QA`)
    for (const where of ['mail', 'html', 'whatsapp', 'push']) expect(seen[where]).toContain('999')
  }
})

test.each(['roll-call', 'roll-call-taken', 'roll-call-help', 'reminder'] as const)(
  'an urgent %s says on every channel what to do',
  async (template) => {
    await clear()
    const kind = template === 'reminder' ? 'reminder' : 'roll_call'
    const texts = {
      en: { title: 'Earthquake: are you safe?', message: 'Tell us with one tap.' },
      ar: { title: 'زلزال: هل أنت بخير؟', message: 'أخبرنا بضغطة واحدة.' },
    }
    const readers = Object.values(users).map(({ id }) => id)
    await inside((db) =>
      announce(db, {
        ...{ key: template, kind, priority: 'urgent', template, actionUrl: '/dashboard', texts, channels: ALL },
        audience: { users: readers },
      }),
    )
    await fanOutDue(database)
    await dispatcher.sendDue()
    const isForHelper = template === 'roll-call-help' || template === 'reminder'
    for (const language of ['en', 'ar'] as const) {
      const seen = await seenBy(language)
      for (const where of Object.keys(seen)) expect(seen[where], where).toContain(texts[language].message)
      for (const where of ['mail', 'html', 'whatsapp', 'push'])
        if (isForHelper) expect(seen[where]).not.toContain('/emergency')
        else expect(seen[where]).toContain(`${PORTAL}/emergency`)
    }
  },
)

test('the end of a danger does not repeat the instruction to leave', async () => {
  await clear()
  await announceCase({ ...CASES['US Haiti, level 4']!, reason: 'withdrawn' })
  const [row] = await inside((db) => db.selectFrom('announcements').selectAll().execute())
  expect(row!.texts.en.instruction).toBeUndefined()
  expect(row!.texts.en.message).toMatch(/^(Urgent, e|E)mergency\. Withdrawn: no longer in force/)
})

test('a digest says under each advisory what to do', async () => {
  await clear()
  const { id } = users.en!
  await inside((db) =>
    db
      .insertInto('notification_preferences')
      .values({ user_id: id, channels: '{}', quiet_from: null, quiet_until: null, digest: 'daily' })
      .execute(),
  )
  // Urgent announcements are never deferred for a digest: hence level 4 without an order to leave.
  await announceCase({ ...CASES['US Haiti, level 4']!, item: named(US, 'Mali') })
  const deps = { database, log: createLog('silent'), publicUrl: PORTAL, secret: 'a secret' }
  expect(await sendDigests({ ...deps, now: () => new Date(Date.now() + 2 * 86_400_000) })).toBe(1)
  await dispatcher.sendDue()
  const { text, html } = mail.mailsTo(users.en!.email).at(-1)!
  expect(text).toMatch(/- .*Mali: Do Not Travel\s+Mali: Do Not Travel\.\s+https:/)
  expect(html).toContain('<bdi>Mali: Do Not Travel.</bdi>')
})
