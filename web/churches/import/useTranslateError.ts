import { type Translate, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'

/** Translates the server's import errors; they share a namespace with these pages. */
export function useTranslateError(): (error: FormError | undefined) => FormError | undefined {
  const t = useT('importChurches') as unknown as Translate<'forms'>
  return (error) =>
    error && {
      ...error,
      error: translateMessage(t, error.error),
      fields: Object.fromEntries(Object.entries(error.fields).map(([name, text]) => [name, translateMessage(t, text)])),
    }
}
