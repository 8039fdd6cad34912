import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#shared/language.ts'
import arabic from '../../../public/locales/ar/rollCallAnswer.json' with { type: 'json' }
import english from '../../../public/locales/en/rollCallAnswer.json' with { type: 'json' }
import tagalog from '../../../public/locales/tl/rollCallAnswer.json' with { type: 'json' }
import { type Meaning, meaningOf } from './meaning.ts'

const LABELS = { en: english, ar: arabic, tl: tagalog }

const READ: Record<Meaning, string[]> = {
  safe: [
    'SAFE',
    ' safe! ',
    "I'm safe",
    'I’m safe.',
    'I am safe po',
    'Safe, thank you',
    'Yes I am safe',
    'Hi, this is Ana. I am safe. God bless',
    'LIGTAS',
    'Ligtas Ana',
    'Ligtas po ako',
    'Ligtas na po ako, salamat po',
    'ligtas kami lahat, salamat po',
    'ok lang po ako',
    'Safe 🙏',
    'SAFE 👍🏽',
    'we are all safe',
    'safe ana',
    'بخير',
    'أنا بخير',
    'آمنة',
    'أنا بأمان',
    'الحمد لله، أنا بخير',
    'أَنا بِخَيْر',
    'Estoy bien, gracias',
    'estou bem',
    'je suis en sécurité',
    'Mir geht es gut, danke',
    'sto bene',
    '無事です',
    '안전합니다',
    '我很安全',
    '我没事',
    'मैं सुरक्षित हूँ',
    'main theek hoon',
    'ana bkhair',
  ],
  need_help: [
    'HELP',
    'help we are on the roof',
    'please, we need help',
    'pls help',
    'Can someone help me',
    'SOS',
    '🆘',
    'SAFE 🆘',
    'no help came',
    'I am not safe',
    'im not safe',
    'I am NOT safe.',
    "I'm not really safe",
    'not ok',
    'not okay at all',
    'we are not safe here',
    'I don’t feel safe',
    'unsafe',
    'safe? not',
    'hindi ligtas',
    'Hindi po ako ligtas',
    'hindi ako ok',
    'di ako safe',
    'hnd safe',
    'TULONG',
    'Tulong!',
    'tulong po',
    'hindi na ako ligtas dito',
    'Saklolo!',
    'tulungan nyo kami',
    'delikado dito',
    'safe but my leg is broken',
    'I am safe but my friend is trapped',
    'they are shooting',
    'we are stuck in the elevator',
    'nasugatan ako',
    'may sunog',
    'مساعدة',
    'أحتاجُ إلى مساعدة',
    'نحن في السطح أحتاج مساعدة',
    'لست بخير',
    'أنا لست بأمان',
    'مش بخير',
    'غير آمن',
    'أنا محاصرة',
    'ana mish bkhair',
    'sa3eduni',
    'no estoy bien',
    'ayuda por favor',
    'não estou bem',
    'socorro',
    'je ne suis pas en sécurité',
    'au secours',
    'ich bin nicht in Sicherheit',
    'Hilfe',
    'non sto bene',
    'aiuto',
    '助けて',
    '安全ではありません',
    '살려주세요',
    '안전하지 않아요',
    '救命',
    '我不安全',
    'मदद करो',
    'मैं सुरक्षित नहीं हूँ',
    'main safe nahi hoon',
  ],
  not_there: [
    'AWAY',
    'Not there',
    'I am not there, thanks',
    'لست هناك',
    'لست في المنطقة',
    'wala ako doon',
    'Wala po ako roon',
  ],
  acknowledged: ['ok', 'OK po', '👍', '👍🏾', 'thank you', 'Salamat po', 'noted', 'yes', 'تمام', 'شكرا', '🙏🙏'],
  unclear: [
    '',
    '   ',
    '?',
    'safe?',
    'SAFE 😭',
    'safe for now but',
    'safe so far',
    'almost safe',
    'what is this?',
    'helpful',
    'helping others',
    'Where is the bus',
    'are you safe?',
    "I don't need help, I am safe",
    'I think so',
    'nobody hurt',
    'safe in the basement',
    'Ben is safe',
    'ana',
    '😭',
    '123',
    'ligtas ba kayo?',
    '安全吗？',
  ],
}

for (const [meaning, texts] of Object.entries(READ))
  test.each(texts)(`${meaning}: %j`, (text) => {
    expect(meaningOf(text, ['Ana Reyes'])).toBe(meaning)
  })

test.each(LANGUAGES)('the words of the answer buttons in %s are understood in a text', (language) => {
  for (const answer of ['safe', 'need_help', 'not_there'] as const)
    expect(meaningOf(LABELS[language][answer])).toBe(answer)
})

test('capitals and punctuation around a word do not matter, and no text causes an error', () => {
  fc.assert(
    fc.property(fc.constantFrom('safe', 'help', 'away'), fc.stringMatching(/^[ .!,-]{0,5}$/), (word, signs) => {
      expect(meaningOf(signs + word.toUpperCase() + signs)).toBe(meaningOf(word))
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => void meaningOf(text)))
})

test('"safe" with anything but thanks, greetings or the user’s own name is not plainly safe', () => {
  const word = fc.stringMatching(/^[a-z]{3,9}$/).filter((value) => !KNOWN.has(value))
  fc.assert(
    fc.property(word, (extra) => {
      expect(meaningOf(`I am safe ${extra}`)).not.toBe('safe')
    }),
  )
})
const KNOWN = new Set([
  'here',
  'thanks',
  'please',
  'pls',
  'thx',
  'sir',
  'maam',
  'yes',
  'bro',
  'sis',
  'hey',
  'dear',
  'naman',
  'salam',
  'ate',
  'kuya',
  'ito',
  'hello',
])

test.each(['not', 'never', 'hindi', 'nicht', 'pas', 'لست', 'مش', 'नहीं'])(
  '"%s" before "safe" is never safe, wherever it stands',
  (no) => {
    for (const text of [`${no} safe`, `i am ${no} safe`, `${no} i am safe`, `${no} feeling so safe`, `safe ${no}`])
      expect(meaningOf(text), text).not.toBe('safe')
  },
)

test('only the user’s own name is ignored', () => {
  expect(meaningOf('Ben safe', ['Ana Reyes'])).toBe('unclear')
  expect(meaningOf('Ben safe', ['Ben Cruz'])).toBe('safe')
})

test('reads a very long text quickly', () => {
  expect(meaningOf(`${'we are waiting '.repeat(400)}`)).toBe('unclear')
  expect(meaningOf(`help ${'x'.repeat(9_000)}`)).toBe('need_help')
})
