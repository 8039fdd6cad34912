import { Kysely, PostgresDialect, type RawBuilder } from 'kysely'
import pg from 'pg'

const compiler = new Kysely<object>({ dialect: new PostgresDialect({ pool: new pg.Pool({ max: 1 }) }) })

/** A query with its values inlined, as pgbench requires. */
export function statementOf(query: RawBuilder<unknown>): string {
  const { sql, parameters } = query.compile(compiler)
  return withValues(sql, parameters)
}

export function withValues(sql: string, values: readonly unknown[]): string {
  return sql.replaceAll(/\$(\d+)/g, (_, n) => literal(values[Number(n) - 1]))
}

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}
