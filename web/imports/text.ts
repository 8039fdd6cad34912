import { type Key, type Parameters, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { useImportKind } from './kind.ts'

/** Keys that depend on the kind, or on what the server says. */
type KindKey =
  | 'imports_title'
  | 'back_to_records'
  | 'upload_about'
  | 'open_record'
  | `${'field' | 'problem' | 'because' | 'refusal' | 'why' | 'done'}_${string}`
export type ImportText = (key: Key<'imports'> | KindKey, parameters?: Parameters) => string

/** The texts of imports; the kind has its own words for some of them, such as "church" instead of "record". */
export function useImportText(): ImportText {
  const own = useT(useImportKind().namespace) as (key: string, parameters?: Parameters) => string
  const all = useT('imports') as (key: string, parameters?: Parameters) => string
  return (key, parameters) => {
    const text = own(key, parameters)
    return text === key ? all(key, parameters) : text
  }
}

/** Translates the server's import errors; they share a namespace with these pages. */
export function useTranslateError(): (error: FormError | undefined) => FormError | undefined {
  const t = useImportText()
  return (error) =>
    error && {
      ...error,
      error: translateMessage(t, error.error),
      fields: Object.fromEntries(Object.entries(error.fields).map(([name, text]) => [name, translateMessage(t, text)])),
    }
}
