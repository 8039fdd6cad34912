import type { Db } from '#server/db/connection.ts'
import type { ActionContext } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { writeAndRefresh } from '#server/http/writes.ts'
import type { ReadModel } from '#server/readmodel/model.ts'

export type Write = ReturnType<typeof createWriter>

/** Writes for a signed-in user, as `writeAndRefresh` does. */
export const createWriter =
  (readModel: ReadModel) =>
  <T>(ctx: ActionContext<SignedIn>, fn: (db: Db, by: SignedIn) => Promise<T>): Promise<T> =>
    writeAndRefresh(ctx, readModel, (db) => fn(db, ctx.user))
