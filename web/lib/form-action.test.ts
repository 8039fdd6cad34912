import { RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { AppError } from '#shared/errors.ts'
import { bodyFrom, formAction } from './form-action.server.ts'
import { formValuesOf, resultOf } from './form-result.ts'
import { type Visitor, visitorContext } from './visitor.ts'

const VISITOR: Visitor = {
  api: async () => ({}) as never,
  language: 'en',
  place: null,
  user: null,
  waiting: null,
  expiresAt: null,
  ended: null,
  now: new Date(0),
  isDocument: true,
  nonce: '',
}
const PAGE = 'http://portal.test/admin/things/7'

function post(fields: Record<string, string> | FormData, { url = PAGE, headers = {} } = {}) {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
  return new Request(url, { method: 'POST', body, headers })
}

function args(request: Request, params: Record<string, string> = { id: '7' }) {
  const context = new RouterContextProvider()
  context.set(visitorContext, VISITOR)
  return { request, params, context }
}

/** The response that an action throws to redirect. */
async function redirectOf(action: Promise<unknown>): Promise<string | null> {
  const thrown = await action.catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Response)
  return (thrown as Response).headers.get('location')
}

const invalidInput = () =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields: { a: 'Bad' } })

describe('an action of a form', () => {
  const action = formAction({
    save: async (_call, { id, text, flash }) => {
      if (text('a') === 'bad') throw invalidInput()
      if (text('a') === 'stale') throw new AppError(409, 'stale', 'Someone has changed this since you opened it.')
      if (text('a') === 'bug') throw new TypeError('a bug')
      return flash(`/admin/things/${id}#row`, 'saved')
    },
    preview: async (_call, { values }) => ({ preview: `${values.a}!` }),
    here: async (_call, { back }) => back('marked', 'action'),
  })

  test('redirects with the message that the next page shows, before the anchor', async () => {
    expect(await redirectOf(action(args(post({ intent: 'save', a: 'good' }))))).toBe('/admin/things/7?done=saved#row')
  })

  test('returns to the same page: with scripts the request is for its data, and its filters stay', async () => {
    const url = `${PAGE}.data?search=x&action=delete&done=saved&_routes=a&index`
    expect(await redirectOf(action(args(post({ intent: 'here' }, { url }))))).toBe(
      '/admin/things/7?search=x&done=marked',
    )
  })

  test('shows an expected error with its status beside the values, never with a password', async () => {
    const sent = { intent: 'save', a: 'bad', b: 'one\r\ntwo', current_password: 'x', new_password: 'y' }
    const { data, init } = await action(args(post(sent)))
    expect(init?.status).toBe(422)
    expect(data).toEqual({
      intent: 'save',
      values: { intent: 'save', a: 'bad', b: 'one\ntwo' },
      error: { error: 'Please correct the marked fields.', code: 'invalid_input', fields: { a: 'Bad' }, status: 422 },
    })
    expect(resultOf(data, 'save')?.error?.fields.a).toBe('Bad')
    expect(resultOf(data, 'preview')).toBeUndefined()
    expect(resultOf({ ...data, values: { item: '3' } }, 'save', '4')).toBeUndefined()
  })

  test('returns no code or token where the page names the fields that it may return', async () => {
    const failing = async () => {
      throw invalidInput()
    }
    const sent = { intent: 'save', identifier: ' me@example.org ', code: '482913', token: 't', password: 'p' }
    const options = { returned: ['identifier', 'password', 'absent'] }
    for (const handler of [failing, async () => ({ message: 'Sent.' })]) {
      const { data } = await formAction<{ message: string }>(handler, options)(args(post(sent)))
      expect([data.intent, data.values]).toEqual(['save', { identifier: 'me@example.org' }])
    }
    const { data } = await formAction<object>(failing, { returned: [] })(args(post(sent)))
    expect(data.values).toEqual({})
  })

  test('a conflict is a 409, so that the page is read again', async () => {
    const { data, init } = await action(args(post({ intent: 'save', a: 'stale' })))
    expect([init?.status, data.error?.code]).toEqual([409, 'stale'])
  })

  test('shows what a handler returned, without an error', async () => {
    const { data } = await action(args(post({ intent: 'preview', a: 'hello' })))
    expect(data).toMatchObject({ intent: 'preview', preview: 'hello!', error: undefined })
  })

  test('rejects an intent that the page does not know, also one that every object has', async () => {
    for (const intent of ['', 'drop', 'constructor', '__proto__', 'toString']) {
      const thrown = await action(args(post({ intent }))).catch((error: unknown) => error)
      expect([intent, (thrown as Response).status]).toEqual([intent, 400])
    }
  })

  test('a bug is not an answer', async () => {
    await expect(action(args(post({ intent: 'save', a: 'bug' })))).rejects.toThrow('a bug')
  })

  test('reads no more than the page accepts, whatever length the sender claims', async () => {
    const small = formAction(async (_call, { flash }) => flash('/', 'saved'), { maxBytes: 1_000 })
    const huge = { a: 'x'.repeat(2_000) }
    for (const headers of [{}, { 'content-length': '5' }, { 'content-length': '900000000' }]) {
      const thrown = await small(args(post(huge, { headers }))).catch((error: unknown) => error)
      expect((thrown as { init: { status: number } }).init.status).toBe(413)
    }
    expect(await redirectOf(small(args(post({ a: 'x'.repeat(900) }))))).toBe('/?done=saved')
  })

  test('a single form needs no intent; a file is not among its values', async () => {
    const form = new FormData()
    form.set('title', 'A')
    form.set('file', new File(['bytes'], 'a.txt'))
    const single = formAction<object>(async (_call, { form: sent, values }) => {
      throw new AppError(422, 'invalid_file', await (sent.get('file') as File).text(), { fields: values })
    })
    const { data } = await single(args(post(form)))
    expect(data.error).toMatchObject({ error: 'bytes', fields: { title: 'A' } })
  })

  test('an error may be explained with more data', async () => {
    const explained = formAction<{ near: string[] }>(
      async () => {
        throw invalidInput()
      },
      { onError: async (error) => ({ error: { ...error, error: 'Is it this one?' }, near: ['7'] }) },
    )
    const { data, init } = await explained(args(post({})))
    expect([init?.status, data.error?.error, data.near]).toEqual([422, 'Is it this one?', ['7']])
  })
})

