import { createRequire } from 'node:module'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { COMMON_WORDS } from './commonWords.ts'
import { clean, type Words, wordsOf } from './words.ts'

/** The language of a text and how sure that is, among the twelve. */
export interface Detected {
  language: AssistantLanguage
  confidence: number
  /** Every language it may be in, the likeliest first; their shares add up to 1 or less. */
  shares: readonly { language: AssistantLanguage; share: number }[]
}

/** Below it nothing is told and the language is English (LANG-06). */
export const LEAST_CONFIDENCE = 0.1
/** Above it an answer is given in the language of the question (LANG-07). */
export const LOCALIZED_ABOVE = 0.7

/** Whether the language is sure enough to be answered in where it is not English (LANG-07). */
export const isLocalized = (language: AssistantLanguage, confidence: number) =>
  language !== 'en' && confidence > LOCALIZED_ABOVE

type Latin = Exclude<keyof typeof COMMON_WORDS, 'other'>
const LATIN = ASSISTANT_LANGUAGE_CODES.filter((code): code is Latin => code in COMMON_WORDS)
/** Fewer words are too few for tinyld alone. */
const FEW_WORDS = 3

const NOTHING: Detected = { language: 'en', confidence: 0, shares: [] }

/** Which languages the words of a Latin lexicon belong to. */
export type Vocabulary = ReadonlyMap<string, readonly Latin[]>

const COMMON = languagesByWord(
  Object.entries(COMMON_WORDS).map(([language, words]) => [language as Latin | 'other', words.split(/\s+/)]),
)

/**
 * The language of a question: by its script, and among those in Latin letters by its small words, by the words of the
 * lexicons and by the pairs and triples of letters (tinyld). `interfaceLanguage` tips the scales in few words.
 */
export function detectLanguage(
  raw: string,
  words: Words,
  { vocabulary, interfaceLanguage }: { vocabulary?: Vocabulary; interfaceLanguage?: AssistantLanguage } = {},
): Detected {
  const script = scriptOf(raw)
  if (script === 'latin') return latinLanguage(raw, words, vocabulary, interfaceLanguage)
  if (script === 'hangul') return surely('ko', 0.99)
  if (script === 'arabic') return arabicLanguage(raw)
  if (script === 'devanagari') return surely('hi', devanagariConfidence(raw))
  if (script === 'han') return hanLanguage(raw, interfaceLanguage)
  return NOTHING
}

const SCRIPTS = {
  hangul: /\p{sc=Hangul}/gu,
  kana: /\p{sc=Hiragana}|\p{sc=Katakana}/gu,
  han: /\p{sc=Han}/gu,
  arabic: /\p{sc=Arabic}/gu,
  devanagari: /\p{sc=Devanagari}/gu,
  latin: /\p{sc=Latin}/gu,
  letter: /\p{L}/gu,
}
const count = (text: string, script: keyof typeof SCRIPTS) => text.match(SCRIPTS[script])?.length ?? 0

/** A character of these says as much as so many letters: names of places and documents are often left in Latin. */
const WEIGHTS = { hangul: 4, han: 4, arabic: 2, devanagari: 2, latin: 1, other: 2 }

function scriptOf(raw: string): keyof typeof WEIGHTS | null {
  const [hangul, kana, han] = [count(raw, 'hangul'), count(raw, 'kana'), count(raw, 'han')]
  const [arabic, devanagari, latin] = [count(raw, 'arabic'), count(raw, 'devanagari'), count(raw, 'latin')]
  const other = count(raw, 'letter') - hangul - kana - han - arabic - devanagari - latin
  const counts = { hangul, han: han + kana, arabic, devanagari, latin, other: Math.max(0, other) }
  const weighed = Object.entries(counts).map(
    ([script, number]) => [script as keyof typeof WEIGHTS, number * WEIGHTS[script as keyof typeof WEIGHTS]] as const,
  )
  const [script, most] = weighed.reduce((best, next) => (next[1] > best[1] ? next : best))
  return most > 0 ? script : null
}

const surely = (language: AssistantLanguage, confidence: number): Detected => ({
  language: confidence < LEAST_CONFIDENCE ? 'en' : language,
  confidence,
  shares: [{ language, share: confidence }],
})

/** Japanese is never long without kana; Chinese has none. */
function hanLanguage(raw: string, interfaceLanguage?: AssistantLanguage): Detected {
  const [kana, han] = [count(raw, 'kana'), count(raw, 'han')]
  // A Chinese text may quote a Japanese name.
  if (kana > 0 && kana * 8 >= han) return surely('ja', 0.99)
  if (JAPANESE_ONLY.test(raw)) return surely('ja', 0.9)
  if (CHINESE_ONLY.test(raw)) return surely('zh', 0.99)
  if (interfaceLanguage === 'ja') return surely('ja', 0.8)
  return surely('zh', han >= 4 ? 0.95 : 0.85)
}

