import { FACT_KINDS, type FactInput, type FactKind, type ManagedFact } from '#shared/assistant/facts.ts'
import type { FormValues } from '#web/lib/form-result.ts'

/** The value fields of each kind. */
const VALUE_FIELDS = {
  hotline: ['phone', 'name', 'hours', 'url', 'nationality'],
  requirement: ['months'],
  rule: ['days', 'hours', 'years'],
} as const satisfies Record<FactKind, readonly string[]>

/** Only a hotline has text; the values of all other kinds are numbers. */
const isNumeric = (kind: FactKind) => kind !== 'hotline'

export const kindOf = (text: string | null | undefined): FactKind | undefined =>
  FACT_KINDS.find((kind) => kind === text)

/** Form values of an existing fact. */
export function valuesOf(fact: ManagedFact): FormValues {
  const { kind, value } = fact
  return {
    kind,
    country_code: fact.country_code ?? '',
    code: fact.code,
    purpose: fact.purpose ?? '',
    ...Object.fromEntries(VALUE_FIELDS[kind].map((name) => [`value.${name}`, String(value[name] ?? '')])),
    source_title: fact.source_title,
    source_url: fact.source_url,
    checked_on: fact.checked_on,
    valid_until: fact.valid_until,
    position: String(fact.position),
    ...(fact.is_active ? { is_active: 'on' } : {}),
  }
}

/** The request body; validated by the endpoint. */
export function bodyOf(values: FormValues): FactInput & { updated_at: string | null } {
  const kind = kindOf(values.kind) ?? 'hotline'
  const text = (name: string) => values[name]?.trim() ?? ''
  const value = VALUE_FIELDS[kind].flatMap((name) => {
    const input = text(`value.${name}`)
    return input ? [[name, isNumeric(kind) ? numberIn(input) : input] as const] : []
  })
  return {
    kind,
    country_code: text('country_code') || null,
    code: text('code'),
    purpose: (text('purpose') || null) as FactInput['purpose'],
    value: Object.fromEntries(value),
    source_title: text('source_title'),
    source_url: text('source_url'),
    checked_on: text('checked_on'),
    valid_until: text('valid_until'),
    position: numberIn(text('position') || '0') as number,
    is_active: values.is_active !== undefined,
    updated_at: text('updated_at') || null,
  }
}

/** Text that is not a number is passed on, to be rejected with a field error. */
const numberIn = (text: string): number | string => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text)

/** Id of a new fact: what it is about, and a suffix, since a country may have two numbers of one kind. */
export const newFactId = ({ kind, country_code, code, own }: FormValues): string =>
  [kind, country_code?.toLowerCase() || 'any', code, own].join('.').replace(/[^a-zA-Z0-9_.-]/g, '')

/** Defaults of a new fact: checked today, due in a year. */
export function newValues(kind: FactKind, country: string, now: Date): FormValues {
  const inAYear = new Date(now)
  inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1)
  return {
    kind,
    country_code: country,
    checked_on: dayOf(now),
    valid_until: dayOf(inAYear),
    position: '0',
    is_active: 'on',
  }
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** How soon a fact must be confirmed again; it is due within 30 days of expiry. */
export function freshnessOf({ is_expired, valid_until }: ManagedFact, now: Date): 'expired' | 'due' | 'fresh' {
  if (is_expired) return 'expired'
  return Date.parse(valid_until) - now.getTime() < 30 * 86_400_000 ? 'due' : 'fresh'
}
