import { data, redirect } from 'react-router'
import { openCase } from '#shared/assistant/cases.ts'
import { GENERAL_NUMBER } from '#shared/emergency/address.ts'
import { type Emergency, getEmergency } from '#shared/emergency/endpoints.ts'
import { nationalityOf } from '#shared/emergency/missions.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { momentIn } from '#web/churches/days.ts'
import { translator } from '#web/lib/i18n.tsx'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import { likelyPlace } from './place.server.ts'

type Context = Parameters<typeof visitorOf>[0]

/** Data of the page of one country, or of the general page while the country is unknown. */
export async function emergencyPage(context: Context, request: Request, code: string | undefined) {
  const { language, now, user } = visitorOf(context)
  if (code !== undefined && /^[a-z]{2}$/i.test(code) && code !== code.toUpperCase())
    throw redirect(`/emergency/${code.toUpperCase()}`, 301)
  const place = code === undefined ? await likelyPlace(context, new URL(request.url).searchParams.get('zone')) : null
  const country = code || place?.country
  const found = await attempt(context, (call) => call(getEmergency, { query: country ? { country } : {} }))
  // A wrong URL is no reason to show no number.
  const emergency = found.done ?? (await api(context)(getEmergency, { query: {} }))
  const nameOf = nameIn(language)
  const name = emergency.country && nameOf(emergency.country)
  const t = translator(language, 'emergency')
  return data(
    {
      title: name ? t('title_in', { country: name }) : t('page_title'),
      description: t('description'),
      emergency,
      name,
      origin: place?.origin ?? null,
      unknownCode: found.error ? (code ?? null) : null,
      isSignedIn: user !== null,
      nationalities: nationalitiesOf(emergency).map((nationality) => ({ nationality, name: nameOf(nationality) })),
      line: emergency.line && { ...emergency.line, isOpen: isOpen(emergency.line, now) },
      made_on: now.toISOString(),
    },
    { status: found.error?.status ?? 200 },
  )
}

export type EmergencyData = Awaited<ReturnType<typeof emergencyPage>>['data']

/** Nationalities whose embassies are known. */
const nationalitiesOf = ({ missions }: Emergency) => [...new Set(missions.map(nationalityOf))]

/** Null: open day and night. */
function isOpen({ from, until, time_zone }: NonNullable<Emergency['line']>, now: Date): boolean | null {
  if (from === until) return null
  const { clock } = momentIn(time_zone, now.toISOString())
  return from < until ? clock >= from && clock < until : clock >= from || clock < until
}

/** Shown after the form was submitted. */
export interface ReportResult {
  done: { reference: string; content: string } | null
  error: { error: string; fields: Record<string, string> } | null
  values: { note: string; safe_phone: string }
  /** To call meanwhile. */
  number: string
}

/**
 * Opens a case for a coordinator: with a callback number if the user leaves one. No `formAction`: every answer, also an
 * error, shows the number to call.
 */
export async function reportDanger(context: Context, request: Request, code: string | undefined) {
  const { language } = visitorOf(context)
  const form = await request.formData()
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.replaceAll('\0', '').trim() : ''
  }
  const country = await countryOf(context, text('country') || code)
  const values = { note: text('note').slice(0, 2_000), safe_phone: text('safe_phone').slice(0, 40) }
  const { done, error } = await attempt(context, (call) =>
    call(openCase, {
      body: {
        kind: 'danger',
        language,
        country: country?.country ?? null,
        ...(values.note ? { note: values.note } : {}),
        ...(values.safe_phone ? { safe_phone: values.safe_phone } : {}),
      },
    }),
  )
  const number = country?.first?.phone ?? GENERAL_NUMBER
  return data<ReportResult>(
    {
      done: done ?? null,
      error: error ? { error: error.error, fields: error.fields } : null,
      values,
      number,
    },
    { status: error?.status ?? 200 },
  )
}

async function countryOf(context: Context, code: string | undefined) {
  if (!code || !/^[A-Z]{2}$/.test(code)) return undefined
  return (await attempt(context, (call) => call(getEmergency, { query: { country: code } }))).done
}
