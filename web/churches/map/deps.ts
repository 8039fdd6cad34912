import type { Language } from '#shared/language.ts'
import type { Translate } from '#web/lib/i18n.tsx'
import type { Tiles } from './base-layer.ts'

export interface MapDeps {
  tiles: Tiles | null
  t: Translate<'churches'>
  /** Of the names of cities. */
  language: Language
  /** Pixels that are covered at the lower edge. */
  coveredBelow?: () => number
  onActive: (id: string | null) => void
  onOpen: (id: string) => void
}
