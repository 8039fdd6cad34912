/** Form control of a setting. */
export type SettingKind =
  | 'text'
  | 'email'
  | 'url'
  | 'zone'
  | 'yesno'
  | 'days'
  | 'time'
  | 'organization'
  | 'organizations'

/**
 * Settings an administrator may change, in form groups and order. Texts are in the `settings` namespace under `group_…`
 * and under the key with its dot replaced by an underscore; types and defaults are on the server.
 */
export const SETTING_GROUPS = {
  brand: { brand: 'text', support_email: 'email', all_advisories_url: 'url' },
  time: { time_zone: 'zone' },
  emergency: {
    'emergency.line_phone': 'text',
    'emergency.line_languages': 'text',
    'emergency.line_from': 'time',
    'emergency.line_until': 'time',
  },
  cases: { 'cases.digest_minutes': 'days', 'cases.burst_count': 'days', 'cases.burst_minutes': 'days' },
  advisories: {
    'advisories.approved_sources': 'organizations',
    'advisories.ticker_source': 'organization',
    'advisories.show_acknowledgments': 'yesno',
    'advisories.missing_grace_days': 'days',
  },
  locales: { 'locales.confirm_after_days': 'days', 'locales.call_first_after_days': 'days' },
  notifications: {
    'notifications.sms_from': 'time',
    'notifications.sms_until': 'time',
    'notifications.urgent_sms_at_any_hour': 'yesno',
    'notifications.approval_above': 'days',
    'notifications.sms_price': 'text',
    'notifications.link_domains': 'text',
  },
  assistant: {
    'assistant.enabled': 'yesno',
    'assistant.model_enabled': 'yesno',
    'assistant.model_calls_per_day': 'days',
    'assistant.model_calls_per_visitor': 'days',
    'assistant.retention_days': 'days',
    'assistant.knowledge_domains': 'text',
  },
  accounts: {
    'accounts.second_factor_for_coordinators': 'yesno',
    'accounts.failed_sign_ins_alarm': 'days',
    'accounts.failed_sign_ins_of_account_alarm': 'days',
  },
  delivery_monitor: { 'notifications.canary_email': 'email', 'notifications.canary_phone': 'text' },
  locator: { 'locator.tiles_url': 'text', 'locator.tiles_attribution': 'text' },
} as const satisfies Record<string, Record<string, SettingKind>>

export type SettingGroup = keyof typeof SETTING_GROUPS
type KeysOf<G> = G extends unknown ? keyof G : never
export type SettingKey = KeysOf<(typeof SETTING_GROUPS)[SettingGroup]> & string

export const SETTING_KINDS = Object.assign({}, ...Object.values(SETTING_GROUPS)) as Record<SettingKey, SettingKind>
export const SETTING_KEYS = Object.keys(SETTING_KINDS) as [SettingKey, ...SettingKey[]]

/** Key of a setting's name in the `settings` namespace: keys of texts cannot contain dots. */
export const labelOf = <K extends SettingKey>(key: K) => key.replaceAll('.', '_') as Underscored<K>
type Underscored<K extends string> = K extends `${infer A}.${infer B}` ? `${A}_${B}` : K
