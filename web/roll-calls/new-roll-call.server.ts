import { getAdvisory } from '#shared/advisories/endpoints.ts'
import { estimateRollCall, listCallable, startRollCall } from '#shared/roll-calls/endpoints.ts'
import { titleIn } from '#web/advisories/reader.server.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { type Counted, isNumberConfirmed, NUMBER_CHECK } from '#web/compose/estimate.ts'
import { messageIn } from '#web/compose/message.server.ts'
import { carriedIn, EMPTY_MESSAGE, type Message, mainText } from '#web/compose/message.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import { translator } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, attempt, type CallEndpoint, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { rollCallPath } from './paths.ts'

/** Form values. */
export interface Values {
  title: string
  message: string
  countries: string[]
  chapters: string[]
  escalate_after_minutes: string
  advisory: string
  once: string
  /** What was searched among the recipients. */
  add: string
  /** The reader of the preview, without scripts. */
  as: string
  /** What another kind of message had. */
  carried: Message
}

type Context = Parameters<typeof visitorOf>[0]

/** Options of the form, and the values preset by an advisory it was opened from. */
export async function choicesFor(context: Context, advisoryId: string | null) {
  const { language } = visitorOf(context)
  const { countries: own, chapters } = await api(context)(listCallable)
  const all = countriesIn(language).filter(({ code }) => !own || own.includes(code))
  const advisory = advisoryId && isId(advisoryId) ? await advisoryOf(context, advisoryId) : null
  const known = new Set(all.map(({ code }) => code))
  const values: Values = {
    ...EMPTY_VALUES,
    title: advisory?.title.slice(0, 200) ?? '',
    countries: advisory
      ? advisory.country_codes.filter((code) => known.has(code))
      : all.length === 1
        ? all.map(({ code }) => code)
        : [],
    advisory: advisory?.id ?? '',
    once: crypto.randomUUID(),
  }
  return { countries: all, chapters, advisory, values }
}
export type Choices = Awaited<ReturnType<typeof choicesFor>>

const EMPTY_VALUES: Values = {
  ...{ title: '', message: '', countries: [], chapters: [], advisory: '', once: '', add: '', as: '' },
  escalate_after_minutes: '15',
  carried: EMPTY_MESSAGE,
}

async function advisoryOf(context: Context, id: string) {
  const { done } = await attempt(context, (call) => call(getAdvisory, { params: { id } }))
  if (!done) return null
  const { title, language, country_codes, affected_countries } = done.advisory
  const named = titleIn(visitorOf(context).language)({ title, language }, affected_countries)
  return { id, title: named.title, country_codes }
}

/** Who is concerned, if known. */
export async function countedOf(context: Context, values: Values): Promise<Counted | null> {
  const { done } = await attempt(context, (call) => count(call, values, context))
  return done ?? null
}

/** Null without a place. */
async function count(call: CallEndpoint, values: Values, context: Context): Promise<Counted | null> {
  if (values.countries.length === 0 && values.chapters.length === 0) return null
  const { title, message } = values
  const estimate = await call(estimateRollCall, { body: { title, message, ...concernedBy(values) } })
  return { estimate, now: visitorOf(context).now.toISOString() }
}

interface Shown {
  entered: Values
  counted: Counted | null
  /** The form is complete: only the number of recipients is to be confirmed. */
  isConfirming: boolean
  /** The number of recipients shown before. */
  before: number
  error: FormError
}

/** Every action of the composer of roll calls. */
export const actOnNew = formAction<Partial<Shown>>(
  {
    // Enter in a field: adds what was entered as a recipient, otherwise goes on.
    continue: (call, submission) => (submission.text('add').trim() ? add(call, submission) : start(call, submission)),
    review: start,
    start,
    add,
    estimate: async (call, { form, context }) => {
      const entered = valuesIn(form)
      return { entered, counted: await count(call, entered, context) }
    },
    edit: show,
    switch: show,
    resume: show,
  },
  { onError: async (_error, { form }) => ({ entered: valuesIn(form), counted: null }) },
)

