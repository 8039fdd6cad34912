import { isTemplate } from '#server/delivery/templates/override-model.ts'
import { variablesOf } from '#server/delivery/templates/override-rules.ts'
import type { Frame } from '#server/delivery/templates/preview.ts'
import { renderChecked, TEXTS, type Template } from '#server/delivery/templates/render.ts'
import { problemsOf } from '#server/delivery/templates/required-values.ts'
import { firstOf } from '#shared/assert.ts'
import { composeSms } from '#shared/delivery/sms.ts'
import { AppError } from '#shared/errors.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'

/** Secret and account messages: sent only by the portal itself, to the account's owner. */
const OWN_ACCOUNT: readonly Template[] = [
  'verify-email',
  'already-registered',
  'reset-password',
  'sign-in-link',
  'sign-in-code',
  'change-email',
  'email-changed',
  'sign-in-changed',
  'sign-in-restored',
  'account-created',
  'account-erased',
]
const sendable = () =>
  (Object.keys(TEXTS.en.templates) as Template[]).filter((name) => !OWN_ACCOUNT.includes(name)).sort()

/** Templates in the documented form, in both languages. */
export const listSendable = (isSms: boolean) =>
  sendable().flatMap((name) =>
    LANGUAGES.map((language) => {
      const { subject, lines, sms } = TEXTS[language].templates[name] as {
        subject: string
        lines: string[]
        sms?: string
      }
      const content = isSms ? (sms ?? [subject, ...lines].join('\n')) : lines.join('\n\n')
      return {
        id: name,
        name,
        language,
        subject,
        content,
        variables: variablesOf(name).map((variable) => variable.name),
      }
    }),
  )

interface TemplateInput {
  templateId: string
  variables: Record<string, string | number>
  language: Language
}

/** Fills a template with the values provided. Missing or unknown ones are reported by name. */
export function filledTemplate(
  { templateId, variables, language }: TemplateInput,
  { brand, publicUrl }: Frame,
  writer: { writer_name?: string; writer_role?: Role } = {},
) {
  if (!isTemplate(templateId) || OWN_ACCOUNT.includes(templateId))
    throw new AppError(404, 'template_not_found', 'Template not found.')
  const link = String(variables.link ?? '')
  const values = { brand, ...variables, ...writer, ...(link.startsWith('/') ? { link: `${publicUrl}${link}` } : {}) }
  const known = variablesOf(templateId)
  const missing = known
    .filter(({ name, isRequired }) => (isRequired || name === 'name') && !String(variables[name] ?? '').trim())
    .map(({ name }) => [name, 'This field is required'])
  const unknown = Object.keys(variables)
    .filter((name) => name !== 'link' && !known.some((variable) => variable.name === name))
    .map((name) => [name, 'Unknown variable.'])
  const fields = { ...Object.fromEntries([...missing, ...unknown]), ...problemsOf(templateId, values) }
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'template_invalid', 'Template validation failed', { fields })
  try {
    return { ...renderChecked(templateId, language, values), values }
  } catch (error) {
    throw new AppError(422, 'template_invalid', 'Template validation failed', {
      fields: { variables: (error as Error).message },
    })
  }
}

/** As a text message: its short form, or title, text and link, cut like any composed message. */
export function filledSms(input: TemplateInput, frame: Frame): string {
  const { subject, sms, text, values } = filledTemplate(input, frame)
  if (sms) return composeSms({ title: sms, message: '', link: null })
  const link = String((values as { link?: string }).link ?? '') || null
  const message = firstOf(text.split('\n\n-- '))
    .replace(link ?? '\0', '')
    .replace(/\s+/g, ' ')
    .trim()
  return composeSms({ title: subject, message, link })
}
