import { getAdvisory } from '#shared/advisories/endpoints.ts'
import { countConcerned, listCallable, startRollCall } from '#shared/roll-calls/endpoints.ts'
import { titleIn } from '#web/advisories/reader.server.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { isId } from '#web/lib/ids.ts'
import { api, attempt, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { rollCallPath } from './paths.ts'

/** Form values. */
export interface Values {
  title: string
  message: string
  countries: string[]
  chapter: string
  escalate_after_minutes: string
  advisory: string
  once: string
}

/** Up to this many countries are checkboxes; otherwise only the selected ones are, and others are added from lists. */
const TICKED = 12

type Context = Parameters<typeof visitorOf>[0]

/** Options of the form, and the values preset by an advisory it was opened from. */
export async function choicesFor(context: Context, advisoryId: string | null) {
  const { language } = visitorOf(context)
  const { countries: own, chapters } = await api(context)(listCallable)
  const all = countriesIn(language).filter(({ code }) => !own || own.includes(code))
  const advisory = advisoryId && isId(advisoryId) ? await advisoryOf(context, advisoryId) : null
  const known = new Set(all.map(({ code }) => code))
  const values: Values = {
    title: advisory?.title.slice(0, 200) ?? '',
    message: '',
    countries: advisory
      ? advisory.country_codes.filter((code) => known.has(code))
      : all.length === 1
        ? all.map(({ code }) => code)
        : [],
    chapter: '',
    escalate_after_minutes: '15',
    advisory: advisory?.id ?? '',
    once: crypto.randomUUID(),
  }
  return { countries: all, isShort: all.length <= TICKED, chapters, advisory, values }
}
export type Choices = Awaited<ReturnType<typeof choicesFor>>

async function advisoryOf(context: Context, id: string) {
  const { done } = await attempt(context, (call) => call(getAdvisory, { params: { id } }))
  if (!done) return null
  const { title, language, country_codes, affected_countries } = done.advisory
  const named = titleIn(visitorOf(context).language)({ title, language }, affected_countries)
  return { id, title: named.title, country_codes }
}

/** Number of recipients and their channels; null if unknown. */
export type Reach = (typeof countConcerned)['~']['output']

/** Number of users concerned, if known. */
export async function reachOf(context: Context, values: Values): Promise<Reach | null> {
  if (values.countries.length === 0 && !values.chapter) return null
  const { done } = await attempt(context, (call) => call(countConcerned, { body: concernedBy(values) }))
  return done ?? null
}

interface Shown {
  entered: Values
  reach: Reach | null
  /** The form is complete: only the number of recipients is to be confirmed. */
  isConfirming: boolean
}

/** Counts the recipients, shows the confirmation, or starts the roll call. */
export const actOnNew = formAction<Partial<Shown> & { error?: FormError }>(
  async (call, { form, context, text, flash }) => {
    const entered = valuesIn(form)
    const intent = text('intent')
    if (intent === 'count') return { entered, reach: await call(countConcerned, { body: concernedBy(entered) }) }
    if (intent === 'edit') return { entered, reach: await reachOf(context, entered) }
    const { title, message, escalate_after_minutes, advisory, once } = entered
    const confirmedCount = Number(text('people'))
    const body = {
      title,
      message,
      ...concernedBy(entered),
      escalate_after_minutes,
      advisory_id: advisory || null,
      people: intent === 'start' && form.has('people') && Number.isInteger(confirmedCount) ? confirmedCount : null,
      ...(isId(once) ? { once } : {}),
    }
    const { done, error } = await attempt(context, () => call(startRollCall, { body }))
    if (done) return flash(rollCallPath(done.id), 'start')
    const reach = await reachOf(context, entered)
    if (error.code === 'not_confirmed') return { entered, reach, isConfirming: true }
    return { entered, reach, error, isConfirming: error.code === 'people_changed' }
  },
  { onError: async (_error, { form }) => ({ entered: valuesIn(form), reach: null }) },
)

const concernedBy = ({ countries, chapter }: Values) => ({ countries, chapter: chapter || null })

function valuesIn(form: FormData): Values {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const countries = form.getAll('countries').filter((code): code is string => typeof code === 'string' && code !== '')
  return {
    title: text('title'),
    message: text('message'),
    countries: [...new Set(countries)],
    chapter: text('chapter'),
    escalate_after_minutes: text('escalate_after_minutes'),
    advisory: text('advisory'),
    once: text('once'),
  }
}
