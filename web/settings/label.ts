import type { SettingKey } from '#shared/settings/list.ts'

/** Translation key of a setting's name: keys cannot contain dots. */
export const labelOf = <K extends SettingKey>(key: K) => key.replaceAll('.', '_') as Underscored<K>
type Underscored<K extends string> = K extends `${infer A}.${infer B}` ? `${A}_${B}` : K
