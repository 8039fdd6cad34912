import type { AdvisoryText } from '#shared/advisories/advisory-text.ts'
import type { Advisory } from '#shared/advisories/endpoints.ts'
import { htmlSections } from './feeds/html.ts'
import { firstStepsOf } from './first-steps.ts'

/** The text of an advisory as its page shows it. `isManual`: written by administrators, not read from a feed. */
export function advisoryTextOf(advisory: Advisory, { isManual }: { isManual: boolean }): AdvisoryText {
  return {
    first_steps: firstStepsOf(advisory, { isOwnList: isManual }),
    sections: htmlSections(advisory.detailed_information ?? ''),
  }
}
