import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** Loanwords in most languages, which are no evidence for any. */
const BORROWED = new Set(
  `pdos oec owwa dmw ofw visa passport embassy church number numbers salary document documents requirements safe police
   coordinator agency agent ticket airport hotel taxi service medical address phone email contact register certificate
   membership travel advisory saudi dubai qatar kuwait riyadh doha jeddah bahrain oman lebanon israel japan korea taiwan
   singapore egypt jordan amman manama muscat hong kong milan rome italy abu dhabi`.split(/\s+/),
)

/** Arabizi: Arabic typed in Latin letters. Few of these are words of another language. */
const ARABIZI = new Set(
  `wen wein feen fein feyn ana mish mesh msh shu shou kif keef kifak 3ndi 3andi 3endi 3andy yalla kanisa kanise kenisa kneese
   sa3a 3am bidi badi 3ayez 3ayza 3awez mafi ma3i ma3aya hon lazem jawaz jawazi safara sefara safar kafeel kafil shoghl shughl
   rateb ratbi inta enta inti enti 7abibi momken mumkin alhamdulillah ya3ni emta emte ayna khayef khayfa shorta shourta salah
   moshkela mushkila bsajjel 3al 3la aqrab matlub baladi`.split(/\s+/),
)
const SMALL_ARABIZI = new Set('fi el al min bi la w wa ya ma ila hal kam lal amen men yom'.split(' '))
/** Arabic letters without a Latin equivalent are written as 2, 3 and 7. */
const ARABIC_DIGITS = /^(?:[a-z]+[237][a-z]+\d?[a-z]*|[237][a-z]{3,}|[a-z]{3,}[37])$/
const PLAIN_DIGITS = /^(?:\d+(?:months?|days?|hours?|weeks?|years?|times?|people|pcs|nights?)|mp3|h2o|covid\d*)$/

/** Romanised Hindi, as most users type it on a phone. */
const ROMAN_HINDI = new Set(
  `hai hain hoon mera meri mujhe mujhko tumhara aapka aapki nahi nahin kya kyu kyun kyon kaise kahan kaha kaun kaunse kaunsi kab
   kitna kitne kitni chahiye chahie karna karte karta karti karni karu karun karein kijiye dijiye raha rahi rahe gaya
   gayi gaye wahan yahan bhi aur lekin toh abhi koi kuch apna apni apne uska uski unka unki jis jab tak hua huye
   saath ghar kaam paisa paise bahut bolta bolti batao bataiye sakta sakti sakte deta lete baat mahine mili mila milega
   milegi lagenge lagega jana jaana bhai liye diya utarne`.split(/\s+/),
)
const SMALL_ROMAN_HINDI = new Set(
  'mere mein tha thi paas ka ki ke ko se me hu ho ne to na par pe do le de ye wo woh teen'.split(' '),
)
/** "the embassy's number": a pattern that no other language has. */
const HINDI_PAIR = /\bka (?:number|no|address|phone|email)\b/

/** Tagalog words that do not exist in English, used with English words mixed in. */
const TAGALOG = new Set(
  `ano anong saan san kelan kailan paano pano po opo ba ang ng mga nga naman lang sa ako ko ikaw kayo namin natin siya sila
   yung dito doon diyan wala may meron gusto kailangan pwede puwede hindi pag kung bakit magkano ilan sino alin amo kumusta
   kamusta tulong ligtas na`.split(/\s+/),
)
const ENGLISH = new Set(
  'the is are was were what when where which who how my your our their to of in at on it this that i you we do does can and with for from'.split(
    ' ',
  ),
)

/**
 * Detects a language typed in Latin letters or mixed with English, which n-grams alone do not reveal; null if none
 * applies. `isEnglish` recognises English words.
 */
export function romanizedLanguage(
  words: readonly string[],
  isEnglish: (word: string) => boolean,
): AssistantLanguage | null {
  if (isRomanized(words, (word) => ARABIZI.has(word) || hasArabicDigits(word), SMALL_ARABIZI)) return 'ar'
  const text = words.join(' ')
  if (HINDI_PAIR.test(text) || isRomanized(words, (word) => ROMAN_HINDI.has(word), SMALL_ROMAN_HINDI)) return 'hi'
  return isTaglish(words, isEnglish) ? 'tl' : null
}

const hasArabicDigits = (word: string) => ARABIC_DIGITS.test(word) && !PLAIN_DIGITS.test(word)

/** This many distinctive words identify the language among others. */
const MANY_OWN = 3

/** At least one distinctive word and half of the words in the language; or several distinctive ones and a third. */
function isRomanized(all: readonly string[], isOwn: (word: string) => boolean, small: ReadonlySet<string>): boolean {
  const words = all.filter((word) => !BORROWED.has(word))
  const owned = words.filter(isOwn).length
  const both = owned + words.filter((word) => small.has(word) && !isOwn(word)).length
  const isAlone = words.length === 1 && all.length > 2
  return (
    (owned > 0 && (both >= 2 || isAlone) && both * 2 >= words.length) || (owned >= MANY_OWN && both * 3 >= words.length)
  )
}

/** Tagalog that borrows only its nouns from English: "Ano requirements for Japan?" */
function isTaglish(words: readonly string[], isEnglish: (word: string) => boolean): boolean {
  const own = words.filter((word) => TAGALOG.has(word))
  // Polite particles alone also occur in English sentences: "good evening po".
  if (own.every((word) => word === 'po' || word === 'opo')) return false
  const english = words.filter((word) => ENGLISH.has(word))
  const isMixedIn = (word: string) => TAGALOG.has(word) || BORROWED.has(word) || isEnglish(word)
  return own.length >= english.length && words.length > own.length && words.every(isMixedIn)
}
