import { AUDIT_ACTIONS, type AuditAction } from '#shared/audit/actions.ts'
import type { AuditEntry } from '#shared/audit/endpoints.ts'
import { labelOf, SETTING_KEYS } from '#shared/settings/list.ts'
import { isolated } from '#web/lib/format.ts'
import type { Key, Translate } from '#web/lib/i18n.tsx'
import { addressOf } from './subject-address.ts'
import { fieldsOf, isRole, type Names } from './values.ts'

/** A piece of a sentence; names are isolated from the text around them. */
export interface SentencePart {
  kind: 'text' | 'actor' | 'name'
  text: string
  /** Page of the record, while it exists. */
  to?: string | undefined
}

interface Texts {
  t: Translate<'audit'>
  /** Names of settings. */
  settings: Translate<'settings'>
  /** Names of actions that have no sentence of their own any more. */
  admin: Translate<'admin'>
  names: Names
}

type Values = Record<string, () => SentencePart[]>
type Fields = Record<string, unknown>

const PLACEHOLDERS = ['actor', 'object', 'role', 'places', 'person', 'helpers', 'before', 'after', 'action'] as const

/** What an entry of the audit log says: who did what to which record, in one sentence. */
export function sentenceOf(entry: AuditEntry, texts: Texts): SentencePart[] {
  const { key, count } = keyOf(entry)
  // Placeholders stay, so that their values can be isolated and linked.
  const parameters = { ...Object.fromEntries(PLACEHOLDERS.map((name) => [name, `{{${name}}}`])), count: count ?? 0 }
  return startingWithCapital(fill(texts.t(key, parameters), valuesOf(entry, texts)))
}

/** The same as plain text. */
export const sentenceText = (parts: readonly SentencePart[]): string =>
  parts.map(({ kind, text }) => (kind === 'text' ? text : isolated(text))).join('')

type SentenceKey = Key<'audit'>

/** An action, in the variant that fits what it changed. An action of an older version has the general sentence. */
function keyOf(entry: AuditEntry): { key: SentenceKey; count?: number } {
  if (!isKnown(entry.action)) return { key: 'other' }
  const is = fieldsOf(entry.after)
  const variant = VARIANTS[entry.action]?.(is, fieldsOf(entry.before), entry)
  const key = (variant ? `${entry.action}_${variant}` : entry.action) as SentenceKey
  const count = [is.people, is.locales].find((value) => typeof value === 'number')
  return count === undefined ? { key } : { key, count: count as number }
}

const isKnown = (action: string): action is AuditAction => (AUDIT_ACTIONS as readonly string[]).includes(action)
const isByText = ({ channel }: Fields) => (channel ? 'text' : null)
const isOwn = ({ actor_id, subject_id }: AuditEntry) => (actor_id === subject_id ? 'own' : null)

type Variant = (is: Fields, was: Fields, entry: AuditEntry) => string | null

const VARIANTS: { [A in AuditAction]?: Variant } = {
  'account.resubscribe': isByText,
  'account.unsubscribe': isByText,
  'announcement.send': ({ scheduled_for }) => (scheduled_for ? 'scheduled' : null),
  'advisory.create': ({ status }) => (status === 'draft' ? 'draft' : null),
  'locale.request_confirmation': (_, __, { subject_id }) => (subject_id === 'several' ? 'several' : null),
  'roll_call.answer': ({ answer }, _, { actor_id }) =>
    actor_id !== null ? 'recorded' : answer === 'need_help' ? 'need_help' : null,
  'setting.change': (is, was) => (isShort(was.value) && isShort(is.value) ? 'values' : null),
  'source.fetch': (_, __, { subject_id }) => (subject_id === 'all' ? 'all' : null),
  'user.create': ({ role }) => (isRole(role) ? 'role' : null),
  'user.passkey': (is, was) => ('name' in is ? 'added' : 'name' in was ? 'removed' : null),
  'user.password': ({ by }) => (by === 'link' ? 'link' : null),
  'user.role': roleVariant,
  'user.sessions': (_, __, entry) => isOwn(entry),
}

function roleVariant(is: Fields, was: Fields): string | null {
  if (!isRole(is.role)) return null
  const isSame = is.role === was.role
  if (is.scope_everywhere === true) return isSame ? 'scope_everywhere' : 'everywhere'
  const hasPlaces = [is.scope_countries, is.scope_chapters].some((list) => Array.isArray(list) && list.length > 0)
  if (hasPlaces) return isSame ? 'scope' : 'for'
  return isSame ? null : 'new'
}

/** Short enough for a sentence; longer values are in the details. */
const isShort = (value: unknown) =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value !== '' && value.length <= 40)

function valuesOf(entry: AuditEntry, { t, settings, admin, names }: Texts): Values {
  const [was, is] = [fieldsOf(entry.before), fieldsOf(entry.after)]
  const text = (value: string): SentencePart[] => [{ kind: 'text', text: value }]
  const user = (id: unknown): SentencePart[] => {
    const name = typeof id === 'string' ? entry.names[id] : undefined
    return name === undefined
      ? text(t('deleted_account'))
      : [{ kind: 'name', text: name, to: addressOf('user', String(id)) }]
  }
  return {
    actor: () => actorOf(entry, t),
    object: () => objectOf(entry, t, settings, names),
    role: () => text(isRole(is.role) ? t(`as_${is.role}`) : ''),
    places: () => text(placesIn(is.country_code || is.scope_countries ? is : { ...was, ...is }, entry, t, names)),
    person: () => user(is.user_id ?? is.owner_id ?? was.owner_id),
    helpers: () => joined(listOf(is.helpers).map(user), names),
    before: () => settingValue(was.value, settings),
    after: () => settingValue(is.value, settings),
    action: () => {
      const key = `action_${entry.action}` as Key<'admin'>
      const label = admin(key)
      return [{ kind: 'name', text: label === key ? entry.action : label }]
    },
  }
}

