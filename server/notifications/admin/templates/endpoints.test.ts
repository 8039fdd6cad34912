import { afterEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { problemsOfOverride } from '#server/delivery/templates/override-rules.ts'
import { render, TEXTS, type Template } from '#server/delivery/templates/render.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { LANGUAGES } from '#shared/language.ts'
import type { TemplateDetail, TemplateRow } from '#shared/notifications/templates.ts'
import { ROLES } from '#shared/roles.ts'

const database = await testDatabase()
const app = await testApp(database)
const other = await testApp(database)
const admin = await createTestUser(database, 'admin', { display_name: 'Ruth Salazar' })
const BASE = '/api/admin-operations/message-templates'

async function call<T = Record<string, unknown> & { fields: Record<string, string>; version: number }>(
  method: string,
  path = '',
  body?: object,
  as = admin.as,
) {
  const response = await app.request(`${BASE}${path}`, {
    method,
    headers: { [AS]: as, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, answer: (await response.json()) as T }
}
const CODE = '/sign-in-code/en'
const content = {
  subject: '{{code}} signs you in',
  lines: ['Your code for {{brand}} is {{code}}.'],
  sms: '{{code}} is your code.',
}
const values = { brand: 'MFA Portal', code: '482913', minutes: 10 }
const subjectNow = () => render('sign-in-code', 'en', values).subject
afterEach(() => call('PUT', CODE, { words: null }))

test('a changed template is used from the next message on, and can be reset to the built-in text', async () => {
  const own = subjectNow()
  const { answer } = await call('PUT', CODE, { words: content, version: 0 })
  expect(answer.version).toBe(1)
  expect(render('sign-in-code', 'en', values)).toMatchObject({
    subject: '482913 signs you in',
    sms: '482913 is your code.',
  })
  expect(render('sign-in-code', 'ar', values).subject).not.toContain('signs you in')
  const { answer: list } = await call<{ templates: TemplateRow[] }>('GET')
  expect(list.templates.find(({ name }) => name === 'sign-in-code')!.languages).toMatchObject([
    { language: 'en', is_changed: true, version: 1, updated_by_name: 'Ruth Salazar' },
    { language: 'ar', is_changed: false, version: 0 },
    { language: 'tl', is_changed: false, version: 0 },
  ])
  await call('PUT', CODE, { words: null })
  expect(subjectNow()).toBe(own)
})

test('an earlier version can be restored, and a concurrent change is reported', async () => {
  const { answer: first } = await call('PUT', CODE, { words: content })
  await call('PUT', CODE, { words: { ...content, subject: 'Second: {{code}}' } })
  expect((await call('PUT', CODE, { words: content, version: first.version })).status).toBe(409)
  await call('POST', `${CODE}/restore`, { restore: first.version })
  expect(subjectNow()).toBe('482913 signs you in')
  const { answer } = await call<TemplateDetail>('GET', CODE)
  expect(answer.history[0]).toMatchObject({
    version: first.version + 2,
    words: content,
    created_by_name: 'Ruth Salazar',
  })
  expect((await call('POST', `${CODE}/restore`, { restore: 999 })).status).toBe(404)
})

test('a text without a required variable, or with an unknown one, is rejected by part', async () => {
  const wrong = { subject: 'Hello {{nobody}}', lines: ['No code here.'], sms: 'Nor here {{' }
  for (const [method, path] of [
    ['PUT', CODE],
    ['POST', `${CODE}/preview`],
  ] as const)
    expect(await call(method, path, { words: wrong })).toMatchObject({
      status: 422,
      answer: {
        error: 'Template validation failed',
        fields: { subject: 'Not known here: nobody', lines: 'Missing: code', sms: 'Close every opening brace' },
      },
    })
  expect((await call('PUT', '/no-such/en', { words: content })).status).toBe(404)
  expect((await call('PUT', '/__proto__/en', { words: content })).status).toBe(404)
})

test('a preview shows sample values and saves nothing', async () => {
  const { answer } = await call<{ preview: { subject: string; sms: string } }>('POST', `${CODE}/preview`, {
    words: content,
  })
  expect(answer.preview).toMatchObject({ subject: '482913 signs you in', sms: '482913 is your code.' })
  expect(subjectNow()).not.toContain('signs you in')
})

test('the built-in text of every template passes the rules for overrides and renders completely', async () => {
  for (const name of Object.keys(TEXTS.en.templates) as Template[])
    for (const language of LANGUAGES) {
      const { subject, lines, button, sms } = TEXTS[language].templates[name] as Parameters<
        typeof problemsOfOverride
      >[1]
      expect(problemsOfOverride(name, { subject, lines, button, sms }), `${name} ${language}`).toEqual({})
      const { status, answer } = await call<TemplateDetail>('GET', `/${name}/${language}`)
      expect(status, `${name} ${language}`).toBe(200)
      expect(answer.preview.text).not.toContain('{{')
    }
})

test('an invalid row never blocks a message, and the other nodes are refreshed', async () => {
  const own = subjectNow()
  const insert = (version: number, broken: object) =>
    inBackground(database, 'test', (db) =>
      db
        .insertInto('message_templates')
        .values({ name: 'sign-in-code', language: 'en', version, content: JSON.stringify(broken), created_by: null })
        .execute(),
    )
  await insert(900, { subject: 1 })
  await app.readModel.catchUp()
  expect(subjectNow()).toBe(own)
  await insert(901, { subject: 'Only {{code}} and {{other}}', lines: ['{{code}}'], sms: '{{code}}' })
  await other.readModel.catchUp()
  expect(subjectNow()).toBe(own)
  await insert(902, { subject: 'Fit {{code}}', lines: ['{{code}}'], sms: '{{code}}' })
  await other.readModel.catchUp()
  expect(subjectNow()).toBe('Fit 482913')
})

test('only an administrator reads or changes templates', async () => {
  for (const role of ROLES.filter((role) => role !== 'admin')) {
    const wrong = await createTestUser(database, role)
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', CODE],
      ['PUT', CODE, { words: content }],
      ['POST', `${CODE}/preview`, { words: content }],
      ['POST', `${CODE}/restore`, { restore: 1 }],
    ] as const)
      expect((await call(method, path, body, wrong.as)).status, `${role} ${path}`).toBe(403)
  }
})
