import { fold } from '#shared/countries/fold.ts'
import { inEachLanguage, type Language } from '#shared/language.ts'
import { carriedIn, linesOf, type Message, withMainText } from './message.ts'

type Countries = readonly { code: string; name: string }[]

/** The message in a form of any kind, so that another kind can go on with it. */
export function messageIn(form: FormData, countries: Countries): Message {
  const carried = carriedIn(form.get('carried'))
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n')
  const all = (name: string) => form.getAll(name).map(String)
  switch (form.get('kind')) {
    case 'roll_call':
      return {
        ...withMainText(carried, { title: text('title'), message: text('message') }),
        countries: all('countries'),
        chapters: all('chapters'),
        advisory: text('advisory'),
      }
    case 'announcement':
      return {
        ...carried,
        texts: inEachLanguage((language: Language) => ({
          title: text(`title_${language}`),
          message: text(`message_${language}`),
        })),
        countries: all('countries'),
        chapters: all('chapters'),
        roles: all('roles'),
        people: [...linesOf(text('people')), ...all('found')],
      }
    case 'advisory':
      return {
        ...withMainText(carried, { title: text('title'), message: text('description') }),
        ...resolved(text('countries'), countries),
      }
    default:
      return carried
  }
}

/** Country names, one per line, as codes; names that are not in the list stay as they are. */
function resolved(lines: string, countries: Countries): Pick<Message, 'countries' | 'places'> {
  const byName = new Map(
    countries.flatMap(({ code, name }) => [[fold(name), code] as const, [fold(code), code] as const]),
  )
  const names = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const codes = names.flatMap((name) => byName.get(fold(name)) ?? [])
  return { countries: [...new Set(codes)], places: names.filter((name) => !byName.has(fold(name))) }
}
