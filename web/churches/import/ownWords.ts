import { type Translate, useT } from '../../lib/i18n.tsx'
import { said } from '../../lib/said.ts'
import type { Failure } from '../../lib/visitor.ts'

/** What the server said of an import, in the reader's language: its sentences stand beside the words of these pages. */
export function useOwnWords(): (failure: Failure | undefined) => Failure | undefined {
  const t = useT('importChurches') as unknown as Translate<'forms'>
  return (failure) =>
    failure && {
      ...failure,
      error: said(t, failure.error),
      fields: Object.fromEntries(Object.entries(failure.fields).map(([name, text]) => [name, said(t, text)])),
    }
}
