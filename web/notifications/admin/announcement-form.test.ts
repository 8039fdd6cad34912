import { RouterContextProvider } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { visitorContext } from '#web/lib/visitor.ts'
import { compose } from './announcement-form.server.ts'

const ID = '0b5f0b5f-0000-4000-8000-000000000001'
/** Requests that reached an endpoint. */
let calls: { key: string; input: unknown }[] = []
let refusal: AppError | undefined
beforeEach(() => {
  calls = []
  refusal = undefined
})

async function submit(fields: Record<string, string>) {
  const context = new RouterContextProvider()
  context.set(visitorContext, {
    api: async (endpoint, input) => {
      calls.push({ key: endpoint.key, input })
      if (refusal) throw refusal
      return { id: ID, status: 'waiting' } as never
    },
    ...{ language: 'en', place: null, user: null, waiting: null, expiresAt: null, ended: null },
    ...{ now: new Date(0), isDocument: true, nonce: '' },
  })
  const request = new Request(`http://portal.test/admin/notifications/${ID}/edit`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const answer = await compose({ request, params: { id: ID }, context }).catch((thrown: Response) => thrown)
  return answer instanceof Response
    ? { location: answer.headers.get('location'), data: undefined }
    : { location: null, data: answer.data }
}
const sendTo = (people: number, more: Record<string, string> = {}) =>
  submit({ intent: 'send', made_from: '2026-01-01T00:00:00.000Z', people: String(people), ...more })

test('sends the confirmed number along, so that the endpoint compares it with its own count', async () => {
  expect((await sendTo(7, { before: '7' })).location).toBe(`/admin/notifications/${ID}?done=sent`)
  expect(calls).toMatchObject([{ input: { params: { id: ID }, body: { people: 7 } } }])
})

test('a jump from few to very many needs the number, in any digits; nothing is sent before', async () => {
  for (const number_check of ['', '7', '70', 'seven hundred', '7000'])
    expect((await sendTo(700, { before: '7', number_check })).data?.error).toMatchObject({
      status: 422,
      fields: { number_check: 'Enter the number of recipients to confirm.' },
    })
  expect(calls).toEqual([])
  for (const number_check of ['700', ' 700 ', '٧٠٠']) await sendTo(700, { before: '7', number_check })
  await sendTo(1_700, { before: '20', number_check: '1,700' })
  // No jump: nothing to enter.
  await sendTo(700, { before: '650' })
  expect(calls).toHaveLength(5)
})

test('after a change the new number is asked for, and nothing of the draft is sent again', async () => {
  refusal = new AppError(409, 'people_changed', 'The number of people has changed to 9. Check it and confirm again.')
  const { data } = await sendTo(7, { before: '7' })
  expect(data).toMatchObject({ intent: 'send', values: { people: '7' }, error: { code: 'people_changed' } })
  expect(data).not.toHaveProperty('lists')
})

test('what was written comes back with an error: 100 kB, spaces, both directions and emoji', async () => {
  refusal = new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields: {} })
  const message_en = `${'x'.repeat(100_000)} \u202eשלום 👩‍👩‍👧`
  const { data } = await submit({ intent: 'review', title_en: '   ', message_en, found: 'Ana <ana@example.org>' })
  expect(data?.lists).toMatchObject({ title_en: ['   '], message_en: [message_en], found: ['Ana <ana@example.org>'] })
})

test('the confirmation knows the number that the form showed, and takes nothing else for it', async () => {
  expect((await submit({ intent: 'review', shown: '7' })).location).toMatch(/action=send&before=7$/)
  expect((await submit({ intent: 'review', shown: '7&done=sent' })).location).toMatch(/action=send$/)
})
