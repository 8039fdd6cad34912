import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** Particles of politeness and emphasis that may occur between any two words without changing the meaning. */
export const PARTICLES: Partial<Record<AssistantLanguage, ReadonlySet<string>>> = {
  tl: new Set(
    'ang ng mga yung po ho na nga ba pa lang lamang din rin daw raw naman talaga ko kasi yata sana'.split(' '),
  ),
}
