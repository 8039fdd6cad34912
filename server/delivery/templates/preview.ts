import { composeSms } from '#shared/delivery/sms.ts'
import type { Language } from '#shared/language.ts'
import { DeliveryError } from '../delivery-result.ts'
import { type AnnouncementSource, renderAnnouncement } from './announcement-content.ts'
import { escaped } from './html.ts'
import { fillText } from './placeholders.ts'

/** The parts around every message. */
export interface Frame {
  brand: string
  publicUrl: string
}

export interface AnnouncementPreview {
  subject: string
  text: string
  html: string
  title: string
  message: string
  /** As a text message. */
  short: string
}

/**
 * An announcement as its recipient sees it, rendered by the same rules as when it is sent, without signatures in
 * individual links. Null if it cannot be rendered.
 */
export function announcementPreview(
  announced: Pick<
    AnnouncementSource,
    'id' | 'kind' | 'template' | 'texts' | 'actionUrl' | 'advisoryId' | 'priority' | 'writer'
  > & {
    name: string
    countryCode?: string | null
    /** Links to the recipient's own answer page. */
    isRollCall?: boolean
  },
  language: Language,
  frame: Frame,
): AnnouncementPreview | null {
  const content = renderAnnouncement(
    { ...announced, rollCallId: announced.isRollCall ? announced.id : null },
    language,
    frame,
  )
  if (content instanceof DeliveryError) return null
  const personal = { name: announced.name, unsubscribe: frame.publicUrl, answer: `${frame.publicUrl}/answer/…` }
  const { title, message } = content.short
  return {
    subject: fillText({ personal }, content.subject),
    text: fillText({ personal }, content.text),
    html: fillText({ personal: { ...personal, name: `<bdi>${escaped(announced.name)}</bdi>` } }, content.html ?? ''),
    title,
    message,
    short: fillText({ personal }, composeSms(content.short)),
  }
}
