import { AsyncLocalStorage } from 'node:async_hooks'

/** Stands for every table: a direct database query may depend on any of them. */
export const ANY_TABLE = '*'

const recording = new AsyncLocalStorage<Set<string>>()

/** Runs `make` and collects the tables it reads in memory, including those of nested in-process calls. */
export async function recordReads<T>(make: () => Promise<T>): Promise<{ made: T; reads: ReadonlySet<string> }> {
  const reads = new Set<string>()
  const made = await recording.run(reads, make)
  return { made, reads }
}

/** Adds a table to the current recording: its name, with `:id` appended if only one row was read. */
export function noteRead(table: string): void {
  recording.getStore()?.add(table)
}

/**
 * The same model, with every function recording the tables that the model is loaded from, so that no caller can forget
 * it.
 */
export function withReadTracking<T extends { cachedTable: { table: string } | { table: string }[] }>(model: T): T {
  const tables = [model.cachedTable].flat().map(({ table }) => table)
  const wrappers = new Map<unknown, unknown>()
  return new Proxy(model, {
    get(_, name) {
      const member: unknown = Reflect.get(model, name)
      if (typeof member !== 'function') return member
      if (!wrappers.has(member))
        wrappers.set(member, (...input: unknown[]) => {
          for (const table of tables) noteRead(table)
          return member.apply(model, input)
        })
      return wrappers.get(member)
    },
  })
}
