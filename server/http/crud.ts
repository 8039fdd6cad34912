import type * as z from 'zod'
import type { Db } from '#server/db/connection.ts'
import type { Records, Saving } from '#server/db/records.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { Endpoint } from '#shared/contract.ts'
import type { Router } from './router.ts'
import { writeAndRefresh } from './writes.ts'

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

/** `crudEndpoints` has checked the types of each declaration; here they are all alike. A new record has no id yet. */
type Handled = Endpoint & {
  access: 'signedIn'
  '~': { parsed: { params: { id: string } | undefined; body: Record<string, never> }; output: object }
}

/**
 * Handles reading, creating, changing and deleting the records of a table; `show` makes what callers see of a row. With
 * the read model, an answer to a write comes once this node shows the change to the public.
 */
export function handleRecords<Row, Shown>(
  router: Router,
  { one, get, create, update, remove }: RecordEndpoints<Shown>,
  records: Records<Row>,
  show: (row: Row) => Shown,
  readModel?: Pick<ReadModel, 'refresh'>,
) {
  const shown = (row: Row) => ({ [one]: show(row) })
  const handleWrite = (endpoint: { key: string }, write: Write) =>
    readModel
      ? router.act(endpoint as Handled, (ctx, { params, body }) =>
          writeAndRefresh(ctx, readModel, (db) => write(db, params?.id ?? '', body, { by: ctx.user, now: ctx.now })),
        )
      : router.handle(endpoint as Handled, ({ db, user, now }, { params, body }) =>
          write(db, params?.id ?? '', body, { by: user, now }),
        )

  router.handle(get as Handled, async ({ db }, { params }) => shown(await records.get(db, params?.id ?? '')))
  handleWrite(create, async (db, _id, body, saving) => shown(await records.create(db, body, saving)))
  handleWrite(update, async (db, id, body, saving) => shown(await records.update(db, id, body, saving)))
  handleWrite(remove, async (db, id, body, saving) => {
    await records.remove(db, id, body, saving)
    return { deleted: true }
  })
}

type Write = (db: Db, id: string, body: Record<string, never>, saving: Saving) => Promise<object>
