import type { Advisory } from '#shared/advisories/endpoints.ts'
import type { Hotline } from '#shared/assistant/answer.ts'
import type { Fact } from '#shared/assistant/facts.ts'
import { type Church, churchOfLocale } from '#shared/churches/church.ts'
import { speechOf } from '../composing/speech.ts'
import { isExpired } from '../facts/model.ts'
import { searchChurches } from './churches.ts'
import { hotlinesOf } from './hotlines.ts'
import type { Asked, GatheringParts } from './parts.ts'
import { requirementsFor } from './requirements.ts'

/** All that is known of a destination, as records (CHAT-API-06). */
export interface DestinationInfo {
  country: string
  country_name: string
  advisories: Pick<Advisory, 'id' | 'title' | 'severity_level' | 'source_organization' | 'last_updated'>[]
  requirements: (Fact & { is_expired: boolean })[]
  churches: Church[]
  hotlines: Hotline[]
}

/** The same for the country that a question is about; null where none is named. */
export async function destinationInfo(parts: GatheringParts, asked: Asked): Promise<DestinationInfo | null> {
  const { destination, country: named, purpose } = asked.understood.analysis.entities
  const country = destination ?? named
  if (!country) return null
  const speech = speechOf(asked.language)
  const { own, always } = requirementsFor(parts.facts, country, purpose)
  const { locales } = await searchChurches(parts, { country })
  const numbers = (of: string | null) => hotlinesOf(parts.facts, { country: of, first: [], speech, now: asked.now })
  return {
    country,
    country_name: speech.country(country),
    advisories: parts.advisories
      .onCountry(country, asked.now)
      .map(({ id, title, severity_level, source_organization, last_updated }) => ({
        id,
        title,
        severity_level,
        source_organization,
        last_updated,
      })),
    requirements: [...own, ...always].map((fact) => ({ ...fact, is_expired: isExpired(fact, asked.now) })),
    churches: locales.map(churchOfLocale),
    hotlines: [...numbers(country), ...numbers(null)].map(({ fact: _, ...hotline }) => hotline),
  }
}
