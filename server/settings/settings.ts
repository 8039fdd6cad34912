import * as z from 'zod'
import { isPlausiblePhone } from '#server/countries/plausible-phone.ts'
import type { Db } from '#server/db/connection.ts'
import { domainsOf } from '#server/http/domains.ts'
import type { Log } from '#server/log.ts'
import type { CachedTable } from '#server/readmodel/model.ts'
import { EMAIL } from '#shared/accounts/text.ts'
import type { SettingKey } from '#shared/settings/list.ts'

const days = (otherwise: number) =>
  z
    .number('Enter a whole number')
    .int('Enter a whole number')
    .min(1, 'Must be from 1 to 3650')
    .max(3650, 'Must be from 1 to 3650')
    .default(otherwise)

/** Zero allows none. */
const number = (otherwise: number) =>
  z
    .number('Enter a whole number')
    .int('Enter a whole number')
    .min(0, 'Must be from 0 to 1000000')
    .max(1_000_000, 'Must be from 0 to 1000000')
    .default(otherwise)

const minutes = (otherwise: number) =>
  z
    .number('Enter a whole number')
    .int('Enter a whole number')
    .min(1, 'Must be from 1 to 120')
    .max(120, 'Must be from 1 to 120')
    .default(otherwise)

const time = (otherwise: string) =>
  z
    .string()
    .trim()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, such as 18:00')
    .default(otherwise)

/** Settings an administrator may change, with type and default; unchanged ones have no row. */
const SETTINGS = {
  brand: z
    .string()
    .trim()
    .min(1, 'This field is required')
    .max(60, 'Must be at most 60 characters')
    // Used in mail subjects.
    .regex(/^\P{Cc}*$/u, 'This field is required')
    .default('MFA Portal'),
  support_email: z
    .union([z.literal(''), z.email({ pattern: EMAIL }).max(254)], 'Enter a valid email address')
    .default(''),
  /** External site behind "All Advisories"; empty hides the button (D-06). */
  all_advisories_url: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)], 'Enter a web address that starts with https://')
    .default('https://travel.state.gov/en/international-travel/travel-advisories.html'),
  time_zone: z.string().refine(isZone, 'Choose a time zone').default('UTC'),
  /** The ministry's emergency line on the emergency page; empty: the page says how to reach a coordinator instead. */
  'emergency.line_phone': z
    .string()
    .trim()
    .max(40, 'Must be at most 40 characters')
    .refine(
      (phone) => phone === '' || isPlausiblePhone(phone, null),
      'Enter a phone number with its country code, such as +639171234567',
    )
    .default(''),
  'emergency.line_languages': z.string().trim().max(100, 'Must be at most 100 characters').default(''),
  /** Hours in the portal's time zone in which the line is answered. Equal hours: around the clock. */
  'emergency.line_from': time('00:00'),
  'emergency.line_until': time('00:00'),
  /** Anonymous calls for help are combined into one message over this interval. */
  'cases.digest_minutes': minutes(15),
  /** This many anonymous calls from one country within the window count as a burst; 0: never. */
  'cases.burst_count': number(30),
  'cases.burst_minutes': minutes(10),
  /** Source organisations shown on the page; empty means every registered source (C-23). */
  'advisories.approved_sources': z.array(z.string().max(200)).max(100).default([]),
  /** The ticker's only organisation; empty means every source (C-22, H16: one dead feed is no all-clear). */
  'advisories.ticker_source': z.string().max(200).default(''),
  'advisories.show_acknowledgments': z.boolean().default(true),
  /** How long an entry that its source no longer lists stays in force. */
  'advisories.missing_grace_days': z
    .number('Enter a whole number')
    .int('Enter a whole number')
    .min(0, 'Must be from 0 to 365')
    .max(365, 'Must be from 0 to 365')
    .default(7),
  /** How long a locale counts as confirmed before its servants are asked again. */
  'locales.confirm_after_days': days(90),
  /** After this long without confirmation, its page advises calling first. */
  'locales.call_first_after_days': days(120),
  /** Announcements to more recipients need approval by a second administrator. */
  'notifications.approval_above': number(500),
  /** Price of one text message segment, as '0.05 USD'; empty if unknown. */
  'notifications.sms_price': z
    .string()
    .trim()
    .regex(/^(\d{1,6}(\.\d{1,4})? [^\d\s]{1,8})?$/u, 'Enter a price and a currency, such as 0.05 USD')
    .default(''),
  /** Domains whose links stay unchanged in free-text mails; any other link shows its target. */
  'notifications.link_domains': z
    .string()
    .trim()
    .max(2_000, 'Must be at most 2000 characters')
    .refine((text) => domainsOf(text) !== null, 'Enter domains separated by commas, such as gov.uk')
    .default(
      'dmw.gov.ph, owwa.gov.ph, dfa.gov.ph, cfo.gov.ph, travel.state.gov, gov.uk, travel.gc.ca, smartraveller.gov.au',
    ),
  /** Hours in the recipient's time zone in which text messages are sent. Equal hours: around the clock. */
  'notifications.sms_from': time('08:00'),
  'notifications.sms_until': time('22:00'),
  /** Urgent text messages are sent at any hour, to users who permit it (C-53, docs/decisions/0018). */
  'notifications.urgent_sms_at_any_hour': z.boolean().default(true),
  /**
   * Two-step sign-in for users responsible for others. Switched off with the sample content, whose logins are in the
   * README.
   */
  'accounts.second_factor_for_coordinators': z.boolean().default(true),
  /** Failed sign-ins within ten minutes that alert administrators: in total, and for one account. Zero: never. */
  'accounts.failed_sign_ins_alarm': number(200),
  'accounts.failed_sign_ins_of_account_alarm': number(30),
  /**
   * Canary addresses that also receive each urgent advisory, so that the portal can verify sending; empty: not
   * monitored.
   */
  'notifications.canary_email': z
    .union([z.literal(''), z.email({ pattern: EMAIL }).max(254)], 'Enter a valid email address')
    .default(''),
  'notifications.canary_phone': z
    .union(
      [z.literal(''), z.string().regex(/^\+[1-9]\d{6,14}$/)],
      'Enter a phone number with its country code, such as +639171234567',
    )
    .default(''),
  /** If off, the assistant answers nobody. */
  'assistant.enabled': z.boolean().default(true),
  /** If off, every answer is composed from records, even if a model is configured. */
  'assistant.model_enabled': z.boolean().default(true),
  /** Daily limit of model calls, in total and per visitor. */
  'assistant.model_calls_per_day': number(2_000),
  'assistant.model_calls_per_visitor': number(40),
  /** Retention of conversations and recorded questions. */
  'assistant.retention_days': days(365),
  /** Domains, including subdomains, from which the assistant may read and quote pages. Empty: none. */
  'assistant.knowledge_domains': z
    .string()
    .trim()
    .max(2_000, 'Must be at most 2000 characters')
    .refine((text) => domainsOf(text) !== null, 'Enter domains separated by commas, such as gov.uk')
    .default(
      'dmw.gov.ph, owwa.gov.ph, dfa.gov.ph, cfo.gov.ph, judiciary.gov.ph, mwohk-ph.com, gov.uk, travel.gc.ca, ica.gov.sg, mom.gov.sg, homeaffairs.gov.au, wda.gov.tw',
    ),
  /** URL of map tiles with {z}, {x} and {y}; empty draws the built-in outlines (D-21). */
  'locator.tiles_url': z
    .string()
    .trim()
    .max(300, 'Must be at most 300 characters')
    .refine(isTileAddress, 'Enter a web address that starts with https:// and contains {z}, {x} and {y}')
    .default(''),
  'locator.tiles_attribution': z.string().trim().max(200, 'Must be at most 200 characters').default(''),
} as const satisfies Record<SettingKey, z.ZodType>

