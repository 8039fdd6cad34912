import { SETTING_GROUPS, type SettingGroup, type SettingKey, type SettingKind } from '#shared/settings/list.ts'

/** All values of every field of a form. */
export type FormLists = Record<string, string[]>

/** Form values parsed by setting. Validated by the server. */
export function valuesOf(group: SettingGroup, form: FormData): Partial<Record<SettingKey, never>> {
  const kinds = Object.entries(SETTING_GROUPS[group]) as [SettingKey, SettingKind][]
  return Object.fromEntries(kinds.map(([key, kind]) => [key, parseValue(kind, form.getAll(key).map(String))]))
}

function parseValue(kind: SettingKind, texts: string[]): unknown {
  if (kind === 'organizations') return texts.filter(Boolean)
  const text = texts.at(-1)?.trim() ?? ''
  if (kind === 'yesno') return text === 'yes'
  if (kind === 'days') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  return text
}
