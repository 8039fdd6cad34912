import type { Translate } from '#web/lib/i18n.tsx'
import type { Tiles } from './base-layer.ts'

export interface MapDeps {
  tiles: Tiles | null
  t: Translate<'churches'>
  onActive: (id: string | null) => void
  onOpen: (id: string) => void
}