/** Starts the roll call if its number of recipients was confirmed, or asks to confirm it. */
async function start(call: CallEndpoint, { form, context, text, flash }: Submission): Promise<string | Partial<Shown>> {
  const entered = valuesIn(form)
  const isStart = text('intent') === 'start'
  const [before, people] = [Number(text('before')), Number(text('people'))]
  if (isStart && !isNumberConfirmed({ before, recipients: people, entered: text('number_check') }))
    return { entered, counted: await countedOf(context, entered), isConfirming: true, before, error: NUMBER_CHECK }
  const { title, message, escalate_after_minutes, advisory, once } = entered
  const confirmed = isStart && form.has('people') && Number.isInteger(people) ? people : null
  const { done, error } = await attempt(context, async () => {
    const body = { title, message, ...concernedBy(entered), escalate_after_minutes, advisory_id: advisory || null }
    return call(startRollCall, { body: { ...body, people: confirmed, ...(isId(once) ? { once } : {}) } })
  })
  if (done) return flash(rollCallPath(done.id), 'start')
  const counted = await countedOf(context, entered)
  const shown = Number(text('shown') || (counted?.estimate.chosen ?? 0))
  if (error.code === 'not_confirmed') return { entered, counted, isConfirming: true, before: shown }
  // After a change, the number that was confirmed is the one before.
  return { entered, counted, error, isConfirming: error.code === 'people_changed', before: people }
}

/** What a form of any kind had, in this one. */
async function show(_call: CallEndpoint, { form, context }: Submission): Promise<Partial<Shown>> {
  const isOwn = form.get('kind') === 'roll_call'
  const entered = isOwn ? valuesIn(form) : valuesOfMessage(messageIn(form, countriesIn(visitorOf(context).language)))
  return { entered, counted: await countedOf(context, entered) }
}

function valuesOfMessage(message: Message): Values {
  const { title, message: body } = mainText(message)
  const { countries, chapters, advisory } = message
  return {
    ...EMPTY_VALUES,
    ...{ title, message: body, countries, chapters, advisory },
    once: crypto.randomUUID(),
    carried: message,
  }
}

/** Adds a country or chapter by its name. */
async function add(_call: CallEndpoint, { form, context }: Submission): Promise<Partial<Shown>> {
  const entered = valuesIn(form)
  const { countries, chapters } = await choicesFor(context, null)
  const t = translator(visitorOf(context).language, 'compose')
  const search = entered.add.trim().toLowerCase()
  const country = countries.find(({ name }) => name.toLowerCase() === search)
  const chapter = chapters.find(({ chapter_name: name }) =>
    [name, t('pick_chapter', { name })].some((label) => label.toLowerCase() === search),
  )
  const added: Values = {
    ...entered,
    countries: country ? [...new Set([...entered.countries, country.code])] : entered.countries,
    chapters: !country && chapter ? [...new Set([...entered.chapters, chapter.id])] : entered.chapters,
    add: country || chapter ? '' : entered.add,
  }
  return { entered: added, counted: await countedOf(context, added) }
}

const ONE_CHAPTER: FormError = {
  error: 'Please correct the marked fields.',
  code: 'invalid_input',
  fields: { chapter: 'Choose one chapter only' },
  status: 422,
}

/** A roll call asks one chapter; another kind of message may have had several. */
function concernedBy({ countries, chapters }: Values) {
  if (chapters.length > 1) throw Object.assign(new Error(ONE_CHAPTER.error), ONE_CHAPTER)
  return { countries, chapter: chapters[0] ?? null }
}

function valuesIn(form: FormData): Values {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const all = (name: string) =>
    [...new Set(form.getAll(name))].filter((value): value is string => typeof value === 'string' && value !== '')
  return {
    title: text('title'),
    message: text('message'),
    countries: all('countries'),
    chapters: all('chapters'),
    escalate_after_minutes: text('escalate_after_minutes'),
    advisory: text('advisory'),
    once: text('once'),
    add: text('add'),
    as: text('as'),
    carried: carriedIn(form.get('carried')),
  }
}
