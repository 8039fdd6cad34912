import type { Translate } from '#web/lib/i18n.tsx'
import type { ErrorDetails } from './error-details.ts'

// Mail programs truncate or reject long URLs; the top of a stack says where it happened.
const STACK_CHARACTERS = 1200

interface Report {
  site: { brand: string; support_email: string; public_url: string }
  error: Pick<ErrorDetails, 'id' | 'at' | 'name' | 'stack'>
  component: string
  path: string
}

/** A mail draft to support. Nothing leaves the device until the user has reviewed and sent it. */
export function reportAddress(t: Translate<'content'>, { site, error, component, path }: Report): string {
  const subject = t('report_subject', { brand: site.brand, id: error.id })
  const lines = [
    t('report_intro'),
    '',
    '',
    t('report_technical'),
    `${t('error_id')}: ${error.id}`,
    `${t('error_time')}: ${error.at}`,
    `${t('report_component')}: ${component}`,
    `${t('report_error')}: ${error.name}`,
    `${t('report_url')}: ${site.public_url}${path}`,
    `${t('report_stack')}: ${error.stack.slice(0, STACK_CHARACTERS) || '-'}`,
  ]
  const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines.join('\r\n'))}`
  return `mailto:${site.support_email}?${query}`
}
