import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import type { BetterAuthOptions } from 'better-auth'
import { getAdapter } from 'better-auth/db/adapter'
import type pg from 'pg'
import { hashToken } from './token-hash.ts'

/** better-auth's tables in the portal's database; sessions store the hash of their token. */
export const authAdapter =
  (pool: pg.Pool) =>
  (options: BetterAuthOptions): DBAdapter => {
    // better-auth needs an adapter synchronously; its own adapter for a connection pool is ready a moment later.
    const ready: Promise<DBAdapter> = getAdapter({ ...options, database: pool })
    const call =
      (method: keyof DBTransactionAdapter) =>
      async (input: never): Promise<unknown> =>
        ((await ready)[method] as (input: never) => unknown)(input)
    const deferred = Object.fromEntries(METHODS.map((method) => [method, call(method)]))
    return {
      ...withHashedSessions({ id: 'portal', ...deferred } as Pick<DBTransactionAdapter, keyof DBTransactionAdapter>),
      transaction: async (run) => (await ready).transaction((inner) => run(withHashedSessions(inner))),
    }
  }

const METHODS = [
  'create',
  'findOne',
  'findMany',
  'count',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'consumeOne',
  'incrementOne',
] as const satisfies (keyof DBTransactionAdapter)[]

/** better-auth reads and writes tokens as the browser has them; hashes are applied in between. */
function withHashedSessions<A extends DBTransactionAdapter>(adapter: A): A {
  const restored = (row: unknown, token: unknown) =>
    row && typeof token === 'string' ? { ...(row as object), token } : row
  return {
    ...adapter,
    async create(input: Creation) {
      if (input.model !== 'session') return adapter.create(input)
      const data = { ...input.data, token: hashToken(String(input.data.token)) }
      return restored(await adapter.create({ ...input, data }), input.data.token)
    },
    findOne: async (input: Lookup) => restored(await adapter.findOne(hashed(input)), tokenIn(input)),
    findMany: (input: Lookup) => adapter.findMany(hashed(input)),
    count: (input: Lookup) => adapter.count(hashed(input)),
    update: async (input: Change) => restored(await adapter.update(hashed(input)), tokenIn(input)),
    updateMany: (input: Change) => adapter.updateMany(hashed(input)),
    delete: (input: Lookup) => adapter.delete(hashed(input)),
    deleteMany: (input: Lookup) => adapter.deleteMany(hashed(input)),
    consumeOne: (input: Lookup) => adapter.consumeOne(hashed(input)),
  } as A
}

interface Creation {
  model: string
  data: Record<string, unknown>
}
interface Lookup {
  model: string
  where: Where[]
}
interface Change extends Lookup {
  update: Record<string, unknown>
}

const tokenIn = ({ model, where }: Lookup) =>
  model === 'session' ? where?.find(({ field }) => field === 'token')?.value : undefined

function hashed<I extends Lookup>(input: I): I {
  if (input.model !== 'session' || !input.where) return input
  const hash = (value: Where['value']): Where['value'] =>
    Array.isArray(value) ? (value as string[]).map(hashToken) : typeof value === 'string' ? hashToken(value) : value
  const where = input.where.map((condition) =>
    condition.field === 'token' ? { ...condition, value: hash(condition.value) } : condition,
  )
  return { ...input, where }
}
