/** Field names used by other systems (LOC-DATA-10), with ours. */
const SPELLINGS = {
  locale_name: 'name',
  address_line_1: 'address_line1',
  contact_phone: 'phone',
  primary_phone: 'phone',
  contact_email: 'email',
} as const

/** The same input with our field names. Ours take precedence over aliases. */
export function normalizeFieldNames<T extends object>(input: T): Omit<T, keyof typeof SPELLINGS> {
  const own = { ...input } as Record<string, unknown>
  for (const [theirs, ours] of Object.entries(SPELLINGS)) {
    if (!(theirs in own)) continue
    if (own[ours] === undefined) own[ours] = own[theirs]
    delete own[theirs]
  }
  return own as Omit<T, keyof typeof SPELLINGS>
}