const settingValue = (value: unknown, t: Texts['settings']): SentencePart[] => [
  { kind: 'name', text: typeof value === 'boolean' ? t(value ? 'on' : 'off') : String(value) },
]

/** The portal acts without an account; an account that acted may be deleted since. */
function actorOf({ actor_id, actor_name, actor_role }: AuditEntry, t: Translate<'audit'>): SentencePart[] {
  if (actor_name !== null) return [{ kind: 'actor', text: actor_name, to: addressOf('user', actor_id ?? '') }]
  return [{ kind: 'text', text: t(actor_id === null && actor_role === 'service' ? 'the_portal' : 'deleted_account') }]
}

function objectOf(entry: AuditEntry, t: Translate<'audit'>, settings: Texts['settings'], names: Names): SentencePart[] {
  const { subject_type, subject_id, subject_name } = entry
  const type = `named_${subject_type}` in KNOWN_SUBJECTS ? subject_type : 'other'
  const name = subject_name ?? formerName(entry, settings, names)
  if (name === null) return [{ kind: 'text', text: t(`deleted_${type}` as Key<'audit'>) }]
  const hasPage = subject_name !== null || subject_type === 'setting'
  const to = hasPage ? addressOf(subject_type, subject_id) : undefined
  const raw = t(`named_${type}` as Key<'audit'>)
  return fill(raw, { name: () => [{ kind: 'name', text: name, to }] })
}

const KNOWN_SUBJECTS = Object.fromEntries(
  [
    ...['user', 'travel_advisory', 'advisory_source', 'country_alias', 'country', 'locale', 'locale_import', 'chapter'],
    ...['announcement', 'roll_call', 'assistant_case', 'assistant_fact', 'knowledge', 'knowledge_domain', 'setting'],
    ...['pdos_module', 'faq_entry', 'template', 'reminder_rule'],
  ].map((type) => [`named_${type}`, true]),
)
/** Fields that hold the name of a record. */
const NAME_FIELDS = ['title', 'name', 'chapter_name', 'page_title', 'title_en', 'file_name'] as const
/** Records whose id is their name. */
const NAMED_BY_ID = new Set(['country_alias', 'knowledge_domain', 'assistant_fact', 'reminder_rule', 'template'])

/** Name of a record that is not in the database, from the entry itself. Nothing is left of an erased person. */
function formerName(entry: AuditEntry, settings: Texts['settings'], names: Names): string | null {
  const { subject_type, subject_id } = entry
  if (subject_type === 'user') return null
  if (subject_type === 'country') return names.nameOf(subject_id)
  if (subject_type === 'setting') {
    const key = SETTING_KEYS.find((known) => known === subject_id)
    return key ? settings(labelOf(key)) : subject_id
  }
  if (NAMED_BY_ID.has(subject_type) || !(`named_${subject_type}` in KNOWN_SUBJECTS)) return subject_id
  const fields = [fieldsOf(entry.after), fieldsOf(entry.before)]
  const found = fields.flatMap((side) => NAME_FIELDS.map((field) => side[field])).find((name) => isShortName(name))
  return (found as string | undefined) ?? questionIn(fields)
}

const isShortName = (value: unknown) => typeof value === 'string' && value !== ''
function questionIn(fields: readonly Fields[]): string | null {
  const question = fields.map((side) => side.question).find((value) => typeof value === 'object' && value !== null)
  const english = (question as Record<string, unknown> | undefined)?.en
  return typeof english === 'string' ? english : null
}

function placesIn(is: Fields, { names: known }: AuditEntry, t: Translate<'audit'>, names: Names): string {
  const countries = listOf(is.country_code ?? is.scope_countries).map((code) => names.nameOf(code))
  const chapters = listOf(is.scope_chapters).map((id) => known[id] ?? t('deleted_chapter'))
  const all = [...countries, ...chapters].map(isolated)
  return all.length > 0 ? names.list(all) : t('nowhere')
}

const listOf = (value: unknown): string[] => [value].flat().filter((item) => typeof item === 'string')

function joined(people: SentencePart[][], names: Names): SentencePart[] {
  const comma: SentencePart = { kind: 'text', text: names.list(['', '']) }
  return people.flatMap((person, at) => (at > 0 ? [comma, ...person] : person))
}

function fill(text: string, values: Values): SentencePart[] {
  return text.split(/\{\{(\w+)\}\}/).flatMap((piece, at): SentencePart[] => {
    if (at % 2 === 1) return values[piece]?.() ?? []
    return piece === '' ? [] : [{ kind: 'text', text: piece }]
  })
}

function startingWithCapital(parts: SentencePart[]): SentencePart[] {
  const [first, ...rest] = parts
  if (first?.kind !== 'text') return parts
  return [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest]
}
