import { data, type RouterContextProvider, redirect } from 'react-router'
import type * as z from 'zod'
import type { FormResult, FormValues } from './form-result.ts'
import { attempt, type CallEndpoint, type FormError } from './visitor.ts'

const MAX_BYTES = 1024 * 1024
/** Parameters of the router, and the message of an earlier action. */
const TRANSIENT = ['_routes', 'index', 'done']

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

interface ActionArgs {
  context: Context
  request: Request
  params: Record<string, string | undefined>
}

/** A submitted form. */
export interface Submission {
  /** Of the page's path; empty on the page of a new record. */
  id: string
  params: Record<string, string | undefined>
  values: FormValues
  form: FormData
  request: Request
  context: Context
  /** A field as text, '' without it. */
  text: (name: string) => string
  /** All values of a field. */
  all: (name: string) => string[]
  /** A URL with a message that its page shows (FlashMessage). */
  flash: (to: string, done: string) => string
  /** This page with a message, and without these parameters. */
  back: (done: string, ...without: string[]) => string
}

/** Returns the URL to go to, or what the page is to show. Errors of endpoints are shown beside the form. */
type Handler<Shown> = (call: CallEndpoint, submission: Submission) => Promise<string | Shown>

interface Options<Shown> {
  /** Limit of the whole form; default 1 MB. */
  maxBytes?: number
  /** The only fields that are returned to the page: where there are codes or tokens, name those that are not secret. */
  returned?: readonly string[]
  /** The submit button itself names the action: `name=confirm value=7`. The field that is present is the intent. */
  byField?: boolean
  /** Adds to an error, or explains it. */
  onError?: (error: FormError, submission: Submission) => Promise<Partial<Shown & FormResult>>
}

/**
 * The action of a page with forms, with or without scripts: finds the handler by the field `intent`, calls endpoints,
 * and redirects with a message or returns the error with the submitted values. Passwords are never returned.
 */
export function formAction<Shown extends object = Record<never, never>>(
  handlers: Handler<Shown> | Record<string, Handler<Shown>>,
  { maxBytes = MAX_BYTES, byField = false, returned, onError }: Options<Shown> = {},
) {
  return async ({ context, request, params }: ActionArgs) => {
    const form = await readForm(request, maxBytes)
    const submission = submissionOf({ context, request, params }, form)
    const name =
      byField && typeof handlers === 'object' ? Object.keys(handlers).find((key) => form.has(key)) : undefined
    const intent = name ?? submission.text('intent')
    const handler = typeof handlers === 'function' ? handlers : Object.hasOwn(handlers, intent) && handlers[intent]
    if (!handler) throw new Response('Bad Request', { status: 400 })
    const { done, error } = await attempt(context, (call) => handler(call, submission))
    if (typeof done === 'string') throw redirect(done)
    const result = { intent, values: returnable(submission.values, returned), error } as FormResult & Partial<Shown>
    if (error) return data({ ...result, ...(await onError?.(error, submission)) }, error.status)
    return data({ ...result, ...done }, (done as Partial<FormResult>).error?.status ?? 200)
  }
}

const returnable = (values: FormValues, names: readonly string[] | undefined): FormValues =>
  names ? Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) : values

/** Reads the whole form into memory, so its size is limited. */
async function readForm(request: Request, maxBytes: number): Promise<FormData> {
  const tooLarge = () => data({ error: 'This is too much to send at once.', code: 'too_large' }, 413)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
  }
  const type = request.headers.get('content-type') ?? 'application/x-www-form-urlencoded'
  return new Response(new Blob(chunks), { headers: { 'content-type': type } }).formData().catch(() => {
    throw new Response('Bad Request', { status: 400 })
  })
}

function submissionOf({ context, request, params }: ActionArgs, form: FormData): Submission {
  const values: FormValues = {}
  for (const [name, value] of form)
    if (typeof value === 'string' && !/password/i.test(name)) values[name] ??= plain(value).trim()
  return {
    id: params.id ?? '',
    params,
    values,
    form,
    request,
    context,
    text: (name) => textIn(form, name) ?? '',
    all: (name) => textsIn(form, name),
    flash: withFlash,
    back: (done, ...without) => {
      const { pathname, searchParams } = new URL(request.url)
      for (const name of [...TRANSIENT, ...without]) searchParams.delete(name)
      searchParams.set('done', done)
      // Without scripts the request is for the page, with scripts for its data.
      return `${pathname.replace(/\.data$/, '')}?${searchParams}`
    },
  }
}

function withFlash(to: string, done: string): string {
  const [address = '', anchor] = to.split('#', 2)
  const joint = address.includes('?') ? '&' : '?'
  return `${address}${joint}done=${encodeURIComponent(done)}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Browsers send line breaks as CRLF; records store LF. */
const plain = (text: string) => text.replace(/\r\n/g, '\n')

const textsIn = (form: FormData, name: string) =>
  form.getAll(name).flatMap((value) => (typeof value === 'string' ? [plain(value)] : []))
/** Ticked values, or the lines of a text area. */
const linesOf = (texts: string[]) =>
  texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter(Boolean)
const textIn = (form: FormData, name: string): string | undefined => textsIn(form, name)[0]

/**
 * The body of an endpoint from a form whose fields are named as in its schema; the endpoint still validates it. An
 * empty field is null where the schema allows that, otherwise it stays out unless it is text. An unticked box is false
 * and an empty list is empty, so a form with some of the fields takes `schema.pick({ … })`. The fields of an object, as
 * of a text in several languages, are named `question.en`.
 */
export function bodyFrom<S extends z.ZodObject>(schema: S, form: FormData): z.input<S> {
  return (objectFrom(schema, form, '') ?? {}) as z.input<S>
}

/** Undefined without any of its fields. */
function objectFrom({ shape }: z.ZodObject, form: FormData, prefix: string) {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const value = fieldValue(field as z.ZodType, form, prefix + name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return fields.length > 0 ? Object.fromEntries(fields) : undefined
}

function fieldValue(field: z.ZodType, form: FormData, name: string): unknown {
  const { type, isNullable, inner } = kindOf(field)
  if (type === 'object') return objectFrom(inner as z.ZodObject, form, `${name}.`)
  const text = textIn(form, name)
  if (type === 'array') return linesOf(textsIn(form, name))
  if (type === 'boolean') return /^(on|true|yes|1)$/.test(text ?? '')
  if (text === undefined) return undefined
  if (text === '' && isNullable) return null
  if (text === '' && type !== 'string') return undefined
  return type === 'number' ? Number(text) : text
}

/** The type of a field without its wrappers. */
function kindOf(field: z.ZodType) {
  let [inner, isNullable] = [field, false]
  for (;;) {
    const { type, innerType, in: input } = inner.def as { type: string; innerType?: z.ZodType; in?: z.ZodType }
    if (type === 'nullable') isNullable = true
    const next = innerType ?? input
    if (!next) return { type, isNullable, inner }
    inner = next
  }
}
