import type { SearchResult } from '#shared/countries/search.ts'

/** Where a result leads. Cities lead to the churches near them, with their point: names are not unique. */
export function addressOf(result: SearchResult): string {
  if (result.kind === 'country') return `/countries/${result.country.code}`
  if (result.kind === 'church') return `/church-locator/${result.id}`
  const { name, latitude, longitude } = result
  return `/church-locator?${new URLSearchParams({ near: name, lat: rounded(latitude), lon: rounded(longitude) })}`
}

const rounded = (degrees: number) => String(Math.round(degrees * 1_000) / 1_000)
