import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  CONTACT_ROLES,
  CONTACT_TYPES,
  DANGERS,
  DOCUMENT_TYPES,
  EMERGENCY_TYPES,
  INTENTS,
  PURPOSES,
  SERVICE_TYPES,
  WEEKDAYS,
} from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Lexicon } from './lexicon.ts'

const Entries = z.array(z.string()).min(1)
const by = (keys: readonly string[]) => z.strictObject(Object.fromEntries(keys.map((key) => [key, Entries])))

const LexiconShape: z.ZodType<Lexicon> = z.strictObject({
  intents: by(INTENTS),
  serviceType: by(SERVICE_TYPES),
  dayOfWeek: by(WEEKDAYS),
  contactType: by(CONTACT_TYPES),
  role: by(CONTACT_ROLES),
  purpose: by(PURPOSES),
  documentType: by(DOCUMENT_TYPES),
  emergencyType: by(EMERGENCY_TYPES),
  dangers: by(DANGERS),
  harmless: Entries,
  disparaging: by(['church', 'insult']),
  commands: Entries,
  going: Entries,
  near: Entries,
  greetings: Entries,
  thanks: Entries,
  person: Entries,
  dates: by(['today', 'tomorrow', 'next_week', 'next_month']),
  countries: z.record(z.string().regex(/^[A-Z]{2}$/), Entries),
  cities: z.record(z.string().min(2), Entries),
}) as never

const WITHOUT_SPACES: readonly AssistantLanguage[] = ['zh', 'ja']

/**
 * Words that mean nothing but the danger, whatever stands beside them. Tagalog and Arabic have more of them than others:
 * one word says what is done to whom ("sinampal": was slapped; "ضربني": he hit me).
 */
const ALONE: Partial<Record<AssistantLanguage, string>> = {
  en: `
    suicide suicidal sucide suiside suicde maltreat* rape raped rapes raping molest* grope* groping traffick*
    enslaved prostitut* ransom`,
  tl: `
    suicide suicidal magpakamatay magpapakamatay nagpakamatay nagpapakamatay magpakamtay magpapakamtay
    pagpapakamatay pagpakamatay magsuicide maglaslas maglalaslas naglaslas magbigti magbibigti nagbigti
    magbitay magbibitay magpapasagasa magpasagasa binubugbog binugbog binubogbog binogbog nabugbog nabubugbog
    bubugbugin mambugbog nambubugbog sinasampal sinampal sinusuntok sinuntok tinadyakan tinatadyakan
    sinabunutan sinasabunutan kinaladkad sinakal sinasakal dinuraan rape nirape narape rinape nirarape rerapin
    ginahasa ginagahasa gagahasain nagahasa panggagahasa pinagsamantalahan pinagsasamantalahan
    pagsasamantalahan minolestya minomolestya molestya namolestya hinalay hinahalay hinipuan hinihipuan
    hinihipo minamanyak minanyak minamanyakis sinisilipan sinilipan naninilip pinagbantaan pinagbabantaan
    binantaan binabantaan tinutukan tinututukan inaabuso inabuso pangaabuso minaltrato minamaltrato maltrato
    pagmamaltrato nanghihipo natraffick ikinulong ikinukulong kinukulong kinandaduhan inaalipin prostitusyon
    binugaw ibinugaw ibinubugaw binubugaw ransom kinidnap nakidnap dinukot`,
  ar: `
    انتحر* انتحار* سانتحر تنتحر ينتحر هنتحر بنتحر شراييني يضربن* يضربون* تضربن* ضربني ضربتني ضربوني
    ضربونا بيضربن* بتضربن* بيضربون* انضرب اتضرب يضربها تضربها ضربها ضربتها ضربوها بيضربها بتضربها
    يضربوها يضربه يضربوه يعنفن* تعنفني يعذبن* يعذبون* تعذبن* عذبون* تعذبها يعذبها يؤذين* يؤذون*
    تؤذين* بياذين* ياذين* يلمسني لمسني بيلمسني يلمسها لمسها بيلمسها يلمسون* اغتصب* يغتصب* اغتصاب*
    سيقتل* هيقتل* يخنق* خنقني حرقني حرقتني يحرقني تحرقني يصفع* صفع* يرفسني يركلني طعنني yedrobni
    yodrobni bydrobni يحبسن* حبسني حبسوني يحبسون* تحبسني حبستني حابسن* حابسين* حبسوها تحبسها يحبسها
    محبوسة باعني باعوني باعتني باعوها باعها يبيعني يبيعون* بعوني انباعت اشتراني اشتروني دعارة عبودية
    كالعبيد جوعوني يجوعوني`,
  es: `
    suicidio suicidarme suicidarse suicidar suicida suisidio autolesion* ahorcarme sobredosis golpearme
    maltratada maltratado violarme violada tocarme tocamientos acosarme besarme esclavitud esclavizad*
    prostitu*`,
  fr: `
    suicide suicider suicidaire suicidaires automutil* scarifi* surdose m'étrangle maltraitée maltraité
    maltraitance brutalisée abusée m'agresse viol violée attouchement attouchements harcelée m'enferme
    m'enferment séquestr* esclavage esclave kidnappé* kidnapée prostitu* m'exploite m'exploitent rançon
    m'échapper`,
  it: `
    suicidio suicidarmi suicidarsi suicida suicidare autolesion* impiccarmi picchiata picchiato maltrattata
    maltrattato maltrattamenti abusata stupro stuprata stuprato violentata violentato toccarmi palpeggi*
    molestata molestie minacciata rinchiusa rinchiusi segregata prigioniera schiava schiavitù schiavizzat*
    rapita prostitu* sfruttata`,
  pt: `
    suicídio suicidar suicida autolesão automutil* overdose espancada espancado maltratada maltratado agredida
    abusada estupro estuprada estuprado estuprar estupraram assediada trancada sequestrada raptada escravidão
    escravatura escraviz* prostitu*`,
}

