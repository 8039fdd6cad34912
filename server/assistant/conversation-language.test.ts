import { describe, expect, test } from 'vitest'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { resolveFollowUp } from './follow-up.ts'
import { sharedUnderstanding } from './testing.ts'

const understand = sharedUnderstanding()

/** Language in which the last message is answered. */
function answeredIn(messages: readonly string[], interfaceLanguage: string | null = null): AssistantLanguage {
  const history = messages.slice(0, -1).flatMap((content) => [
    { sender: 'user' as const, content },
    { sender: 'assistant' as const, content: '…' },
  ])
  const question = messages.at(-1)!
  const now = new Date('2026-11-21T09:00:00Z')
  return resolveFollowUp(understand, { question, history, now, chosen: null, interfaceLanguage }).understood.answerIn
}

const FIRST: Record<AssistantLanguage, string> = {
  en: 'Where can I find a church near my hotel?',
  tl: 'Saan po ako makakahanap ng simbahan dito?',
  es: '¿Dónde puedo encontrar una iglesia cerca de aquí?',
  ar: 'أين أجد كنيسة قريبة من هنا؟',
  zh: '请问附近哪里有教会？',
  fr: 'Où puis-je trouver une église près d’ici ?',
  de: 'Wo finde ich hier in der Nähe eine Kirche?',
  it: 'Dove posso trovare una chiesa qui vicino?',
  ja: '近くの教会はどこにありますか？',
  ko: '근처에 교회가 어디에 있나요?',
  pt: 'Onde posso encontrar uma igreja aqui perto?',
  hi: 'यहाँ पास में कलीसिया कहाँ मिलेगी?',
}

const SHORT = [
  'ok',
  'okay',
  'OK thanks',
  'yes',
  'no',
  'si',
  'oui',
  'ja',
  'non',
  'nein',
  'da',
  'Dubai',
  'Paris',
  'Tokyo',
  'Riyadh',
  'Hong Kong',
  'Dubai church',
  'Paris hotel',
  'taxi',
  'hotel',
  'visa',
  'passport',
  'PDOS',
  'OWWA',
  'OEC',
  'police',
  'ambulance',
  'embassy',
  'emergency',
  'help',
  'help po',
  'thank you po',
  'thank you',
  'thanks',
  'gracias',
  'merci',
  'danke',
  'grazie',
  'obrigado',
  'salamat',
  'salamat po',
  'hello',
  'hi',
  'bye',
  'good morning',
  'Sunday',
  'domingo',
  'Friday service',
  'phone number',
  'address',
  'email',
  'tomorrow',
  'now',
  'when',
  'where po',
  'Manila',
  'Doha Qatar',
  'Roma',
  'London',
  'in Berlin',
  'no problem',
  '123',
  '👍',
  'ok 👍',
]

describe.each(ASSISTANT_LANGUAGE_CODES)('a conversation in %s', (language) => {
  test('keeps its language after a word or two in any language', () => {
    const left = SHORT.filter((word) => answeredIn([FIRST[language], word]) !== language)
    expect(left).toEqual([])
  })

  test('keeps its language after several short messages and on a page in another language', () => {
    const other = language === 'en' ? 'ar' : 'en'
    expect(answeredIn([FIRST[language], 'ok', 'Dubai', 'taxi', 'thank you'], other)).toBe(language)
  })

  test('switches language after a full sentence in another one', () => {
    const other = language === 'es' ? 'de' : 'es'
    expect(answeredIn([FIRST[language], FIRST[other]])).toBe(other)
  })

  test('starts in the language of the page if the first message is a word or a name', () => {
    const changed = ['ok', 'Dubai', 'taxi', 'PDOS', 'visa', 'Paris hotel', 'Hong Kong', 'OWWA', 'police']
    expect(changed.filter((word) => answeredIn([word], language) !== language)).toEqual([])
  })
})

