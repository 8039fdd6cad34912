import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import { type ActionContext, claimsOf } from './router.ts'

/**
 * Writes in one transaction under the caller's claims and returns its result once this node serves the change; the
 * other nodes follow within moments.
 */
export async function writeAndRefresh<T>(
  { database, session }: Pick<ActionContext, 'database' | 'session'>,
  readModel: Pick<ReadModel, 'refresh'>,
  write: (db: Db) => Promise<T>,
): Promise<T> {
  const done = await withClaims(database, claimsOf(session), write)
  await readModel.refresh()
  return done
}
