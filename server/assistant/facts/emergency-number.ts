import { type FactModel, isExpired } from './model.ts'

/** The general emergency number of a country, where one is confirmed and not past its date. */
export function emergencyNumberOf(facts: FactModel, country: string, now: Date): string | null {
  const fact = facts.list({ kind: 'hotline', country, code: 'emergency' }).find((one) => !isExpired(one, now))
  return typeof fact?.value.phone === 'string' ? fact.value.phone : null
}
