import type { Duplicate } from '#shared/churches/managed-locale.ts'
import type { FormResult } from '#web/lib/form-result.ts'

export interface ActionData extends FormResult {
  /** Possible duplicates of the new church. */
  duplicates?: Duplicate[]
}