export type SettingValues = { [K in SettingKey]: z.output<(typeof SETTINGS)[K]> }

export type { SettingKey }

export const defaultOf = <K extends SettingKey>(key: K) => SETTINGS[key].parse(undefined) as SettingValues[K]
/** Checks a value against the type of its setting. */
export const checkSetting = (key: SettingKey, value: unknown) => SETTINGS[key].safeParse(value)

function isTileAddress(address: string): boolean {
  if (address === '') return true
  // The host goes into the content security policy of every page, so nothing but a host is allowed.
  return (
    /^https?:\/\/(\{s\}\.)?[a-z0-9.-]+(:\d+)?\//i.test(address) &&
    ['{z}', '{x}', '{y}'].every((placeholder) => address.includes(placeholder))
  )
}

function isZone(zone: string): boolean {
  try {
    return zone !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

export type SettingsModel = ReturnType<typeof createSettings>

/** The settings in memory, always complete: an invalid stored value counts as not set. */
export function createSettings(log: Log) {
  let values = read([], log)
  const cachedTable: CachedTable = {
    table: 'settings',
    async load(db: Db) {
      values = read(await db.selectFrom('settings').select(['key', 'value']).execute(), log)
    },
  }
  return { cachedTable, get: <K extends SettingKey>(key: K): SettingValues[K] => values[key] }
}

function read(rows: { key: string; value: unknown }[], log: Log): SettingValues {
  const storedValues = new Map(rows.map((row) => [row.key, row.value]))
  const entries = Object.entries(SETTINGS).map(([key, schema]) => {
    const parsed = schema.safeParse(storedValues.get(key))
    if (!parsed.success) log.warn({ key }, 'a setting does not fit its type, the default is used')
    return [key, parsed.success ? parsed.data : schema.parse(undefined)]
  })
  return Object.fromEntries(entries) as SettingValues
}

/** Writes one setting, checked against its type; throws a ZodError if invalid. */
export async function writeSetting<K extends SettingKey>(
  db: Db,
  key: K,
  value: SettingValues[K],
  by: string | null = null,
) {
  const json = JSON.stringify(SETTINGS[key].parse(value))
  await db
    .insertInto('settings')
    .values({ key, value: json, updated_by: by })
    .onConflict((c) => c.column('key').doUpdateSet({ value: json, updated_by: by, updated_at: new Date() }))
    .execute()
}
