import type { Insertable } from 'kysely'
import type { App } from '#server/app.ts'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { AssistantFactsTable } from '#server/db/tables-assistant.ts'
import { AS } from '#server/testing/app.ts'
import type { ChatReply, ChatRequest } from '#shared/assistant/chat.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type { Start } from './answer.ts'
import { LEXICONS } from './lexicon/lexicon.ts'
import { createUnderstanding } from './understanding/interpreter.ts'

type Body = Omit<ChatRequest, 'save'> & { save?: boolean }

export interface Asker {
  /** "traveler 0b5f…" */
  as?: string
  path?: string
}

/** Asks over HTTP; returns the status and the whole answer. */
export async function askOver(app: App, body: object, { as, path = '/public/chat' }: Asker = {}) {
  const response = await post(app, path, body, as)
  return { status: response.status, headers: response.headers, body: (await response.json()) as ChatReply & ErrorBody }
}

/** The answer to one question, which must succeed. */
export async function answerTo(app: App, message: string, more: Body & Asker = {}): Promise<ChatReply> {
  const { as, path, ...body } = more
  const { status, body: reply } = await askOver(
    app,
    { message, ...body },
    { ...(as ? { as } : {}), ...(path ? { path } : {}) },
  )
  if (status !== 200) throw new Error(`${status} ${reply.error}`)
  return reply
}

/** Requests the stream; the response has only started. */
export const openStream = (app: App, body: object, { as }: Asker = {}) => post(app, '/public/chat/stream', body, as)

type EventData = Partial<Start & ChatReply & ErrorBody & { text: string }>

/** Events of a stream that has ended. */
export async function eventsOf(response: Response): Promise<{ event: string; data: EventData }[]> {
  const text = await response.text()
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event, data] = block.split('\n')
      return { event: event!.slice('event: '.length), data: JSON.parse(data!.slice('data: '.length)) }
    })
}

async function post(app: App, path: string, body: object, as?: string): Promise<Response> {
  return app.request(`http://portal.test/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(as ? { [AS]: as } : {}) },
    body: JSON.stringify(body),
  })
}

type TestFact = Partial<Insertable<AssistantFactsTable>> & { id: string; kind: AssistantFactsTable['kind'] }

/** Inserts facts; only the fields under test are needed. */
export async function insertFacts(database: Database, facts: TestFact[]): Promise<void> {
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('assistant_facts')
      .values(
        facts.map((fact, position) => ({
          code: fact.id.split('.').slice(1).join('.'),
          country_code: null,
          purpose: null,
          source_title: 'Department of Migrant Workers',
          source_url: 'https://dmw.example/rules',
          checked_on: '2026-01-10',
          valid_until: '2099-12-31',
          position,
          ...fact,
          value: JSON.stringify(fact.value ?? {}),
        })),
      )
      .execute(),
  )
}

/** Shared by all apps of a test file, since loading the vocabulary takes a second. */
export const sharedUnderstanding = () =>
  createUnderstanding({ lexicons: LEXICONS, countries: createCountries().all(), cities: [] })

/** More than any test sends. */
export const RATES_OF_TESTS = { address: 100_000, account: 100_000 }

/** The only city that these tests look up. */
export async function insertTokyo(database: Database): Promise<void> {
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('cities')
      .values({
        ...{ id: 1, name: 'Tokyo', country_code: 'JP', state_province: null },
        ...{ latitude: 35.6895, longitude: 139.6917, population: 8_336_599, search_text: '|tokyo|edo|' },
      })
      .execute(),
  )
}

/** PDOS rules, documents and hotlines for Saudi Arabia, and international hotlines. */
export const SOME_FACTS: TestFact[] = [
  { id: 'rule.pdos.required', kind: 'rule' },
  { id: 'rule.pdos.duration', kind: 'rule', value: { days: 1, hours: 8 } as never },
  { id: 'rule.pdos.validity', kind: 'rule', value: { years: 1 } as never },
  { id: 'rule.pdos.register', kind: 'rule' },
  { id: 'need.pdos', kind: 'requirement' },
  { id: 'need.SA.visa', kind: 'requirement', country_code: 'SA', code: 'visa' },
  { id: 'need.SA.passport', kind: 'requirement', country_code: 'SA', code: 'passport', value: { months: 6 } as never },
  { id: 'need.SA.contract', kind: 'requirement', country_code: 'SA', code: 'contract', purpose: 'work' },
  { id: 'call.SA.police', kind: 'hotline', country_code: 'SA', code: 'police', value: { phone: '999' } as never },
  {
    id: 'call.SA.embassy',
    kind: 'hotline',
    country_code: 'SA',
    code: 'embassy',
    value: { phone: '+966 11 482 3559', name: 'Philippine Embassy in Riyadh' } as never,
  },
  {
    id: 'call.SA.violence',
    kind: 'hotline',
    country_code: 'SA',
    code: 'domestic_violence',
    value: { phone: '1919' } as never,
  },
  { id: 'call.any.home', kind: 'hotline', code: 'home_government', value: { phone: '+63 2 1348' } as never },
]
