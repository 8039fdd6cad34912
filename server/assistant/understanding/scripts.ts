import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { detectedAs, type LanguageGuess, NOTHING } from './detection.ts'

/** The dominant script of a text. */
export function scriptOf(raw: string): keyof typeof WEIGHTS | null {
  const [hangul, kana, han] = [count(raw, 'hangul'), count(raw, 'kana'), count(raw, 'han')]
  const [arabic, devanagari, latin] = [count(raw, 'arabic'), count(raw, 'devanagari'), count(raw, 'latin')]
  const other = count(raw, 'letter') - hangul - kana - han - arabic - devanagari - latin
  const counts = { hangul, han: han + kana, arabic, devanagari, latin, other: Math.max(0, other) }
  const weighed = Object.entries(counts).map(
    ([script, number]) => [script as keyof typeof WEIGHTS, number * WEIGHTS[script as keyof typeof WEIGHTS]] as const,
  )
  const [script, highest] = weighed.reduce((best, next) => (next[1] > best[1] ? next : best))
  return highest > 0 ? script : null
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

/** Letters that one character counts for. Place and document names are often left in Latin script. */
const WEIGHTS = { hangul: 4, han: 4, arabic: 3, devanagari: 3, latin: 1, other: 2 }

/** Long Japanese text always contains kana; Chinese has none. */
export function hanLanguage(raw: string, interfaceLanguage?: AssistantLanguage): LanguageGuess {
  const [kana, han] = [count(raw, 'kana'), count(raw, 'han')]
  // A Chinese text may quote a Japanese name.
  if (kana > 0 && kana * 8 >= han) return detectedAs('ja', 0.99)
  if (JAPANESE_ONLY.test(raw)) return detectedAs('ja', 0.9)
  if (CHINESE_ONLY.test(raw)) return detectedAs('zh', 0.99)
  if (interfaceLanguage === 'ja') return detectedAs('ja', 0.8)
  return detectedAs('zh', han >= 4 ? 0.95 : 0.85)
}

// Character forms and common words that only one of the two languages uses.
const JAPANESE_ONLY =
  /[々〆込働峠畑辻駅円図広応戻渋沢浜対斎釈険験関帰実覧処発変両黙読渡売続]|連絡先|電話番号|証明書|旅券|集会所|礼拝|時間割/u
const CHINESE_ONLY =
  /[们这吗呢么为从对时间过还给说话请谁哪护证签办处领馆电码东书张车门问题应该您你她它咱啊吧嘛們這嗎麼從會對沒說證簽辦處號碼區應當]/u

/** Persian and Urdu use the same letters plus a few of their own. */
export function arabicLanguage(raw: string): LanguageGuess {
  const letters = count(raw, 'arabic')
  const foreign = raw.match(/[پچژگٹڈڑںےۓھہۃۂێۆڵڕەړږښځڅټډڼۍ]/gu)?.length ?? 0
  const keyboard = raw.match(/[یک]/gu)?.length ?? 0
  const arabic = raw.match(/[ةىيكأإؤئ]|(?<!\p{L})(?:[وفبلك]?ال)\p{L}/gu)?.length ?? 0
  const small =
    raw.match(
      /(?<!\p{L})(?:است|این|که|در|از|را|برای|می|ها|های|چه|کجا|آیا|هست|کنم|ہے|ہیں|کے|کی|کا|میں|سے|اور|کو|کہ|نے|پر|کیا|کہاں|مجھے)(?!\p{L})/gu,
    )?.length ?? 0
  const isForeign = foreign * 3 + keyboard + small * 2 > arabic + letters * 0.03
  if (isForeign) return { ...NOTHING, shares: [{ language: 'ar', share: 0.05 }] }
  return detectedAs('ar', letters >= 2 ? 0.98 : 0.5)
}

/** Marathi and Nepali share the script with Hindi. */
export function devanagariLanguage(raw: string): LanguageGuess {
  const other =
    raw.match(
      /ळ|(?:च्या|ांचा|ांचे|ांची|ांना|ाला|ातील|ासाठी|ामध्ये|ावर|ाचे|ाची|णारे?|ल्याने)(?![\p{L}\p{M}])|(?<!\p{L})(?:आहे|आहेत|आणि|मी|माझे|माझा|माझी|होते|होता|नाही|मध्ये|तुम्ही|काय|कुठे|मला|त्या|त्याच्या|करण्यात|झाली|झाला|केली|केले|छ|छन्|हुन्छ|गर्न|भएको|लाई)(?![\p{L}\p{M}])/gu,
    )?.length ?? 0
  const hindi =
    raw.match(
      /(?<!\p{L})(?:है|हैं|हूँ|हूं|का|की|के|में|से|को|ने|और|पर|यह|वह|मैं|मुझे|मेरा|मेरी|मेरे|क्या|कहाँ|कहां|कैसे|कब|नहीं|था|थी|थे|हो|करना|लिए)(?![\p{L}\p{M}])/gu,
    )?.length ?? 0
  return other > hindi ? { ...NOTHING, shares: [{ language: 'hi', share: 0.05 }] } : detectedAs('hi', 0.98)
}
