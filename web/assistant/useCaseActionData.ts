import { useActionData } from 'react-router'
import type { CaseKind } from '#shared/assistant/cases.ts'
import type { ChatActionData } from './page.server.ts'

/** Result of a form of this kind posted without scripts. */
export function useCaseActionData(kind: CaseKind) {
  const data = useActionData<ChatActionData>()
  const handed = data?.handed?.kind === kind ? data.handed : undefined
  const failed = data?.caseError?.kind === kind ? data.caseError : undefined
  return {
    ...(handed ? { done: handed } : {}),
    ...(failed ? { error: failed.error } : {}),
    values: failed?.values ?? {},
  }
}
