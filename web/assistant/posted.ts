import { useActionData } from 'react-router'
import type { CaseKind } from '#shared/assistant/cases.ts'
import type { Posted } from './page.server.ts'

/** What became of a form of this kind that was posted without scripts. */
export function usePosted(kind: CaseKind) {
  const data = useActionData<Posted>()
  const handed = data?.handed?.kind === kind ? data.handed : undefined
  const failed = data?.caseFailure?.kind === kind ? data.caseFailure : undefined
  return {
    ...(handed ? { done: handed } : {}),
    ...(failed ? { failure: failed.failure } : {}),
    typed: failed?.typed ?? {},
  }
}
