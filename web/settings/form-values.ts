import { keysOf, SETTING_KINDS, type SettingGroup, type SettingKey, type SettingKind } from '#shared/settings/list.ts'

/** All values of every field of a form. */
export type FormLists = Record<string, string[]>

/** Id of a form of its own: Enter in a field must save, not reset. */
export const RESET_FORM = 'reset-settings'

type Values = Partial<Record<SettingKey, never>>

/** Form values parsed by setting. Validated by the server. */
export function valuesOf(group: SettingGroup, form: FormData): Values {
  return Object.fromEntries(
    keysOf(group).map((key) => [key, parseValue(SETTING_KINDS[key], form.getAll(key).map(String))]),
  )
}

/** Name of the hidden field that holds the value which the page was made from. */
export const readName = (key: SettingKey) => `was.${key}`

/** The values that the page was made from. */
export function readValues(group: SettingGroup, form: FormData): Values {
  return Object.fromEntries(
    keysOf(group).flatMap((key) => {
      const value = parsed(form.get(readName(key)))
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** The value of a setting's field, from the texts of the form. */
export function parseValue(kind: SettingKind, texts: readonly string[]): unknown {
  if (kind === 'organizations') return texts.filter(Boolean)
  const text = texts.at(-1)?.trim() ?? ''
  if (kind === 'yesno') return text === 'yes'
  if (kind === 'days') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  return text
}

/** Whether two values of a setting are the same; a list has no order. */
export const isSame = (a: unknown, b: unknown) => canonical(a) === canonical(b)
const canonical = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value)

function parsed(text: FormDataEntryValue | null): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
