import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { type ActionContext, claimsOf } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { ReadModel } from '#server/readmodel/model.ts'

export type Write = ReturnType<typeof createWriter>

/** Writes for a signed-in user in one transaction. This node sees the change at once, the others within moments. */
export const createWriter =
  (readModel: ReadModel) =>
  async <T>(
    { database, session, user }: ActionContext<SignedIn>,
    fn: (db: Db, by: SignedIn) => Promise<T>,
  ): Promise<T> => {
    const done = await withClaims(database, claimsOf(session), (db) => fn(db, user))
    // The change is committed. If reloading fails, the model catches up by itself.
    await readModel.catchUp().catch(() => {})
    return done
  }