const ANSWERED: Partial<Record<AssistantLanguage, string[]>> = {
  tl: [
    'Safe ba ngayon sa Dubai?',
    'Ano requirements for Japan?',
    'Saan ang church dito sa Riyadh?',
    'Paano mag register ng PDOS?',
    'kelan po ang next na PDOS',
    'Need ko ng number ng embassy',
    'san po may lokal sa Doha',
    'Magkano po ang OEC?',
    'Pwede po ba mag travel sa Israel ngayon?',
    'May advisory ba sa Lebanon?',
    'Ano number ng police sa Kuwait?',
    'Nawala passport ko sa Hong Kong',
    'pano pag expired na passport ko',
    'wala po akong sweldo 3 months na',
    'gusto ko na umuwi ng Pinas',
    'ano po contact ng coordinator sa Italy',
    'Anong oras ang worship service sa Linggo?',
    'Need po ba ng visa sa Taiwan',
    'paano mag renew ng OWWA membership',
    'Ligtas po ba bumiyahe sa Qatar?',
    'kailangan ba ng medical for Saudi',
    'yung amo ko ayaw ibigay passport ko',
    'meron po bang church malapit sa Abu Dhabi airport',
    'hindi ko po alam kung saan pupunta',
    'hello po saan po pwede mag attend sa Singapore',
    'sino po local servant sa Milan',
    'valid pa ba PDOS certificate ko',
    'san pwede magreklamo about agency',
    'kumusta po may tanong lang about OEC',
    'Pano po makakauwi pag walang ticket',
  ],
  ar: [
    'wen el kanisa fi Dubai?',
    'wein aqrab kanisa',
    'ana fi Kuwait w badi visa',
    'shu ra2m el shorta fi Dubai',
    'kif bsajjel 3al PDOS',
    'el safar 3ala Lebanon amen?',
    'ana msh 3aref wein aroo7',
    'jawazi da3 fi Doha',
    'el kafeel akhad jawazi',
    'badi ra2m el safara',
    'emta el salah yom el a7ad',
    '3ayez a3raf wa2t el 2egtema3',
    'mumkin ta3teeni ra2am el embassy',
    'shu el wara2 el matlub lal Japan',
    'fi kanisa fi Riyadh?',
    'ana khayef w ma b3ref shu a3mel',
    'hal el safar ila Qatar amen',
    'ayna el kanisa fi Manama',
    'kam sa3a el PDOS',
    'ya 7abibi ana ma3i moshkela fi el shoghl',
    'ma fi rateb men 3 shohour',
    'bidi erja3 3ala baladi',
    'lazem visa 3ashan Egypt?',
    'min el mas2ool fi Amman',
  ],
  hi: [
    'Dubai mein church kahan hai?',
    'dubai church ka number chahiye bhai',
    'mera passport kho gaya hai',
    'kya Japan jana safe hai',
    'PDOS kya hota hai',
    'visa ke liye kya chahiye',
    'embassy ka number do',
    'mujhe madad chahiye',
    'police ka number kya hai Kuwait mein',
    'Sunday ko service kitne baje hai',
    'mera malik paisa nahi deta',
    'mujhe ghar jana hai',
    'Qatar me church hai kya',
    'kya abhi Israel jaana theek hai',
    'passport malik ke paas hai',
    'coordinator se baat karni hai',
    'kaise register kare PDOS ke liye',
    'Saudi ke liye medical zaroori hai kya',
    'teen mahine se salary nahi mili',
    'yahan se nikalna hai kaise niklu',
    'kaunse documents lagenge Singapore ke liye',
    'main Doha mein hoon church ka address batao',
    'kab hai prayer meeting',
    'jahaz pe do saal se utarne nahi diya captain ne',
    'agency ne paise le liye',
    'OEC kaise milega',
  ],
  en: [
    'Is it safe in Dubai?',
    'where is the church in Manila',
    'what time is the service po',
    'How do I get an OEC',
    'my boss took my passport',
    'can I bring my kids to Qatar',
    'is PDOS free',
    'need help with my visa please',
    'who is the coordinator in Rome',
    'I lost my passport in Paris',
    'church near Taipei station',
    'do I need a visa for Japan',
    'what is the police number in Amman',
  ],
}

describe.each(Object.entries(ANSWERED))('mixed and romanised %s', (language, messages) => {
  test('is answered in that language, without a page language and on a page in another language', () => {
    const wrong = messages.flatMap((message) =>
      [null, 'en', 'es'].flatMap((page) => {
        const got = answeredIn([message], page)
        return got === language ? [] : [`${message} (${page}): ${got}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})
