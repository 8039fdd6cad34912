import { SETTING_GROUPS, type SettingGroup, type SettingKey, type SettingKind } from '#shared/settings/list.ts'

/** What a form says, as the values of its settings. Whether they fit is decided by the server. */
export function valuesOf(group: SettingGroup, form: FormData): Partial<Record<SettingKey, never>> {
  const kinds = Object.entries(SETTING_GROUPS[group]) as [SettingKey, SettingKind][]
  return Object.fromEntries(kinds.map(([key, kind]) => [key, givenAs(kind, form.getAll(key).map(String))]))
}

function givenAs(kind: SettingKind, given: string[]): unknown {
  if (kind === 'organizations') return given.filter(Boolean)
  const text = given.at(-1)?.trim() ?? ''
  if (kind === 'yesno') return text === 'yes'
  if (kind === 'days') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  return text
}
