import { createContext, useContext } from 'react'
import type { RowProblem } from '#shared/imports/model.ts'
import type { Language } from '#shared/language.ts'
import type { Namespace } from '#web/lib/i18n.tsx'

/** One kind of import as its pages know it. */
export interface ImportKind {
  /** Texts of the kind: `imports_title`, `back_to_records`, `upload_about`, `open_record`, and a `field_…` for each. */
  namespace: Namespace
  /** Address of the list of imports; an import is below it. */
  path: string
  /** Address of the records. */
  recordsPath: string
  /** Path of the endpoints: '/locale-imports'. */
  apiPath: string
  /** Names the ids of records in the contract: 'locale'. */
  record: string
  fields: readonly string[]
  /** Actions beside the usual ones that end with a message `done_…`. */
  done?: readonly string[]
  /** The value of a problem as people read it. */
  problemValue?: (problem: RowProblem, language: Language) => string
}

const KindContext = createContext<ImportKind | null>(null)
export const ImportKindProvider = KindContext.Provider

/** The kind of the import that is shown. */
export function useImportKind(): ImportKind {
  const kind = useContext(KindContext)
  if (!kind) throw new Error('Import pages need a kind.')
  return kind
}

/** Address of the page of one import. */
export const importPath = (kind: { path: string }, id: string) => `${kind.path}/${id}`

const DONE = ['planned', 'committed', 'undone', 'decided', 'removed'] as const

/** The last action, as named in the URL. */
export const doneIn = ({ done = [] }: ImportKind, params: URLSearchParams) =>
  [...DONE, ...done].find((known) => known === params.get('done'))
