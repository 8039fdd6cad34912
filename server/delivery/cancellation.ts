import type { Db } from '#server/db/connection.ts'
import { NOT_LEASED } from './leases.ts'

/** Cancels the waiting messages selected by the caller's conditions. Leased messages cannot be recalled. */
export const cancelWaiting = (db: Db) =>
  db.updateTable('messages').set({ status: 'cancelled' }).where('status', 'in', ['pending', 'held']).where(NOT_LEASED)
