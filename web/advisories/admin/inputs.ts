import { useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import type { EntryField, EntryValues } from './entry-values.ts'

export type Inputs = ReturnType<typeof useInputs>

/** The attributes of a field by its name. */
export function useInputs(values: EntryValues, fields: Record<string, string>) {
  const forms = useT('forms')
  return (name: EntryField) => ({
    name,
    defaultValue: values[name],
    error: fields[name] && translateMessage(forms, fields[name]),
  })
}
