import type * as z from 'zod'
import type { Records } from '#server/db/records.ts'
import type { Endpoint } from '#shared/contract.ts'
import type { Router } from './router.ts'

/** What `crudEndpoints` declares, except its list: every list has its own filters and order. */
interface RecordEndpoints<Shown> {
  /** Name of the record in responses. */
  one: string
  record: z.ZodType<unknown, Shown>
  get: { key: string }
  create: { key: string }
  update: { key: string }
  remove: { key: string }
}

/** `crudEndpoints` has checked the types of each declaration; here they are all alike. */
type Handled = Endpoint & {
  access: 'signedIn'
  '~': { parsed: { params: { id: string }; body: Record<string, never> }; output: object }
}

/** Handles reading, creating, changing and deleting the records of a table; `show` makes what callers see of a row. */
export function handleRecords<Row, Shown>(
  router: Router,
  { one, get, create, update, remove }: RecordEndpoints<Shown>,
  records: Records<Row>,
  show: (row: Row) => Shown,
) {
  const shown = (row: Row) => ({ [one]: show(row) })

  router.handle(get as Handled, async ({ db }, { params }) => shown(await records.get(db, params.id)))
  router.handle(create as Handled, async ({ db, user, now }, { body }) =>
    shown(await records.create(db, body, { by: user, now })),
  )
  router.handle(update as Handled, async ({ db, user, now }, { params, body }) =>
    shown(await records.update(db, params.id, body, { by: user, now })),
  )
  router.handle(remove as Handled, async ({ db, user, now }, { params, body }) => {
    await records.remove(db, params.id, body, { by: user, now })
    return { deleted: true }
  })
}
