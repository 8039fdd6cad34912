import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** Small words that politeness and feeling put between any two others, and that leave what is said as it is. */
export const PARTICLES: Partial<Record<AssistantLanguage, ReadonlySet<string>>> = {
  tl: new Set(
    'ang ng mga yung po ho na nga ba pa lang lamang din rin daw raw naman talaga ko kasi yata sana'.split(' '),
  ),
}
