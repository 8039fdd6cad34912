import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'

export type ModelBudget = ReturnType<typeof createModelBudget>

const MAX_VISITORS = 10_000

/**
 * Daily limits on model calls: in total, counted in the database for all nodes, and per visitor, counted on this node.
 * No calls are made while the database is unavailable.
 */
export function createModelBudget(deps: { database: Database; settings: SettingsModel; log: Log; now: () => Date }) {
  const { database, settings, log, now } = deps
  const today = () => now().toISOString().slice(0, 10)
  let day = today()
  const calls = new Map<string, number>()

  return {
    /** Counts one call of a visitor; false if it exceeds a limit. */
    async take(visitor: string): Promise<boolean> {
      if (day !== today()) {
        day = today()
        calls.clear()
      }
      const used = calls.get(visitor) ?? 0
      if (used >= settings.get('assistant.model_calls_per_visitor')) return false
      const limit = settings.get('assistant.model_calls_per_day')
      try {
        const isCounted = await inBackground(database, 'assistant spending', async (db) => {
          const { rows } = await sql`
            insert into assistant_spending as s (day, calls) select ${day}::date, 1 where ${limit}::int > 0
            on conflict (day) do update set calls = s.calls + 1 where s.calls < ${limit}::int returning calls`.execute(
            db,
          )
          return rows.length > 0
        })
        if (!isCounted) return false
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'calls to the model cannot be counted, so none is made')
        return false
      }
      // Evicts the oldest to bound memory, however many addresses ask.
      if (!calls.has(visitor) && calls.size >= MAX_VISITORS) calls.delete(calls.keys().next().value as string)
      calls.set(visitor, used + 1)
      return true
    },

    /** Adds the cost of a call. */
    spent(tokens: number): void {
      if (tokens === 0) return
      inBackground(database, 'assistant spending', (db) =>
        db
          .updateTable('assistant_spending')
          .set(({ eb }) => ({ tokens: eb('tokens', '+', tokens) }))
          .where('day', '=', day)
          .execute(),
      ).catch((error: Error) => log.warn({ reason: error.message }, 'tokens of the model could not be counted'))
    },
  }
}
