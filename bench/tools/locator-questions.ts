import type { Filters } from '#server/churches/question.ts'
import type { Point } from '#shared/churches/distance.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { mulberry32 } from './seed.ts'

/** A tenth of the points are anywhere; the others are where users are likely to search for a church. */
const ANYWHERE = 0.1

/** Realistic questions generated from the existing data; deterministic. */
export function createQuestions(locales: readonly FoundLocale[]) {
  const random = mulberry32(3)
  const int = (n: number) => Math.floor(random() * n)
  const placed = locales.filter(({ latitude }) => latitude !== null)

  /** Part of a name, a city or an address. */
  function text(min: number, max: number): string {
    for (;;) {
      const locale = locales[int(locales.length)]!
      const field = [locale.name, locale.city, locale.address_line1, locale.common_name][int(4)]
      const length = min + int(max - min + 1)
      if (!field || field.length < length) continue
      const piece = field.slice(int(field.length - length + 1)).slice(0, length)
      if (piece.trim().length === length && piece.isWellFormed()) return piece
    }
  }

  function point(): Point {
    const { latitude, longitude } = placed[int(placed.length)]!
    const near = (degrees: number) => degrees + (random() - 0.5) * 0.4
    const somewhere = { latitude: (random() * 2 - 1) * 90, longitude: (random() * 2 - 1) * 180 }
    const at = random() < ANYWHERE ? somewhere : { latitude: near(latitude!), longitude: near(longitude!) }
    return {
      latitude: Math.round(Math.max(-90, Math.min(90, at.latitude)) * 1e6) / 1e6,
      longitude: Math.round(Math.max(-180, Math.min(180, at.longitude)) * 1e6) / 1e6,
    }
  }

  return {
    text,
    point,
    /** All kinds: text of any length, filters, with and without a point and a radius. */
    any(): Filters {
      const kind = random()
      if (kind < 0.02) return { search: text(1, 2) }
      if (kind < 0.5) return { search: text(3, 12) }
      if (kind < 0.6) return { search: `${text(3, 6)} ${text(3, 6)}` }
      if (kind < 0.7) return { search: text(3, 8), country: locales[int(locales.length)]!.country_code ?? 'JP' }
      const { latitude: lat, longitude: lng } = point()
      if (kind < 0.9) return { lat, lng, radius: [5, 50, 500][int(3)]! }
      if (kind < 0.95) return { lat, lng, radius: 500, search: text(3, 6) }
      return { lat, lng, radius: 50, country: locales[int(locales.length)]!.country_code ?? 'JP' }
    },
  }
}

export type Questions = ReturnType<typeof createQuestions>
