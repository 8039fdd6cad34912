import * as z from 'zod'

export const PER_PAGE = 50
export const MAX_PER_PAGE = 200
const LAST_PAGE = 10_000

/**
 * Query parameters of every admin list. A list adds its filters:
 * `z.strictObject({ ...TABLE_QUERY, sort: sortBy(['created_at', 'name'], '-created_at'), role: … })`.
 */
export const TABLE_QUERY = {
  search: z.string().trim().max(200).default(''),
  page: z.coerce.number().int().min(1).max(LAST_PAGE).default(1),
  per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(PER_PAGE),
}

/** A column of the list; a leading minus means descending. */
export function sortBy<const C extends string>(columns: readonly C[], otherwise: C | `-${C}`) {
  const allowed = columns.flatMap((column) => [column, `-${column}`] as const)
  return z.enum(allowed as [C | `-${C}`, ...(C | `-${C}`)[]]).default(otherwise as never)
}

/** List metadata in a response, besides the rows. */
export const TABLE_ANSWER = { total: z.int().min(0), page: z.int().min(1), per_page: z.int().min(1) }

/** '-created_at' as a column and a direction, for `orderBy`. */
export function sortOf<S extends string>(sort: S) {
  type Column = S extends `-${infer C}` ? C : S
  const isDescending = sort.startsWith('-')
  return { column: sort.slice(isDescending ? 1 : 0) as Column, direction: isDescending ? 'desc' : 'asc' } as const
}

/** Offset and limit of a page. */
export const rowsOf = ({ page, per_page }: { page: number; per_page: number }) => ({
  limit: per_page,
  offset: (page - 1) * per_page,
})

export const pagesOf = ({ total, per_page }: { total: number; per_page: number }) =>
  Math.max(1, Math.ceil(total / per_page))

/**
 * Parses a list request from a URL. The page always opens: unknown parameters are ignored, and invalid ones are left
 * out.
 */
export function tableQuery<S extends z.ZodObject>(schema: S, params: URLSearchParams): z.input<S> {
  const input: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = params.get(name)?.trim()
    if (value) input[name] = value
  }
  const { error } = schema.safeParse(input)
  for (const { path } of error?.issues ?? []) delete input[String(path[0])]
  return input as z.input<S>
}
