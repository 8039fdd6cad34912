import { composeSms } from '#shared/delivery/sms.ts'
import type { Language } from '#shared/language.ts'
import { DeliveryFailure } from '../delivery-result.ts'
import { type Announced, renderAnnouncement } from './announcement-content.ts'
import { escaped } from './html.ts'
import { filledFor } from './placeholders.ts'

/** What stands around every message. */
export interface Frame {
  brand: string
  publicUrl: string
}

export interface Wording {
  subject: string
  text: string
  html: string
  title: string
  message: string
  /** As a text message. */
  short: string
}

/**
 * An announcement as its reader sees it, by the same rules by which it leaves; what signs the reader's own links is left
 * out. Null where its words cannot be put together.
 */
export function wordingOf(
  announced: Pick<
    Announced,
    'id' | 'kind' | 'template' | 'texts' | 'actionUrl' | 'advisoryId' | 'priority' | 'writer'
  > & {
    name: string
    countryCode?: string | null
  },
  language: Language,
  frame: Frame,
): Wording | null {
  const content = renderAnnouncement({ ...announced, rollCallId: null }, language, frame)
  if (content instanceof DeliveryFailure) return null
  const personal = { name: announced.name, unsubscribe: frame.publicUrl, answer: frame.publicUrl }
  const { title, message } = content.short
  return {
    subject: filledFor({ personal }, content.subject),
    text: filledFor({ personal }, content.text),
    html: filledFor({ personal: { ...personal, name: `<bdi>${escaped(announced.name)}</bdi>` } }, content.html ?? ''),
    title,
    message,
    short: filledFor({ personal }, composeSms(content.short)),
  }
}
