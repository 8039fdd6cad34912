import * as z from 'zod'
import { isPlausiblePhone } from '#server/countries/plausible-phone.ts'
import type { Countries } from '#server/countries/reference.ts'
import { type FactInput, HOTLINE_CODES, REQUIREMENT_CODES, RULE_CODES } from '#shared/assistant/facts.ts'

const number = z.number('Enter a whole number').int('Enter a whole number').positive('Enter a whole number')
const shortText = z.string().trim().min(1).max(200)

const Hotline = z.strictObject({
  phone: z.string().max(60),
  name: shortText.optional(),
  hours: shortText.optional(),
  url: z
    .string()
    .max(1000)
    .regex(/^https:\/\/\S+$/, 'Enter a web address that starts with https://')
    .optional(),
  nationality: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Choose a country')
    .optional(),
})

/** Value schemas of the rules that have a value; the others are defined by their code. */
const RULE_VALUES: Record<string, z.ZodType> = {
  'pdos.duration': z.strictObject({ days: number, hours: number }),
  'pdos.validity': z.strictObject({ years: number }),
}
const Nothing = z.strictObject({})

const CODES: Record<FactInput['kind'], readonly string[]> = {
  hotline: HOTLINE_CODES,
  requirement: REQUIREMENT_CODES,
  rule: RULE_CODES,
}

/** Validation errors beyond the shape of a fact, as messages by field. Empty if valid. */
export function faultsOf(fact: FactInput, countries: Countries): Record<string, string> {
  const faults: Record<string, string> = {}
  if (!CODES[fact.kind].includes(fact.code)) faults.code = 'Choose from the list'
  if (fact.country_code && countries.find(fact.country_code)?.code !== fact.country_code)
    faults.country_code = 'Choose a country'
  if (fact.purpose && fact.kind !== 'requirement') faults.purpose = 'Only a requirement can have a purpose'
  // A leading double slash leads to another site.
  if (/^\/[/\\]/.test(fact.source_url)) faults.source_url = 'Enter a web address that starts with https://'
  if (fact.valid_until < fact.checked_on) faults.valid_until = 'Must not be before the day it was checked'
  return { ...valueFaults(fact), ...faults }
}

function valueFaults(fact: FactInput): Record<string, string> {
  const { error } = valueSchema(fact).safeParse(fact.value)
  if (error)
    return Object.fromEntries(
      error.issues.map(({ path, message, code }) =>
        code === 'unrecognized_keys'
          ? ['value', 'This field does not belong to this kind of fact']
          : [String(path[0] ?? 'value'), message],
      ),
    )
  if (fact.kind === 'hotline' && !isPlausiblePhone(String(fact.value.phone), fact.country_code))
    return { phone: 'Enter a short number or a phone number with its country code, such as +639171234567' }
  return {}
}

function valueSchema({ kind, code }: FactInput): z.ZodType {
  if (kind === 'hotline') return Hotline
  if (kind === 'rule') return RULE_VALUES[code] ?? Nothing
  return code === 'passport' ? z.strictObject({ months: number.max(24).optional() }) : Nothing
}
