/** The country lookups a reader needs; injected so that readers stay pure. */
export interface NameResolver {
  /** The ISO code of a full country name, or undefined. */
  resolve(name: string): string | undefined
  /** All countries in a title or list ("Cook Islands, Tokelau, and Niue"), and the parts that match none. */
  resolveAll(text: string): { codes: string[]; unresolved: string[] }
  /** Display name in English of an ISO code. */
  nameOf(code: string): string
}
