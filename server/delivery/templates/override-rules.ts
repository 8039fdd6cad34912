import type { TemplateOverride } from './overrides.ts'
import { TEXTS, type Template } from './render.ts'

/** Optional variables; a message is complete without them. */
const NOT_NEEDED = new Set(['brand', 'name', 'minutes', 'days', 'reason', 'spoken', 'snippet', 'source', 'dated'])

const placesOf = (text: string) => [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => name!)

/** The variables of a template, and which of them its text requires. */
export function variablesOf(template: Template): { name: string; isRequired: boolean }[] {
  const { subject, lines, sms, greets } = TEXTS.en.templates[template]
  const used = [subject, ...lines, sms ?? ''].flatMap(placesOf)
  const names = [...new Set(['brand', ...(greets ? ['name'] : []), ...used])]
  return names.map((name) => ({ name, isRequired: !NOT_NEEDED.has(name) }))
}

/** Problems in an override, by part name. */
export function problemsOfOverride(
  template: Template,
  { subject, lines, button, sms }: TemplateOverride,
): Record<string, string> {
  const own = TEXTS.en.templates[template]
  const known = variablesOf(template)
  const problems: Record<string, string> = {}
  const fields = { subject: [subject], lines, button: [button ?? ''], sms: [sms ?? ''] }
  for (const [field, texts] of Object.entries(fields)) {
    const unknown = texts.flatMap(placesOf).filter((name) => !known.some((variable) => variable.name === name))
    if (unknown.length > 0) problems[field] = `Not known here: ${[...new Set(unknown)].join(', ')}`
    else if (texts.some((text) => /\{\{|\}\}/.test(text.replace(/\{\{\w+\}\}/g, ''))))
      problems[field] = 'Close every opening brace'
  }
  const missing = known.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const inMail = [subject, ...lines].flatMap(placesOf)
  const left = missing.filter(
    (name) => [own.subject, ...own.lines].flatMap(placesOf).includes(name) && !inMail.includes(name),
  )
  if (left.length > 0) problems.lines ??= `Missing: ${left.join(', ')}`
  const inSms = placesOf(own.sms ?? '').filter((name) => missing.includes(name) && !placesOf(sms ?? '').includes(name))
  if (own.sms && inSms.length > 0) problems.sms ??= `Missing: ${inSms.join(', ')}`
  if (own.button && !button) problems.button ??= 'This field is required'
  return problems
}