// Forms of characters and everyday words that only one of the two writes.
const JAPANESE_ONLY =
  /[々〆込働峠畑辻駅円図広応戻渋沢浜対斎釈険験関帰実覧処発変両黙読渡売続緊]|連絡先|電話番号|証明書|旅券|申請書|集会所|礼拝|教会堂|時間割|大使館番号/u
const CHINESE_ONLY =
  /[们这吗呢么为从会对时间过还没给说话请谁哪护证签国办处领馆电话号码东书区张车门问题应该当您你她它咱啊吧嘛們這嗎麼為從會對時過還沒給說請誰護證簽國辦處領館電話號碼東書區張車門問題應該當]/u

function latinLanguage(
  raw: string,
  words: Words,
  vocabulary: Vocabulary | undefined,
  interfaceLanguage: AssistantLanguage | undefined,
): Detected {
  // What has no vowel is a code or a slip of the keys.
  const latin = words.list.filter(({ kind, text }) => kind === 'latin' && (/[aeiouy]/.test(text) || COMMON.has(text)))
  if (latin.length === 0) return NOTHING
  const scores = new Map<Latin | 'other', number>([...LATIN, 'other' as const].map((code) => [code, 0]))
  // A language of which no word of its own is there has only its letters to speak for it.
  const supported = new Set<Latin | 'other'>()
  const add = (codes: readonly (Latin | 'other')[] | undefined, weight: number) => {
    // What nearly all of them know tells nothing.
    if (!codes || codes.length > 5) return
    for (const code of codes) {
      // Whoever writes Tagalog mixes English in, not the other way round: "church" speaks for English.
      if (code === 'tl' && codes.includes('en')) continue
      supported.add(code)
      scores.set(code, scores.get(code)! + weight / Math.sqrt(codes.length))
    }
  }
  for (const { text } of latin.slice(0, MOST_WORDS)) {
    add(COMMON.get(text), 1.5)
    add(vocabulary?.get(text), 1)
  }
  for (const [code, pattern] of MARKS) if (pattern.test(raw)) add([code], 2)
  const shares = tinyldShares(raw)
  const isShort = latin.length < FEW_WORDS
  const weight = Math.min(4, 1 + latin.length / 2)
  for (const [code, share] of shares) {
    const trust = supported.size > 0 && !supported.has(code) ? 0.4 : 1
    scores.set(code, scores.get(code)! + share * weight * trust)
  }
  if (isShort && interfaceLanguage && isLatin(interfaceLanguage)) add([interfaceLanguage], 1.2)
  return normalised(scores, [...shares.values()].length === 0)
}

/** So many words tell a language. */
const MOST_WORDS = 200

