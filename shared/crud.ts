import * as z from 'zod'
import { ById, Deleted } from './common-schemas.ts'
import { endpoint } from './contract.ts'
import type { Access, OpenAccess } from './roles.ts'
import { TABLE_ANSWER, TABLE_QUERY } from './table.ts'
import { text } from './text.ts'

/** `updated_at` of the version a change was made from: if the record changed since then, the request fails (409). */
const made_from = z.iso.datetime()

interface CrudSpec {
  /** Of the list; one record is at `{path}/{id}`. */
  path: string
  /** Names in responses: { module: … } and { modules: […] }. */
  one: string
  many: string
  /** In the summaries of the API document: ['orientation module', 'orientation modules']. */
  nouns: readonly [one: string, many: string]
  /** Who lists and reads, and who creates, changes and deletes. */
  read: Exclude<Access, OpenAccess>
  manage: Exclude<Access, OpenAccess>
  /** A record as it is returned. */
  record: z.ZodType
  /** What callers send. No field has a default here, since a change sends some fields only: the table has them. */
  fields: z.ZodObject
  /** Fields that only a new record takes: no change touches them. */
  fixed?: z.ZodRawShape
  /** Filters of the list besides search and page. */
  filters?: z.ZodRawShape
  /** What the list contains besides its rows. */
  totals?: z.ZodRawShape
}

type Fixed<S extends CrudSpec> = S['fixed'] extends z.ZodRawShape ? S['fixed'] : Record<never, never>
type Filters<S extends CrudSpec> = S['filters'] extends z.ZodRawShape ? S['filters'] : Record<never, never>
type Totals<S extends CrudSpec> = S['totals'] extends z.ZodRawShape ? S['totals'] : Record<never, never>

/**
 * The five endpoints of an administered entity, from one declaration. They are ordinary endpoints; `shared/api.ts`
 * lists the object.
 */
export function crudEndpoints<const S extends CrudSpec>(spec: S) {
  const { one, many, nouns } = spec
  const path = spec.path as S['path']
  const pathOfOne = `${path}/{id}` as const
  const read = { access: spec.read as S['read'] }
  const manage = { access: spec.manage as S['manage'] }
  const response = z.object(entry<S['one'], S['record']>(one, spec.record))
  return {
    one: one as S['one'],
    record: spec.record as S['record'],
    list: endpoint({
      ...read,
      method: 'GET',
      path,
      summary: `The ${nouns[1]}, with search, filters and pages`,
      query: z.strictObject({ ...TABLE_QUERY, ...(spec.filters as Filters<S>) }),
      response: z.object({
        ...TABLE_ANSWER,
        ...(spec.totals as Totals<S>),
        ...entry<S['many'], z.ZodArray<S['record']>>(many, z.array(spec.record)),
      }),
    }),
    get: endpoint({
      ...read,
      method: 'GET',
      path: pathOfOne,
      summary: `One ${nouns[0]}`,
      params: ById,
      response,
    }),
    create: endpoint({
      ...manage,
      method: 'POST',
      path,
      status: 201,
      summary: `Creates a new ${nouns[0]}`,
      // The shape of an extension by a type parameter is not resolved.
      body: spec.fields.extend((spec.fixed as Fixed<S>) ?? {}) as unknown as z.ZodObject<
        S['fields']['shape'] & Fixed<S>
      >,
      response,
    }),
    update: endpoint({
      ...manage,
      method: 'PUT',
      path: pathOfOne,
      summary: `Changes the submitted fields; rejected if the ${nouns[0]} changed since it was read`,
      params: ById,
      body: (spec.fields as S['fields']).partial().extend({ made_from: made_from.optional() }) as z.ZodObject<
        { [K in keyof S['fields']['shape']]: z.ZodOptional<S['fields']['shape'][K]> } & {
          made_from: z.ZodOptional<typeof made_from>
        }
      >,
      response,
    }),
    remove: endpoint({
      ...manage,
      method: 'DELETE',
      path: pathOfOne,
      summary: `Deletes the ${nouns[0]}`,
      params: ById,
      body: z.strictObject({ made_from: made_from.optional(), reason: text(500).optional() }).default({}),
      response: Deleted,
    }),
  }
}

/** An object of one entry whose name is known to the types too. */
function entry<K extends string, V>(name: K, value: V) {
  return { [name]: value } as Record<K, V>
}
