import type { Advisory } from '#shared/advisories/endpoints.ts'
import type { Hotline } from '#shared/assistant/answer.ts'
import type { Fact } from '#shared/assistant/facts.ts'
import { type Church, churchOfLocale } from '#shared/churches/church.ts'
import { speechOf } from '../composing/speech.ts'
import { isExpired } from '../facts/model.ts'
import { MAX_CHURCHES, searchChurches } from './churches.ts'
import type { GatheringDeps, QuestionContext } from './context.ts'
import { hotlinesOf } from './hotlines.ts'
import { requirementsFor } from './requirements.ts'

/** All records about a destination (CHAT-API-06). */
export interface DestinationInfo {
  country: string
  country_name: string
  advisories: Pick<Advisory, 'id' | 'title' | 'severity_level' | 'source_organization' | 'last_updated'>[]
  requirements: (Fact & { is_expired: boolean })[]
  churches: Church[]
  hotlines: Hotline[]
}

/** The same for the country of a question; null if none is named. */
export async function destinationInfo(deps: GatheringDeps, ctx: QuestionContext): Promise<DestinationInfo | null> {
  const { destination, country: named, purpose } = ctx.understood.analysis.entities
  const country = destination ?? named
  if (!country) return null
  const speech = speechOf(ctx.language)
  const { own, always } = requirementsFor(deps.facts, country, purpose)
  const { locales } = await searchChurches(deps, { country })
  const numbers = (of: string | null) => hotlinesOf(deps.facts, { country: of, first: [], speech, now: ctx.now })
  return {
    country,
    country_name: speech.country(country),
    advisories: deps.advisories
      .onCountry(country, ctx.now)
      .map(({ id, title, severity_level, source_organization, last_updated }) => ({
        id,
        title,
        severity_level,
        source_organization,
        last_updated,
      })),
    requirements: [...own, ...always].map((fact) => ({ ...fact, is_expired: isExpired(fact, ctx.now) })),
    churches: locales.slice(0, MAX_CHURCHES).map(churchOfLocale),
    hotlines: [...numbers(country), ...numbers(null)].map(({ fact: _, ...hotline }) => hotline),
  }
}