/** Letters that few of the languages write. */
const MARKS: readonly (readonly [Latin | 'other', RegExp])[] = [
  ['es', /[¿¡]|ción\b/iu],
  ['pt', /[ãõ]|ção\b|ções\b/iu],
  ['de', /[äöüß]/iu],
  ['fr', /[œèêùûëï]|\bqu['’]|ç[ao]/iu],
  ['it', /[òìù]\b|\b[àè]\b|\bperché\b/iu],
  ['other', /[ơưđăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹłńśźżěřůőűğışåæøțș]|ŀl/iu],
]

function normalised(scores: ReadonlyMap<Latin | 'other', number>, isUntold: boolean): Detected {
  const most = Math.max(...scores.values())
  if (most <= 0 || (isUntold && most < 0.5)) return NOTHING
  const powers = [...scores].map(([code, score]) => [code, score > 0 ? Math.exp(score - most) : 0] as const)
  const sum = powers.reduce((total, [, power]) => total + power, 0)
  // Little evidence is no certainty, however clear it is.
  const ground = most / (most + 0.35)
  const shares = powers
    .flatMap(([code, power]) => (code === 'other' ? [] : [{ language: code, share: (power / sum) * ground }]))
    .filter(({ share }) => share > 0.01)
    .sort((a, b) => b.share - a.share)
  const best = shares[0]
  const isOther = powers.some(([code, power]) => code === 'other' && power === 1)
  if (!best || isOther || best.share < LEAST_CONFIDENCE) return { ...NOTHING, shares }
  return { language: best.language, confidence: best.share, shares }
}

type Detector = Pick<typeof import('tinyld'), 'detectAll'>
let detector: Detector | undefined

// Some 200 ms and 49 MB: only once a question in Latin or Arabic letters has come.
function tinyld(): Detector {
  detector ??= createRequire(import.meta.url)('tinyld') as Detector
  return detector
}

/** Loads what the first question would wait for. */
export const warmUp = () => void tinyld()

/** How its findings are divided among the Latin languages and those outside that it knows. */
function tinyldShares(raw: string): Map<Latin | 'other', number> {
  const found = tinyld().detectAll(raw.slice(0, 600), { only: [...LATIN, ...OTHERS] })
  const total = found.reduce((sum, { accuracy }) => sum + accuracy, 0)
  const shares = new Map<Latin | 'other', number>()
  for (const { lang, accuracy } of found) {
    const code = isLatin(lang) ? lang : 'other'
    shares.set(code, (shares.get(code) ?? 0) + accuracy / total)
  }
  return shares
}

const OTHERS = ['nl', 'vi']
const isLatin = (code: string): code is Latin => (LATIN as string[]).includes(code)

/** Persian and Urdu are written with the same letters and a few of their own. */
function arabicLanguage(raw: string): Detected {
  const letters = count(raw, 'arabic')
  const foreign = raw.match(/[پچژگٹڈڑںےۓھہۃۂێۆڵڕەړږښځڅټډڼۍ]/gu)?.length ?? 0
  const keyboard = raw.match(/[یک]/gu)?.length ?? 0
  const arabic = raw.match(/[ةىيكأإؤئ]|(?<!\p{L})(?:[وفبلك]?ال)\p{L}/gu)?.length ?? 0
  const small =
    raw.match(
      /(?<!\p{L})(?:است|این|که|در|از|را|برای|می|ها|های|چه|من|کجا|آیا|هست|کنم|ہے|ہیں|کے|کی|کا|میں|سے|اور|کو|کہ|نے|پر|کیا|کہاں|مجھے)(?!\p{L})/gu,
    )?.length ?? 0
  const isForeign = foreign * 3 + keyboard + small * 2 > arabic + letters * 0.03
  if (isForeign) return { ...NOTHING, shares: [{ language: 'ar', share: 0.05 }] }
  return surely('ar', letters >= 2 ? 0.98 : 0.5)
}

/** Marathi and Nepali share the script with Hindi. */
function devanagariConfidence(raw: string): number {
  const other =
    raw.match(
      /ळ|(?:च्या|ांचा|ांचे|ांची|ांना|ाला|ातील|ासाठी|ामध्ये|ावर|ाचे|ाची|णारे?|ल्याने)(?![\p{L}\p{M}])|(?<!\p{L})(?:आहे|आहेत|आणि|मी|माझे|माझा|माझी|होते|होता|नाही|मध्ये|तुम्ही|काय|कुठे|मला|त्या|त्याच्या|करण्यात|झाली|झाला|केली|केले|छ|छन्|हुन्छ|गर्न|भएको|लाई)(?![\p{L}\p{M}])/gu,
    )?.length ?? 0
  const hindi =
    raw.match(
      /(?<!\p{L})(?:है|हैं|हूँ|हूं|का|की|के|में|से|को|ने|और|पर|यह|वह|मैं|मुझे|मेरा|मेरी|मेरे|क्या|कहाँ|कहां|कैसे|कब|नहीं|था|थी|थे|हो|करना|लिए)(?![\p{L}\p{M}])/gu,
    )?.length ?? 0
  return other > hindi ? 0.05 : 0.98
}

/** The words of Latin lexicons by the languages that have them. */
export function vocabularyOf(lists: Iterable<readonly [string, Iterable<string>]>): Vocabulary {
  const latin = [...lists].filter((list): list is [Latin, Iterable<string>] => isLatin(list[0]))
  const words = latin.map(([language, entries]) => [language, [...entries].flatMap(lettersOf)] as const)
  return languagesByWord(words)
}

/** The words of letters in an entry. */
export const lettersOf = (entry: string): string[] =>
  wordsOf(clean(entry))
    .filter(({ kind, text }) => kind === 'latin' && text.length > 1 && /^\p{L}+$/u.test(text))
    .map(({ text }) => text)

function languagesByWord<L>(lists: Iterable<readonly [L, Iterable<string>]>): Map<string, L[]> {
  const map = new Map<string, L[]>()
  for (const [language, words] of lists) {
    for (const word of new Set(words)) map.set(word, [...(map.get(word) ?? []), language])
  }
  return map
}
