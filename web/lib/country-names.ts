interface Source {
  name: string
  country_code: string | null
}

/** A government source is named after its country, in the user's language; every other source keeps its own name. */
export function sourceName({ name, country_code }: Source, nameOf: (code: string, english: string) => string): string {
  return country_code === null ? name : nameOf(country_code, name)
}