describe('the body of an endpoint from a form', () => {
  const schema = z.strictObject({
    title: z.string().min(1),
    note: z.string().nullable(),
    more: z.string().optional(),
    kind: z.enum(['a', 'b']).optional(),
    count: z.int(),
    limit: z.number().nullable(),
    after: z.coerce.number().default(3),
    is_on: z.boolean(),
    is_active: z.boolean().default(true),
    is_set: z.boolean().optional(),
    tags: z.array(z.string()),
  })
  const read = (fields: [string, string][]) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    return bodyFrom(schema, form)
  }

  test('has the types of its schema', () => {
    const sent: [string, string][] = [
      ['title', ' T\r\nU '],
      ['note', 'n'],
      ['kind', 'b'],
      ['count', '5'],
      ['limit', '1.5'],
      ['is_on', 'on'],
      ['is_active', 'on'],
      ['tags', 'x'],
      ['tags', ''],
      ['tags', 'y'],
      ['intent', 'save'],
    ]
    expect(read(sent)).toEqual({
      title: ' T\nU ',
      note: 'n',
      kind: 'b',
      count: 5,
      limit: 1.5,
      is_on: true,
      is_active: true,
      is_set: false,
      tags: ['x', 'y'],
    })
  })

  test('an empty field is null, left out or an error of the schema; an unticked box is false', () => {
    const sent: [string, string][] = ['title', 'note', 'kind', 'count', 'limit', 'after'].map((name) => [name, ''])
    expect(read(sent)).toEqual({
      title: '',
      note: null,
      limit: null,
      is_on: false,
      is_active: false,
      is_set: false,
      tags: [],
    })
  })

  test('what is no number stays one to the schema, which rejects it', () => {
    expect(read([['count', 'many']]).count).toBeNaN()
  })

  test('the lines of a text area are a list, and are shown as lines again', () => {
    const { tags } = read([['tags', ' one \r\n\r\ntwo']])
    expect(tags).toEqual(['one', 'two'])
    expect(formValuesOf({ tags, is_on: true, is_set: false, note: null, count: 0 })).toEqual({
      tags: 'one\ntwo',
      is_on: 'on',
      is_set: '',
      note: '',
      count: '0',
    })
  })

  test('fields that the form does not have stay out, so that a part of a record can be saved', () => {
    expect(bodyFrom(schema.pick({ title: true, count: true }), new FormData())).toEqual({})
    expect(bodyFrom(schema.pick({ is_on: true }).partial(), new FormData())).toEqual({ is_on: false })
  })
})

test('a field of several languages is one input for each: question.en, question.ar', () => {
  const schema = z.strictObject({ question: z.strictObject({ en: z.string(), ar: z.string() }).optional() })
  const form = new FormData()
  form.set('question.en', 'Why?')
  form.set('question.ar', '')
  expect(bodyFrom(schema, form)).toEqual({ question: { en: 'Why?', ar: '' } })
  expect(bodyFrom(schema, new FormData())).toEqual({})
  expect(formValuesOf({ question: { en: 'Why?', ar: 'لماذا؟' }, links: ['a', 'b'] })).toEqual({
    'question.en': 'Why?',
    'question.ar': 'لماذا؟',
    links: 'a\nb',
  })
})
