import type { SettingKey } from '#shared/settings/list.ts'

/** The key of a setting's name among the texts: dots are not used there. */
export const labelOf = <K extends SettingKey>(key: K) => key.replaceAll('.', '_') as Underscored<K>
type Underscored<K extends string> = K extends `${infer A}.${infer B}` ? `${A}_${B}` : K
