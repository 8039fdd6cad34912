import type { Db } from '#server/db/connection.ts'
import { NOT_LEASED } from './leases.ts'

/** Cancels what waits of the messages that it is narrowed to. What is in hand just now cannot be called back. */
export const cancelWaiting = (db: Db) =>
  db.updateTable('messages').set({ status: 'cancelled' }).where('status', 'in', ['pending', 'held']).where(NOT_LEASED)
