import type * as z from 'zod'
import type { Access } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Spec {
  method: Method
  /** Relative to /api, parameters in braces: '/travel-advisories/{id}'. */
  path: string
  /** Additional paths of the same handler. */
  also?: readonly string[]
  access: Access
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The body is one file, raw or in a form; the handler gets an `Upload` and sets the size limit. */
  takesFile?: true
  response: z.ZodType
  /** Status of a successful response; default 200. */
  status?: 200 | 201 | 202
}

type In<S> = S extends z.ZodType ? z.input<S> : never
type Out<S> = S extends z.ZodType ? z.output<S> : never
type WithoutNever<T> = { [K in keyof T as [T[K]] extends [never] ? never : K]: T[K] }
/** A section without required fields may be omitted entirely. */
type Loose<T> = { [K in keyof T as object extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as object extends T[K] ? K : never]?: T[K]
}
type RequestDataOf<E extends Spec, F extends 'in' | 'out'> = WithoutNever<{
  params: F extends 'in' ? In<E['params']> : Out<E['params']>
  query: F extends 'in' ? In<E['query']> : Out<E['query']>
  body: F extends 'in' ? In<E['body']> : Out<E['body']>
}>

/** An endpoint of the contract. `'~'` exists in types only: caller input, handler input and response. */
export type Endpoint<I = unknown, P = unknown, O = unknown> = Spec & {
  key: string
  '~': { input: I; parsed: P; output: O }
}

/** Declares one endpoint. It is identified by its key, "METHOD /path", never by object identity. */
export function endpoint<const E extends Spec>(spec: E) {
  // '~' exists in types only, and is required there so that callers' types can be inferred from it.
  return { ...spec, key: `${spec.method} ${spec.path}` } as unknown as E &
    Endpoint<Loose<RequestDataOf<E, 'in'>>, RequestDataOf<E, 'out'>, z.input<E['response']>>
}
