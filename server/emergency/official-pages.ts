import type { Fact } from '#shared/assistant/facts.ts'

/** Travel advice of the UK: the page of each country lists its emergency numbers under "Getting help". */
const ADVICE = 'https://www.gov.uk/foreign-travel-advice'

/** The Philippine Department of Foreign Affairs, which lists its embassies and consulates. */
const DEPARTMENT_OF_FOREIGN_AFFAIRS = 'https://dfa.gov.ph/'

/** Where to look up a number that the portal cannot confirm. */
export function officialPages(facts: readonly Fact[]): { local: string; mission: string } {
  const advice = facts.find(({ source_url }) => source_url.startsWith(`${ADVICE}/`))
  return { local: advice?.source_url ?? ADVICE, mission: DEPARTMENT_OF_FOREIGN_AFFAIRS }
}
