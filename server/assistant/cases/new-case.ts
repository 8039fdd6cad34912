import type { Citation } from '#shared/assistant/answer.ts'
import type { CaseChannel } from '#shared/assistant/cases.ts'
import type { CaseDetails } from './summary.ts'

export interface NewCase extends CaseDetails {
  channel: CaseChannel
  userId: string | null
  conversationId: string | null
  name: string | null
  chapterId: string | null
  originalText: string
  sources: Citation[]
  /** Several reports already came from its address. */
  isLow: boolean
  /** So many reports came from its address that it does not open a case of its own. */
  isExcess: boolean
}