const fileOf = (code: AssistantLanguage) => new URL(`./${code}.json`, import.meta.url)
const written = ASSISTANT_LANGUAGE_CODES.filter((code) => existsSync(fileOf(code)))
const read = (code: AssistantLanguage) => JSON.parse(readFileSync(fileOf(code), 'utf8')) as Lexicon

/** Every list of a lexicon with its path: `dangers.self_harm`. */
function listsOf(lexicon: Lexicon): [path: string, entries: readonly string[]][] {
  return Object.entries(lexicon).flatMap(([name, value]: [string, string[] | Record<string, string[]>]) =>
    Array.isArray(value)
      ? [[name, value] as [string, string[]]]
      : Object.entries(value).map(([part, entries]): [string, string[]] => [`${name}.${part}`, entries]),
  )
}

const faults = (lexicon: Lexicon, isWrong: (entry: string) => boolean) =>
  listsOf(lexicon).flatMap(([path, entries]) => entries.filter(isWrong).map((entry) => `${path}: ${entry}`))

describe.each(written)('the words of %s', (code) => {
  const lexicon = read(code)

  test('name everything that a question may be about, and nothing else', () => {
    expect(LexiconShape.safeParse(lexicon).error?.issues ?? []).toEqual([])
  })

  test('stand once in a list, however they are written', () => {
    const twice = listsOf(lexicon).flatMap(([path, entries]) => {
      const folded = entries.map(fold)
      return entries.filter((_, i) => folded.indexOf(folded[i]!) < i).map((entry) => `${path}: ${entry}`)
    })
    expect(twice).toEqual([])
  })

  test('are words once they are folded', () => {
    expect(faults(lexicon, (entry) => !/[\p{L}\p{N}]/u.test(fold(entry)))).toEqual([])
    expect(faults(lexicon, (entry) => entry !== entry.trim() || / {2}/.test(entry))).toEqual([])
  })

  test('leave an end open only after a word and a gap only between words', () => {
    const spaced = !WITHOUT_SPACES.includes(code)
    const gap = spaced ? / \.\. / : /\s?\.\.\s?/
    const isWrong = (entry: string) =>
      entry.split(gap).some((part) => part.trim() === '' || part.includes('..') || /(^|\s)\*|\*(?!\s|$)/.test(part))
    expect(faults(lexicon, isWrong)).toEqual([])
  })

  test.skipIf(WITHOUT_SPACES.includes(code))('see no danger in a single word that has other meanings', () => {
    const alone = (ALONE[code] ?? '').split(/\s+/).filter(Boolean)
    const single = DANGERS.flatMap((danger) => lexicon.dangers[danger]).filter((entry) => !/[\s-]/.test(entry.trim()))
    expect(single.filter((entry) => !alone.includes(entry))).toEqual([])
    expect(alone.filter((entry) => !single.includes(entry))).toEqual([])
  })
})
