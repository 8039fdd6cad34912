import { COMMON_WORDS } from './common-words.ts'
import { createTypos } from './typos.ts'

const COMMON = new Set(Object.values(COMMON_WORDS).flatMap((words) => words.split(/\s+/)))

/** Common words that are close to those of the lexicons but correctly spelt. */
const OTHERS = new Set(
  `there where these those their heart hours house horse world words wards board boards bored story store stories early
   nearly march marsh month mouth south north plane plant place plate price prize prices phones phase please pleased leave leaves
   leaving living lives loving lover later letter latter matter better bitter butter water weather whether rather father mother
   brother sister other others light night right might sight eight flight fight figure hotel hostel hospital police policy
   politics polite child children chile chill while white write writes writing waiting wanting visited visits costs coast
   coats court count country county counties company companion compare complete contact contract contrast content context
   danger dancer manger manager managed money monkey honey hoping helping shopping stopping person prison poison season reason
   treason student studio studies stolen stole steal steel steam still start starts state states station statue status taken
   takes talks walks works worker workers words sword adding asking baking making taking waking rated rates raced races taped
   tapes shaved slate slave slice service services server nurse nurses nursery curse course courses source sauce beats beets
   boats beast least feast threat threats treat treats trust truth crust crash trash train trains brain drain grain again
   against agent agents agency argue abuse amuse house mouse noise voice choice chance change charge change changes chapel
   chapter charter church churches churn search searched research attack attach attacks hunting hurting hurts hunts hints
   pagan paga pagar pago kainan fiance
   missing missed mission session passion passed parser passes passing`.split(/\s+/),
)

/** A correctly spelt word that is in no lexicon. */
export const isCommonWord = (word: string): boolean => COMMON.has(word) || OTHERS.has(word)

/** A stop word. */
export const isSmallWord = (word: string): boolean => COMMON.has(word)

/** A word this much rarer than one that differs by a letter is a typo listed in a lexicon. */
const TIMES_SELDOMER = 10

/** Distinguishes correct words from typos that are listed in the lexicons, by their frequency there. */
export function createSpelling(words: Iterable<string>): (word: string) => boolean {
  const times = new Map<string, number>()
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
  const frequent = [...times].filter(([, count]) => count >= TIMES_SELDOMER).map(([word]) => word)
  const neighbours = createTypos(frequent, [], { isKnown: () => false, leastLetters: 5 })
  const cache = new Map<string, boolean>()
  return (word) => {
    if (isCommonWord(word)) return true
    const count = times.get(word)
    if (!count) return false
    const isSlip = () => neighbours.near(word).words.some((other) => (times.get(other) ?? 0) >= count * TIMES_SELDOMER)
    const answer = cache.get(word) ?? !isSlip()
    cache.set(word, answer)
    return answer
  }
}
